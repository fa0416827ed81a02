//! How far the endpoint's clock is from this machine's.

use super::finding::{Finding, Kind};
use super::patient::Patient;
use crate::plan::Plan;
use crate::probe::Exchange;
use crate::wire::{Answer, Transport as _};

const HOUR_MS: i64 = 3_600_000;

/// From so many seconds on it is worth a word.
const NOTABLE: i64 = 30;

/// Looks for the time at which a request that was stale gets in, and goes on with that.
pub(super) fn set_right(patient: &mut Patient, stale: &Exchange) -> Result<(), Finding> {
    let message = stale.error().map(|(_, message)| message.to_owned()).unwrap_or_default();
    if patient.send(Plan::get().t("{s}")).code() != Some("stale_timestamp") {
        return Err(Finding::problem(
            Kind::TimeInSeconds,
            "A time in milliseconds is refused as stale, and one in seconds is taken.",
            "Read t as Unix milliseconds where the endpoint verifies, and compare it with a clock in milliseconds. The \
             signature is over t exactly as it was sent.",
        ));
    }
    let told = numbers(&message).into_iter().flat_map(|seconds| [seconds * 1000, seconds * -1000]);
    let date = stale.answer.as_ref().ok().and_then(|answer| apart(answer, patient.now_ms()));
    // Clocks that are whole hours off: a time zone.
    let hours = (1..=14).flat_map(|hours| [hours * HOUR_MS, hours * -HOUR_MS]);
    let shifts = told.chain(date.map(|seconds| seconds * 1000)).chain(hours);
    for shift in shifts.filter(|shift| shift.abs() < 400 * 24 * HOUR_MS) {
        let exchange = patient.send(Plan::get().offset(shift));
        if exchange.code() != Some("stale_timestamp") {
            patient.shift_ms = shift;
            return Ok(());
        }
    }
    Err(Finding::problem(
        Kind::ClockSkew,
        format!("A request that was signed just now is refused as stale: {message}"),
        format!("{SET} Its Date header says nothing that helps, so look at the clock on the machine itself."),
    ))
}

const SET: &str = "Set the clocks of both machines by the network (NTP, chrony, or the host's own time).";

/// Measures the distance, and says what it means.
pub(super) fn measure(patient: &mut Patient) -> Finding {
    let late = patient.send(Plan::get().offset(-HOUR_MS));
    let early = patient.send(Plan::get().offset(HOUR_MS));
    let date = early.answer.as_ref().ok().and_then(|answer| apart(answer, patient.now_ms()));
    // Beyond what the requests were moved by already.
    let date = date.map(|seconds| seconds + patient.shift_ms / 1000);
    let told = |exchange: &Exchange| match exchange.error() {
        Some(("stale_timestamp", message)) => numbers(message),
        _ => Vec::new(),
    };
    let rest = between(&told(&late), &told(&early));
    let measured = rest.map(|rest| rest + patient.shift_ms / 1000);
    let seconds = match (measured, date) {
        (None, _) if patient.shift_ms != 0 => patient.shift_ms / 1000,
        (Some(seconds), _) | (None, Some(seconds)) => seconds,
        (None, None) => {
            return Finding::good(
                Kind::Clock,
                "The time of this machine is accepted; the endpoint tells no time of its own.",
            );
        }
    };
    said(seconds, measured.is_some() || patient.shift_ms != 0, date)
}

/// The distance as a finding: positive when the endpoint is ahead.
fn said(seconds: i64, is_its_own: bool, date: Option<i64>) -> Finding {
    let by = if is_its_own { "what it says itself" } else { "its Date header" };
    let distance = seconds.abs();
    if distance < NOTABLE {
        return Finding::good(
            Kind::Clock,
            format!("The endpoint's clock and this machine's are {distance} s apart, by {by}."),
        );
    }
    let way = if seconds > 0 { "ahead of" } else { "behind" };
    let mut seen = format!("The endpoint's clock is {distance} seconds {way} this machine's.");
    if let Some(date) = date.filter(|_| is_its_own)
        && (date - seconds).abs() > NOTABLE
    {
        seen += if date.abs() < NOTABLE {
            " What stands in front of it has the same time as this machine, so the endpoint's is the wrong one."
        } else {
            " What stands in front of it has a third time."
        };
    }
    let hours = (distance + 150) / 3600;
    let zone = if distance > 1800 && (distance - hours * 3600).abs() < 150 {
        " Whole hours are mostly a time zone: take the time in UTC."
    } else {
        ""
    };
    let advice = format!("{SET}{zone}");
    if distance > 300 {
        Finding::problem(Kind::ClockSkew, seen, advice)
    } else {
        Finding::warning(Kind::ClockSkew, format!("{seen} 300 are allowed."), advice)
    }
}

