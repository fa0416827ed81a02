//! Requests and answers, to the byte.

use serde_json::Value;

/// A request, as it goes onto the wire.
#[derive(Clone, Debug)]
pub struct Ask {
    /// The method, as it is sent.
    pub method: String,
    /// The path and the query.
    pub target: String,
    /// The header lines, in order. A name that is there twice is two lines.
    pub headers: Vec<(String, Vec<u8>)>,
    /// The body; without one, nothing is said of a length.
    pub body: Option<Vec<u8>>,
}

impl Ask {
    /// A request without headers or body.
    pub fn new(method: &str, target: &str) -> Self {
        Self { method: method.to_owned(), target: target.to_owned(), headers: Vec::new(), body: None }
    }

    /// Adds a header line.
    #[must_use]
    pub fn header(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.headers.push((name.to_owned(), value.as_ref().to_vec()));
        self
    }

    /// Sets the body.
    #[must_use]
    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = Some(body.into());
        self
    }

    /// The first line and the headers, with what HTTP itself needs, and the empty line.
    pub fn head(&self) -> Vec<u8> {
        let mut head =
            format!("{} {} HTTP/1.1\r\nhost: localhost\r\n", self.method, self.target).into_bytes();
        for (name, value) in &self.headers {
            head.extend_from_slice(name.as_bytes());
            head.extend_from_slice(b": ");
            head.extend_from_slice(value);
            head.extend_from_slice(b"\r\n");
        }
        if let Some(body) = &self.body {
            head.extend_from_slice(format!("content-length: {}\r\n", body.len()).as_bytes());
        }
        head.extend_from_slice(b"\r\n");
        head
    }

    /// Everything, in one piece.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.head();
        bytes.extend_from_slice(self.body.as_deref().unwrap_or_default());
        bytes
    }
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The headers, names in lower case, in order.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl Answer {
    /// The one value of a header; nothing when it is absent or there more than once.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.iter().filter(|(n, _)| n == name);
        match (values.next(), values.next()) {
            (Some((_, value)), None) => Some(value),
            _ => None,
        }
    }

    /// The headers without those that belong to the transport (the length, the date, the connection), by name: their
    /// order says nothing, and some transports sort them.
    pub fn headers_of_the_protocol(&self) -> Vec<(&str, &str)> {
        let transport = ["content-length", "date", "connection"];
        let headers = self.headers.iter().filter(|(name, _)| !transport.contains(&name.as_str()));
        let mut headers: Vec<_> = headers.map(|(name, value)| (name.as_str(), value.as_str())).collect();
        headers.sort_unstable();
        headers
    }

    /// The body as JSON; `null` when it is none.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    /// The code of an error.
    pub fn code(&self) -> Option<String> {
        self.json().pointer("/error/code").and_then(Value::as_str).map(str::to_owned)
    }

    /// The message of an error, or nothing.
    pub fn message(&self) -> String {
        let json = self.json();
        json.pointer("/error/message").and_then(Value::as_str).unwrap_or_default().to_owned()
    }

    /// What is wrong with the headers that every answer has.
    ///
    /// # Errors
    ///
    /// Names the header that is missing, wrong, or too many.
    pub fn check_headers(&self) -> Result<(), String> {
        let mut expected = vec![("cache-control", "private, no-store"), ("content-type", "application/json")];
        if self.status == 405 {
            expected.insert(0, ("allow", "GET, POST"));
        }
        let found = self.headers_of_the_protocol();
        if found == expected { Ok(()) } else { Err(format!("has the headers {found:?}, not {expected:?}")) }
    }

    /// Whether it is, byte for byte, what another runtime answered to the same request. An answer to HEAD has no body on
    /// the wire; where a runtime says more, its message begins as the other does.
    ///
    /// # Errors
    ///
    /// Shows both.
    pub fn check_same(&self, ask: &Ask, expected: &Self, says_more: bool) -> Result<(), String> {
        let status = self.status == expected.status;
        let headers = self.headers_of_the_protocol() == expected.headers_of_the_protocol();
        let body = if says_more {
            self.code() == expected.code() && self.message().starts_with(&expected.message())
        } else {
            ask.method == "HEAD" || self.body == expected.body
        };
        if status && headers && body { Ok(()) } else { Err(format!("answers {self:?}, not {expected:?}")) }
    }
}
