//! Reading an answer, whatever a server makes of one.

use std::io::{self, Read};
use std::time::Duration;

use super::Connection;
use crate::wire::Answer;

/// The most bytes of a head, and of a body.
const LARGEST_HEAD: usize = 64 * 1024;
const LARGEST_BODY: usize = 5 * 1024 * 1024;

pub(super) struct Reader<'a> {
    connection: &'a mut Connection,
    /// What was read, and not used yet.
    bytes: Vec<u8>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(connection: &'a mut Connection) -> Self {
        Self { connection, bytes: Vec::new() }
    }

    /// Reads the next answer, to a request of this method. What a server sends behind the answer to `HEAD` is its body.
    pub(super) fn answer(&mut self, method: &str) -> io::Result<Answer> {
        loop {
            let head = self.head()?;
            let (status, headers) = parse(&head)?;
            if (100..200).contains(&status) {
                continue;
            }
            let mut answer = Answer { status, headers, body: Vec::new(), took: Duration::ZERO };
            answer.body = match method {
                "HEAD" => self.rest().unwrap_or_default(),
                _ if matches!(status, 204 | 304) => Vec::new(),
                _ => self.body(&answer)?,
            };
            return Ok(answer);
        }
    }

    /// Reads more, and tells whether there was any.
    fn more(&mut self) -> io::Result<bool> {
        let mut buffer = [0; 16 * 1024];
        let count = self.connection.read(&mut buffer)?;
        self.bytes.extend_from_slice(&buffer[..count]);
        Ok(count > 0)
    }

    fn head(&mut self) -> io::Result<Vec<u8>> {
        loop {
            if let Some(end) = self.bytes.windows(4).position(|four| four == b"\r\n\r\n") {
                let rest = self.bytes.split_off(end + 4);
                return Ok(std::mem::replace(&mut self.bytes, rest));
            }
            if self.bytes.len() > LARGEST_HEAD {
                return Err(wrong("its headers do not end"));
            }
            if !self.more()? {
                let nothing = self.bytes.is_empty();
                return Err(if nothing {
                    io::ErrorKind::UnexpectedEof.into()
                } else {
                    wrong("it ends within its headers")
                });
            }
        }
    }

    fn body(&mut self, answer: &Answer) -> io::Result<Vec<u8>> {
        let is_chunked = |value: &str| value.to_ascii_lowercase().contains("chunked");
        if answer.header("transfer-encoding").is_some_and(is_chunked) {
            return self.chunks();
        }
        match answer.header("content-length") {
            Some(length) => {
                let length = length.trim().parse().map_err(|_| wrong("its content-length is no number"))?;
                self.exactly(length)
            }
            None => self.rest(),
        }
    }

    fn exactly(&mut self, length: usize) -> io::Result<Vec<u8>> {
        if length > LARGEST_BODY {
            return Err(wrong("its body is over 5 MB"));
        }
        while self.bytes.len() < length {
            if !self.more()? {
                return Err(wrong("its body is shorter than its content-length"));
            }
        }
        let rest = self.bytes.split_off(length);
        Ok(std::mem::replace(&mut self.bytes, rest))
    }

    /// All that comes until the connection is closed.
    fn rest(&mut self) -> io::Result<Vec<u8>> {
        loop {
            match self.more() {
                Ok(true) if self.bytes.len() > LARGEST_BODY => return Err(wrong("its body is over 5 MB")),
                Ok(true) => {}
                Ok(false) => return Ok(std::mem::take(&mut self.bytes)),
                // Some servers leave without a good-bye.
                Err(error)
                    if matches!(
                        error.kind(),
                        io::ErrorKind::ConnectionReset | io::ErrorKind::UnexpectedEof
                    ) =>
                {
                    return Ok(std::mem::take(&mut self.bytes));
                }
                Err(error) => return Err(error),
            }
        }
    }

    fn chunks(&mut self) -> io::Result<Vec<u8>> {
        let mut body = Vec::new();
        loop {
            let line = self.line()?;
            let size = line.split(';').next().unwrap_or_default().trim();
            let size = usize::from_str_radix(size, 16).map_err(|_| wrong("a chunk has no size"))?;
            if size == 0 {
                // Trailers end with an empty line.
                while !self.line()?.is_empty() {}
                return Ok(body);
            }
            body.extend(self.exactly(size)?);
            if body.len() > LARGEST_BODY {
                return Err(wrong("its body is over 5 MB"));
            }
            self.line()?;
        }
    }

    fn line(&mut self) -> io::Result<String> {
        loop {
            if let Some(end) = self.bytes.windows(2).position(|two| two == b"\r\n") {
                let rest = self.bytes.split_off(end + 2);
                let line = std::mem::replace(&mut self.bytes, rest);
                return Ok(String::from_utf8_lossy(&line[..end]).into_owned());
            }
            if self.bytes.len() > LARGEST_HEAD || !self.more()? {
                return Err(wrong("it ends within a chunk"));
            }
        }
    }
}

type Head = (u16, Vec<(String, String)>);

fn parse(head: &[u8]) -> io::Result<Head> {
    let text = String::from_utf8_lossy(head);
    let mut lines = text.split("\r\n").filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default();
    let status = first.strip_prefix("HTTP/1.").and_then(|rest| rest.get(2..5)?.parse().ok());
    let status = status.ok_or_else(|| wrong("there is no status line"))?;
    let header = |line: &str| {
        let (name, value) = line.split_once(':')?;
        Some((name.to_ascii_lowercase(), value.trim().to_owned()))
    };
    Ok((status, lines.filter_map(header).collect()))
}

fn wrong(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}
