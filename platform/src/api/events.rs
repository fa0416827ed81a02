//! `/v1/events`

use std::convert::Infallible;

use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::Stream;
use futures_util::stream::unfold;
use tokio::sync::broadcast::error::RecvError;

use crate::domain::LogEvent;
use crate::engine::Platform;

/// Every event of the log from now on, as server-sent events. One that is called `missed` says that some were not sent:
/// look at the log for them.
#[utoipa::path(get, path = "/v1/events", tag = "logs",
    responses((status = 200, content_type = "text/event-stream", body = LogEvent)))]
pub(super) async fn listen(
    State(platform): State<Platform>,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let events = unfold(platform.events(), async |mut events| {
        let event = match events.recv().await {
            Ok(event) => {
                let named = Event::default().id(&event.id).event("log");
                // A log event always serializes.
                named.json_data(&event).unwrap_or_default()
            }
            Err(RecvError::Lagged(count)) => Event::default().event("missed").data(count.to_string()),
            Err(RecvError::Closed) => return None,
        };
        Some((Ok(event), events))
    });
    Sse::new(events).keep_alive(KeepAlive::default())
}
