//! The endpoint over HTTP/1.1, with the faults that only a connection shows.

use std::fmt::Write as _;
use std::io::{self, Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crate::now_ms;
use crate::server::{Request, Response, Server, no};

/// Serves on a free port until the process ends, and gives its address.
pub(crate) fn serve(server: Server) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let spoilt = Arc::new(AtomicBool::new(false));
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let spoilt = Arc::clone(&spoilt);
            let deep = thread::Builder::new().stack_size(256 << 20);
            // Who goes away early is looked at by the checks.
            deep.spawn(move || connection(server, stream, &spoilt)).unwrap();
        }
    });
    format!("http://{address}/api/median")
}

struct Reader {
    stream: TcpStream,
    bytes: Vec<u8>,
}

impl Reader {
    fn more(&mut self) -> io::Result<usize> {
        let mut buffer = [0; 16_384];
        let count = self.stream.read(&mut buffer)?;
        self.bytes.extend_from_slice(&buffer[..count]);
        Ok(count)
    }

    fn until(&mut self, mark: &[u8]) -> io::Result<Vec<u8>> {
        loop {
            if let Some(at) = self.bytes.windows(mark.len()).position(|window| window == mark) {
                let rest = self.bytes.split_off(at + mark.len());
                return Ok(std::mem::replace(&mut self.bytes, rest));
            }
            if self.more()? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
    }

    fn exactly(&mut self, count: usize) -> io::Result<Vec<u8>> {
        while self.bytes.len() < count {
            if self.more()? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        let rest = self.bytes.split_off(count);
        Ok(std::mem::replace(&mut self.bytes, rest))
    }
}

fn connection(server: Server, stream: TcpStream, spoilt: &AtomicBool) -> io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    stream.set_nodelay(true)?;
    let mut out = stream.try_clone()?;
    let mut reader = Reader { stream, bytes: Vec::new() };
    if server.has("never-answers") {
        thread::sleep(Duration::from_secs(5));
        return Ok(());
    }
    let mut later: Vec<u8> = Vec::new();
    while let Ok(head) = reader.until(b"\r\n\r\n") {
        let (mut request, length, last) = parse(&head);
        match length {
            Length::Chunked if server.has("wants-a-length") => {
                out.write_all(&bytes(
                    &server.write(&request, no("invalid_body", "There is no length. Send one.")),
                    "POST",
                    false,
                ))?;
                break;
            }
            Length::Chunked => loop {
                let line = reader.until(b"\r\n")?;
                let size = usize::from_str_radix(String::from_utf8_lossy(&line).trim(), 16).unwrap_or(0);
                request.body.extend(reader.exactly(size)?);
                reader.until(b"\r\n")?;
                if size == 0 {
                    break;
                }
            },
            Length::Bytes(count) if server.has("first-read-is-the-body") && (1..1_000).contains(&count) => {
                if reader.bytes.is_empty() {
                    reader.more()?;
                }
                request.body = std::mem::take(&mut reader.bytes);
            }
            Length::Bytes(count) => match reader.exactly(count) {
                Ok(body) => request.body = body,
                Err(error) => {
                    spoilt.store(server.has("breaks-when-left"), Ordering::SeqCst);
                    return Err(error);
                }
            },
        }
        if server.has("reads-past-the-length") && !request.body.is_empty() {
            request.body.append(&mut reader.bytes);
        }
        let response =
            if spoilt.load(Ordering::SeqCst) { refused() } else { server.answer(&request, now_ms()) };
        let written = bytes(&response, &request.method, server.has("head-has-a-body"));
        if server.has("answers-out-of-order") && !last {
            later.splice(0..0, written);
        } else {
            out.write_all(&written)?;
            out.write_all(&std::mem::take(&mut later))?;
        }
        if last {
            break;
        }
    }
    let _ = out.shutdown(Shutdown::Write);
    // Read what is left, so that the answer is not lost with a reset.
    reader.stream.set_read_timeout(Some(Duration::from_millis(50)))?;
    while matches!(reader.more(), Ok(1..)) {
        reader.bytes.clear();
    }
    Ok(())
}

fn refused() -> Response {
    let headers = vec![
        ("cache-control", "private, no-store".to_owned()),
        ("content-type", "application/json".to_owned()),
    ];
    Response {
        status: 503,
        headers,
        body: br#"{"error":{"code":"overloaded","message":"Not now."}}"#.to_vec(),
    }
}

enum Length {
    Bytes(usize),
    Chunked,
}

fn parse(head: &[u8]) -> (Request, Length, bool) {
    let mut lines = head.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
    let first = String::from_utf8_lossy(lines.next().unwrap_or_default()).into_owned();
    let mut words = first.split(' ').map(str::to_owned);
    let method = words.next().unwrap_or_default();
    let path = words.next().unwrap_or_default();
    let mut request = Request { method, suffix: path.replacen("/api/median", "", 1), ..Request::default() };
    let (mut length, mut last) = (Length::Bytes(0), false);
    for line in lines {
        let at = line.iter().position(|byte| *byte == b':').unwrap_or(line.len());
        let name = String::from_utf8_lossy(&line[..at]).into_owned();
        let value = line.get(at + 1..).unwrap_or_default().trim_ascii().to_vec();
        let text = String::from_utf8_lossy(&value).into_owned();
        match name.to_lowercase().as_str() {
            "content-length" => length = Length::Bytes(text.parse().unwrap_or(0)),
            "transfer-encoding" => length = Length::Chunked,
            "connection" => last = text == "close",
            _ => {}
        }
        request.headers.push((name, value));
    }
    (request, length, last)
}

fn bytes(response: &Response, method: &str, head_has_a_body: bool) -> Vec<u8> {
    let mut text = format!("HTTP/1.1 {} X\r\n", response.status);
    for (name, value) in &response.headers {
        let _ = write!(text, "{name}: {value}\r\n");
    }
    let _ = write!(text, "content-length: {}\r\n\r\n", response.body.len());
    let mut bytes = text.into_bytes();
    if method != "HEAD" || head_has_a_body {
        bytes.extend(&response.body);
    }
    bytes
}
