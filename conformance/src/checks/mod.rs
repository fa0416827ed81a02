//! The checks, a file for each area.

mod answers;
mod application;
mod body;
mod calls;
mod diagnostics;
mod header_grammar;
mod identity;
mod input;
mod manifest;
mod methods;
mod results;
mod robustness;
mod schema;
mod signature;
mod timing;

use crate::check::Check;

/// All of them, in the order of the areas.
pub(crate) fn all() -> impl Iterator<Item = Check> {
    let parts = [
        methods::CHECKS,
        signature::CHECKS,
        header_grammar::CHECKS,
        manifest::CHECKS,
        schema::CHECKS,
        body::CHECKS,
        calls::CHECKS,
        input::CHECKS,
        results::CHECKS,
        diagnostics::CHECKS,
        application::CHECKS,
        identity::CHECKS,
        robustness::CHECKS,
        timing::CHECKS,
        answers::CHECKS,
    ];
    parts.into_iter().flatten().copied()
}
