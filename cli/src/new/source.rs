//! Where the crates come from: what is given for it is written into a manifest, for everyone who gets the project.

use median_edge::text::shows_itself;

use crate::failure::Failure;

/// What is given has to fit between single quotation marks, be all that is seen of it, and hold no secret.
pub(super) fn check(option: &str, given: Option<&str>) -> Result<(), Failure> {
    let Some(given) = given else { return Ok(()) };
    if given.trim().is_empty() {
        return Err(Failure::usage(format!("{option} gives nothing to take the crates from."))
            .hint(format!("Say where they are, or leave {option} out.")));
    }
    if given.contains(|c: char| c == '\'' || !shows_itself(c)) {
        return Err(Failure::usage(format!("What {option} gives cannot be written into a manifest."))
            .hint("Leave quotation marks and characters that nobody sees out."));
    }
    if holds_secret(given) {
        return Err(Failure::usage(format!("The address that {option} gives holds a name or a password."))
            .hint("Leave out what stands before the @, which the project's manifest would hold: git keeps credentials."));
    }
    Ok(())
}

/// Whether there is a password before the host. The `git` of `ssh://git@…` is a name that everybody knows; over HTTP, a name
/// alone may be a token.
fn holds_secret(given: &str) -> bool {
    let Some((scheme, rest)) = given.split_once("://") else { return false };
    let authority = rest.split('/').next().unwrap_or_default();
    authority.rsplit_once('@').is_some_and(|(who, _)| who.contains(':') || !scheme.contains("ssh"))
}
