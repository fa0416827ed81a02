//! Puts what the other chores need on the machine, or says what a person has to.

use std::fmt::Write as _;

use crate::lint;
use crate::needs::Need;
use crate::session::{Session, Stop};
use crate::test::{self, Part};

/// A need, and the test part that it is for; the lints have none.
type Wanted = (Need, Option<Part>);

/// Sets up for every chore.
pub(crate) fn everything(session: &mut Session) -> Result<(), Stop> {
    let parts = test::chosen(&[]);
    ensure(session, lint::NEEDS.iter().map(|need| (*need, None)).chain(of_parts(&parts)).collect())
}

/// Sets up for the lints.
pub(crate) fn for_lints(session: &mut Session) -> Result<(), Stop> {
    ensure(session, lint::NEEDS.iter().map(|need| (*need, None)).collect())
}

/// Sets up for some of the test parts.
pub(crate) fn for_parts(session: &mut Session, parts: &[Part]) -> Result<(), Stop> {
    ensure(session, of_parts(parts).collect())
}

/// Sets up for a chore of its own.
pub(crate) fn for_needs(session: &mut Session, needs: &[Need]) -> Result<(), Stop> {
    ensure(session, needs.iter().map(|need| (*need, None)).collect())
}

fn of_parts(parts: &[Part]) -> impl Iterator<Item = Wanted> {
    parts.iter().flat_map(|part| part.needs().iter().map(|need| (*need, Some(*part))))
}

/// Installs what is missing; what we can't install is told all at once, before anything is installed.
fn ensure(session: &mut Session, wanted: Vec<Wanted>) -> Result<(), Stop> {
    let mut missing = Vec::new();
    let mut to_install = Vec::new();
    let mut wanted = wanted;
    // The lints and the tests ask for some of the same.
    let mut seen: Vec<Need> = Vec::new();
    wanted.retain(|(need, _)| !seen.contains(need) && (seen.push(*need), true).1);
    session.check("setup", "cargo xtask setup", |session| {
        for (need, part) in wanted {
            match (need.found(), need.install()) {
                (Some(what), _) => session.note(&format!("{}: {what}", need.name())),
                (None, Some(command)) => to_install.push((need, command)),
                (None, _) => missing.push((need, part)),
            }
        }
        if missing.is_empty() { Ok(Vec::new()) } else { Err(Stop::unable(told(&missing))) }
    })?;
    for (need, command) in to_install {
        session.run(&format!("setup: {}", need.name()), &command)?;
    }
    Ok(())
}

fn told(missing: &[Wanted]) -> String {
    let mut text = String::new();
    for (need, part) in missing {
        let _ = write!(text, "{} is missing: {}", need.name(), need.advice());
        if let Some(part) = part {
            let _ = write!(text, "; `--only {}` leaves {part} out", part.others());
        }
        text.push_str("\n  ");
    }
    text.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_comes_with_how_to_get_it_and_how_to_do_without() {
        let text = told(&[(Need::Python, Some(Part::Vectors)), (Need::Git, None)]);
        let lines: Vec<_> = text.lines().map(str::trim).collect();
        assert_eq!(lines.len(), 2, "{text}");
        assert!(lines[0].starts_with("Python 3 is missing: install it"), "{text}");
        assert!(
            lines[0].ends_with("`--only native,worker,lambda,console,templates` leaves vectors out"),
            "{text}"
        );
        assert!(lines[1].starts_with("git is missing: install it"), "{text}");
    }
}
