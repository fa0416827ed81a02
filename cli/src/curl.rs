//! A shell line that makes a signed call with curl, and signs itself anew each time, so that it never goes stale.
//!
//! With the public key of local development it is for shells where this command is not at hand, and uses only what
//! POSIX has beside openssl: `date +%s` has no milliseconds everywhere, and openssl's releases agree on
//! `-mac HMAC -macopt` and on putting the digest last. But openssl takes a secret from its command line, which other
//! users of the machine see: with any other key the line has this command sign, and names only where the key is.

use crate::keys::{Signing, Source};

/// The tool signing secret of the public key. Everyone can derive it.
const PUBLIC_SECRET: &str = "88c3f9e4dc47d0f24d3d54e9774a286bb6047cf929bde4ad83a7bf11e7dd6a31";

/// The line for a body. `fresh_id` is an id in the body that each run should have a new one for.
pub(crate) fn line(url: &str, body: &str, fresh_id: Option<&str>, signing: &Signing) -> String {
    // An apostrophe can only be inside a string of the body, where JSON has another form of it.
    let mut body = body.replace('\'', "\\u0027");
    if let Some(id) = fresh_id {
        body = body.replace(id, "test_'\"$T\"'");
    }
    let url = quoted(&url.replace('\'', "%27"));
    let value = signature("\"$T\"", "\"$B\"", signing);
    // -g: braces and brackets in the URL are no list of URLs.
    format!(
        "(T=$(date +%s)000; B='{body}'; S={value} && \
         curl -gsS {url} -H \"median-signature: $S\" -H 'content-type: application/json' --data-binary \"$B\")"
    )
}

/// What the shell replaces by the value of the signature header. The time, in milliseconds, and the body are words of
/// the shell.
pub(crate) fn signature(time: &str, body: &str, signing: &Signing) -> String {
    // The place is always named: where it is empty, `sign` fails, and does not take the public key in its stead.
    let option = match &signing.source {
        Source::Variable(name, _) if !signing.is_public() => format!("--key-env {name}"),
        Source::File(path, _) if !signing.is_public() => {
            format!("--key-file={}", quoted(&path.display().to_string()))
        }
        Source::Default | Source::Variable(..) | Source::File(..) => {
            return format!(
                "t={time},v1=$(printf %s.%s {time} {body} | \
                 openssl dgst -sha256 -mac HMAC -macopt hexkey:{PUBLIC_SECRET} | sed 's/.* //')"
            );
        }
    };
    format!("$(printf %s {body} | {} sign - --at {time} {option})", program())
}

/// How this command was started, so that what it says to type next works.
pub(crate) fn program() -> &'static str {
    match std::env::var("CARGO_PKG_NAME") {
        Ok(name) if name == env!("CARGO_PKG_NAME") => "cargo run -q --",
        _ => "median-edge",
    }
}

/// A word of the shell, in quotes where it needs them.
pub(crate) fn word(text: &str) -> String {
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || b"-_.:/".contains(&b);
    if !text.is_empty() && text.bytes().all(is_plain) { text.to_owned() } else { quoted(text) }
}

/// A word of the shell that stands for itself.
pub(crate) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::{PUBLIC_SECRET, line, word};
    use crate::keys::{Holds, Signing, Source};
    use median_edge::key::ToolSecret;
    use median_edge::{Keys, MedianKey};

    fn signing(source: Source) -> Signing {
        let key = match source {
            Source::Default => MedianKey::local(),
            _ => MedianKey::parse("median_key_SECRET_SECRET_SECRET_SECRET").unwrap(),
        };
        Signing { keys: Keys::new(key), source }
    }

    #[test]
    fn a_word_is_in_quotes_where_a_shell_would_make_something_else_of_it() {
        assert_eq!(word("http://127.0.0.1:7421/v-1_x"), "http://127.0.0.1:7421/v-1_x");
        for (text, quoted) in
            [("http://[::1]:1", "'http://[::1]:1'"), ("a&b", "'a&b'"), ("", "''"), ("$(x)", "'$(x)'")]
        {
            assert_eq!(word(text), quoted);
        }
    }

    #[test]
    fn the_secret_that_is_shown_is_the_public_one() {
        let shown = ToolSecret::from_hex(PUBLIC_SECRET).unwrap().sign(1, b"x");
        assert_eq!(shown, MedianKey::local().tool_secret().sign(1, b"x"));
        assert!(line("http://x/", "{}", None, &signing(Source::Default)).contains(PUBLIC_SECRET));
    }

    #[test]
    fn a_real_key_is_named_and_not_shown() {
        let variable = |holds| Source::Variable("MEDIAN_KEY".to_owned(), holds);
        let file = |holds| Source::File("a'b".into(), holds);
        for holds in [Holds::Key, Holds::ToolSecret] {
            for (source, option) in
                [(variable(holds), "--key-env MEDIAN_KEY"), (file(holds), r"--key-file='a'\''b'")]
            {
                let line = line("http://x/", "{}", None, &signing(source));
                assert!(line.contains(&format!(r#"sign - --at "$T" {option}) && curl "#)), "{line}");
                for part in ["SECRET_SECRET", PUBLIC_SECRET, "openssl", "$MEDIAN_KEY"] {
                    assert!(!line.contains(part), "{line}");
                }
            }
        }
    }

    #[test]
    fn a_body_cannot_leave_its_quotation_marks() {
        let line = line(
            "http://x/?'",
            r#"{"id":"ID","a":"O'Brien $(x) `x`"}"#,
            Some("ID"),
            &signing(Source::Default),
        );
        assert!(line.contains(r#"B='{"id":"test_'"$T"'","a":"O\u0027Brien $(x) `x`"}';"#), "{line}");
        assert!(line.contains("curl -gsS 'http://x/?%27' "), "{line}");
    }
}
