//! The log: through `tracing`, one line for each request, to whatever the application subscribes, or to our own lines.

mod line;
mod lines;

use std::io::{self, Write};
use std::panic;

use median_edge::Event;
use median_edge::event::Level;

pub(crate) use lines::enter_request;
use lines::{Form, Lines};

/// What our own lines are targeted at.
const TARGET: &str = "median_edge";

/// Subscribes our own lines, unless the application has subscribed something else.
pub(crate) fn install(lookup: impl Fn(&str) -> Option<String>) {
    let write = |line: &str| {
        // One write for a line. A reader that went away costs the line only.
        let _ = io::stdout().lock().write_all(line.as_bytes());
    };
    let format = lookup("AWS_LAMBDA_LOG_FORMAT");
    let form = if format.is_some_and(|format| format.eq_ignore_ascii_case("text")) {
        Form::Text
    } else {
        Form::Json
    };
    let level = lookup("AWS_LAMBDA_LOG_LEVEL");
    if tracing::subscriber::set_global_default(Lines::new(form, level.as_deref(), write)).is_ok() {
        let previous = panic::take_hook();
        // The usual words for a panic are several lines, of which none is JSON. A backtrace is for whoever asks for one.
        let in_full = lookup("RUST_BACKTRACE").is_some_and(|asked| asked != "0");
        panic::set_hook(Box::new(move |info| {
            if in_full {
                previous(info);
            }
            let place = info.location().map(ToString::to_string);
            let text = info.payload_as_str().unwrap_or("a panic without a text");
            tracing::error!(target: TARGET, place, "panicked: {text}");
        }));
    }
}

/// One request, answered.
pub(crate) fn event(event: &Event<'_>) {
    macro_rules! emit {
        ($level:ident) => {
            tracing::event!(
                target: TARGET,
                tracing::Level::$level,
                message = event.message,
                asked = event.asked.as_str(),
                ending = event.ending.as_str(),
                status = event.status,
                code = event.code.map(median_edge::Code::as_str),
                tool = event.tool,
                tool_call_id = event.tool_call_id,
                conversation_id = event.conversation_id,
                risk = event.risk.map(median_edge::Risk::as_str),
                effect = event.effect.map(median_edge::Effect::as_str),
                visitor_verified = event.visitor_verified,
                approved_by = event.approved_by,
                reason = event.reason,
                detail = event.detail,
                previous_key = event.previous_key.then_some(true),
                warnings = warnings(event),
                duration_ms = event.duration_ms,
                request_bytes = event.request_bytes,
                response_bytes = event.response_bytes,
                input = event.input,
                result = event.result,
            )
        };
    }
    match event.level() {
        Level::Error => emit!(ERROR),
        Level::Warn => emit!(WARN),
        _ => emit!(INFO),
    }
}

fn warnings(event: &Event<'_>) -> Option<String> {
    let warnings: Vec<_> = event.warnings.iter().map(ToString::to_string).collect();
    (!warnings.is_empty()).then(|| warnings.join("; "))
}

/// Something that the owner has to see to, and that is not about one answered request.
pub(crate) fn error(message: &str) {
    tracing::error!(target: TARGET, "{message}");
}

/// Something that is as it may be.
pub(crate) fn debug(message: &str) {
    tracing::debug!(target: TARGET, "{message}");
}

/// Something that may go wrong.
pub(crate) fn warn(message: &str) {
    tracing::warn!(target: TARGET, "{message}");
}

/// Lines of JSON on this thread, for tests, until what is returned first is dropped.
#[cfg(test)]
pub(crate) fn capture() -> (tracing::subscriber::DefaultGuard, std::sync::Arc<std::sync::Mutex<String>>) {
    let written = std::sync::Arc::new(std::sync::Mutex::new(String::new()));
    let lines = {
        let written = std::sync::Arc::clone(&written);
        Lines::new(Form::Json, None, move |line: &str| written.lock().unwrap().push_str(line))
    };
    (tracing::subscriber::set_default(lines), written)
}
