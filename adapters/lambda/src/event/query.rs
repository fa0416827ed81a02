//! The query of a request, out of the maps that some events have in its place. The endpoint looks at none; this is for the
//! application's own routes.

use std::borrow::Cow;

use super::Front;
use super::members::{Members, Text, Texts};
use crate::percent;

pub(super) fn of<'a>(front: Front, members: &mut Members<'a>) -> Cow<'a, str> {
    let single = std::mem::take(&mut members.query_string_parameters.0);
    let multi = std::mem::take(&mut members.multi_value_query_string_parameters.0);
    let multi = multi.into_iter().flat_map(|(name, Texts(values))| {
        values.into_iter().map(move |value| (name.clone(), value)).collect::<Vec<_>>()
    });
    let mut pairs: Vec<_> = multi.collect();
    if pairs.is_empty() {
        pairs.extend(single.into_iter().filter_map(|(name, Text(value))| Some((name, value?))));
    }
    // A load balancer passes on what was sent; a REST API has decoded it.
    let written = |text: &str| match front {
        Front::RestApi => percent::encode(text),
        _ => text.to_owned(),
    };
    let pairs: Vec<_> =
        pairs.iter().map(|(name, value)| format!("{}={}", written(name), written(value))).collect();
    Cow::Owned(pairs.join("&"))
}
