//! The header lines of a request, out of the maps that events have.

use std::borrow::Cow;

use super::members::{Named, Text, Texts};

/// All values where the event has them, and one of each name otherwise: REST APIs send both. Cookies have a list of their
/// own.
pub(super) fn of<'a>(
    single: Named<Text<'a>>,
    multi: Named<Texts<'a>>,
    cookies: &Texts<'a>,
) -> Vec<(String, Cow<'a, str>)> {
    let mut lines = Vec::new();
    for (mut name, Texts(values)) in multi.0 {
        name.make_ascii_lowercase();
        lines.extend(values.into_iter().map(|value| (name.clone(), value)));
    }
    let from_multi = lines.len();
    for (mut name, Text(value)) in single.0 {
        name.make_ascii_lowercase();
        if lines[..from_multi].iter().all(|(known, _)| *known != name) {
            lines.extend(value.map(|value| (name, value)));
        }
    }
    if !cookies.0.is_empty() {
        lines.push(("cookie".to_owned(), Cow::Owned(cookies.0.join("; "))));
    }
    lines
}
