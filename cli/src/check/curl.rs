//! A request of a check as a shell line that signs itself anew, where one can make it.

use median_edge_conformance::Plan;

use crate::curl::{quoted, signature};
use crate::keys::Signing;

/// A longer body is no line to copy.
const LONGEST_BODY: usize = 2_000;

/// Turns each hex digit into the next one, so that what is signed with it is wrong.
const NEXT: &str = "tr 0-9a-f 1-9a-f0";

/// The line, or why there is none.
pub(crate) fn line(url: &str, plan: &Plan, signing: &Signing) -> Result<String, String> {
    let bytes = plan.body.len();
    let body = |bytes: &[u8]| {
        let text = std::str::from_utf8(bytes).ok().filter(|text| text.len() <= LONGEST_BODY);
        // What a shell keeps in a variable: no NUL, and no line feed at the end.
        text.filter(|text| !text.contains('\0')).map(str::to_owned)
    };
    if !plan.is_plain() {
        return Err(format!(
            "{} of {bytes} bytes, {:?} on the wire: no curl does that",
            plan.method, plan.framing
        ));
    }
    let Some(sent) = body(&plan.body) else {
        return Err(format!("{} with a body of {bytes} bytes that is no text, or a long one", plan.method));
    };
    let signed = match &plan.over {
        Some(over) => body(over).ok_or_else(|| "a body that is no text was signed".to_owned())?,
        None => sent.clone(),
    };
    if !plan.signature.iter().all(|line| line.is_ascii()) {
        return Err(format!("{} with bytes beyond ASCII in its signature header", plan.method));
    }

    let mut parts = Vec::new();
    let uses = |name: &str| plan.signature.iter().any(|line| line.contains(name));
    let signs = ["{v1}", "{V1}", "{first}", "{last}"].into_iter().any(uses);
    if signs || uses("{t}") {
        let seconds = match plan.offset_ms / 1_000 {
            0 => "$(date +%s)".to_owned(),
            seconds => format!("$(($(date +%s)+{seconds}))"),
        };
        parts.push(format!("M={seconds}000"));
        parts.push(format!("T=\"{}\"", plan.t.replace("{ms}", "$M").replace("{s}", "${M%000}")));
    }
    if !sent.is_empty() {
        parts.push(format!("B={}", quoted(&sent)));
    }
    if signs {
        // `sign` takes a time that is one; how the public key signs anything else is no secret.
        if !signing.is_public() && !matches!(plan.t.as_str(), "{ms}" | "{s}") {
            return Err(format!("{} with a signed time that `sign` does not take", plan.method));
        }
        let over = match &plan.over {
            Some(_) => quoted(&signed),
            None if sent.is_empty() => "''".to_owned(),
            None => "\"$B\"".to_owned(),
        };
        parts.push(format!("S={}", signature("\"$T\"", &over, signing)));
        parts.push("S=${S#*v1=}".to_owned());
    }
    parts.push(format!("curl -gsS -i {}", arguments(url, plan, !sent.is_empty())));
    Ok(format!("({})", parts.join("; ")))
}

fn arguments(url: &str, plan: &Plan, has_body: bool) -> String {
    let of_the_site = plan.path.map(|path| format!("{}{path}", origin(url)));
    let url = of_the_site.as_deref().unwrap_or(url);
    let url = match plan.suffix.strip_prefix('?') {
        Some(query) if url.contains('?') => format!("{url}&{query}"),
        _ if plan.suffix.starts_with('/') => format!("{}{}", url.trim_end_matches('/'), plan.suffix),
        _ => format!("{url}{}", plan.suffix),
    };
    let mut words = vec![quoted(&url.replace('\'', "%27"))];
    match plan.method.as_str() {
        "GET" if !has_body => {}
        "HEAD" => words.push("-I".to_owned()),
        method => words.push(format!("-X {method}")),
    }
    for line in &plan.signature {
        words.push(match line.trim() {
            // curl's way to send a header that is empty.
            "" => format!("-H '{};'", plan.header),
            _ => format!("-H \"{}: {}\"", plan.header, in_the_shell(line)),
        });
    }
    words.extend(
        plan.headers.iter().map(|(name, value)| format!("-H {}", quoted(&format!("{name}: {value}")))),
    );
    if has_body {
        words.push("--data-binary \"$B\"".to_owned());
    } else if plan.method == "POST" {
        words.push("--data-binary ''".to_owned());
    }
    words.join(" ")
}

/// An address without its path and query.
fn origin(url: &str) -> &str {
    let from = url.find("://").map_or(0, |at| at + 3);
    let path = url[from..].find(['/', '?']).map_or(url.len(), |at| from + at);
    &url[..path]
}

/// The signature between quotation marks of the shell.
fn in_the_shell(template: &str) -> String {
    let mut text = String::new();
    for c in template.chars() {
        if matches!(c, '"' | '\\' | '$' | '`') {
            text.push('\\');
        }
        text.push(c);
    }
    text.replace("{t}", "$T")
        .replace("{v1}", "$S")
        .replace("{V1}", "$(printf %s \"$S\" | tr a-f A-F)")
        .replace("{first}", &format!("$(printf %s \"$S\" | cut -c1 | {NEXT})${{S#?}}"))
        .replace("{last}", &format!("${{S%?}}$(printf %s \"$S\" | cut -c64 | {NEXT})"))
}
