//! HTTP/1.1 by hand, so that a test can send what no client library would.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::Duration;

use crate::{Answer, Ask, Transport};

/// How long a test waits for a byte before it fails.
const PATIENCE: Duration = Duration::from_secs(20);

/// A connection to a server.
#[derive(Debug)]
pub struct Connection {
    reader: BufReader<TcpStream>,
    stream: TcpStream,
}

impl Connection {
    /// Connects.
    ///
    /// # Errors
    ///
    /// When nobody listens there.
    pub fn open(address: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect_timeout(&address, PATIENCE)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        stream.set_nodelay(true)?;
        Ok(Self { reader: BufReader::new(stream.try_clone()?), stream })
    }

    /// Sends bytes as they are.
    ///
    /// # Errors
    ///
    /// When the server takes no more.
    pub fn write(&mut self, bytes: impl AsRef<[u8]>) -> io::Result<()> {
        self.stream.write_all(bytes.as_ref())
    }

    /// Closes our half: the server sees the end of what we send, and can still answer.
    ///
    /// # Errors
    ///
    /// When the connection is gone already.
    pub fn finish_writing(&mut self) -> io::Result<()> {
        self.stream.shutdown(Shutdown::Write)
    }

    /// Sends a request and reads its answer. A server may answer before it has taken the whole body.
    ///
    /// # Errors
    ///
    /// When there is no answer.
    pub fn send(&mut self, ask: &Ask) -> io::Result<Answer> {
        let written = self.write(ask.bytes());
        match self.answer_to(&ask.method) {
            Ok(answer) => Ok(answer),
            Err(error) => Err(written.err().unwrap_or(error)),
        }
    }

    /// Reads the next answer, to a request of this method.
    ///
    /// # Errors
    ///
    /// When there is none, or it is no HTTP.
    pub fn answer_to(&mut self, method: &str) -> io::Result<Answer> {
        let mut answer = self.head()?;
        if method != "HEAD" && answer.status >= 200 {
            let length = answer.header("content-length").and_then(|length| length.parse().ok());
            let length: usize = length.ok_or_else(|| wrong("an answer without a content-length"))?;
            answer.body = vec![0; length];
            self.reader.read_exact(&mut answer.body)?;
        }
        Ok(answer)
    }

    fn head(&mut self) -> io::Result<Answer> {
        let line = self.line()?.ok_or(io::ErrorKind::UnexpectedEof)?;
        let status = line.strip_prefix("HTTP/1.1 ").and_then(|rest| rest.get(..3)?.parse().ok());
        let status = status.ok_or_else(|| wrong(&format!("no status line: {line:?}")))?;
        let mut headers = Vec::new();
        loop {
            let line = self.line()?.ok_or(io::ErrorKind::UnexpectedEof)?;
            if line.is_empty() {
                return Ok(Answer { status, headers, body: Vec::new() });
            }
            let (name, value) = line.split_once(':').ok_or_else(|| wrong("a header without a colon"))?;
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
    }

    fn line(&mut self) -> io::Result<Option<String>> {
        let mut line = String::new();
        if self.reader.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        Ok(Some(line.trim_end_matches(['\r', '\n']).to_owned()))
    }

    /// Whether nothing comes for a while.
    ///
    /// # Panics
    ///
    /// When the connection has no timeouts.
    pub fn is_silent(&self, time: Duration) -> bool {
        self.stream.set_read_timeout(Some(time)).expect("a connection has timeouts");
        let peeked = self.stream.peek(&mut [0]);
        self.stream.set_read_timeout(Some(PATIENCE)).expect("a connection has timeouts");
        let waited = [io::ErrorKind::WouldBlock, io::ErrorKind::TimedOut];
        self.reader.buffer().is_empty() && peeked.is_err_and(|error| waited.contains(&error.kind()))
    }

    /// Waits until the server closes the connection, and gives what it sent before that. A reset is an end too.
    ///
    /// # Errors
    ///
    /// When it does not close it in time.
    pub fn rest(mut self) -> io::Result<Vec<u8>> {
        let mut rest = Vec::new();
        match self.reader.read_to_end(&mut rest) {
            Ok(_) => Ok(rest),
            Err(error) if error.kind() == io::ErrorKind::ConnectionReset => Ok(rest),
            Err(error) => Err(error),
        }
    }
}

fn wrong(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// A server somewhere, with a connection of its own for each request.
#[derive(Clone, Copy, Debug)]
pub struct Http(pub SocketAddr);

impl Transport for Http {
    fn send(&self, ask: &Ask) -> Result<Answer, String> {
        let answer = Connection::open(self.0).and_then(|mut connection| connection.send(ask));
        answer.map_err(|error| format!("no answer: {error}"))
    }
}
