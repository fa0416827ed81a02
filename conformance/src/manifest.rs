//! The endpoint's own manifest, and the inputs that are made from it.

use median_edge::Risk;

use crate::json::{Json, quoted};

/// A manifest, as far as it can be read.
#[derive(Clone, Debug)]
pub(crate) struct Manifest {
    pub(crate) tools: Vec<Tool>,
    pub(crate) bytes: Vec<u8>,
    pub(crate) json: Json,
}

/// One tool.
#[derive(Clone, Debug)]
pub(crate) struct Tool {
    pub(crate) name: String,
    pub(crate) risk: Option<Risk>,
    pub(crate) fields: Vec<Field>,
}

/// One field of a tool.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) required: bool,
}

/// What a field takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Number,
    Bool,
    Choice(Vec<String>),
    /// Something beyond the subset: no input is made for it.
    Other,
}

impl Manifest {
    /// Reads what can be read; what is wrong with it is the manifest checks' own affair.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let json = Json::parse(bytes)?;
        let tools = json.get("tools").and_then(Json::list).unwrap_or_default();
        let tools = tools.iter().filter_map(Tool::read).collect();
        Some(Self { tools, bytes: bytes.to_vec(), json })
    }
}

impl Tool {
    fn read(json: &Json) -> Option<Self> {
        let name = json.get("name")?.text()?.to_owned();
        let risk = json.get("risk").and_then(Json::text).and_then(Risk::parse);
        let schema = json.get("inputSchema");
        let required = schema.and_then(|schema| schema.get("required")).and_then(Json::list);
        let required: Vec<_> = required.unwrap_or_default().iter().filter_map(Json::text).collect();
        let properties = schema.and_then(|schema| schema.get("properties")).and_then(Json::members);
        let field = |(name, property): &(String, Json)| Field {
            name: name.clone(),
            kind: Kind::read(property),
            required: required.contains(&name.as_str()),
        };
        Some(Self { name, risk, fields: properties.unwrap_or_default().iter().map(field).collect() })
    }

    /// The first field that must be there.
    pub(crate) fn required(&self) -> Option<&Field> {
        self.fields.iter().find(|field| field.required)
    }

    /// A good input: the fields that are needed, and nothing else.
    pub(crate) fn good(&self) -> String {
        self.with(&[])
    }

    /// A good input in which some fields are something else: JSON, or nothing to leave them out.
    pub(crate) fn with(&self, changes: &[(&str, Option<&str>)]) -> String {
        let other = |name: &str| changes.iter().find(|(n, _)| *n == name).map(|(_, json)| *json);
        let mut members = Vec::new();
        for field in &self.fields {
            let json = match other(&field.name) {
                Some(json) => json.map(str::to_owned),
                None => field.required.then(|| field.kind.good()),
            };
            members.extend(json.map(|json| (field.name.as_str(), json)));
        }
        let known = |name: &str| self.fields.iter().any(|field| field.name == name);
        let others = changes.iter().filter(|(name, _)| !known(name));
        members.extend(others.filter_map(|(name, json)| Some((*name, (*json)?.to_owned()))));
        let members: Vec<_> = members.iter().map(|(name, json)| format!("{}:{json}", quoted(name))).collect();
        format!("{{{}}}", members.join(","))
    }
}

impl Kind {
    fn read(property: &Json) -> Self {
        if let Some(choices) = property.get("enum").and_then(Json::list) {
            let texts: Vec<_> = choices.iter().filter_map(Json::text).map(str::to_owned).collect();
            return if texts.is_empty() { Self::Other } else { Self::Choice(texts) };
        }
        match property.get("type").and_then(Json::text) {
            Some("string") => Self::Text,
            Some("number" | "integer") => Self::Number,
            Some("boolean") => Self::Bool,
            _ => Self::Other,
        }
    }

