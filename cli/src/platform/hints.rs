//! What to do about a refusal of the platform's API, where its own words do not say so.

use median_edge_platform::domain::Code;
use median_edge_platform::domain::limits::SYNCS_A_MINUTE;

use crate::curl;
use crate::dev::PLATFORM_PORT;

/// What answers there is something else.
pub(super) fn not_the_api() -> String {
    format!(
        "Check that --api or MEDIAN_API_URL is the address of the stand-in, without a path: `{} dev` prints its console's \
         link, and the API is at the same address.",
        curl::program()
    )
}

/// What answers there is an endpoint.
pub(super) fn an_endpoint() -> String {
    format!(
        "That is an endpoint, not the stand-in, which is at http://127.0.0.1:{PLATFORM_PORT} unless `{} dev` says otherwise.",
        curl::program()
    )
}

/// What to do about a code. `command` makes of some words what is typed to say them.
pub(super) fn for_code(code: &str, public_key: bool, command: impl Fn(&str) -> String) -> Option<String> {
    let code = Code::ALL.iter().find(|known| known.as_str() == code)?;
    let hint = match code {
        Code::Unauthorized if public_key => {
            "This was the public key of local development: set MEDIAN_KEY to the stand-in's. Started with MEDIAN_TOOL_SECRET \
             alone, it has a key that nobody knows: start it again with MEDIAN_KEY beside it."
        }
        Code::Unauthorized => {
            "Set MEDIAN_KEY to the one that the stand-in was started with, or leave it out if that had none."
        }
        Code::RateLimited => {
            return Some(format!(
                "An endpoint is synced {SYNCS_A_MINUTE} times a minute at most: wait a minute."
            ));
        }
        Code::InvalidInput => {
            return Some(format!("`{}` shows the fields that the tool takes.", command("tools list")));
        }
        Code::ToolUnavailable => {
            return Some(format!(
                "`{}` shows which tools there are and which are on.",
                command("tools list")
            ));
        }
        Code::AlreadyReviewed | Code::RequestExpired => {
            let all = command("tools approvals --status all");
            return Some(format!("`{all}` shows how each request ended."));
        }
        Code::ConversationEnded | Code::ConversationArchived => {
            "Open it again in the console, or name another conversation."
        }
        Code::NotHolding => "Hand the conversation back to the agent in the console, or name another.",
        Code::NoTurn => "Try again: the agent's turn ended meanwhile.",
        Code::TurnFull => {
            "Reply as the agent in the console, which ends the turn, or name another conversation."
        }
        Code::TooManyEndpoints => return Some(format!("`{}` shows them.", command("tools endpoint list"))),
        Code::ForeignHost => "Write the address with localhost, 127.0.0.1 or [::1].",
        Code::StorageFailed => {
            "Nothing was changed. Look at the disk that --data is on, and at what `dev` prints."
        }
        Code::Stopping => return Some(format!("Start it again with `{} dev`.", curl::program())),
        Code::InvalidRequest
        | Code::NotFound
        | Code::MethodNotAllowed
        | Code::TooLarge
        | Code::TooManyRuns => {
            return None;
        }
    };
    Some(hint.to_owned())
}
