//! Jobs in this process: a queue in memory, which runs what it holds and is gone with the process.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use median_edge::event::Level;
use median_edge::job::{JobMessage, JobQueue, Jobs, QueueError, Verdict};
use median_edge::{BoxFuture, Host};
use tokio::runtime::Handle;
use tokio::sync::{Notify, Semaphore, watch};
use tokio::time::{sleep, timeout_at};

use crate::app::aside;
use crate::host::LocalHost;

/// How many dead letters are kept: the oldest give way.
const MOST_DEAD: usize = 1_000;

/// The queue of a server with [jobs](crate::Server::jobs): what is in it, and what died. Clones are the same queue.
///
/// It is in memory. A job is tried as often as it says, with growing pauses; what then has not gone well is a
/// [`DeadLetter`]. When the server stops, pauses are cut short and what waits is run, up to the shutdown limit; what is
/// left then is lost, and the log says how many. A process that is killed loses all of it.
#[derive(Clone)]
pub struct LocalQueue(Arc<Inner>);

struct Inner {
    run: Box<Run>,
    names: Vec<String>,
    host: Arc<LocalHost>,
    /// The most messages that are held, those that run included.
    most_held: usize,
    /// One permit for each job that runs.
    running: Semaphore,
    held: Mutex<Held>,
    /// Whether pauses are over.
    hurry: watch::Sender<bool>,
    /// The last message is settled.
    empty: Notify,
}

/// Runs a message once.
type Run = dyn Fn(Arc<JobMessage>, u32) -> BoxFuture<'static, Verdict> + Send + Sync;

#[derive(Default)]
struct Held {
    messages: usize,
    closed: bool,
    dead: VecDeque<DeadLetter>,
}

/// A job that failed for the last time.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DeadLetter {
    /// The job, its payload and the call that enqueued it.
    pub message: JobMessage,
    /// What went wrong in its last run.
    pub error: String,
    /// How many times it was run.
    pub attempts: u32,
    /// When it was given up, in Unix milliseconds.
    pub at_ms: u64,
}

impl LocalQueue {
    pub(crate) fn new<S: Send + Sync + 'static>(
        jobs: Jobs<S>,
        state: Arc<S>,
        host: Arc<LocalHost>,
        (most_held, most_running): (usize, usize),
    ) -> Self {
        let names = jobs.names().map(str::to_owned).collect();
        let jobs = Arc::new(jobs);
        let runner = Arc::clone(&host);
        let run = move |message: Arc<JobMessage>, attempt| -> BoxFuture<'static, Verdict> {
            let (jobs, state, host) = (Arc::clone(&jobs), Arc::clone(&state), Arc::clone(&runner));
            Box::pin(async move { jobs.run(&*host, &state, &message, attempt).await })
        };
        Self(Arc::new(Inner {
            run: Box::new(run),
            names,
            host,
            most_held,
            running: Semaphore::new(most_running),
            held: Mutex::default(),
            hurry: watch::Sender::new(false),
            empty: Notify::new(),
        }))
    }

    /// How many jobs it holds: those that wait, and those that run.
    pub fn held(&self) -> usize {
        self.0.held().messages
    }

    /// The jobs that were given up, the oldest first: the last 1,000.
    pub fn dead_letters(&self) -> Vec<DeadLetter> {
        self.0.held().dead.iter().cloned().collect()
    }

    /// Takes no more, and runs what it holds without pauses, up to a moment. Whether all of it was run.
    pub(crate) async fn drain(&self, until: tokio::time::Instant) -> bool {
        let inner = &self.0;
        inner.held().closed = true;
        inner.hurry.send_replace(true);
        let empty = async {
            loop {
                let settled = inner.empty.notified();
                if self.held() == 0 {
                    return;
                }
                settled.await;
            }
        };
        let done = timeout_at(until, empty).await.is_ok();
        if !done {
            let message = format!("stopped with jobs in hand: {} are lost", self.held());
            inner.host.note(Level::Error, &message);
        }
        done
    }
}

