//! A good endpoint, and what stands in front of it.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, SystemTime};

use median_edge::{Keys, MedianKey};
use median_edge_conformance::InProcess;
use median_edge_conformance::wire::{Ask, Framing, Transport as _};

/// The key of the endpoint and of the doctor.
pub(crate) const KEY: &str = "median_key_doctor_tests_0123456789abcdef";

/// A request as it came.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) method: String,
    pub(crate) path: String,
    /// Names as they were sent.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

/// An answer.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

/// The endpoint behind the front.
#[derive(Debug)]
pub(crate) struct Inner(InProcess<()>);

impl Asked {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    pub(crate) fn is_post(&self) -> bool {
        self.method == "POST"
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(n, _)| !n.eq_ignore_ascii_case(name));
        self
    }

    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn has(&self, text: &str) -> bool {
        String::from_utf8_lossy(&self.body).contains(text)
    }

    /// The `t` and the `v1` of the signature.
    pub(crate) fn signature(&self) -> Option<(&str, &str)> {
        let (t, v1) = self.header("median-signature")?.split_once(",v1=")?;
        Some((t.strip_prefix("t=")?, v1))
    }

    /// The same, signed by the key that the endpoint has.
    pub(crate) fn signed_again(self) -> Self {
        let body: &[u8] = if self.is_post() { &self.body } else { b"" };
        let value = MedianKey::parse(KEY).unwrap().tool_secret().sign(now_ms(), body);
        self.without("median-signature").with("median-signature", &value)
    }
}

impl Reply {
    pub(crate) fn new(status: u16, kind: &str, body: impl Into<Vec<u8>>) -> Self {
        let headers = vec![("content-type".to_owned(), kind.to_owned())];
        Self { status, headers, body: body.into() }
    }

    pub(crate) fn page(status: u16, text: &str) -> Self {
        Self::new(status, "text/html", format!("<!doctype html><html><body>{text}</body></html>"))
    }

    /// An error in the protocol's form.
    pub(crate) fn error(status: u16, code: &str, message: &str) -> Self {
        let body = format!(r#"{{"error":{{"code":"{code}","message":"{message}"}}}}"#);
        Self::new(status, "application/json", body).with("cache-control", "private, no-store")
    }

    pub(crate) fn redirect(status: u16, to: &str) -> Self {
        Self::new(status, "text/plain", "").with("location", to)
    }

    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.retain(|(n, _)| n != name);
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn replaced(mut self, from: &str, to: &str) -> Self {
        self.body = String::from_utf8_lossy(&self.body).replace(from, to).into_bytes();
        self
    }
}

impl Inner {
    pub(crate) fn new(keys: Keys, clock_off_ms: i64) -> Self {
        // A clock that is off stands still, which makes no difference here.
        let clock = (clock_off_ms != 0).then(|| now_ms().saturating_add_signed(clock_off_ms));
        Self(InProcess::new(conformance_app::endpoint(clock).unwrap(), keys, ()))
    }

    pub(crate) fn answer(&self, asked: &Asked) -> Reply {
        let headers = asked.headers.iter().map(|(name, value)| (name.clone(), value.clone().into_bytes()));
        let ask = Ask {
            method: asked.method.clone(),
            suffix: String::new(),
            path: None,
            headers: headers.collect(),
            body: asked.body.clone(),
            framing: Framing::Whole,
        };
        let answer = self.0.send(&ask).unwrap();
        Reply { status: answer.status, headers: answer.headers, body: answer.body }
    }
}

pub(crate) fn keys() -> Keys {
    Keys::new(MedianKey::parse(KEY).unwrap())
}

pub(crate) fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    u64::try_from(since.as_millis()).unwrap()
}

/// A server that does to each request what a function says. It ends with the test's process. The address is its own,
/// without a path.
pub(crate) fn serve(inner: Inner, front: impl Fn(Asked, &Inner) -> Reply + Send + Sync + 'static) -> String {
    let shared = Arc::new((inner, front));
    raw(move |mut stream| {
        let (inner, front) = &*shared;
        let reply = match read(&mut stream) {
            Some(asked) => front(asked, inner),
            None => Reply::page(400, "Bad Request"),
        };
        write(&mut stream, &reply);
    })
}

/// A server that does with each connection what a function says.
pub(crate) fn raw(serve: impl Fn(TcpStream) + Send + Sync + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let serve = Arc::new(serve);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let serve = Arc::clone(&serve);
            thread::spawn(move || serve(stream));
        }
    });
    format!("http://{address}")
}

pub(crate) fn read(stream: &mut TcpStream) -> Option<Asked> {
    stream.set_read_timeout(Some(Duration::from_secs(5))).ok()?;
    let mut bytes = Vec::new();
    let mut buffer = [0; 16 * 1024];
    let end = loop {
        if let Some(at) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break at;
        }
        match stream.read(&mut buffer).ok()? {
            0 => return None,
            count => bytes.extend_from_slice(&buffer[..count]),
        }
        // TLS.
        if bytes.first() == Some(&22) {
            return None;
        }
    };
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let mut lines = head.split("\r\n");
    let mut first = lines.next()?.split(' ');
    let (method, path) = (first.next()?.to_owned(), first.next()?.to_owned());
    let headers = lines.filter_map(|line| line.split_once(": "));
    let headers: Vec<_> = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let mut asked = Asked { method, path, headers, body: bytes.split_off(end + 4) };
    let length = asked.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    while asked.body.len() < length {
        match stream.read(&mut buffer).ok()? {
            0 => return None,
            count => asked.body.extend_from_slice(&buffer[..count]),
        }
    }
    Some(asked)
}

fn write(stream: &mut TcpStream, reply: &Reply) {
    let mut bytes = format!("HTTP/1.1 {} X\r\n", reply.status).into_bytes();
    for (name, value) in &reply.headers {
        bytes.extend(format!("{name}: {value}\r\n").bytes());
    }
    bytes.extend(format!("content-length: {}\r\nconnection: close\r\n\r\n", reply.body.len()).bytes());
    bytes.extend(&reply.body);
    // Who has seen enough goes away.
    let _ = stream.write_all(&bytes);
}
