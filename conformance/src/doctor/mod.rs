//! The doctor: for the person at 2 a.m. whose endpoint does not answer as it should.
//!
//! It asks one endpoint over HTTP and says what it found: what was seen, why it matters, what to do. It goes on as far as
//! it can: through a redirect, with a clock that is off, with a key that has quotes around it.
//!
//! It never runs a tool. It sends `GET`s, and `POST`s that call a tool, or ask for an operation, that nobody has;
//! diagnostics are asked for only when the options say so. What it signs it signs with the key it was given, and with
//! what endpoints make of that key by mistake; none of it is in a finding.

mod body;
mod clock;
mod credentials;
mod finding;
mod guess;
mod header;
mod manifest;
mod patient;
mod reach;
mod secret;
mod time;

use std::time::{Duration, Instant};

pub use self::credentials::Credentials;
pub use self::finding::{Finding, Kind, Level};
use self::patient::{Patient, Said, Spent};
use crate::plan::Plan;
use crate::probe::Exchange;
use crate::wire::Trouble;

/// How long to wait, and what may be asked.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How long each answer may take.
    pub limit: Duration,
    /// How long all of it may take.
    pub time_limit: Duration,
    /// Whether diagnostics may be asked for.
    pub diagnostics: bool,
    /// How long the platform waits for a manifest.
    pub sync_limit: Duration,
    /// How long the platform waits for diagnostics.
    pub diagnostics_limit: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            limit: Duration::from_secs(30),
            time_limit: Duration::from_mins(3),
            diagnostics: false,
            sync_limit: Duration::from_secs(10),
            diagnostics_limit: Duration::from_secs(8),
        }
    }
}

