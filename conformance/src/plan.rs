//! A request before it is signed: what a report can show, and anyone can sign again.

use median_edge::http::SIGNATURE_HEADER;
use median_edge::key::ToolSecret;

use crate::wire::{Ask, Framing};

/// A request that is signed when it is sent.
///
/// The signature is a text with placeholders: `{t}` is the time, `{v1}` the right signature, `{V1}` the same in upper
/// case, `{first}` and `{last}` the same with its first or its last digit changed. Each character is one byte, up to
/// U+00FF.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The method.
    pub method: String,
    /// What is put behind the address.
    pub suffix: String,
    /// A path from the root of the site, in the place of the endpoint's own.
    pub path: Option<&'static str>,
    /// The name under which the signature is sent.
    pub header: &'static str,
    /// The lines of the signature header: none, one or several.
    pub signature: Vec<String>,
    /// The time as it is written: `{ms}` and `{s}` are the time in milliseconds and in seconds.
    pub t: String,
    /// Added to the time, in milliseconds.
    pub offset_ms: i64,
    /// What is signed, when it is not what is sent.
    pub over: Option<Vec<u8>>,
    /// The other header lines.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
    /// How the body is sent.
    pub framing: Framing,
}

/// The signature of a good request.
pub(crate) const GOOD: &str = "t={t},v1={v1}";

impl Plan {
    fn new(method: &str, body: impl Into<Vec<u8>>) -> Self {
        Self {
            method: method.to_owned(),
            suffix: String::new(),
            path: None,
            header: SIGNATURE_HEADER,
            signature: vec![GOOD.to_owned()],
            t: "{ms}".to_owned(),
            offset_ms: 0,
            over: None,
            headers: Vec::new(),
            body: body.into(),
            framing: Framing::Whole,
        }
    }

    /// A signed `GET`.
    pub(crate) fn get() -> Self {
        Self::new("GET", "")
    }

    /// A signed `POST`.
    pub(crate) fn post(body: impl Into<Vec<u8>>) -> Self {
        Self::new("POST", body).header("content-type", "application/json")
    }

    /// Another method, signed over the empty body.
    pub(crate) fn method(method: &str) -> Self {
        Self::new(method, "")
    }

    pub(crate) fn signature(mut self, template: impl Into<String>) -> Self {
        self.signature = vec![template.into()];
        self
    }

    pub(crate) fn lines(mut self, templates: &[&str]) -> Self {
        self.signature = templates.iter().map(|&line| line.to_owned()).collect();
        self
    }

    pub(crate) fn unsigned(self) -> Self {
        self.lines(&[])
    }

    pub(crate) fn t(mut self, t: &str) -> Self {
        t.clone_into(&mut self.t);
        self
    }

    pub(crate) fn offset(mut self, ms: i64) -> Self {
        self.offset_ms = ms;
        self
    }

    pub(crate) fn over(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.over = Some(body.into());
        self
    }

    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn without_headers(mut self) -> Self {
        self.headers.clear();
        self
    }

    pub(crate) fn suffix(mut self, suffix: &str) -> Self {
        suffix.clone_into(&mut self.suffix);
        self
    }

    pub(crate) fn at(mut self, path: &'static str) -> Self {
        self.path = Some(path);
        self
    }

    pub(crate) fn framing(mut self, framing: Framing) -> Self {
        self.framing = framing;
        self
    }

    /// Whether nothing but the signature has to be made anew to send it again.
    pub fn is_plain(&self) -> bool {
        self.framing == Framing::Whole
    }

    /// The request, signed for a time.
    pub(crate) fn signed(&self, signer: &ToolSecret, now_ms: u64) -> Ask {
        let ms = now_ms.saturating_add_signed(self.offset_ms);
        let t = self.t.replace("{ms}", &ms.to_string()).replace("{s}", &(ms / 1000).to_string());
        let v1 = signer.signature_over(&t, self.over.as_deref().unwrap_or(&self.body));
        let other = |digit: &str| if digit == "0" { "1" } else { "0" };
        let first = format!("{}{}", other(&v1[..1]), &v1[1..]);
        let last = format!("{}{}", &v1[..63], other(&v1[63..]));
        let line = |template: &String| {
            let text = template.replace("{t}", &t).replace("{v1}", &v1).replace("{V1}", &v1.to_uppercase());
            let text = text.replace("{first}", &first).replace("{last}", &last);
            let bytes = text.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect();
            (self.header.to_owned(), bytes)
        };
        let mut headers: Vec<(String, Vec<u8>)> = self.signature.iter().map(line).collect();
        let others = self.headers.iter().map(|(name, value)| (name.clone(), value.clone().into_bytes()));
        headers.extend(others);
        Ask {
            method: self.method.clone(),
            suffix: self.suffix.clone(),
            path: self.path,
            headers,
            body: self.body.clone(),
            framing: self.framing,
        }
    }
}
