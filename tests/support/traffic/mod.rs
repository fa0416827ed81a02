//! Calls through the stand-in at a rate, and whether anything is lost of what it acknowledged.
//!
//! The demo endpoint runs in this process and counts what reaches it; the stand-in runs in its own, with a file. When the
//! calls are over it is killed and started again, and what was acknowledged is looked for through its API.

mod caller;
mod kind;
mod ledger;

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use median_edge::{Keys, MedianKey};
use median_edge_local::{LogFormat, Server};
use serde_json::{Value, json};
use support_desk::{Desk, endpoint};

use self::caller::{Acknowledged, Caller};
pub use self::kind::Kind;
use self::ledger::{Found, Reached, compare};
use crate::stand_in::StandIn;
use crate::{MOUNT, Served};

/// How much the stand-in's memory may grow once it is warm, in KiB: what the allocator keeps, and the database's cache.
const GROWTH_KIB: u64 = 16 * 1024;

/// How often its memory is looked at.
const SAMPLED_EVERY: Duration = Duration::from_millis(250);

/// How many calls, for how long, by how many at once.
#[derive(Clone, Copy, Debug)]
pub struct Traffic {
    /// Calls a second.
    pub rate: u32,
    /// For how long.
    pub duration: Duration,
    /// How many callers there are, each with a connection and conversations of its own.
    pub callers: usize,
}

/// What was seen.
#[derive(Debug)]
pub struct Seen {
    traffic: Traffic,
    took: Duration,
    made: BTreeMap<Kind, u64>,
    conversations: usize,
    found: Found,
    /// From the moment that each call was due to its last answer, in order.
    times: Vec<Duration>,
    /// The stand-in's memory in RAM, in KiB, in the order of time.
    resident: Vec<u64>,
}

impl Traffic {
    /// Makes the calls, kills the stand-in, starts it again, and looks for them.
    ///
    /// # Errors
    ///
    /// When a call does not end as it has to, or something does not answer.
    pub fn run(&self, data: &Path) -> Result<Seen, String> {
        let reached = Arc::new(Mutex::new(Reached::new()));
        let demo = demo(&reached);
        let stand_in = StandIn::start(data);
        let identity = prepare(&stand_in, &format!("http://{}{MOUNT}", demo.address()))?;
        let started = Instant::now();
        let (done, resident) = self.call(&stand_in, &identity, started);
        let took = started.elapsed();
        stand_in.kill();
        let (all, times) = done?;
        let stand_in = StandIn::start(data);
        let reached = reached.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let found = compare(&mut stand_in.api(), &all, &reached)?;
        let mut made = BTreeMap::new();
        for one in &all {
            *made.entry(one.kind).or_default() += 1;
        }
        let mut conversations: Vec<_> = all.into_iter().map(|one| one.conversation).collect();
        conversations.sort_unstable();
        conversations.dedup();
        Ok(Seen { traffic: *self, took, made, conversations: conversations.len(), found, times, resident })
    }

    /// Makes the calls, each at its moment or as soon as one of the callers is free.
    fn call(
        &self,
        stand_in: &StandIn,
        identity: &Value,
        started: Instant,
    ) -> (Result<Made, String>, Vec<u64>) {
        let count = (self.duration.as_secs_f64() * f64::from(self.rate)).round();
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // A positive number of calls.
        let count = count as u64;
        let next = AtomicU64::new(0);
        thread::scope(|scope| {
            let callers: Vec<_> = (0..self.callers)
                .map(|_| {
                    let next = &next;
                    let mut caller = Caller::new(stand_in.api(), identity.clone());
                    scope.spawn(move || -> Result<Made, String> {
                        let (mut all, mut times) = (Vec::new(), Vec::new());
                        loop {
                            let number = next.fetch_add(1, Ordering::Relaxed);
                            if number >= count {
                                return Ok((all, times));
                            }
                            #[allow(clippy::cast_precision_loss)] // Far fewer than 2^52.
                            let due = Duration::from_secs_f64(number as f64 / f64::from(self.rate));
                            thread::sleep(due.saturating_sub(started.elapsed()));
                            let one =
                                caller.call(number).inspect_err(|_| next.store(count, Ordering::Relaxed))?;
                            times.push(started.elapsed().saturating_sub(due));
                            all.push(one);
                        }
                    })
                })
                .collect();
            let mut resident = Vec::new();
            while callers.iter().any(|caller| !caller.is_finished()) {
                resident.extend(resident_kib(stand_in.id()));
                thread::sleep(SAMPLED_EVERY);
            }
            let (mut all, mut times) = (Vec::new(), Vec::new());
            for caller in callers {
                match caller.join().unwrap_or_else(|_| Err("a caller panicked".to_owned())) {
                    Ok((more, more_times)) => {
                        all.extend(more);
                        times.extend(more_times);
                    }
                    Err(why) => return (Err(why), resident),
                }
            }
            times.sort_unstable();
            (Ok((all, times)), resident)
        })
    }
}

/// What was acknowledged, and how long each call took.
type Made = (Vec<Acknowledged>, Vec<Duration>);

impl Seen {
    /// How many calls were made.
    pub fn made(&self) -> u64 {
        self.made.values().sum()
    }