/// What is told while it goes on.
#[derive(Clone, Copy, Debug)]
pub enum Told<'a> {
    /// What is looked at next.
    Looking(&'static str),
    /// What was found.
    Found(&'a Finding),
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Diagnosis {
    /// The address that was looked at in the end, behind redirects.
    pub target: String,
    /// All that was found, in the order in which it was.
    pub findings: Vec<Finding>,
    /// How many requests were sent.
    pub requests: usize,
    /// How long it took.
    pub took: Duration,
    /// Whether everything was looked at, or something had to be mended first.
    pub complete: bool,
}

impl Diagnosis {
    /// How many findings are of a level.
    pub fn count(&self, level: Level) -> usize {
        self.findings.iter().filter(|finding| finding.level == level).count()
    }

    /// Whether there is no problem.
    pub fn is_healthy(&self) -> bool {
        self.count(Level::Problem) == 0
    }
}

/// Examines the endpoint at an address.
///
/// # Errors
///
/// When the address is none of `http` or `https`.
pub fn examine(
    url: &str,
    credentials: &Credentials,
    options: &Options,
    told: impl FnMut(Told<'_>),
) -> Result<Diagnosis, Trouble> {
    let started = Instant::now();
    let patient = Patient::new(url, options, credentials.signer.clone())?;
    let mut examination = Examination { patient, credentials, options, findings: Vec::new(), told };
    let complete = examination.run();
    Ok(Diagnosis {
        target: examination.patient.url(),
        requests: examination.patient.requests,
        findings: examination.findings,
        took: started.elapsed(),
        complete,
    })
}

/// No key is set here, and none is needed.
fn the_public_key_fits() -> Finding {
    Finding::good(
        Kind::Key,
        "MEDIAN_KEY is not set here, and the public key of local development fits: the endpoint takes it.",
    )
}

struct Examination<'a, F> {
    patient: Patient,
    credentials: &'a Credentials,
    options: &'a Options,
    findings: Vec<Finding>,
    told: F,
}

impl<F: FnMut(Told<'_>)> Examination<'_, F> {
    fn found(&mut self, finding: Finding) {
        (self.told)(Told::Found(&finding));
        self.findings.push(finding);
    }

    /// Looks at one thing, and tells all that is found.
    fn look<T>(&mut self, at: &'static str, look: impl FnOnce(&mut Patient, &mut Vec<Finding>) -> T) -> T {
        (self.told)(Told::Looking(at));
        let mut findings = Vec::new();
        let result = look(&mut self.patient, &mut findings);
        if self.patient.spent.is_some() {
            // What was not answered says nothing.
            return result;
        }
        for finding in findings {
            self.found(finding);
        }
        result
    }

    /// Whether it came to its end.
    fn run(&mut self) -> bool {
        (self.told)(Told::Looking("the key"));
        let credentials = self.credentials;
        // Whether the public key is the right one here, the endpoint says.
        let unset = credentials.unset().filter(|_| self.patient.is_loopback());
        for finding in credentials.findings().iter().filter(|finding| Some(*finding) != unset) {
            self.found(finding.clone());
        }
        if !self.patient.is_loopback() && self.credentials.is_public() {
            self.found(Finding::problem(
                Kind::KeyPublic,
                "The public example key signs for an address that is not this machine's.",
                "Set MEDIAN_KEY to your own key, here and where the endpoint runs.",
            ));
        }
        let knock = self.look("the address", reach::knock);
        if let Some(unset) = unset {
            let is_taken = matches!(knock.said(), Said::Manifest) && self.patient.is_loopback();
            self.found(if is_taken { the_public_key_fits() } else { unset.clone() });
        }
        if let Some(finding) = reach::not_the_endpoint(&self.patient, &knock) {
            // A redirect has been told already.
            if !self.findings.contains(&finding) {
                self.found(finding);
            }
            return false;
        }
        let first = knock.answer.as_ref().map_or(Duration::ZERO, |answer| answer.took);
        let status = knock.status().unwrap_or_default();
        self.found(Finding::good(
            Kind::Reachable,
            format!("{} answers like an endpoint: {status} in {} ms.", self.patient.url(), first.as_millis()),
        ));
        if !self.patient.is_secure() && !self.patient.is_loopback() {
            self.found(Finding::warning(
                Kind::PlainHttp,
                "The address begins with http://.",
                "Serve the endpoint over https, and connect that address.",
            ));
        }
        match self.admitted(knock) {
            Some(manifest) => self.behind_the_signature(&manifest, first),
            None => return false,
        }
        let Some(spent) = self.patient.spent else {
            return true;
        };
        self.found(match spent {
            Spent::Silence => Finding::problem(
                Kind::NoAnswer,
                "It answered at first, and then three requests in a row had no answer.",
                "Look at the application's log for what it waits for, and for a limit of requests on the way.",
            ),
            Spent::Time => Finding::problem(
                Kind::Slow,
                format!("After {:?} not everything was looked at: each answer takes long.", self.options.time_limit),
                "Look at what every request waits for, and at the region and the size of the machine.",
            ),
        });
        false
    }

    /// Gets a manifest, with whatever has to be set right here for that.
    fn admitted(&mut self, mut exchange: Exchange) -> Option<Exchange> {
        (self.told)(Told::Looking("the signature"));
        // Whether another secret than this machine's gets in.
        let mut is_other = false;
        // The clock, then the secret.
        for _ in 0..3 {
            let finding = match exchange.said() {
                Said::Manifest => {
                    if !is_other {
                        self.found(Finding::good(Kind::Signature, "What this key signs is accepted."));
                    }
                    return Some(exchange);
                }
                Said::Code("missing_signature", _) if self.patient.signer.is_none() => return None,
                Said::Code("missing_signature", _) => header::missing(&mut self.patient),
                Said::Code("malformed_signature", message) => header::malformed(message),
                Said::Code("stale_timestamp", _) => match clock::set_right(&mut self.patient, &exchange) {
                    Ok(()) => {
                        exchange = self.patient.send(Plan::get());
                        continue;
                    }
                    Err(finding) => finding,
                },
                Said::Code("invalid_signature", _) => {
                    let finding = secret::look(&mut self.patient, self.credentials);
                    if self.patient.signer.is_some() {
                        is_other = true;
                        self.found(finding);
                        exchange = self.patient.send(Plan::get());
                        continue;
                    }
                    finding
                }
                Said::Code(code, message) => reach::ill(code, message, "GET"),
                Said::Nothing(trouble) => reach::no_answer(trouble, self.patient.is_secure(), "GET"),
                Said::Foreign(answer) => reach::foreign(&self.patient, "GET", answer),
            };
            self.found(finding);
            break;
        }
        if self.patient.shift_ms != 0 {
            let finding = clock::measure(&mut self.patient);
            self.found(finding);
        }
        None
    }

    fn behind_the_signature(&mut self, manifest: &Exchange, first: Duration) {
        self.look("the clock", |patient, findings| findings.push(clock::measure(patient)));
        let open = self.look("who gets in", |patient, findings| {
            let open = header::is_open(patient);
            findings.extend(open.clone());
            open.is_some()
        });
        let mut calls_get_in = false;
        if !open {
            self.look("the header", header::look);
            calls_get_in = self.look("bodies", body::look);
        }
        if let Ok(answer) = &manifest.answer {
            self.look("the manifest", |patient, findings| {
                manifest::look(patient, &answer.body, findings);
                findings.push(time::labels(answer));
            });
        }
        let options = self.options;
        self.look("the time", |patient, findings| time::look(patient, first, options, findings));
        if options.diagnostics && calls_get_in {
            self.look("diagnostics", |patient, findings| findings.push(time::diagnostics(patient, options)));
        }
    }
}
