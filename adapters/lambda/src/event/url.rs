//! Where a request was sent to, as far as its front vouches for it.

use super::Front;
use super::members::Context;

/// The URL, without a query. A gateway and a function URL know the name that they are reached by, and are there by https
/// alone. Of a load balancer only the `Host` header says it, and only a forwarded one by which scheme: those are the
/// client's word, and not taken.
pub(super) fn of(front: Front, context: &mut Context<'_>, path: &str) -> Option<String> {
    let domain = match front {
        Front::UrlOrHttpApi | Front::RestApi => context.domain_name.take()?,
        Front::LoadBalancer { .. } => return None,
    };
    // A REST API keeps its stage out of the event's path, and has the whole one here. The other fronts have it in theirs.
    let whole = if front == Front::RestApi { context.path.take() } else { None };
    let path = whole.as_deref().unwrap_or(path);
    Some(format!("https://{domain}{path}"))
}
