//! The numbers of the platform's side. `docs/platform.md` lists them with the rules that they come from.

/// How long a request waits for an answer, in milliseconds: 24 hours.
pub const REQUEST_EXPIRES_MS: u64 = 24 * 60 * 60 * 1000;
/// How often what never reported back is looked for, in milliseconds: an hour.
pub const CHECK_EVERY_MS: u64 = 60 * 60 * 1000;
/// How long a released call may be out before that check fails it, in milliseconds: 10 minutes.
pub const NEVER_REPORTED_MS: u64 = 10 * 60 * 1000;
/// The most requests that are open in one conversation.
pub const OPEN_REQUESTS: usize = 3;
/// The most runs by teammates that are in flight in one conversation.
pub const RUNS_IN_FLIGHT: usize = 3;
/// The most calls in one turn.
pub const CALLS_A_TURN: u32 = 10;
/// The most tools over all endpoints.
pub const TOOLS_IN_ALL: usize = 20;
/// The most endpoints.
pub const ENDPOINTS: usize = 20;
/// The most syncs of one endpoint within a minute.
pub const SYNCS_A_MINUTE: usize = 10;
/// A minute, in milliseconds.
pub const MINUTE_MS: u64 = 60 * 1000;
/// How long the API waits for what an endpoint does, in seconds: a call's own limit, and a little for what is around it. Then it
/// answers with what there is.
pub const WAIT_SECONDS: u64 = 40;
/// The most bytes of a manifest: the published 500 KB, in the reading that refuses least.
pub const MANIFEST_BYTES: usize = 500 * 1024;
/// The most bytes of one call's input.
pub const INPUT_BYTES: usize = 256 * 1024;
/// The most characters of one message, note or report.
pub const TEXT_CHARACTERS: usize = 20_000;
/// The most characters of a name, an address or an id that somebody gives.
pub const NAME_CHARACTERS: usize = 320;
/// The most characters of a URL.
pub const URL_CHARACTERS: usize = 2_048;
/// The most pictures on one message, notes on a conversation, details of a page.
pub const LIST_ITEMS: usize = 50;
/// The most bytes of a case that a reviewer reads.
pub const CASE_BYTES: usize = 400_000;
/// The most bytes of the records that a case is made from: what is kept of a call is a few times what a reviewer reads of it.
/// Over that, nothing is read.
pub const CASE_RECORD_BYTES: u64 = 4_000_000;
/// How many events the log keeps: the newest.
pub const LOG_EVENTS: u64 = 20_000;
/// After so many more, those over it are taken out together.
pub const LOG_PRUNED_EVERY: u64 = 500;
/// How far the clock can be moved at once, in milliseconds: 366 days.
pub const MOVE_MS: u64 = 366 * 24 * 60 * 60 * 1000;