    /// A value that fits, as JSON.
    pub(crate) fn good(&self) -> String {
        match self {
            Self::Text => "\"check\"".to_owned(),
            Self::Number => "1".to_owned(),
            Self::Bool => "true".to_owned(),
            Self::Choice(choices) => {
                choices.first().map_or_else(|| "null".to_owned(), |choice| quoted(choice))
            }
            Self::Other => "null".to_owned(),
        }
    }
}

/// A tool call, member by member, so that one of them can be wrong.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    members: Vec<(&'static str, String)>,
}

impl Call {
    /// A call as the platform makes it, to a tool of a risk, with an input.
    pub(crate) fn new(tool: &str, id: &str, input: &str, risk: Risk) -> Self {
        let approved = matches!(risk, Risk::Reviewed | Risk::High);
        let mut call = Self {
            members: vec![
                ("tool", quoted(tool)),
                ("toolCallId", quoted(id)),
                ("input", input.to_owned()),
                ("context.conversationId", quoted(id)),
                ("context.risk", quoted(risk.as_str())),
                ("context.visitor.verified", "true".to_owned()),
                ("context.visitor.externalId", "\"user_1\"".to_owned()),
                ("context.visitor.email", "\"ana@example.org\"".to_owned()),
                ("context.visitor.name", "\"Ana\"".to_owned()),
            ],
        };
        if approved {
            call = call.set("context.approvedBy", "\"A test from the CLI\"");
        }
        call
    }

    /// Sets the member at a path to JSON.
    pub(crate) fn set(mut self, path: &'static str, json: &str) -> Self {
        self = self.without(path);
        self.members.push((path, json.to_owned()));
        self
    }

    /// Takes out a member, and what is below it.
    pub(crate) fn without(mut self, path: &str) -> Self {
        let below = format!("{path}.");
        self.members.retain(|(name, _)| *name != path && !name.starts_with(&below));
        self
    }

    /// The body.
    pub(crate) fn json(&self) -> String {
        self.object("")
    }

    fn object(&self, prefix: &str) -> String {
        let mut parts: Vec<String> = Vec::new();
        let mut seen: Vec<&str> = Vec::new();
        for (path, json) in &self.members {
            let Some(rest) = path.strip_prefix(prefix) else {
                continue;
            };
            let name = rest.split('.').next().unwrap_or(rest);
            if name == rest {
                parts.push(format!("{}:{json}", quoted(name)));
            } else if !seen.contains(&name) {
                seen.push(name);
                parts.push(format!("{}:{}", quoted(name), self.object(&format!("{prefix}{name}."))));
            }
        }
        format!("{{{}}}", parts.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::{Call, Manifest};
    use median_edge::Risk;

    #[test]
    fn a_call_is_what_the_platform_sends() {
        let call = Call::new("t", "c", "{}", Risk::High);
        assert_eq!(
            call.json(),
            r#"{"tool":"t","toolCallId":"c","input":{},"context":{"conversationId":"c","risk":"high","visitor":{"verified":true,"externalId":"user_1","email":"ana@example.org","name":"Ana"},"approvedBy":"A test from the CLI"}}"#
        );
        let call = call.without("context.visitor").without("input").set("context", "7");
        assert_eq!(call.json(), r#"{"tool":"t","toolCallId":"c","context":7}"#);
    }

    #[test]
    fn inputs_are_made_from_the_schema() {
        let json = br#"{"tools":[{"name":"t","risk":"low","inputSchema":{"required":["a","c"],
            "properties":{"a":{"type":"string"},"b":{"type":"number"},"c":{"type":"string","enum":["x"]}}}}]}"#;
        let manifest = Manifest::read(json).unwrap();
        let tool = &manifest.tools[0];
        assert_eq!(tool.good(), r#"{"a":"check","c":"x"}"#);
        assert_eq!(tool.with(&[("b", Some("7")), ("a", None), ("z", Some("1"))]), r#"{"b":7,"c":"x","z":1}"#);
    }
}
