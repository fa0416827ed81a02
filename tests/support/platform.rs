//! A stand-in for the platform's API: it keeps what comes, and answers as a test says.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// How long it waits for a byte.
const PATIENCE: Duration = Duration::from_secs(20);

/// A platform that listens, for as long as the test's process lives.
#[derive(Clone, Debug)]
pub struct Platform {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Platform {
    /// A platform that takes every endpoint.
    pub fn accepting() -> Self {
        Self::saying("HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n")
    }

    /// A platform that writes these bytes, whatever it is asked.
    pub fn saying(text: impl Into<String>) -> Self {
        let text = text.into();
        Self::doing(move |stream| {
            let _ = stream.write_all(text.as_bytes());
        })
    }

    /// A platform that does this with each connection, once it has read a request.
    ///
    /// # Panics
    ///
    /// When there is no free port.
    pub fn doing(answer: impl Fn(&mut TcpStream) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("there is a free port");
        let address = listener.local_addr().expect("the listener has an address");
        let asked = Arc::<Mutex<Vec<String>>>::default();
        let (kept, answer) = (Arc::clone(&asked), Arc::new(answer));
        thread::spawn(move || {
            for mut stream in listener.incoming().map_while(Result::ok) {
                let (kept, answer) = (Arc::clone(&kept), Arc::clone(&answer));
                thread::spawn(move || {
                    let _ = stream.set_read_timeout(Some(PATIENCE));
                    let request = read(&stream);
                    kept.lock().unwrap_or_else(PoisonError::into_inner).push(request);
                    answer(&mut stream);
                });
            }
        });
        Self { address, asked }
    }

    /// Its address, by `http`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Its address, by `https`, which it does not speak.
    pub fn https_url(&self) -> String {
        format!("https://{}", self.address)
    }

    /// What has come so far: each request as one text, the names of its headers in lower case.
    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// A request up to its end, or what there is of one.
fn read(stream: &TcpStream) -> String {
    let mut reader = BufReader::new(stream);
    let mut request = String::new();
    // What begins like this is TLS: no line ends there.
    if reader.fill_buf().is_ok_and(|bytes| bytes.first() == Some(&0x16)) {
        return String::from_utf8_lossy(reader.buffer()).into_owned();
    }
    let mut length = 0;
    loop {
        let mut line = Vec::new();
        if !matches!(reader.read_until(b'\n', &mut line), Ok(1..)) {
            return request;
        }
        let line = String::from_utf8_lossy(&line).into_owned();
        if line.trim().is_empty() {
            break;
        }
        match line.split_once(": ") {
            Some((name, value)) => {
                let name = name.to_ascii_lowercase();
                if name == "content-length" {
                    length = value.trim().parse().unwrap_or_default();
                }
                request.extend([name.as_str(), ": ", value.trim(), "\n"]);
            }
            None => request.extend([line.trim(), "\n"]),
        }
    }
    let mut body = vec![0; length];
    if reader.read_exact(&mut body).is_ok() {
        request.extend(["\n", &String::from_utf8_lossy(&body)]);
    }
    request
}
