//! A small endpoint that is right, unless it is told to have one fault. It has nothing in common with the library.

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use crate::application;
use crate::json::{Json, Lenient};
use crate::tools;

/// A request, as a server hands it over.
#[derive(Clone, Debug, Default)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// What is behind the endpoint's address; or another path of the site.
    pub(crate) suffix: String,
    /// Names as they were sent.
    pub(crate) headers: Vec<(String, Vec<u8>)>,
    pub(crate) body: Vec<u8>,
}

/// An answer.
#[derive(Clone, Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Vec<u8>,
}

/// What is answered before it is written: a code and a message, or a body.
pub(crate) type Answer = Result<String, (&'static str, String)>;

/// The time as it is written, and the signatures.
type Offer = (String, Vec<Vec<u8>>);

pub(crate) fn no<T>(code: &'static str, message: impl Into<String>) -> Result<T, (&'static str, String)> {
    Err((code, message.into()))
}

/// The endpoint, with one fault or none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Server {
    pub(crate) fault: &'static str,
    pub(crate) secret: [u8; 32],
    pub(crate) other_secret: [u8; 32],
}

pub(crate) fn mac(secret: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).unwrap();
    for part in parts {
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

pub(crate) fn is_identity(request: &Request) -> bool {
    matches!(request.suffix.as_str(), "/identity" | "/identity/")
}

/// JSON as it is after it was parsed and written again.
fn without_blanks(text: &str) -> String {
    let (mut inside, mut escaped) = (false, false);
    let keep = |c: &char| {
        let blank = !inside && matches!(c, ' ' | '\t' | '\r' | '\n');
        inside ^= *c == '"' && !escaped;
        escaped = *c == '\\' && !escaped;
        !blank
    };
    text.chars().filter(keep).collect()
}

fn hex(bytes: &[u8]) -> String {
    let digit = |nibble: u8| char::from_digit(u32::from(nibble), 16).unwrap_or_default();
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

impl Server {
    pub(crate) fn has(&self, fault: &str) -> bool {
        self.fault == fault
    }

    pub(crate) fn new(fault: &'static str, key: &str) -> Self {
        let derive = |key: &str| mac(key.as_bytes(), &[b"median-edge/tool-signing/v1"]);
        Self { fault, secret: derive(key), other_secret: derive(median_edge::key::LOCAL_KEY) }
    }

    pub(crate) fn answer(&self, request: &Request, now_ms: u64) -> Response {
        if request.suffix == application::PATH {
            return application::answer(self, request, now_ms);
        }
        let answer = self.read(request, now_ms);
        self.write(request, answer)
    }

    fn read(&self, request: &Request, now_ms: u64) -> Answer {
        if is_identity(request) {
            return self.identity(request);
        }
        let path_is_odd = request.suffix == "/" && self.has("slash-not-found")
            || request.suffix.starts_with('?') && self.has("query-not-found");
        if path_is_odd {
            return no("not_found", "There is nothing at this path.");
        }
        let method = match request.method.as_str() {
            "PUT" if self.has("put-is-post") => "POST",
            "HEAD" if self.has("head-is-get") => "GET",
            "OPTIONS" if self.has("options-is-answered") => return Ok("{}".to_owned()),
            method => method,
        };
        let known = matches!(method, "GET" | "POST");
        if !known && !self.has("signature-before-method") {
            return no("method_not_allowed", "This endpoint answers GET and POST.");
        }
        let post = method == "POST";
        if post && request.body.len() > 1_048_576 && !self.has("no-cap") {
            return no("invalid_body", "The body is over 1,048,576 bytes. Send less.");
        }
        if post && self.has("parses-before-it-verifies") {
            self.parse(&request.body)?;
        }
        let over_body = self.has("get-signs-its-body");
        let body: &[u8] = if post || over_body { &request.body } else { b"" };
        self.verify(request, body, now_ms, post)?;
        match method {
            "GET" if self.has("get-not-found") => no("not_found", "There is nothing at this path."),
            "GET" => Ok(tools::manifest(self, now_ms)),
            "POST" => tools::run(self, request),
            _ => no("method_not_allowed", "This endpoint answers GET and POST."),
        }
    }

    /// Nobody is ever signed in here.
    fn identity(&self, request: &Request) -> Answer {
        match request.method.as_str() {
            "GET" => {}
            "POST" if self.has("identity-takes-posts") => {}
            _ => return no("method_not_allowed", "The identity answers GET."),
        }
        match request.suffix.as_str() {
            "/identity/" if self.has("identity-without-slash") => {
                no("not_found", "There is nothing at this path.")
            }
            _ if self.has("identity-unsigned") => Ok(r#"{"visitor":{"id":"user_1"}}"#.to_owned()),
            _ => Ok(r#"{"visitor":null}"#.to_owned()),
        }
    }

    /// JSON, as this endpoint reads it.
    pub(crate) fn parse(&self, body: &[u8]) -> Result<Json, (&'static str, String)> {
        let lenient = Lenient {
            not_a_number: self.has("takes-nan"),
            rest: self.has("stops-after-the-value"),
            comma: self.has("takes-json5"),
            control: self.has("takes-json5"),
            depth: self.has("shallow").then_some(64),
        };
        let body = match body.strip_prefix(b"\xef\xbb\xbf") {
            Some(rest) if self.has("drops-the-bom") => rest,
            _ => body,
        };
        let text = match std::str::from_utf8(body) {
            Ok(text) => text.to_owned(),
            Err(_) if self.has("decodes-leniently") => String::from_utf8_lossy(body).into_owned(),
            Err(_) => return no("invalid_body", "The body is not UTF-8. Send JSON in UTF-8."),
        };
        if self.has("crashes-when-deep") && text.starts_with("[[[[[[[[") {
            return no("execution_failed", "The tool failed. Look into the log.");
        }
        Json::parse(&text, lenient)
            .ok_or(("invalid_body", "The body is not JSON. Send one object.".to_owned()))
    }

    fn verify(
        &self,
        request: &Request,
        body: &[u8],
        now_ms: u64,
        post: bool,
    ) -> Result<(), (&'static str, String)> {
        let mut lines = request.headers.iter().filter(|(name, _)| {
            name == "median-signature"
                || name.eq_ignore_ascii_case("median-signature") && !self.has("minds-the-case-of-names")
        });
        let Some((_, line)) = lines.next() else {
            if !post && self.has("serves-strangers") {
                return Ok(());
            }
            return no("missing_signature", "There is no median-signature header. Sign the request.");
        };
        if lines.next().is_some() && !self.has("reads-the-first-line") {
            return no("malformed_signature", "The header came twice. Send it once.");
        }
        if line.iter().all(|byte| matches!(byte, b' ' | b'\t')) && self.has("blank-is-missing") {
            return no("missing_signature", "There is no median-signature header. Sign the request.");
        }
        let (t, offered) = self.elements(line)?;
        if post && self.has("refuses-posts") {
            return no("invalid_signature", "The signature is wrong. Check the key.");
        }
        let right = self.right(&t, body);
        let holds = offered.iter().any(|v1| self.matches(v1, &t, body, &right));
        let wrong = || {
            let echo = if self.has("says-what-is-right") { hex(&right[0]) } else { String::new() };
            no("invalid_signature", format!("The signature is wrong. Check the key. {echo}"))
        };
        if self.has("time-after-signature") && !holds {
            return wrong();
        }
        self.fresh(&t, now_ms)?;
        if !holds {
            return wrong();
        }
        Ok(())
    }

    /// The time as it is written, and the signatures that are offered.
    fn elements(&self, line: &[u8]) -> Result<Offer, (&'static str, String)> {
        let bad = |why: &str| no("malformed_signature", format!("{why}. Send t=<ms>,v1=<hex>."));
        let visible = |byte: &u8| matches!(byte, b' ' | b'\t' | 0x21..=0x7e);
        if !line.iter().all(visible) && !self.has("takes-any-byte") {
            return bad("It has bytes that are no text");
        }
        if line.len() > 4_096 && !self.has("no-limit-of-length") {
            return bad("It is too long");
        }
        let line = String::from_utf8_lossy(line);
        if !line.contains('=') && self.has("rubbish-is-wrong") && !line.trim().is_empty() {
            return no("invalid_signature", "The signature is wrong. Check the key.");
        }
        let (mut times, mut all) = (Vec::new(), Vec::new());
        for element in line.split(',') {
            let element = if self.has("keeps-blanks") { element } else { element.trim_matches([' ', '\t']) };
            match element.split_once('=') {
                Some(("t", t)) => times.push(t.to_owned()),
                Some(("v1", v1)) => all.push(v1.to_owned()),
                Some((_, v1)) if self.has("takes-any-scheme") && v1.len() == 64 => all.push(v1.to_owned()),
                Some(_) if self.has("refuses-other-names") => return bad("An element is not known"),
                Some(_) => {}
                None if self.has("passes-over-odd-elements") && line.contains('=') => {}
                None => return bad("An element has no ="),
            }
        }
        let t = match times.as_slice() {
            [t] => t.clone(),
            [.., t] if self.has("last-time-wins") => t.clone(),
            _ => return bad("There is not one t"),
        };
        let digits = !t.is_empty() && t.len() <= 16 && t.bytes().all(|byte| byte.is_ascii_digit());
        let plain = digits && (t == "0" || !t.starts_with('0'));
        if !(plain || self.has("reads-times-leniently") && t.bytes().any(|byte| byte.is_ascii_digit())) {
            return bad("t is no time");
        }
        if all.len() > 8 && !self.has("no-limit-of-signatures") {
            return bad("It has more than eight v1");
        }
        let count = all.len();
        let good: Vec<_> = all.iter().filter_map(|v1| self.unhex(v1)).collect();
        if good.len() < count && self.has("one-bad-spoils-all") {
            return bad("A v1 is no hex");
        }
        if good.is_empty() {
            if count > 0 && self.has("no-hex-is-wrong") {
                return no("invalid_signature", "The signature is wrong. Check the key.");
            }
            return bad("No v1 has 64 hex digits");
        }
        let good = if self.has("first-signature-only") { good[..1].to_vec() } else { good };
        Ok((t, good))
    }

    fn unhex(&self, text: &str) -> Option<Vec<u8>> {
        let fits = text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !fits || self.has("lower-case-only") && text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return None;
        }
        (0..32).map(|at| u8::from_str_radix(&text[at * 2..at * 2 + 2], 16).ok()).collect()
    }

    /// The signatures that would be right.
    fn right(&self, t: &str, body: &[u8]) -> Vec<[u8; 32]> {
        let sign = |t: &str, body: &[u8]| mac(&self.secret, &[t.as_bytes(), b".", body]);
        let lossy = String::from_utf8_lossy(body);
        let mut right = match self.fault {
            "decodes-before-it-verifies" => vec![sign(t, lossy.as_bytes())],
            // White space is lost when JSON is parsed and written again.
            "verifies-rewritten-json" if body.len() < 10_000 && !lossy.contains('\0') => {
                vec![sign(t, without_blanks(&lossy).as_bytes())]
            }
            _ => vec![sign(t, body)],
        };
        match self.fault {
            "takes-the-example-key" => right.push(mac(&self.other_secret, &[t.as_bytes(), b".", body])),
            "trims-the-body" => right.push(sign(t, body.trim_ascii_end())),
            "lets-the-time-move" => {
                let ms: u64 = t.parse().unwrap_or_default();
                right.extend([ms.saturating_sub(1_000), ms + 1].map(|t| sign(&t.to_string(), body)));
            }
            "takes-signatures-of-bodies" if body.is_empty() => {
                right.push(sign(t, br#"{"op":"medianEdgeCheckNobody"}"#));
            }
            _ => {}
        }
        right
    }

    fn matches(&self, offered: &[u8], _t: &str, _body: &[u8], right: &[[u8; 32]]) -> bool {
        let equal = |right: &[u8; 32]| match self.fault {
            "compares-a-prefix" => offered[..16] == right[..16],
            "stops-at-the-first-difference" => {
                let same = offered.iter().zip(right).take_while(|(a, b)| a == b).count();
                std::thread::sleep(std::time::Duration::from_micros(20 * same as u64));
                same == 32
            }
            _ => offered == right,
        };
        right.iter().any(equal)
    }

    fn fresh(&self, t: &str, now_ms: u64) -> Result<(), (&'static str, String)> {
        let digits: String = t.chars().filter(char::is_ascii_digit).take(16).collect();
        let mut ms: u64 = digits.parse().unwrap_or_default();
        if self.has("guesses-seconds") && ms < 100_000_000_000 && ms > 1_000_000_000 {
            ms *= 1_000;
        }
        let (past, distance) = (ms < now_ms, ms.abs_diff(now_ms));
        let window = if self.has("narrow-window") { 60_000 } else { 300_000 };
        let off = past && self.has("no-past")
            || !past && self.has("no-future")
            || ms == 0 && self.has("zero-is-off");
        if distance > window && !off && !self.has("reads-times-leniently") {
            let seconds = if self.has("tells-no-distance") { 0 } else { distance / 1_000 };
            return no("stale_timestamp", format!("The time is {seconds} seconds off. Set the clock."));
        }
        Ok(())
    }
}
