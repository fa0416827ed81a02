//! HTTP/1.1 by hand, so that a check can send what no client library would.
//!
//! Each request has a connection of its own. No redirect is followed, no proxy is used, and what is answered is read up
//! to a limit and within a time.

mod address;
mod read;
#[cfg(feature = "https")]
mod tls;

use std::fmt;
use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::thread;
use std::time::{Duration, Instant};

use self::address::Address;
use self::read::Reader;
use crate::wire::{Answer, Ask, Feature, Framing, Transport, Trouble};

/// The pause between the pieces of a slow body.
const PAUSE: Duration = Duration::from_millis(120);
/// How long is waited for what should not come.
const BRIEF: Duration = Duration::from_millis(700);

/// An endpoint somewhere.
#[derive(Clone, Debug)]
pub struct Http {
    address: Address,
    limit: Duration,
    #[cfg(feature = "https")]
    tls: Option<std::sync::Arc<rustls::ClientConfig>>,
}

impl Http {
    /// The endpoint at an address, and how long each answer may take.
    ///
    /// # Errors
    ///
    /// When the address is none of `http` or `https`.
    pub fn new(url: &str, limit: Duration) -> Result<Self, Trouble> {
        let address = Address::parse(url).map_err(Trouble::Unreachable)?;
        if address.secure && !cfg!(feature = "https") {
            return Err(Trouble::Unreachable("https is not built in".to_owned()));
        }
        #[cfg(feature = "https")]
        let tls = address.secure.then(tls::config).transpose().map_err(Trouble::Unreachable)?;
        Ok(Self {
            address,
            limit,
            #[cfg(feature = "https")]
            tls,
        })
    }

    /// The host, a name or an address.
    pub(crate) fn host(&self) -> &str {
        &self.address.host
    }

    /// Whether it is `https`.
    pub(crate) fn is_secure(&self) -> bool {
        self.address.secure
    }

    fn connect(&self) -> Result<Connection, Trouble> {
        let deadline = Instant::now() + self.limit;
        let Address { host, port, .. } = &self.address;
        let lookup = (host.as_str(), *port).to_socket_addrs();
        let addresses = lookup.map_err(|_| Trouble::UnknownHost(host.clone()))?;
        let mut why = Trouble::UnknownHost(host.clone());
        for address in addresses {
            match TcpStream::connect_timeout(&address, self.limit) {
                Ok(stream) => return self.over(stream, deadline),
                Err(error) if error.kind() == io::ErrorKind::TimedOut => {
                    why = Trouble::Unreachable(format!("{address} takes none within {:?}", self.limit));
                }
                Err(error) => why = self.told(&error),
            }
        }
        Err(why)
    }

    fn over(&self, stream: TcpStream, deadline: Instant) -> Result<Connection, Trouble> {
        let told = |error: io::Error| self.told(&error);
        stream.set_nodelay(true).map_err(told)?;
        stream.set_write_timeout(Some(self.limit)).map_err(told)?;
        let socket = stream.try_clone().map_err(told)?;
        #[cfg(feature = "https")]
        let stream: Box<dyn Stream> = match &self.tls {
            Some(config) => {
                Box::new(tls::connect(stream, &self.address.host, config).map_err(Trouble::NotSecure)?)
            }
            None => Box::new(stream),
        };
        #[cfg(not(feature = "https"))]
        let stream: Box<dyn Stream> = Box::new(stream);
        Ok(Connection { stream, socket, deadline })
    }

    /// What an error of a connection means.
    fn told(&self, error: &io::Error) -> Trouble {
        let host = &self.address.host;
        match error.kind() {
            io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => Trouble::TimedOut(self.limit),
            io::ErrorKind::ConnectionRefused => Trouble::Refused(format!("{host}:{}", self.address.port)),
            io::ErrorKind::UnexpectedEof
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::BrokenPipe => Trouble::Closed,
            // A certificate that is not trusted, or a port that speaks no TLS.
            #[cfg(feature = "https")]
            io::ErrorKind::InvalidData if tls::is_to_blame(error) => Trouble::NotSecure(error.to_string()),
            io::ErrorKind::InvalidData => Trouble::NotHttp(error.to_string()),
            _ => Trouble::Unreachable(error.to_string()),
        }
    }

