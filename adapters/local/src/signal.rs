//! The signals that end a server, and the thread that sees to it that they do.

use std::io;
use std::process;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use tokio::runtime::Builder;
use tokio::sync::oneshot;
use tokio::time::sleep;

use crate::host::LocalHost;
use median_edge::event::Level;

/// SIGINT and SIGTERM, or Ctrl-C where there are none.
struct Signals {
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
}

impl Signals {
    /// From here on they no longer end the process by themselves.
    #[cfg(unix)]
    fn listen() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    #[cfg(not(unix))]
    #[allow(clippy::unnecessary_wraps)] // Elsewhere it can fail.
    fn listen() -> io::Result<Self> {
        Ok(Self {})
    }

    /// Waits for the next one.
    #[cfg(unix)]
    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }

    #[cfg(not(unix))]
    async fn next(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            // Nothing can be listened for, so nothing comes.
            std::future::pending::<()>().await;
        }
    }
}

/// How long after its limit a server's process may still be there.
const AFTER_LIMIT: Duration = Duration::from_secs(5);
/// And how long after a second signal.
const AFTER_SECOND: Duration = Duration::from_secs(1);

/// How long the log has for its last lines.
pub(crate) const LAST_LINES: Duration = Duration::from_millis(500);

/// What a server hears of the signals, from a thread that no tool can block.
pub(crate) struct Watch {
    pub(crate) first: oneshot::Receiver<()>,
    pub(crate) second: oneshot::Receiver<()>,
    /// Taken by `all_done`; dropped with a server that is not served to its end.
    over: oneshot::Sender<Over>,
}

/// How a server came to its end.
enum Over {
    Done,
    /// With calls in flight, which may keep the process.
    CutOff,
}

impl Watch {
    /// Listens from now on. Once a first signal has come, the process ends: `limit` and [`AFTER_LIMIT`] later, or
    /// [`AFTER_SECOND`] after a second signal, unless the server was done before.
    pub(crate) async fn start(limit: Duration, host: Arc<LocalHost>) -> io::Result<Self> {
        let (ready, is_ready) = oneshot::channel();
        thread::Builder::new().name("median-edge-signals".to_owned()).spawn(move || {
            let runtime = match Builder::new_current_thread().enable_all().build() {
                Ok(runtime) => runtime,
                Err(error) => return drop(ready.send(Err(error))),
            };
            runtime.block_on(async {
                let signals = match Signals::listen() {
                    Ok(signals) => signals,
                    Err(error) => return drop(ready.send(Err(error))),
                };
                let (to_first, first) = oneshot::channel();
                let (to_second, second) = oneshot::channel();
                let (over, is_over) = oneshot::channel();
                if ready.send(Ok(Self { first, second, over })).is_ok() {
                    watch(signals, limit, &host, (to_first, to_second), is_over).await;
                }
            });
        })?;
        is_ready.await.unwrap_or_else(|_| Err(io::Error::other("the thread for them ended")))
    }

    /// Everything came to its end: the process is its owner's again.
    pub(crate) fn done(self) {
        let _ = self.over.send(Over::Done);
    }

    /// The server is over, and some of its calls are not.
    pub(crate) fn cut_off(self) {
        let _ = self.over.send(Over::CutOff);
    }
}

async fn watch(
    mut signals: Signals,
    limit: Duration,
    host: &LocalHost,
    (to_first, to_second): (oneshot::Sender<()>, oneshot::Sender<()>),
    mut is_over: oneshot::Receiver<Over>,
) {
    tokio::select! {
        () = signals.next() => {}
        _ = &mut is_over => return,
    }
    let _ = to_first.send(());
    let mut time = std::pin::pin!(sleep(limit.saturating_add(AFTER_LIMIT)));
    let again = tokio::select! {
        () = signals.next() => true,
        () = &mut time => false,
        over = is_over => match over {
            Ok(Over::CutOff) => tokio::select! {
                () = signals.next() => true,
                () = sleep(AFTER_LIMIT) => false,
            },
            // Whether it is done or was dropped, what is left is not ours.
            Ok(Over::Done) | Err(_) => return,
        },
    };
    if again {
        let _ = to_second.send(());
        sleep(AFTER_SECOND).await;
    }
    host.note(Level::Error, "the process is ended with work in flight: a call blocks its thread");
    host.flush(LAST_LINES);
    process::exit(1);
}
