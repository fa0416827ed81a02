//! Writing lines beside everything else: whoever has a line hands it over and goes on, however slow its reader is.

use std::collections::VecDeque;
use std::io::Write;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// How many lines wait at most.
const LINES: usize = 4096;
/// And how many bytes: one line may be more, when no other waits.
const BYTES: usize = 8 * 1024 * 1024;

/// How long a writer that is dropped waits for the lines that it still has.
const LAST: Duration = Duration::from_secs(1);

/// A thread that writes lines in their order. What it cannot write in time is dropped, and counted.
pub(crate) struct Writer(Arc<Queue>);

#[derive(Default)]
struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    lines: VecDeque<String>,
    /// Of the lines that wait and of those that are being written.
    bytes: usize,
    writing: bool,
    /// How many lines were dropped since that was last written.
    dropped: u64,
    /// Nothing more comes.
    closed: bool,
    /// Nothing more is written.
    gone: bool,
}

impl Writer {
    /// Writes to `out`; `told` makes the line that says how many were dropped.
    pub(crate) fn start(out: impl Write + Send + 'static, told: fn(u64) -> String) -> Self {
        let queue = Arc::new(Queue::default());
        let of_thread = Arc::clone(&queue);
        let thread = thread::Builder::new().name("median-edge-log".to_owned());
        if let Err(error) = thread.spawn(move || Gone(of_thread).write_all(out, told)) {
            // Where else could it be said?
            eprintln!("nothing is logged: there is no thread to write the log: {error}");
            queue.state().gone = true;
        }
        Self(queue)
    }

    pub(crate) fn line(&self, line: String) {
        let mut state = self.0.state();
        let has_room = state.lines.len() < LINES
            && (state.bytes == 0 || state.bytes.saturating_add(line.len()) <= BYTES);
        if state.gone || !has_room {
            state.dropped = state.dropped.saturating_add(1);
            return;
        }
        state.bytes += line.len();
        state.lines.push_back(line);
        drop(state);
        self.0.changed.notify_all();
    }

    /// Waits until all is written, but not for ever.
    pub(crate) fn flush(&self, limit: Duration) {
        let is_busy = |state: &mut State| {
            !state.gone && (state.writing || !state.lines.is_empty() || state.dropped > 0)
        };
        let _ = self.0.changed.wait_timeout_while(self.0.state(), limit, is_busy);
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.0.state().closed = true;
        self.0.changed.notify_all();
        self.flush(LAST);
    }
}

impl Queue {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The thread's end of the queue. Whatever ends the thread, nobody waits for it any more.
struct Gone(Arc<Queue>);

impl Gone {
    fn write_all(self, mut out: impl Write, told: fn(u64) -> String) {
        loop {
            let has_nothing =
                |state: &mut State| state.lines.is_empty() && state.dropped == 0 && !state.closed;
            let waited = self.0.changed.wait_while(self.0.state(), has_nothing);
            let mut state = waited.unwrap_or_else(PoisonError::into_inner);
            let lines = std::mem::take(&mut state.lines);
            // They were dropped after these lines, since these filled the queue.
            let dropped = std::mem::take(&mut state.dropped);
            if lines.is_empty() && dropped == 0 {
                return;
            }
            state.writing = true;
            drop(state);

            let bytes: usize = lines.iter().map(String::len).sum();
            // A line is one write. A reader that went away costs the lines only.
            for line in lines {
                let _ = out.write_all(line.as_bytes());
            }
            if dropped > 0 {
                let _ = out.write_all(told(dropped).as_bytes());
            }
            let _ = out.flush();

            let mut state = self.0.state();
            state.bytes -= bytes;
            state.writing = false;
            drop(state);
            self.0.changed.notify_all();
        }
    }
}

impl Drop for Gone {
    fn drop(&mut self) {
        self.0.state().gone = true;
        self.0.changed.notify_all();
    }
}
