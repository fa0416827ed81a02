//! A server that answers what a test tells it to, and remembers what it was asked.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use median_edge::MedianKey;

/// A request as it came.
#[derive(Clone, Debug, Default)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
    /// The body, byte for byte.
    pub(crate) bytes: Vec<u8>,
}

impl Request {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    /// Whether the public key signed it, over this body.
    pub(crate) fn is_signed(&self) -> bool {
        self.is_signed_with(&MedianKey::local())
    }

    pub(crate) fn is_signed_with(&self, key: &MedianKey) -> bool {
        let header = self.header("median-signature").unwrap_or_default();
        let t = header.strip_prefix("t=").and_then(|rest| rest.split(',').next()).unwrap_or_default();
        t.parse().is_ok_and(|t| key.tool_secret().sign(t, self.body.as_bytes()) == header)
    }
}

/// The server. It ends with the test's process.
pub(crate) struct Server {
    port: u16,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    /// Answers each request with the bytes that the function gives.
    pub(crate) fn new(answer: impl Fn(&Request) -> Vec<u8> + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&requests);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // Who closes early is looked at by the test itself.
                let _ = serve(stream, &answer, &seen);
            }
        });
        Self { port, requests }
    }

    /// A manifest for a GET, and one answer for each POST.
    pub(crate) fn endpoint(status: u16, answer: &str) -> Self {
        let answer = answer.to_owned();
        Self::new(move |request| match request.method.as_str() {
            "GET" => json(200, MANIFEST),
            _ => json(status, &answer),
        })
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/api/median", self.port)
    }

    /// What was asked so far.
    pub(crate) fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }

    /// The last request.
    pub(crate) fn last(&self) -> Request {
        self.requests().pop().unwrap()
    }
}

/// Tools with a field of each type.
pub(crate) const MANIFEST: &str = r#"{"version":1,"tools":[{"name":"orderStatus","description":"Look up the status of one of the customer's orders.","risk":"low","inputSchema":{"type":"object","properties":{"orderNumber":{"type":"string","description":"The order number."}},"required":["orderNumber"],"additionalProperties":false}},{"name":"refundOrder","description":"Give money back for an order.","risk":"high","inputSchema":{"type":"object","properties":{"orderNumber":{"type":"string"},"amount":{"type":"number"},"reason":{"type":"string","enum":["damaged","late"]},"notify":{"type":"boolean"}},"required":["orderNumber","amount"],"additionalProperties":false}}],"diagnostics":true}"#;

/// An answer of JSON.
pub(crate) fn json(status: u16, body: &str) -> Vec<u8> {
    answer(status, "content-type: application/json\r\n", body)
}

pub(crate) fn answer(status: u16, headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("HTTP/1.1 {status} X\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n{body}")
        .into_bytes()
}

fn serve(
    mut stream: TcpStream,
    answer: &impl Fn(&Request) -> Vec<u8>,
    seen: &Mutex<Vec<Request>>,
) -> std::io::Result<()> {
    let mut bytes = Vec::new();
    let head = loop {
        let mut chunk = [0; 4096];
        let count = stream.read(&mut chunk)?;
        bytes.extend_from_slice(&chunk[..count]);
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break end;
        }
        if count == 0 {
            return Ok(());
        }
    };
    let text = String::from_utf8_lossy(&bytes[..head]).into_owned();
    let mut lines = text.lines();
    let mut first = lines.next().unwrap_or_default().split(' ').map(str::to_owned);
    let headers = lines.filter_map(|line| line.split_once(':'));
    let mut request = Request {
        method: first.next().unwrap_or_default(),
        path: first.next().unwrap_or_default(),
        headers: headers.map(|(name, value)| (name.to_lowercase(), value.trim().to_owned())).collect(),
        body: String::new(),
        bytes: Vec::new(),
    };
    let length = request.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut body = bytes.split_off(head + 4);
    let have = body.len();
    body.resize(length, 0);
    if have < length {
        stream.read_exact(&mut body[have..])?;
    }
    request.body = String::from_utf8_lossy(&body).into_owned();
    request.bytes = body;
    seen.lock().unwrap().push(request.clone());
    stream.write_all(&answer(&request))
}
