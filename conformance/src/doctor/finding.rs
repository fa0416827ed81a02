//! What the doctor can find, and what it found.

use std::fmt;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// This is as it should be.
    Good,
    /// It works, and something may keep it from working.
    Warning,
    /// Calls fail because of it, or anyone can make them.
    Problem,
}

impl Level {
    /// `ok`, `warning` or `problem`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Good => "ok",
            Self::Warning => "warning",
            Self::Problem => "problem",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

macro_rules! kinds {
    ($($variant:ident $id:literal $about:literal $why:literal),* $(,)?) => {
        /// A kind of finding, with an id that stays.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Kind {
            $(#[doc = $about] $variant,)*
        }

        impl Kind {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The id.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $id,)* }
            }

            /// What it is, in a sentence.
            pub const fn about(self) -> &'static str {
                match self { $(Self::$variant => $about,)* }
            }

            /// Why it matters; empty where nothing is wrong.
            pub const fn why(self) -> &'static str {
                match self { $(Self::$variant => $why,)* }
            }
        }
    };
}

kinds! {
    Key "key" "The key on this machine has the form of one." "",
    KeyAbsent "key-absent" "No key is set on this machine."
        "Without the key nothing behind the signature can be looked at.",
    KeyWhiteSpace "key-white-space" "There is white space around the key."
        "An endpoint that does not trim its key derives another secret from it, and refuses every call.",
    KeyQuotes "key-quotes" "Quotation marks have become part of the key."
        "They are signed with, so nothing that is signed like this gets in.",
    KeyPublicHalf "key-public-half" "The public half stands where the key belongs."
        "The public half signs nothing: an endpoint with it answers 500 to everything.",
    KeyForm "key-form" "The key does not have the form of one."
        "An endpoint with it answers 500 to everything.",
    KeyPublic "key-public" "The key is the public one of the examples."
        "Everyone knows it: with it on an endpoint that others reach, anyone can run its tools.",
    Reachable "reachable" "An endpoint answers at the address." "",
    UnknownHost "unknown-host" "The host's name has no address."
        "The platform cannot reach it either.",
    Refused "refused" "Nothing listens at the address."
        "Every call is told to the agent as a tool that is not answering.",
    NotSecure "not-secure" "There is no secure connection."
        "The platform does not talk to a server whose certificate it cannot trust.",
    NoAnswer "no-answer" "No answer comes in time."
        "The platform waits 10 seconds for a manifest, and then keeps the last one that was good.",
    Closed "closed" "The connection is closed without an answer."
        "Every call is told to the agent as a tool that is not answering.",
    NotHttp "not-http" "What comes is not HTTP."
        "The platform can read nothing but HTTP.",
    Unreachable "unreachable" "There is no connection."
        "Every call is told to the agent as a tool that is not answering.",
    PlainHttp "plain-http" "The address is http, not https."
        "Whoever is on the way reads visitors' data, and can send a captured call again for five minutes.",
    Redirect "redirect" "The address leads to another one."
        "A redirect may turn a POST into a GET, and drop its body and its signature on the way.",
    Login "login" "Something asks for a login."
        "The platform has no account there: it has the signature, which the endpoint itself checks.",
    Blocked "blocked" "A firewall or a rate limit turns requests away."
        "It does so to the platform too, and the agent is told that the tool is not answering.",
    NotFound "not-found" "There is no endpoint at this path."
        "Requests reach a server, and not the endpoint.",
    MethodRefused "method-refused" "GET or POST does not reach the endpoint."
        "The manifest is a GET and every call is a POST: both have to get through, as what they are.",
    Gateway "gateway" "A gateway answers for an application that does not."
        "The agent is told that the tool is not answering.",
    NotAnEndpoint "not-an-endpoint" "What answers is something else than an endpoint."
        "The platform can make nothing of the answer.",
    EndpointKey "endpoint-key" "The endpoint has no key that it can use."
        "It can verify nothing, and answers 500 to everything.",
    EndpointConfig "endpoint-config" "The endpoint answers that something is wrong with itself."
        "It serves no call as long as that is so.",
    Unprotected "unprotected" "Requests without a right signature get in."
        "Anyone who finds the address can read the manifest, or run tools.",
    Clock "clock" "The endpoint's clock and this machine's agree." "",
    ClockSkew "clock-skew" "The endpoint's clock is off."
        "A request whose time is more than 300 seconds from the endpoint's clock is refused as stale_timestamp.",
    TimeInSeconds "time-in-seconds" "The endpoint reads the time as seconds."
        "The platform signs with milliseconds, so every request of its is refused as stale_timestamp.",
    Signature "signature" "What this key signs is accepted." "",
    SecretDiffers "secret-differs" "The endpoint verifies with another secret."
        "Every call that is signed with this key is refused as invalid_signature.",
    EndpointKeyText "endpoint-key-text" "The endpoint has the same key with something around it."
        "It derives another secret from that text, and refuses every call as invalid_signature.",
    OtherDerivation "other-derivation" "The endpoint makes the signing secret from the same key in another way."
        "Both sides have to sign with the same secret, not only with the same key.",
    Header "header" "The signature header arrives, however its name is written." "",
    HeaderStripped "header-stripped" "The signature header does not arrive."
        "Every call is refused as missing_signature.",
    HeaderChanged "header-changed" "The signature header arrives changed."
        "Every call is refused as malformed_signature.",
    HeaderCase "header-case" "The signature header is found in one spelling only."
        "Header names have no case: a client or a front may send it in any, and HTTP/2 only in lower case.",
    HeaderLong "header-long" "A signature header with several signatures is refused."
        "While a key is rotated, the platform may sign each request more than once.",
    Body "body" "Bodies arrive byte for byte." "",
    BodyBase64 "body-base64" "The endpoint verifies the body's base64 text, not its bytes."
        "The signature is over the bytes that were sent, so calls are refused as invalid_signature.",
    BodyNotRead "body-not-read" "The endpoint verifies an empty body."
        "The signature is over the bytes that were sent, so calls are refused as invalid_signature.",
    BodyReserialized "body-reserialized" "The body is read as JSON and written again before it is verified."
        "No two writers agree on every byte: calls are refused as invalid_signature, all or some.",
    BodyTrimmed "body-trimmed" "White space around the body is taken away, or added, before it is verified."
        "The signature is over the bytes that were sent, and white space is some of them.",
    BodyLineEnds "body-line-ends" "Line ends in the body are changed before it is verified."
        "The signature is over the bytes that were sent, and line ends are some of them.",
    BodyCharset "body-charset" "The body goes through another character set before it is verified."
        "A customer's name with an accent is enough for a call to be refused as invalid_signature.",
    BodyMark "body-mark" "A byte order mark is taken off the body before it is verified."
        "It says that the body is decoded as text before it is verified, which loses other bytes too.",
    BodyUrl "body-url" "The body is decoded like a form before it is verified."
        "A plus or a percent sign in what a customer wrote is enough for a call to be refused.",
    BodyDecompressed "body-decompressed" "A compressed body is unpacked on the way."
        "The signature is over the bytes that were sent, so a compressed call would be refused.",
    BodyChanged "body-changed" "Bodies are changed on the way, in a way that is not known."
        "The signature is over the bytes that were sent, so such calls are refused as invalid_signature.",
    BodyBlocked "body-blocked" "Something turns bodies away for what is in them."
        "Customers do write such text, and then the agent is told that the tool is not answering.",
    BodyLimit "body-limit" "Bodies of 100 KB are not taken."
        "A call with a long text fails, and the agent is told that the tool is not answering.",
    Manifest "manifest" "The manifest is acceptable, with room below its limits." "",
    ManifestRefused "manifest-refused" "The platform will not accept the manifest."
        "The sync fails, and the agent keeps the last tools that were good.",
    ManifestDoubtful "manifest-doubtful" "The manifest has something that not every reader takes."
        "The platform's documents leave it open, and the strict reading is safe.",
    ManifestLimit "manifest-limit" "A limit of the manifest is near."
        "The next tool or field may be the one with which the sync fails.",
    Answers "answers" "Answers are labelled as they should be." "",
    AnswerHeaders "answer-headers" "Answers may be kept, or are labelled as something else."
        "A cache on the way may keep one visitor's data and show it to another.",
    Time "time" "Answers come well within the platform's limits." "",
    Slow "slow" "Answers take nearly as long as the platform waits, or longer."
        "The platform waits 10 seconds for a manifest, and an agent's customer waits for every call.",
    ColdStart "cold-start" "The first answer takes much longer than later ones."
        "The first reply of a conversation waits for the manifest, and so for this start.",
    Diagnostics "diagnostics" "Diagnostics are answered." "",
    DiagnosticsTrouble "diagnostics-trouble" "Diagnostics fail, are slow, or are too long."
        "The platform waits 8 seconds for them and keeps 2,000 characters.",
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// One thing that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What kind of thing it is; it says why it matters.
    pub kind: Kind,
    /// How bad it is.
    pub level: Level,
    /// What was seen. It may hold what an endpoint wrote, as it came.
    pub seen: String,
    /// What to do about it; empty where nothing is to be done.
    pub advice: String,
}

impl Finding {
    pub(super) fn good(kind: Kind, seen: impl Into<String>) -> Self {
        Self { kind, level: Level::Good, seen: seen.into(), advice: String::new() }
    }

    pub(super) fn warning(kind: Kind, seen: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { kind, level: Level::Warning, seen: seen.into(), advice: advice.into() }
    }

    pub(super) fn problem(kind: Kind, seen: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { kind, level: Level::Problem, seen: seen.into(), advice: advice.into() }
    }

    /// Why it matters; nothing where nothing is wrong.
    pub fn why(&self) -> &'static str {
        if self.level == Level::Good { "" } else { self.kind.why() }
    }
}
