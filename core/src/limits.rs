//! The numbers of the protocol. `docs/protocol.md` lists them with the rules that they come from, under *Limits*.
//!
//! *Characters* are UTF-16 code units throughout, as JavaScript counts them.

/// The most tools that one endpoint may declare.
pub const MAX_TOOLS: usize = 20;
/// The most fields that one tool's input may have.
pub const MAX_FIELDS: usize = 20;
/// The most characters that one tool's input schema may have as JSON.
pub const MAX_SCHEMA_CHARACTERS: usize = 8_000;
/// The most bytes that a manifest may have.
pub const MAX_MANIFEST_BYTES: usize = 500_000;
/// The most characters that the name of a tool or of a field may have.
pub const MAX_NAME_CHARACTERS: usize = 64;
/// How many characters of a result the agent reads; a longer one is sent whole, with a warning in the event.
pub const RESULT_READ_CHARACTERS: usize = 4_000;
/// How many characters of a diagnostics answer are kept.
pub const DIAGNOSTICS_KEPT_CHARACTERS: usize = 2_000;
/// How long diagnostics may run, in milliseconds: the platform waits 8 seconds.
pub const DIAGNOSTICS_LIMIT_MS: u64 = 7_500;
/// The most characters of the path that a result may send the visitor to.
pub const MAX_NAVIGATE_CHARACTERS: usize = 2_048;
/// The most characters of the selector that a result may highlight.
pub const MAX_HIGHLIGHT_CHARACTERS: usize = 256;
/// The most characters of a signed visitor's id.
pub const MAX_VISITOR_ID_CHARACTERS: usize = 256;
/// The most characters of a signed visitor's name.
pub const MAX_VISITOR_NAME_CHARACTERS: usize = 256;
/// The most characters of a signed visitor's address.
pub const MAX_VISITOR_EMAIL_CHARACTERS: usize = 320;
/// The most characters of the URL of a signed visitor's picture.
pub const MAX_VISITOR_URL_CHARACTERS: usize = 2_048;
/// How long it may take to find out who is signed in, in milliseconds: a page waits for it.
pub const IDENTITY_LIMIT_MS: u64 = 10_000;
/// How long the platform has to answer when an endpoint is connected, in milliseconds.
pub const CONNECT_LIMIT_MS: u64 = 10_000;
/// The most bytes of a URL that connecting works with.
pub const MAX_CONNECT_URL_BYTES: usize = 2_048;
/// The most bytes that are read of the platform's answer when an endpoint is connected.
pub const CONNECT_ANSWER_BYTES: usize = 16 * 1024;
/// The most bytes of a `median-signature` header.
pub const MAX_SIGNATURE_HEADER_BYTES: usize = 4_096;
/// The most `v1` elements of a `median-signature` header.
pub const MAX_SIGNATURES: usize = 8;

/// How far a request's time may be from ours, in milliseconds, unless the endpoint says otherwise.
pub const DEFAULT_TOLERANCE_MS: u64 = 300_000;
/// The most that the tolerance can be set to, in milliseconds: a day. No value turns the check off.
pub const MAX_TOLERANCE_MS: u64 = 86_400_000;
/// The most bytes of a request's body, unless the endpoint says otherwise.
pub const DEFAULT_BODY_LIMIT: usize = 1024 * 1024;
/// How long one call may run, in milliseconds, unless the endpoint, the tool or the platform says less.
pub const DEFAULT_TIME_LIMIT_MS: u64 = 25_000;
/// The most bytes that an application manifest may have.
pub const MAX_APPLICATION_MANIFEST_BYTES: usize = 500_000;
/// How many times a job is tried again, unless it says otherwise.
pub const DEFAULT_JOB_RETRIES: u32 = 3;
/// The most times that a job can be tried again.
pub const MAX_JOB_RETRIES: u32 = 100;
/// How long one run of a job may take, in seconds, unless it says otherwise.
pub const DEFAULT_JOB_TIMEOUT_SECONDS: u32 = 30;
/// The longest that one run of a job may take, in seconds.
pub const MAX_JOB_TIMEOUT_SECONDS: u32 = 900;
/// The most bytes that a job's payload may have as JSON: Cloudflare Queues takes 128,000 with what goes along.
pub const MAX_JOB_PAYLOAD_BYTES: usize = 120_000;
/// The longest that a job can be delayed, in seconds, and the longest pause before it is tried again: what Amazon SQS takes.
pub const MAX_JOB_DELAY_SECONDS: u32 = 900;
/// Where the endpoint answers, unless it says otherwise.
pub const DEFAULT_MOUNT: &str = "/api/median";
/// Where an endpoint with an identity answers who is signed in, unless it says otherwise.
pub const DEFAULT_IDENTITY_PATH: &str = "/api/median/identity";

/// Names that the agent's own tools have.
pub const RESERVED_NAMES: [&str; 12] = [
    "searchKnowledgeBase",
    "searchPastConversations",
    "requestHandoff",
    "saveVisitorDetails",
    "resolveConversation",
    "closeConversation",
    "suggestKnowledge",
    "suggestTool",
    "reportBug",
    "suggestImprovement",
    "searchSignals",
    "requestScreenshot",
];

/// Whether a name fits `[A-Za-z][A-Za-z0-9_]{0,63}`, the form that tools and fields must have.
pub const fn is_name(name: &str) -> bool {
    let bytes = name.as_bytes();
    if bytes.is_empty() || bytes.len() > MAX_NAME_CHARACTERS || !bytes[0].is_ascii_alphabetic() {
        return false;
    }
    let mut at = 1;
    while at < bytes.len() {
        if !(bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_') {
            return false;
        }
        at += 1;
    }
    true
}

/// The most characters that a tool's scope may have.
pub const MAX_SCOPE_CHARACTERS: usize = 128;

/// Whether a text can be a scope: what OAuth takes for one (RFC 6749, 3.3).
pub const fn is_scope(scope: &str) -> bool {
    let bytes = scope.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_graphic() || bytes[at] == b'"' || bytes[at] == b'\\' {
            return false;
        }
        at += 1;
    }
    !bytes.is_empty() && bytes.len() <= MAX_SCOPE_CHARACTERS
}

/// Whether a tool's name is one of the agent's own. In a const, `==` on text is not to be had.
pub const fn is_reserved(name: &str) -> bool {
    let mut at = 0;
    while at < RESERVED_NAMES.len() {
        if same(RESERVED_NAMES[at].as_bytes(), name.as_bytes()) {
            return true;
        }
        at += 1;
    }
    false
}

const fn same(one: &[u8], two: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < two.len() && one[at] == two[at] {
        at += 1;
    }
    at == one.len() && at == two.len()
}

#[cfg(test)]
mod tests {
    use super::{RESERVED_NAMES, is_name, is_reserved};

    #[test]
    fn names_are_a_letter_and_up_to_63_more() {
        assert!(is_name("a") && is_name("orderStatus") && is_name("A_9"));
        assert!(is_name(&"a".repeat(64)));
        for bad in ["", "9a", "_a", "a-b", "a b", "é", "a.b"] {
            assert!(!is_name(bad), "{bad:?}");
        }
        assert!(!is_name(&"a".repeat(65)));
    }

    #[test]
    fn the_agents_own_names_are_reserved_to_the_letter() {
        assert!(RESERVED_NAMES.iter().all(|name| is_reserved(name)));
        assert!(!is_reserved("request") && !is_reserved("requestHandoffs") && !is_reserved(""));
    }
}
