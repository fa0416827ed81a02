//! One JSON object a line on the console, at the level that it has: Workers Logs reads its members as fields.

use median_edge::Event;
use median_edge::event::Level;
use serde::Serialize;

use crate::boundary;

/// One request, answered.
pub(crate) fn event(event: &Event<'_>) {
    line(event.level(), event);
}

/// Something that is not about one answered request.
pub(crate) fn note(level: Level, message: &str) {
    #[derive(Serialize)]
    struct Note<'a> {
        message: &'a str,
    }
    line(level, &Note { message });
}

fn line(level: Level, about: &impl Serialize) {
    let text = serde_json::to_string(about).unwrap_or_default();
    // An object with one member more, at its beginning.
    let Some(members) = text.strip_prefix('{') else { return };
    let text = format!(r#"{{"level":"{}",{members}"#, level.as_str());
    boundary::log(level.as_str(), &text);
}
