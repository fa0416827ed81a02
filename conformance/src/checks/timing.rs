//! Whether the time that a refusal takes tells where a signature differs. Off unless asked for: it measures.

use std::time::Duration;

use crate::check::{Check, GET, Skip, should};
use crate::plan::Plan;
use crate::probe::Probe;
use crate::requirement::Area::Timing;

/// Pairs of requests.
const PAIRS: usize = 200;

pub(crate) const CHECKS: &[Check] = &[should(
    Timing,
    "timing-compare",
    "SIG-16",
    "A refusal takes as long whether the first or the last digit of a signature is wrong.",
)
.why("A comparison that stops at the first difference can be asked for the right signature digit by digit.")
.mend("Compare with a function that is made for it: timingSafeEqual, hmac.compare_digest, subtle::ConstantTimeEq.")
.needs(&[GET])
.ask(compare)];

fn compare(probe: &mut Probe<'_>) -> Result<(), Skip> {
    if !probe.options.timing {
        return Skip::because("it is off unless asked for, with --timing");
    }
    let (first, last) = (Plan::get().signature("t={t},v1={first}"), Plan::get().signature("t={t},v1={last}"));
    let (mut early, mut late) = (Vec::new(), Vec::new());
    for _ in 0..PAIRS {
        early.extend(probe.time(&first));
        late.extend(probe.time(&last));
    }
    let (Some(early), Some(late)) = (quartiles(early), quartiles(late)) else {
        return Skip::because("too few requests were answered");
    };
    // Apart by more than the middle half of either spreads: the boxes of a box plot do not touch.
    if late.0 > early.1 || early.0 > late.1 {
        let came = format!(
            "{:?} to {:?} when the first is wrong, {:?} to {:?} when the last is",
            early.0, early.1, late.0, late.1
        );
        probe.wrong_with("200 pairs of requests, the middle half of each", "times that overlap", came);
    }
    Ok(())
}

/// The first and the third quartile.
fn quartiles(mut times: Vec<Duration>) -> Option<(Duration, Duration)> {
    times.sort_unstable();
    let at = |part: usize| times.get(times.len() * part / 4).copied();
    (times.len() > PAIRS / 2).then(|| Some((at(1)?, at(3)?)))?
}
