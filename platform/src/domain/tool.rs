//! A tool as a manifest declares it, and as the agent reads it.

use median_edge::Risk;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::json::RawJson;

/// How a tool's calls are released.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ToolRisk {
    /// Runs when called.
    Low,
    /// Runs when called; the agent asks the customer first.
    Medium,
    /// Waits for the reviewer.
    Reviewed,
    /// Waits for a teammate.
    High,
}

impl ToolRisk {
    /// As it stands on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Low => Risk::Low.as_str(),
            Self::Medium => Risk::Medium.as_str(),
            Self::Reviewed => Risk::Reviewed.as_str(),
            Self::High => Risk::High.as_str(),
        }
    }

    /// Whether a call waits for somebody's decision.
    pub const fn waits(self) -> bool {
        matches!(self, Self::Reviewed | Self::High)
    }

    /// The line that is appended to the description that the agent reads.
    pub const fn line(self) -> Option<&'static str> {
        match self {
            Self::Low => None,
            Self::Medium => Some("Ask the customer first, and call this only after a clear yes."),
            Self::Reviewed => Some(
                "Ask the customer first, and call this only after a clear yes. The call is then reviewed before it runs.",
            ),
            Self::High => Some("The call does not run at once: it waits for sign-off by a teammate."),
        }
    }
}

/// A tool of a manifest that was accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Tool {
    /// Unique over all endpoints.
    pub name: String,
    /// As the endpoint wrote it.
    pub description: String,
    /// How its calls are released.
    pub risk: ToolRisk,
    /// The fields of its input, in the order in which they are declared.
    pub fields: Vec<Field>,
    /// The schema as it came.
    #[schema(value_type = Object)]
    pub input_schema: RawJson,
}

impl Tool {
    /// The description as the agent reads it.
    pub fn agent_description(&self) -> String {
        match self.risk.line() {
            Some(line) => format!("{}\n\n{line}", self.description.trim_end()),
            None => self.description.clone(),
        }
    }
}

/// A field of an input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Field {
    /// Its name.
    pub name: String,
    /// What it takes.
    #[serde(rename = "type")]
    pub kind: FieldKind,
    /// What it is for.
    pub description: Option<String>,
    /// Whether it has to be there.
    pub required: bool,
    /// The only texts that it takes, when it is a choice.
    pub choices: Option<Vec<String>>,
}

/// The scalars.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum FieldKind {
    /// Text.
    String,
    /// Any finite number.
    Number,
    /// A whole number.
    Integer,
    /// True or false.
    Boolean,
}

/// A tool as the agent sees it in one turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentTool {
    /// Its name.
    pub name: String,
    /// With the platform's own line.
    pub description: String,
    /// How its calls are released.
    pub risk: ToolRisk,
    /// Where it is.
    pub endpoint: String,
    /// The fields of its input.
    pub fields: Vec<Field>,
    /// The schema that the agent is held to.
    #[schema(value_type = Object)]
    pub input_schema: RawJson,
}

impl AgentTool {
    pub(crate) fn new(endpoint: &str, tool: &Tool) -> Self {
        Self {
            name: tool.name.clone(),
            description: tool.agent_description(),
            risk: tool.risk,
            endpoint: endpoint.to_owned(),
            fields: tool.fields.clone(),
            input_schema: tool.input_schema.clone(),
        }
    }
}
