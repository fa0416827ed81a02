//! One emulator with one function in it.

use std::collections::BTreeMap;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use http_body_util::{BodyExt, Full};
use hyper::Request;
use hyper::body::Bytes;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

use crate::Log;

/// Where the emulator takes events.
const PATH: &str = "/2015-03-31/functions/function/invocations";

/// How long it has to listen.
const PATIENCE: Duration = Duration::from_secs(30);

/// The emulator ends when we do, however we end: a shell between us reads from a pipe that only we hold the other end of.
/// And the shell ends when the emulator does.
const KEEPER: &str = r#"
exec 3<&0
"$@" 3<&- & emulator=$!
{ read -r _ <&3; kill "$emulator"; } 2>/dev/null & reader=$!
wait "$emulator"
kill "$reader" 2>/dev/null
"#;

/// What an emulator runs.
#[derive(Clone, Debug)]
pub struct Function {
    /// The emulator's program, `aws-lambda-rie`.
    pub emulator: PathBuf,
    /// The function's program, which Lambda calls `bootstrap`.
    pub program: PathBuf,
    /// The variables that the function has, and no others.
    pub environment: BTreeMap<String, String>,
    /// The time that an event has, in seconds.
    pub timeout: u32,
    /// Where what it says goes.
    pub log: Log,
}

/// What the emulator gave back for an event, whatever that is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Raw {
    /// The status of the emulator's own answer.
    pub status: u16,
    /// What the function answered, or what the emulator says of it.
    pub body: Vec<u8>,
}

/// A process of the emulator, ended when it is dropped.
#[derive(Debug)]
pub struct Emulator {
    keeper: Child,
    address: SocketAddr,
}

impl Emulator {
    /// Starts one. The function starts with the first event.
    ///
    /// # Errors
    ///
    /// When it can't be started, or does not listen in time.
    pub async fn start(function: &Function) -> io::Result<Self> {
        // Free a moment ago. Somebody else may be quicker, and then there are others.
        for _ in 0..5 {
            let [events, runtime] = free_ports()?;
            let mut emulator = Self { keeper: keeper(function, events, runtime)?, address: events };
            if emulator.listens(runtime).await? {
                return Ok(emulator);
            }
        }
        Err(io::Error::other("aws-lambda-rie ended before it listened: see its log"))
    }

    /// The process id of the shell that keeps it. The emulator is its child, and the function is the emulator's.
    pub fn id(&self) -> u32 {
        self.keeper.id()
    }

    /// Posts an event, and waits for what comes back. One at a time: the emulator ends when it gets two.
    ///
    /// # Errors
    ///
    /// When the emulator does not answer.
    pub async fn invoke(&mut self, event: Vec<u8>) -> io::Result<Raw> {
        let stream = TcpStream::connect(self.address).await?;
        let (mut sender, connection) =
            hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.map_err(io::Error::other)?;
        let connection = tokio::spawn(connection);
        let request = Request::post(PATH).header("host", "emulator").body(Full::new(Bytes::from(event)));
        let answer =
            sender.send_request(request.map_err(io::Error::other)?).await.map_err(io::Error::other)?;
        let status = answer.status().as_u16();
        let body = answer.into_body().collect().await.map_err(io::Error::other)?.to_bytes().to_vec();
        connection.abort();
        Ok(Raw { status, body })
    }

    /// Whether it comes to listen; it ends when its ports are taken. It takes events before it has the Runtime API, and a
    /// function that is started in between finds nobody.
    async fn listens(&mut self, runtime: SocketAddr) -> io::Result<bool> {
        let started = Instant::now();
        while started.elapsed() < PATIENCE {
            let [events, runtime] = [self.address, runtime].map(TcpStream::connect);
            if runtime.await.is_ok() && events.await.is_ok() {
                return Ok(true);
            }
            if self.keeper.try_wait()?.is_some() {
                return Ok(false);
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        Ok(false)
    }
}

impl Drop for Emulator {
    fn drop(&mut self) {
        // Its end of the pipe is what the shell waits for.
        drop(self.keeper.stdin.take());
        let _ = self.keeper.wait();
    }
}

fn free_ports() -> io::Result<[SocketAddr; 2]> {
    // Both at once, so that they are two.
    let listeners =
        [TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?, TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?];
    Ok([listeners[0].local_addr()?, listeners[1].local_addr()?])
}

fn keeper(function: &Function, events: SocketAddr, runtime: SocketAddr) -> io::Result<Child> {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", KEEPER, "keeper"]).arg(&function.emulator);
    // When a function started is of use to who measures it, and not to who watches a log.
    let level = if matches!(function.log, Log::Shown) { "warn" } else { "info" };
    command.args(["--log-level", level]);
    command.args(["--runtime-interface-emulator-address", &events.to_string()]);
    command.args(["--runtime-api-address", &runtime.to_string()]).arg(&function.program);
    command.env_clear().envs(&function.environment);
    command.env("AWS_LAMBDA_FUNCTION_TIMEOUT", function.timeout.to_string());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    if let Some(out) = child.stdout.take() {
        function.log.follow(out);
    }
    if let Some(errors) = child.stderr.take() {
        function.log.follow(errors);
    }
    Ok(child)
}
