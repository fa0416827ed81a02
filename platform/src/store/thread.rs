//! The thread that owns the database, and what it takes to ask it.

use std::thread::{Builder, JoinHandle};
use std::time::{SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, TransactionBehavior};
use tokio::sync::{mpsc, oneshot, watch};

use super::records::{SqlRecords, failed};
use crate::domain::{Code, Desk, Effect, Ids, Problem};

/// How many commands are committed together at most.
const BATCH: usize = 64;
/// When there is no telling when something is due, it is looked for again after so long.
const LOOK_AGAIN_MS: u64 = 60_000;
/// How many commands wait at most before whoever asks has to.
const WAITING: usize = 256;

/// The operating system's randomness.
struct OsIds;

impl Ids for OsIds {
    fn next(&mut self) -> [u8; 16] {
        let mut bytes = [0; 16];
        // Without randomness no id is safe, and nothing can go on.
        getrandom::fill(&mut bytes)
            .unwrap_or_else(|error| panic!("the operating system gives no randomness: {error}"));
        bytes
    }
}

/// The real time, in Unix milliseconds.
pub(crate) fn real_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// The command was refused, and changes nothing.
struct Refused;

/// One command on its way through: decided inside the transaction, answered after it.
trait Job: Send {
    fn decide(&mut self, desk: &mut Desk<'_>) -> Result<(), Refused>;
    fn refuse(&mut self, problem: Problem);
    fn answer(self: Box<Self>);
}

struct Command<T, F> {
    decide: Option<F>,
    result: Option<Result<T, Problem>>,
    reply: oneshot::Sender<Result<T, Problem>>,
}

impl<T: Send, F: FnOnce(&mut Desk<'_>) -> Result<T, Problem> + Send> Job for Command<T, F> {
    fn decide(&mut self, desk: &mut Desk<'_>) -> Result<(), Refused> {
        self.result = self.decide.take().map(|decide| decide(desk));
        if matches!(self.result, Some(Ok(_))) { Ok(()) } else { Err(Refused) }
    }

    fn refuse(&mut self, problem: Problem) {
        self.result = Some(Err(problem));
    }

    fn answer(self: Box<Self>) {
        if let Some(result) = self.result {
            // Whoever asked may have gone; what was decided stands.
            let _ = self.reply.send(result);
        }
    }
}

/// Where effects go once their records are safe, and when there is something to do next.
pub(crate) struct Outlet {
    /// Takes an effect at once: the thread waits for nobody.
    pub(crate) effects: Box<dyn Fn(Effect) + Send>,
    /// In milliseconds of the real clock.
    pub(crate) next_due_ms: watch::Sender<u64>,
}

/// The way to the thread.
pub(crate) struct Store {
    jobs: Option<mpsc::Sender<Box<dyn Job>>>,
    thread: Option<JoinHandle<()>>,
}

impl Store {
    /// Starts the thread on an open database.
    pub(crate) fn start(connection: Connection, outlet: Outlet) -> std::io::Result<Self> {
        let (jobs, waiting) = mpsc::channel(WAITING);
        let thread = Builder::new()
            .name("platform-store".to_owned())
            .spawn(move || serve(connection, waiting, &outlet))?;
        Ok(Self { jobs: Some(jobs), thread: Some(thread) })
    }

    /// Runs a command. Its answer comes when what it decided is on the disk.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        decide: impl FnOnce(&mut Desk<'_>) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let stopping = || Problem::new(Code::Stopping, "The stand-in is ending.");
        let (reply, answer) = oneshot::channel();
        let job = Box::new(Command { decide: Some(decide), result: None, reply });
        let jobs = self.jobs.as_ref().ok_or_else(stopping)?;
        jobs.send(job).await.map_err(|_| stopping())?;
        answer.await.map_err(|_| stopping())?
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn serve(mut connection: Connection, mut waiting: mpsc::Receiver<Box<dyn Job>>, outlet: &Outlet) {
    while let Some(first) = waiting.blocking_recv() {
        let mut jobs = vec![first];
        while jobs.len() < BATCH {
            match waiting.try_recv() {
                Ok(job) => jobs.push(job),
                Err(_) => break,
            }
        }
        match batch(&mut connection, &mut jobs) {
            Ok((effects, next_due_ms)) => {
                for job in jobs {
                    job.answer();
                }
                for effect in effects {
                    (outlet.effects)(effect);
                }
                outlet.next_due_ms.send_if_modified(|due| std::mem::replace(due, next_due_ms) != next_due_ms);
            }
            Err(error) => {
                let problem = failed(&error);
                for mut job in jobs {
                    job.refuse(problem.clone());
                    job.answer();
                }
            }
        }
    }
}

/// Decides a batch in one transaction.
fn batch(connection: &mut Connection, jobs: &mut [Box<dyn Job>]) -> rusqlite::Result<(Vec<Effect>, u64)> {
    let mut transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut effects = Vec::new();
    for job in jobs {
        // What is due happens whether the command is refused or not, and both at the same moment.
        let settled = match now(&transaction) {
            Ok(now) => step(&mut transaction, &mut effects, now, |desk| desk.settle())?.map(|()| now),
            Err(problem) => Err(problem),
        };
        match settled {
            Ok(now) => {
                // The command keeps its own answer; here it only matters whether what it did stays.
                let _ = step(&mut transaction, &mut effects, now, |desk| job.decide(desk))?;
            }
            Err(problem) => job.refuse(problem),
        }
    }
    let next = match now(&transaction) {
        Ok(now) => step(&mut transaction, &mut effects, now, |desk| {
            Ok::<_, Problem>(real_ms().saturating_add(desk.next_due_ms()?.saturating_sub(now)))
        })?,
        Err(problem) => Err(problem),
    };
    transaction.commit()?;
    // Without an answer it is looked for again soon.
    Ok((effects, next.unwrap_or_else(|_| real_ms().saturating_add(LOOK_AGAIN_MS))))
}

/// The time of the movable clock.
fn now(connection: &Connection) -> Result<u64, Problem> {
    let ahead = Desk::new(&mut SqlRecords(connection), &mut OsIds, 0).clock_ahead_ms()?;
    Ok(real_ms().saturating_add(ahead))
}

/// One part of a batch: kept whole, or not at all when it fails.
fn step<T, E>(
    transaction: &mut rusqlite::Transaction<'_>,
    effects: &mut Vec<Effect>,
    now_ms: u64,
    run: impl FnOnce(&mut Desk<'_>) -> Result<T, E>,
) -> rusqlite::Result<Result<T, E>> {
    let savepoint = transaction.savepoint()?;
    let (mut records, mut ids) = (SqlRecords(&savepoint), OsIds);
    let mut desk = Desk::new(&mut records, &mut ids, now_ms);
    let result = run(&mut desk);
    let out = desk.into_effects();
    // A savepoint that is dropped is rolled back.
    if result.is_ok() {
        savepoint.commit()?;
        effects.extend(out);
    }
    Ok(result)
}
