//! The AWS Parameters and Secrets Lambda Extension: an HTTP server beside the function, which fetches secrets with the
//! function's own permissions and keeps them for a while.

use std::net::Ipv4Addr;
use std::time::Duration;

use http::{Request, StatusCode, header};
use http_body_util::{BodyExt, Empty, Limited};
use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::time::timeout;

/// The environment variable that holds the extension's port.
pub(super) const PORT_VARIABLE: &str = "PARAMETERS_SECRETS_EXTENSION_HTTP_PORT";
/// The environment variable that holds the function's session token, which the extension asks for.
pub(super) const TOKEN_VARIABLE: &str = "AWS_SESSION_TOKEN";

const DEFAULT_PORT: u16 = 2773;
const TOKEN_HEADER: &str = "X-Aws-Parameters-Secrets-Token";

/// The most bytes of an answer: a secret has 64 KiB at most, and JSON escapes some of them.
const MAX_ANSWER: usize = 256 * 1024;
/// How much of an answer that is an error goes to the log.
const SHOWN: usize = 200;

/// The extension, as the environment says where it is.
pub(super) struct Extension {
    port: u16,
    token: String,
}

/// Why there is no answer.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) why: String,
    /// Whether another attempt, soon, may have one.
    pub(super) passing: bool,
}

impl Failure {
    pub(super) fn lasting(why: impl Into<String>) -> Self {
        Self { why: why.into(), passing: false }
    }

    fn passing(why: impl Into<String>) -> Self {
        Self { why: why.into(), passing: true }
    }
}

impl Extension {
    pub(super) fn read(lookup: &dyn Fn(&str) -> Option<String>) -> Result<Self, Failure> {
        let port = match lookup(PORT_VARIABLE).as_deref().map(str::trim) {
            None | Some("") => DEFAULT_PORT,
            Some(port) => {
                port.parse().map_err(|_| Failure::lasting(format!("{PORT_VARIABLE} is not a port")))?
            }
        };
        let token = lookup(TOKEN_VARIABLE).filter(|token| !token.is_empty());
        let token = token
            .ok_or_else(|| Failure::lasting(format!("{TOKEN_VARIABLE} is not set, which AWS Lambda sets")))?;
        Ok(Self { port, token })
    }

    /// Gets what is at a path, within a limit.
    pub(super) async fn get(&self, path: &str, limit: Duration) -> Result<Vec<u8>, Failure> {
        let answer = timeout(limit, self.exchange(path)).await;
        answer.unwrap_or_else(|_| {
            Err(Failure::passing(format!("the extension did not answer within {limit:?}")))
        })
    }

    async fn exchange(&self, path: &str) -> Result<Vec<u8>, Failure> {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).await.map_err(|error| {
            Failure::passing(format!(
                "nothing listens at port {}: {error}. Is the Parameters and Secrets extension among the function's layers?",
                self.port
            ))
        })?;
        let broken =
            |error: hyper::Error| Failure::passing(format!("the extension does not speak HTTP: {error}"));
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.map_err(broken)?;
        let request = Request::get(path)
            .header(header::HOST, format!("localhost:{}", self.port))
            .header(TOKEN_HEADER, &self.token)
            .body(Empty::<Bytes>::new())
            .map_err(|_| Failure::lasting(format!("{TOKEN_VARIABLE} is no header's value")))?;
        let exchange = async {
            let response = sender.send_request(request).await.map_err(broken)?;
            let status = response.status();
            let body = Limited::new(response.into_body(), MAX_ANSWER).collect().await.map_err(|error| {
                if error.is::<http_body_util::LengthLimitError>() {
                    Failure::lasting(format!("the extension answered more than {MAX_ANSWER} bytes"))
                } else {
                    Failure::passing("the extension's answer was cut off")
                }
            })?;
            Ok((status, body.to_bytes()))
        };
        // What ends the connection before the answer is an error of the exchange, too.
        let drive = async {
            let _ = connection.await;
            std::future::pending().await
        };
        let (status, body) = tokio::select! {
            exchanged = exchange => exchanged?,
            never = drive => never,
        };
        if status == StatusCode::OK { Ok(body.to_vec()) } else { Err(refusal(status, &body)) }
    }
}

/// The extension says 400 while it starts and when it has too much to do, and 400 or 500 when AWS refused; the words that
/// tell these apart are not documented.
fn refusal(status: StatusCode, body: &[u8]) -> Failure {
    let said: String =
        String::from_utf8_lossy(body).chars().filter(|c| !c.is_control()).take(SHOWN).collect();
    let why = format!("the extension answered {}: {said}", status.as_u16());
    let passing =
        status.is_server_error() || matches!(status, StatusCode::BAD_REQUEST | StatusCode::TOO_MANY_REQUESTS);
    Failure { why, passing }
}