impl JobQueue for LocalQueue {
    fn enqueue<'a>(
        &'a self,
        _: &'a str,
        message: JobMessage,
        delay_seconds: u32,
    ) -> BoxFuture<'a, Result<(), QueueError>> {
        Box::pin(async move {
            let runtime = Handle::try_current().map_err(|_| {
                QueueError::Failed("there is no tokio runtime here to run jobs on".to_owned())
            })?;
            {
                let mut held = self.0.held();
                if held.closed {
                    return Err(QueueError::Closed);
                }
                if held.messages >= self.0.most_held {
                    return Err(QueueError::Full);
                }
                held.messages += 1;
            }
            let delay = Duration::from_secs(delay_seconds.into());
            runtime.spawn(Arc::clone(&self.0).deliver(Arc::new(message), delay));
            Ok(())
        })
    }
}

impl Inner {
    fn held(&self) -> MutexGuard<'_, Held> {
        // Nothing that panics holds it.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs a message until it is settled.
    async fn deliver(self: Arc<Self>, message: Arc<JobMessage>, delay: Duration) {
        self.pause(delay).await;
        let mut attempt = 1;
        while let Some(after) = self.attempt(&message, attempt).await {
            self.pause(after).await;
            attempt += 1;
        }
        let mut held = self.held();
        held.messages -= 1;
        if held.messages == 0 {
            self.empty.notify_waiters();
        }
    }

    /// Runs a message once: how long to wait before it is run again, if it is.
    async fn attempt(&self, message: &Arc<JobMessage>, attempt: u32) -> Option<Duration> {
        // The semaphore is never closed.
        let permit = self.running.acquire().await;
        let started = Instant::now();
        let verdict = aside((self.run)(Arc::clone(message), attempt)).await;
        drop(permit);
        // The id comes from outside, and an error may hold anything: on one line of the log, without what moves a cursor.
        let (job, call) = (&message.job, message.tool_call_id.escape_debug());
        let ms = started.elapsed().as_millis();
        let run = format!("job {job} of call {call}, run {attempt} in {ms} ms");
        match verdict {
            Verdict::Done => {
                self.host.note(Level::Info, &format!("{run}: done"));
                None
            }
            Verdict::Retry { after, error } => {
                self.host.note(
                    Level::Warn,
                    &format!("{run}: {}; it is run again after {after:?}", error.escape_debug()),
                );
                Some(after)
            }
            Verdict::Dead { error } => {
                self.host.note(Level::Error, &format!("{run}: {}; it is given up", error.escape_debug()));
                self.bury(message, error, attempt);
                None
            }
            other => {
                self.bury(message, format!("a verdict that is not known here: {other:?}"), attempt);
                None
            }
        }
    }

    fn bury(&self, message: &JobMessage, error: String, attempts: u32) {
        let at_ms = self.host.now_ms();
        let dead = &mut self.held().dead;
        if dead.len() == MOST_DEAD {
            dead.pop_front();
        }
        dead.push_back(DeadLetter { message: message.clone(), error, attempts, at_ms });
    }

    async fn pause(&self, pause: Duration) {
        let mut hurry = self.hurry.subscribe();
        tokio::select! {
            () = sleep(pause) => {}
            // The sender is this queue's own.
            _ = hurry.wait_for(|hurry| *hurry) => {}
        }
    }
}