    /// The request line and the headers, down to the empty line.
    fn head(&self, ask: &Ask, last: bool) -> Vec<u8> {
        let target = match ask.path {
            Some(path) => Address::target_at(path, &ask.suffix),
            None => self.address.target(&ask.suffix),
        };
        let mut head = format!("{} {target} HTTP/1.1\r\n", ask.method).into_bytes();
        let mut line = |name: &str, value: &[u8]| {
            head.extend([name.as_bytes(), b": ", value, b"\r\n"].concat());
        };
        line("host", self.address.authority().as_bytes());
        line("user-agent", concat!("median-edge-check/", env!("CARGO_PKG_VERSION")).as_bytes());
        for (name, value) in &ask.headers {
            line(name, value);
        }
        match ask.framing {
            Framing::Chunked => line("transfer-encoding", b"chunked"),
            Framing::Announced(length) => line("content-length", length.to_string().as_bytes()),
            _ if ask.body.is_empty() && matches!(ask.method.as_str(), "GET" | "HEAD") => {}
            _ => line("content-length", ask.body.len().to_string().as_bytes()),
        }
        if last {
            line("connection", b"close");
        }
        head.extend(b"\r\n");
        head
    }

    fn write(connection: &mut Connection, ask: &Ask, mut head: Vec<u8>) -> io::Result<()> {
        let body = &ask.body;
        match ask.framing {
            Framing::Whole | Framing::Announced(_) => {
                head.extend(body);
                connection.put(&head)
            }
            Framing::Slow => {
                connection.put(&head)?;
                for piece in body.chunks(body.len().div_ceil(4).max(1)) {
                    thread::sleep(PAUSE);
                    connection.put(piece)?;
                }
                Ok(())
            }
            Framing::Chunked => {
                connection.put(&head)?;
                for piece in body.chunks(body.len().div_ceil(3).max(1)) {
                    connection
                        .put(&[format!("{:x}\r\n", piece.len()).as_bytes(), piece, b"\r\n"].concat())?;
                }
                connection.put(b"0\r\n\r\n")
            }
            Framing::CutOff => {
                head.extend(&body[..body.len() / 2]);
                connection.put(&head)?;
                thread::sleep(PAUSE);
                connection.socket.shutdown(std::net::Shutdown::Write)
            }
        }
    }
}

impl Transport for Http {
    fn target(&self) -> String {
        self.address.url()
    }

    fn cannot(&self, feature: Feature) -> Option<&'static str> {
        // Closing one half of a connection and odd framing are no matter of TLS, but a front ends it.
        (feature == Feature::Wire && self.address.secure)
            .then_some("behind https, the front's framing would be checked and not the endpoint's")
    }

    fn send(&self, ask: &Ask) -> Result<Answer, Trouble> {
        let started = Instant::now();
        let mut connection = self.connect()?;
        if ask.framing == Framing::CutOff {
            connection.deadline = Instant::now() + BRIEF.min(self.limit);
        }
        let head = self.head(ask, true);
        // A server may answer, and close, before it has taken the whole body.
        let written = Self::write(&mut connection, ask, head);
        let answer = Reader::new(&mut connection).answer(&ask.method);
        match (answer, written) {
            (Ok(answer), _) => Ok(Answer { took: started.elapsed(), ..answer }),
            (Err(_), Err(error)) | (Err(error), Ok(())) => Err(self.told(&error)),
        }
    }

    fn send_at_once(&self, asks: &[Ask]) -> Result<Vec<Answer>, Trouble> {
        let mut connection = self.connect()?;
        let mut bytes = Vec::new();
        for (at, ask) in asks.iter().enumerate() {
            bytes.extend(self.head(ask, at + 1 == asks.len()));
            bytes.extend(&ask.body);
        }
        connection.put(&bytes).map_err(|error| self.told(&error))?;
        let mut reader = Reader::new(&mut connection);
        let mut answers = Vec::new();
        for ask in asks {
            match reader.answer(&ask.method) {
                Ok(answer) => answers.push(answer),
                Err(error) if answers.is_empty() => return Err(self.told(&error)),
                Err(_) => break,
            }
        }
        Ok(answers)
    }
}

trait Stream: Read + Write {}

impl<T: Read + Write> Stream for T {}

/// A connection that is read until a time.
struct Connection {
    stream: Box<dyn Stream>,
    socket: TcpStream,
    deadline: Instant,
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection").field("socket", &self.socket).finish_non_exhaustive()
    }
}

impl Connection {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes)?;
        self.stream.flush()
    }
}

impl Read for Connection {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.socket.set_read_timeout(Some(left))?;
        self.stream.read(buffer)
    }
}