/// The distance, out of what was told of a request an hour late and of one an hour early.
fn between(late: &[i64], early: &[i64]) -> Option<i64> {
    let pairs = late.iter().flat_map(|late| early.iter().map(move |early| (*late, *early)));
    pairs
        .filter(|(late, early)| (late + early - 7200).abs() <= 4)
        .map(|(late, early)| (late - early) / 2)
        .next()
}

/// The whole numbers in a text.
fn numbers(text: &str) -> Vec<i64> {
    let digits = text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
    digits.filter_map(|part| part.parse().ok()).filter(|number| *number < 1_000_000_000).collect()
}

/// How far the `Date` of an answer is from a time, in seconds; positive when it is ahead.
fn apart(answer: &Answer, now_ms: u64) -> Option<i64> {
    let date = unix_seconds(answer.header("date")?)?;
    Some(date - i64::try_from(now_ms / 1000).ok()?)
}

/// `Sun, 06 Nov 1994 08:49:37 GMT` as Unix seconds.
fn unix_seconds(date: &str) -> Option<i64> {
    let mut words = date.split_once(", ")?.1.split(' ');
    let mut next = || words.next();
    let day: i64 = next()?.parse().ok()?;
    let month = next()?;
    let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let month = i64::try_from(names.iter().position(|name| *name == month)?).ok()? + 1;
    let year: i64 = next()?.parse().ok().filter(|year| (1970..10_000).contains(year))?;
    let mut clock = next()?.split(':').map(|part| part.parse::<i64>().ok());
    let (hours, minutes, seconds) = (clock.next()??, clock.next()??, clock.next()??);
    // Days since 1970 by the civil calendar, with years that begin in March.
    let (years, months) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days =
        years * 365 + years / 4 - years / 100 + years / 400 + (months * 153 + 2) / 5 + day - 1 - 719_468;
    Some(days * 86_400 + hours * 3_600 + minutes * 60 + seconds)
}

#[cfg(test)]
mod tests {
    use super::{Kind, between, numbers, said, unix_seconds};
    use crate::doctor::Level;

    #[test]
    fn dates_are_read() {
        assert_eq!(unix_seconds("Sun, 06 Nov 1994 08:49:37 GMT"), Some(784_111_777));
        assert_eq!(unix_seconds("Thu, 29 Feb 2024 00:00:00 GMT"), Some(1_709_164_800));
        assert_eq!(unix_seconds("Thu, 01 Jan 1970 00:00:00 GMT"), Some(0));
        assert_eq!(unix_seconds("yesterday"), None);
    }

    #[test]
    fn the_distance_comes_out_of_two_messages() {
        assert_eq!(
            between(&numbers("3642 seconds behind; 300 are allowed"), &numbers("3558; 300")),
            Some(42)
        );
        assert_eq!(between(&numbers("it is 300"), &numbers("300")), None);
    }

    #[test]
    fn a_distance_says_its_way_and_whose_it_is() {
        assert_eq!(said(3, true, None).level, Level::Good);
        let near = said(-200, true, Some(-200));
        assert_eq!((near.kind, near.level), (Kind::ClockSkew, Level::Warning));
        assert!(near.seen.contains("200 seconds behind"), "{}", near.seen);
        let far = said(3_610, true, Some(1));
        assert_eq!(far.level, Level::Problem);
        assert!(far.seen.contains("ahead of") && far.seen.contains("the endpoint's is the wrong one"));
        assert!(far.advice.contains("time zone"));
    }
}