impl fmt::Debug for LocalQueue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalQueue")
            .field("jobs", &self.0.names)
            .field("held", &self.held())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    use median_edge::job::{Job, JobCall, JobMessage, JobQueue, Jobs, QueueError};
    use median_edge::prelude::*;
    use serde::{Deserialize, Serialize};
    use tokio::time::Instant;

    use super::{LocalQueue, MOST_DEAD};
    use crate::{LocalHost, LogFormat};

    #[derive(Serialize, Deserialize)]
    enum Deed {
        Work,
        FailTwice,
        Fail,
        Panic,
        Hang,
        Wait,
    }

    impl Job for Deed {
        const NAME: &'static str = "deed";
        const DESCRIPTION: &'static str = "What the tests ask for.";
        const QUEUE: &'static str = "deeds";
        const MAX_RETRIES: u32 = 2;
        const TIMEOUT_SECONDS: u32 = 10;
    }

    /// When each run was, in milliseconds since the start, and how many ran at once.
    struct Seen {
        start: Instant,
        runs: Mutex<Vec<u128>>,
        running: AtomicUsize,
        most_running: AtomicUsize,
    }

    impl Seen {
        fn new() -> Arc<Self> {
            Arc::new(Self {
                start: Instant::now(),
                runs: Mutex::default(),
                running: AtomicUsize::new(0),
                most_running: AtomicUsize::new(0),
            })
        }

        fn runs(&self) -> Vec<u128> {
            self.runs.lock().unwrap().clone()
        }
    }

    async fn work(job: JobCall<'_, Seen, Deed>) -> ToolResult<()> {
        let seen = job.state();
        seen.runs.lock().unwrap().push(seen.start.elapsed().as_millis());
        match job.payload() {
            Deed::Work => Ok(()),
            Deed::FailTwice if job.attempt() > 2 => Ok(()),
            Deed::FailTwice | Deed::Fail => Err(ToolError::internal("no luck")),
            Deed::Panic => panic!("out of ink"),
            Deed::Hang => std::future::pending().await,
            Deed::Wait => {
                let running = seen.running.fetch_add(1, Ordering::SeqCst) + 1;
                seen.most_running.fetch_max(running, Ordering::SeqCst);
                tokio::time::sleep(Duration::from_secs(1)).await;
                seen.running.fetch_sub(1, Ordering::SeqCst);
                Ok(())
            }
        }
    }

    fn queue(seen: &Arc<Seen>, limits: (usize, usize)) -> LocalQueue {
        let host = Arc::new(LocalHost::logging_to(std::io::sink(), LogFormat::Off));
        LocalQueue::new(Jobs::new().handle(work), Arc::clone(seen), host, limits)
    }

    async fn enqueue(queue: &LocalQueue, deed: &Deed, delay: u32) -> Result<(), QueueError> {
        let message: JobMessage = serde_json::from_value(serde_json::json!({
            "job": "deed",
            "payload": serde_json::to_string(deed).unwrap(),
            "tool_call_id": "call_7",
        }))
        .unwrap();
        queue.enqueue("deeds", message, delay).await
    }

    /// Lets everything run that is ready, and time pass.
    async fn settle(queue: &LocalQueue) {
        while queue.held() > 0 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_job_runs_once_when_it_goes_well() {
        let seen = Seen::new();
        let queue = queue(&seen, (10, 2));
        enqueue(&queue, &Deed::Work, 0).await.unwrap();
        settle(&queue).await;
        assert_eq!((seen.runs().len(), queue.dead_letters().len()), (1, 0));
    }

    #[tokio::test(start_paused = true)]
    async fn a_job_is_delayed_as_long_as_was_said() {
        let seen = Seen::new();
        let queue = queue(&seen, (10, 2));
        enqueue(&queue, &Deed::Work, 900).await.unwrap();
        settle(&queue).await;
        assert_eq!(seen.runs(), [900_000]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_job_that_fails_is_run_again_after_pauses_that_grow() {
        let seen = Seen::new();
        let queue = queue(&seen, (10, 2));
        enqueue(&queue, &Deed::FailTwice, 0).await.unwrap();
        settle(&queue).await;
        let [first, second, third] = seen.runs().try_into().unwrap();
        assert!((500..=1_000).contains(&(second - first)), "{first} {second}");
        assert!((1_000..=2_000).contains(&(third - second)), "{second} {third}");
        assert!(queue.dead_letters().is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn a_job_is_given_up_after_its_retries_with_its_last_error() {
        let seen = Seen::new();
        let queue = queue(&seen, (10, 2));
        enqueue(&queue, &Deed::Fail, 0).await.unwrap();
        settle(&queue).await;
        let [dead] = queue.dead_letters().try_into().unwrap();
        assert_eq!((dead.attempts, seen.runs().len()), (3, 3));
        assert_eq!((&*dead.error, &*dead.message.tool_call_id), ("no luck", "call_7"));
    }

    #[tokio::test(start_paused = true)]
    async fn a_panic_and_a_run_that_hangs_end_in_dead_letters_and_nothing_else() {
        let seen = Seen::new();
        let queue = queue(&seen, (10, 2));
        for deed in [Deed::Panic, Deed::Hang, Deed::Work] {
            enqueue(&queue, &deed, 0).await.unwrap();
        }
        settle(&queue).await;
        let mut errors: Vec<_> = queue.dead_letters().into_iter().map(|dead| dead.error).collect();
        errors.sort();
        assert_eq!(errors, ["cut off after 10 seconds", "panicked: out of ink"]);
    }

    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<u8>>>);

    impl std::io::Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[tokio::test(start_paused = true)]
    async fn the_log_has_each_run_on_one_line_and_never_the_payload() {
        let lines = Lines::default();
        let host = Arc::new(LocalHost::logging_to(lines.clone(), LogFormat::Text));
        let jobs = Jobs::new().handle(work);
        let queue = LocalQueue::new(jobs, Seen::new(), Arc::clone(&host), (10, 2));
        let message: JobMessage = serde_json::from_value(serde_json::json!({
            "job": "deed",
            "payload": "\"FailTwice\"",
            "tool_call_id": "call_7\nforged \u{1b}[2J",
        }))
        .unwrap();
        queue.enqueue("deeds", message, 0).await.unwrap();
        settle(&queue).await;
        host.flush(Duration::from_secs(5));
        let text = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
        assert_eq!(text.lines().count(), 3, "{text}");
        assert!(text.contains("run 1") && text.contains("no luck") && text.contains("run 3"), "{text}");
        assert!(text.contains(r"call_7\nforged") && !text.contains('\u{1b}'), "{text}");
        assert!(!text.contains("FailTwice"), "{text}");
    }

    #[tokio::test(start_paused = true)]
    async fn only_so_many_run_at_once() {
        let seen = Seen::new();
        let queue = queue(&seen, (10, 2));
        for _ in 0..5 {
            enqueue(&queue, &Deed::Wait, 0).await.unwrap();
        }
        settle(&queue).await;
        assert_eq!((seen.runs().len(), seen.most_running.load(Ordering::SeqCst)), (5, 2));
    }

    #[tokio::test(start_paused = true)]
    async fn a_full_queue_takes_no_more_until_there_is_room() {
        let seen = Seen::new();
        let queue = queue(&seen, (2, 1));
        enqueue(&queue, &Deed::Wait, 0).await.unwrap();
        enqueue(&queue, &Deed::Wait, 0).await.unwrap();
        assert_eq!(enqueue(&queue, &Deed::Work, 0).await, Err(QueueError::Full));
        settle(&queue).await;
        assert_eq!(enqueue(&queue, &Deed::Work, 0).await, Ok(()));
    }

    #[tokio::test(start_paused = true)]
    async fn draining_cuts_pauses_short_and_takes_no_more() {
        let seen = Seen::new();
        let queue = queue(&seen, (10, 2));
        enqueue(&queue, &Deed::Work, 900).await.unwrap();
        enqueue(&queue, &Deed::Fail, 0).await.unwrap();
        assert!(queue.drain(Instant::now() + Duration::from_secs(5)).await);
        assert_eq!((queue.held(), seen.runs().len(), queue.dead_letters().len()), (0, 4, 1));
        assert_eq!(enqueue(&queue, &Deed::Work, 0).await, Err(QueueError::Closed));
    }

    #[tokio::test(start_paused = true)]
    async fn draining_ends_at_its_limit() {
        let seen = Seen::new();
        let queue = queue(&seen, (10, 2));
        enqueue(&queue, &Deed::Hang, 0).await.unwrap();
        assert!(!queue.drain(Instant::now() + Duration::from_secs(5)).await);
        assert_eq!((queue.held(), seen.start.elapsed().as_secs()), (1, 5));
    }

    #[tokio::test(start_paused = true)]
    async fn the_oldest_dead_letters_give_way() {
        let seen = Seen::new();
        let queue = queue(&seen, (MOST_DEAD + 1, 100));
        for _ in 0..=MOST_DEAD {
            enqueue(&queue, &Deed::Fail, 0).await.unwrap();
        }
        settle(&queue).await;
        assert_eq!((queue.dead_letters().len(), seen.runs().len()), (MOST_DEAD, 3 * (MOST_DEAD + 1)));
    }
}
