//! What is asked of an endpoint: requirements, each with an id that stays.

use std::fmt;

/// How binding a requirement is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The platform's public documents say so.
    Must,
    /// A choice of this implementation where they are silent, or good practice.
    Should,
}

impl Severity {
    /// `must` or `should`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Must => "must",
            Self::Should => "should",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

macro_rules! areas {
    ($($variant:ident $name:literal $about:literal),* $(,)?) => {
        /// A part of the protocol, to check alone.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Area {
            $(#[doc = $about] $variant,)*
        }

        impl Area {
            /// All of them, in the order in which they are checked.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The name, as `--only` takes it.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// What is looked at, in a sentence.
            pub const fn about(self) -> &'static str {
                match self { $(Self::$variant => $about,)* }
            }
        }
    };
}

areas! {
    Methods "methods" "Which methods and paths are answered.",
    Signature "signature" "The header's grammar, the time window, keys, several signatures.",
    Manifest "manifest" "Its shape, its limits, its names, and the subset of JSON Schema.",
    Body "body" "What a `POST` may carry, and what is refused as `invalid_body` or `unknown_op`.",
    Calls "calls" "The envelope of a tool call.",
    Input "input" "The input, generated from the endpoint's own manifest.",
    Results "results" "What a tool answers; needs leave to run one.",
    Diagnostics "diagnostics" "What is attached to a report.",
    Application "application" "The application manifest at `/agent/manifest`, where there is one.",
    Identity "identity" "Who is signed in, where the endpoint says so.",
    Robustness "robustness" "Hostile bodies, slow and cut-off ones, odd framing.",
    Timing "timing" "Whether the time that a refusal takes tells where a signature differs.",
    Headers "headers" "The headers of every answer that came.",
    Errors "errors" "The form, the codes and the statuses of every error that came.",
    Secrets "secrets" "What no answer that came may hold.",
}

impl Area {
    /// Reads the name of an area.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|area| area.as_str() == text)
    }
}

impl fmt::Display for Area {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// One requirement.
#[derive(Clone, Copy, Debug)]
pub struct Requirement {
    /// Its id, in kebab case. It is never used for another.
    pub id: &'static str,
    /// What is asked, in a sentence.
    pub sentence: &'static str,
    /// The rule of `docs/protocol.md` that it proves.
    pub rule: &'static str,
    /// How binding it is.
    pub severity: Severity,
    /// The part of the protocol it belongs to.
    pub area: Area,
    /// Why it matters.
    pub why: &'static str,
    /// How to mend an endpoint that fails it.
    pub mend: &'static str,
}