    /// How many calls of each kind were made.
    pub fn of(&self, kind: Kind) -> u64 {
        self.made.get(&kind).copied().unwrap_or_default()
    }

    /// How much the memory grew from a third of the time on, in KiB; nothing where that can't be known.
    pub fn growth_kib(&self) -> Option<u64> {
        let warm = self.resident.get(self.resident.len() / 3)?;
        Some(self.resident.last()?.saturating_sub(*warm))
    }

    /// Whether nothing was lost and the memory is flat.
    ///
    /// # Errors
    ///
    /// Says what is wrong.
    pub fn check(&self) -> Result<(), String> {
        if self.found.count > 0 {
            return Err(format!(
                "{} calls are not as they were acknowledged:\n{}",
                self.found.count,
                self.found.wrong.join("\n")
            ));
        }
        match self.growth_kib() {
            Some(growth) if growth > GROWTH_KIB => {
                Err(format!("the memory grew by {growth} KiB, and {GROWTH_KIB} are the most"))
            }
            _ => Ok(()),
        }
    }

    /// The time that so many of a hundred calls stayed within.
    fn within(&self, percent: usize) -> Duration {
        let at = self.times.len().saturating_sub(1) * percent / 100;
        self.times.get(at).copied().unwrap_or_default()
    }
}

/// For people.
impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Traffic { rate, duration, callers } = self.traffic;
        let (made, took) = (self.made(), self.took.as_secs_f64());
        #[allow(clippy::cast_precision_loss)] // Far fewer than 2^52.
        let rate_made = made as f64 / took;
        writeln!(
            f,
            "asked for {rate} calls a second for {} s, over {callers} connections",
            duration.as_secs()
        )?;
        writeln!(
            f,
            "made {made} in {took:.1} s, {rate_made:.0} a second, on {} conversations",
            self.conversations
        )?;
        writeln!(f, "\n{:<32}{:>14}{:>14}", "", "acknowledged", "found again")?;
        for kind in Kind::ALL {
            let kept = self.found.kept.get(&kind).copied().unwrap_or_default();
            writeln!(f, "{:<32}{:>14}{kept:>14}", kind.name(), self.of(kind))?;
        }
        writeln!(f, "{:<32}{made:>14}{:>14}", "all", self.found.kept.values().sum::<u64>())?;
        let before = self.found.before_the_log;
        if before > 0 {
            writeln!(f, "{before} of them began before the log does, which keeps the newest events alone")?;
        }
        let [half, most, nearly_all, all] =
            [50, 90, 99, 100].map(|percent| self.within(percent).as_secs_f64() * 1e3);
        writeln!(
            f,
            "\nfrom when it was due to its last answer: half within {half:.1} ms, 90 % {most:.1}, 99 % {nearly_all:.1}, all {all:.1}"
        )?;
        let memory = |at: Option<&u64>| at.map_or("?".to_owned(), |kib| mib(*kib));
        write!(
            f,
            "the stand-in's memory: {} MiB at first, {} after a third, {} at the end, {} at most",
            memory(self.resident.first()),
            memory(self.resident.get(self.resident.len() / 3)),
            memory(self.resident.last()),
            memory(self.resident.iter().max())
        )
    }
}

/// KiB as MiB, to a tenth.
fn mib(kib: u64) -> String {
    let tenths = kib * 10 / 1024;
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// The demo, which counts what reaches it.
fn demo(reached: &Arc<Mutex<Reached>>) -> Served {
    let server = Server::new(endpoint().expect("the demo can be built"), Desk::demo());
    let server = server.keys(Keys::new(MedianKey::local())).log(LogFormat::Off);
    let reached = Arc::clone(reached);
    let count = move |request: Request, next: Next| {
        let reached = Arc::clone(&reached);
        async move {
            let (head, body) = request.into_parts();
            let bytes = to_bytes(body, usize::MAX).await.unwrap_or_default();
            let id = serde_json::from_slice::<Value>(&bytes)
                .ok()
                .and_then(|call| Some(call["toolCallId"].as_str()?.to_owned()));
            if let Some(id) = id {
                *reached.lock().unwrap_or_else(PoisonError::into_inner).entry(id).or_default() += 1;
            }
            next.run(Request::from_parts(head, Body::from(bytes))).await
        }
    };
    Served::routes(server.into_router().layer(from_fn(count)))
}

/// Connects the demo, waits for its sync, and has a customer's identity signed.
fn prepare(stand_in: &StandIn, url: &str) -> Result<Value, String> {
    let mut api = stand_in.api();
    let endpoint = api.good("POST", "/v1/tool-endpoints", Some(&json!({ "url": url })))?;
    let id = endpoint["id"].as_str().ok_or("an endpoint without an id")?.to_owned();
    let synced = api.good("POST", &format!("/v1/tool-endpoints/{id}/sync"), Some(&json!({})))?;
    if synced["sync"]["state"] != "synced" {
        return Err(format!("the demo is not synced: {}", synced["sync"]));
    }
    api.good("POST", "/v1/identities", Some(&json!({ "id": "user_1" })))
}

/// The memory of a process that is in RAM, in KiB, where it can be known.
pub fn resident_kib(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse().ok()
}
