//! What a developer can do about an error that an endpoint answered. The agent never sees these.

use median_edge::Code;

use crate::curl;

/// What to do about an error: by its code, or by the status where something else than an endpoint answered.
pub(crate) fn for_error(status: u16, code: Option<&str>, public_key: bool) -> String {
    match code.and_then(Code::parse) {
        Some(code) => by_code(code, public_key),
        None => by_status(status, code.is_some()).to_owned(),
    }
}

fn by_code(code: Code, public_key: bool) -> String {
    let hint = match code {
        Code::MissingSignature => {
            "The request was signed: something on the way drops the median-signature header. Let it through."
        }
        Code::MalformedSignature => {
            "Something on the way rewrites or repeats the median-signature header. Pass it on as it is."
        }
        Code::StaleTimestamp => "Set the clocks of this machine and of the endpoint's by the network.",
        Code::InvalidSignature if public_key => {
            "This was signed with the public key of local development. Set MEDIAN_KEY to the endpoint's key."
        }
        Code::InvalidSignature => {
            "Give both sides the same MEDIAN_KEY. If the endpoint derives its tool signing secret in another way, set \
             MEDIAN_TOOL_SECRET to that secret."
        }
        Code::MissingSecret | Code::InvalidMedianKey => {
            "Set MEDIAN_KEY where the endpoint runs, then start it again."
        }
        Code::MethodNotAllowed => {
            "Something on the way changes the method: look for a redirect or a rewrite."
        }
        Code::InvalidBody => {
            "Look at the member that the message names, or at what changes bodies on the way to the endpoint."
        }
        Code::UnknownOp => "Use a newer version of the endpoint's library.",
        Code::InvalidInput => {
            return format!("Send what the tool takes: `{} manifest` shows its fields.", curl::program());
        }
        Code::UnknownTool => {
            return format!("`{} manifest` lists the tools that the endpoint has.", curl::program());
        }
        Code::ExecutionFailed => "The endpoint's own log has the details, under the call's id.",
        Code::DiagnosticsUnsupported => "Nothing is wrong: the endpoint collects no diagnostics.",
        Code::ConnectFailed => "Set what the message names where the endpoint runs, then connect it again.",
        Code::IdentityFailed => "The endpoint's own log says why it does not know who is signed in.",
        Code::InvalidConfig => "Fix what the endpoint's own log lists, then start it again.",
        Code::NotFound => "Correct the path of the address; /api/median is the usual one.",
        Code::Overloaded => "Try again when the server has less to do, or give it more room.",
    };
    hint.to_owned()
}

fn by_status(status: u16, has_code: bool) -> &'static str {
    match status {
        200..=299 if has_code => {
            "A tool that fails is answered with execution_failed; other errors have a status of their own."
        }
        200..=299 => "Check that the address is the endpoint's own: what came is not in the protocol's form.",
        300..=399 => {
            "Use the address that it leads to. Redirects are not followed: a POST may become a GET on the way."
        }
        401 | 403 => {
            "Something in front of the endpoint asks for a login, a firewall or a protected deployment. Let the \
             endpoint's path through: it checks each signature itself."
        }
        404 => "Correct the path of the address; /api/median is the usual one.",
        405 => "Route both GET and POST to the endpoint.",
        413 => "Raise the limit of what stands in front of the endpoint.",
        429 => "Wait a moment, and let the endpoint's path through what limits the rate.",
        502..=504 => "A gateway answered for the endpoint: see whether the application is up, and its log.",
        500.. => "The endpoint's own log has the details.",
        _ => "Check that the address is the endpoint's.",
    }
}
