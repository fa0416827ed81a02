//! Reading a manifest: what is acceptable, and the reasons why not.
//!
//! The published limits refuse. What is only this project's reading of them warns.

use median_edge::limits::{self, MAX_FIELDS, MAX_MANIFEST_BYTES, MAX_SCHEMA_CHARACTERS, MAX_TOOLS};
use serde_json::value::RawValue;

use super::json::{Json, Members, RawJson, compact};
use super::limits::MANIFEST_BYTES;
use super::text::{characters, first};
use super::tool::{Field, FieldKind, Tool, ToolRisk};

/// A manifest that was accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Manifest {
    pub(crate) tools: Vec<Tool>,
    pub(crate) diagnostics: bool,
    pub(crate) warnings: Vec<String>,
}

/// Why one was not: a code, and every reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unacceptable {
    pub(crate) code: &'static str,
    pub(crate) reasons: Vec<String>,
}

/// At most so many reasons are kept: a manifest is not trusted.
const REASONS: usize = 20;

#[derive(Default)]
struct Findings {
    refused: Vec<String>,
    warned: Vec<String>,
}

impl Findings {
    fn refuse(&mut self, what: String) {
        add(&mut self.refused, what);
    }

    fn warn(&mut self, what: String) {
        add(&mut self.warned, what);
    }
}

fn add(list: &mut Vec<String>, what: String) {
    if list.len() < REASONS {
        list.push(what);
    }
}

/// Reads a manifest.
pub(crate) fn read(bytes: &[u8]) -> Result<Manifest, Unacceptable> {
    let bad = |code, reason: String| Unacceptable { code, reasons: vec![reason] };
    if bytes.len() > MANIFEST_BYTES {
        let message = format!("The manifest has {} bytes; {MANIFEST_BYTES} is the most.", bytes.len());
        return Err(bad("manifest_too_large", message));
    }
    let text = std::str::from_utf8(bytes)
        .map_err(|_| bad("invalid_manifest", "The manifest is not UTF-8.".to_owned()))?;
    let members = Members::parse(text)
        .ok_or_else(|| bad("invalid_manifest", "The manifest is not a JSON object.".to_owned()))?;
    match members.get("version").and_then(|version| serde_json::from_str::<Json>(version).ok()) {
        Some(Json::Number(1.0)) => {}
        _ => {
            let found = members.get("version").map_or("none", |version| first(version, 40).0);
            let message = format!("The manifest's version is {found}; only version 1 is spoken here.");
            return Err(bad("unsupported_version", message));
        }
    }
    let mut findings = Findings::default();
    if bytes.len() > MAX_MANIFEST_BYTES {
        findings.warn(format!("The manifest is over {MAX_MANIFEST_BYTES} bytes."));
    }
    let diagnostics = match members.get("diagnostics") {
        None | Some("false") => false,
        Some("true") => true,
        Some(_) => {
            findings.refuse("diagnostics is neither true nor false.".to_owned());
            false
        }
    };
    let list = members.get("tools").and_then(|tools| serde_json::from_str::<Vec<Box<RawValue>>>(tools).ok());
    let Some(list) = list else {
        return Err(bad("invalid_manifest", "tools is not a list.".to_owned()));
    };
    if list.len() > MAX_TOOLS {
        findings.refuse(format!("There are {} tools; {MAX_TOOLS} is the most.", list.len()));
    }
    let mut tools: Vec<Tool> = Vec::new();
    for (at, raw) in list.iter().take(MAX_TOOLS).enumerate() {
        if let Some(tool) = read_tool(at, raw.get(), &mut findings) {
            if tools.iter().any(|other| other.name == tool.name) {
                findings.refuse(format!("Two tools have the name {}.", shown(&tool.name)));
            }
            tools.push(tool);
        }
    }
    if findings.refused.is_empty() {
        Ok(Manifest { tools, diagnostics, warnings: findings.warned })
    } else {
        Err(Unacceptable { code: "invalid_manifest", reasons: findings.refused })
    }
}

/// A name from outside, in a message.
fn shown(name: &str) -> String {
    format!("{:?}", first(name, 64).0)
}

fn read_tool(at: usize, json: &str, findings: &mut Findings) -> Option<Tool> {
    let nth = at + 1;
    let Some(members) = Members::parse(json) else {
        findings.refuse(format!("Tool {nth} is not an object."));
        return None;
    };
    let Some(name) = members.text("name").filter(|name| !name.is_empty()) else {
        findings.refuse(format!("Tool {nth} has no name."));
        return None;
    };
    let who = shown(&name);
    if limits::is_reserved(&name) {
        findings.refuse(format!("{who} is the name of one of the agent's own tools."));
    }
    if !limits::is_name(&name) {
        findings.warn(format!(
            "The name {who} is not a letter and up to 63 letters, digits and underscores; not every model provider takes it."
        ));
    }
    let description = members.text("description");
    match &description {
        None => findings.refuse(format!("{who} has no description.")),
        Some(text) if text.trim().is_empty() => {
            findings
                .warn(format!("The description of {who} is blank: the agent can't know when to call it."));
        }
        Some(_) => {}
    }
    let risk = members.get("risk").and_then(|risk| serde_json::from_str::<ToolRisk>(risk).ok());
    if risk.is_none() {
        findings.refuse(format!("The risk of {who} is none of low, medium, reviewed, high."));
    }
    let Some(schema) = members.get("inputSchema").map(compact) else {
        findings.refuse(format!("{who} has no inputSchema."));
        return None;
    };
    let count = characters(&schema);
    if count > MAX_SCHEMA_CHARACTERS {
        findings.refuse(format!(
            "The schema of {who} has {count} characters; {MAX_SCHEMA_CHARACTERS} is the most."
        ));
        return None;
    }
    let fields = read_schema(&who, &schema, findings);
    Some(Tool { name, description: description?, risk: risk?, fields, input_schema: RawJson(schema) })
}

fn read_schema(who: &str, schema: &str, findings: &mut Findings) -> Vec<Field> {
    let json: Option<Json> = serde_json::from_str(schema).ok();
    let Some(members) = json.as_ref().and_then(Json::members) else {
        findings.refuse(format!("The schema of {who} is not an object."));
        return Vec::new();
    };
    let get = |name: &str| members.iter().rev().find(|(member, _)| member == name).map(|(_, value)| value);
    for (name, _) in members {
        if !["type", "properties", "required", "additionalProperties"].contains(&name.as_str()) {
            findings
                .refuse(format!("The schema of {who} has {}, which goes beyond the subset.", shown(name)));
        }
    }
    if get("type").and_then(Json::text) != Some("object") {
        findings.refuse(format!("The schema of {who} does not have \"type\":\"object\"."));
    }
    if get("additionalProperties") != Some(&Json::Bool(false)) {
        findings
            .refuse(format!("The schema of {who} is not closed: \"additionalProperties\":false is missing."));
    }
    let Some(properties) = get("properties").and_then(Json::members) else {
        findings.refuse(format!("The schema of {who} has no properties."));
        return Vec::new();
    };
    if properties.len() > MAX_FIELDS {
        findings.refuse(format!("{who} has {} fields; {MAX_FIELDS} is the most.", properties.len()));
    }
    let required = match get("required") {
        None => Vec::new(),
        Some(required) => {
            match required.list().map(|list| list.iter().map(Json::text).collect::<Option<Vec<_>>>()) {
                Some(Some(names)) => names,
                _ => {
                    findings.refuse(format!("required of {who} is not a list of names."));
                    Vec::new()
                }
            }
        }
    };
    for name in &required {
        if !properties.iter().any(|(property, _)| property == name) {
            findings.refuse(format!("required of {who} names {}, which is no field.", shown(name)));
        }
    }
    let mut fields: Vec<Field> = Vec::new();
    for (name, property) in properties.iter().take(MAX_FIELDS) {
        if fields.iter().any(|field| field.name == *name) {
            findings.refuse(format!("{who} has the field {} twice.", shown(name)));
        }
        if !limits::is_name(name) {
            findings.warn(format!(
                "The field {} of {who} has a name that not every model provider takes.",
                shown(name)
            ));
        }
        let required = required.contains(&name.as_str());
        fields.extend(read_field(who, name, property, required, findings));
    }
    fields
}

fn read_field(
    who: &str,
    name: &str,
    property: &Json,
    required: bool,
    findings: &mut Findings,
) -> Option<Field> {
    let of = format!("The field {} of {who}", shown(name));
    let Some(members) = property.members() else {
        findings.refuse(format!("{of} is not an object."));
        return None;
    };
    for (member, _) in members {
        if !["type", "description", "enum"].contains(&member.as_str()) {
            findings.refuse(format!("{of} has {}, which goes beyond the subset.", shown(member)));
        }
    }
    let kind = match property.get("type").and_then(Json::text) {
        Some("string") => FieldKind::String,
        Some("number") => FieldKind::Number,
        Some("integer") => FieldKind::Integer,
        Some("boolean") => FieldKind::Boolean,
        _ => {
            findings.refuse(format!("{of} is none of string, number, integer, boolean."));
            return None;
        }
    };
    let description = match property.get("description") {
        None => None,
        Some(Json::Text(text)) => Some(text.clone()),
        Some(_) => {
            findings.refuse(format!("{of} has a description that is not text."));
            None
        }
    };
    let choices = match property.get("enum") {
        None => None,
        Some(list) => {
            let texts = list.list().map(|list| list.iter().map(Json::text).collect::<Option<Vec<_>>>());
            match texts {
                Some(Some(texts)) if kind == FieldKind::String && !texts.is_empty() => {
                    Some(texts.into_iter().map(str::to_owned).collect())
                }
                _ => {
                    findings.refuse(format!("{of} has an enum that is not a list of texts on a string."));
                    None
                }
            }
        }
    };
    Some(Field { name: name.to_owned(), kind, description, required, choices })
}

#[cfg(test)]
mod tests {
    use super::{Manifest, read};

    fn with(tools: &str) -> Result<Manifest, Vec<String>> {
        read(format!(r#"{{"version":1,"tools":[{tools}]}}"#).as_bytes()).map_err(|bad| bad.reasons)
    }

    fn tool(name: &str, description: &str, risk: &str, schema: &str) -> String {
        format!(r#"{{"name":"{name}","description":"{description}","risk":"{risk}","inputSchema":{schema}}}"#)
    }

    const EMPTY: &str = r#"{"type":"object","properties":{},"additionalProperties":false}"#;

    fn schema(properties: &str) -> String {
        format!(r#"{{"type":"object","properties":{{{properties}}},"additionalProperties":false}}"#)
    }

    fn reason(tools: &str) -> String {
        with(tools).expect_err("this is unacceptable").join(" | ")
    }

    #[test]
    fn the_demos_manifest_is_accepted_without_a_warning() {
        let endpoint = support_desk::endpoint().unwrap();
        let manifest = read(endpoint.manifest()).unwrap();
        assert_eq!(manifest.tools.len(), endpoint.tools().len());
        assert_eq!((manifest.warnings, manifest.diagnostics), (Vec::new(), true));
    }

    #[test]
    fn an_unknown_version_is_refused_by_its_code() {
        for version in ["2", "\"1\"", "1.5", "null"] {
            let bad = read(format!(r#"{{"version":{version},"tools":[]}}"#).as_bytes()).unwrap_err();
            assert_eq!(bad.code, "unsupported_version", "{version}");
        }
        assert_eq!(read(br#"{"tools":[]}"#).unwrap_err().code, "unsupported_version");
    }

    #[test]
    fn more_than_20_tools_are_refused() {
        let tools: Vec<_> = (0..21).map(|n| tool(&format!("t{n}"), "d", "low", EMPTY)).collect();
        assert!(reason(&tools.join(",")).contains("21 tools"));
        assert!(with(&tools[..20].join(",")).is_ok());
    }

    #[test]
    fn more_than_20_fields_are_refused() {
        let fields: Vec<_> = (0..21).map(|n| format!(r#""f{n}":{{"type":"string"}}"#)).collect();
        assert!(reason(&tool("t", "d", "low", &schema(&fields.join(",")))).contains("21 fields"));
        assert!(with(&tool("t", "d", "low", &schema(&fields[..20].join(",")))).is_ok());
    }

    #[test]
    fn a_long_schema_is_refused_by_characters_and_not_by_white_space() {
        let of = |n: usize| schema(&format!(r#""f":{{"type":"string","description":"{}"}}"#, "é".repeat(n)));
        let room = 8_000 - of(0).len();
        assert!(with(&tool("t", "d", "low", &of(room))).is_ok());
        assert!(reason(&tool("t", "d", "low", &of(room + 1))).contains("8001 characters"));
        assert!(with(&tool("t", "d", "low", &of(room).replace(',', ",  "))).is_ok());
    }

    #[test]
    fn reserved_and_repeated_names_are_refused() {
        assert!(reason(&tool("requestHandoff", "d", "low", EMPTY)).contains("agent's own"));
        let one = tool("t", "d", "low", EMPTY);
        assert!(reason(&format!("{one},{one}")).contains("Two tools"));
    }

    #[test]
    fn what_goes_beyond_the_subset_is_refused() {
        for beyond in [
            r#"{"type":"object","properties":{},"additionalProperties":true}"#,
            r#"{"type":"object","properties":{}}"#,
            r#"{"type":"object","additionalProperties":false}"#,
            r#"{"type":"object","properties":{},"additionalProperties":false,"title":"x"}"#,
            r#"{"type":"object","properties":{},"required":["f"],"additionalProperties":false}"#,
            r#"{"type":"array","properties":{},"additionalProperties":false}"#,
        ] {
            assert!(with(&tool("t", "d", "low", beyond)).is_err(), "{beyond}");
        }
        for field in
            [r#"{"type":"object"}"#, r#"{"type":"string","minLength":1}"#, r#"{"type":["string"]}"#, "7"]
        {
            assert!(with(&tool("t", "d", "low", &schema(&format!("\"f\":{field}")))).is_err(), "{field}");
        }
    }

    #[test]
    fn an_unknown_risk_is_refused() {
        assert!(reason(&tool("t", "d", "harmless", EMPTY)).contains("risk"));
    }

    #[test]
    fn what_is_only_this_projects_reading_warns() {
        let manifest = with(&tool("order-status", " ", "low", EMPTY)).unwrap();
        assert_eq!(manifest.warnings.len(), 2);
        let padding = " ".repeat(501_000);
        let manifest = read(format!(r#"{{"version":1,"tools":[]{padding}}}"#).as_bytes()).unwrap();
        assert_eq!(manifest.warnings.len(), 1);
        let padding = " ".repeat(512_000);
        let bad = read(format!(r#"{{"version":1,"tools":[]{padding}}}"#).as_bytes()).unwrap_err();
        assert_eq!(bad.code, "manifest_too_large");
    }

    #[test]
    fn a_choice_keeps_its_texts_and_fields_their_order() {
        let tool =
            tool("t", "d", "low", &schema(r#""z":{"type":"string","enum":["b","a"]},"a":{"type":"number"}"#));
        let manifest = with(&tool).unwrap();
        let fields = &manifest.tools[0].fields;
        assert_eq!(fields[0].name, "z");
        assert_eq!(fields[0].choices.as_deref(), Some(["b".to_owned(), "a".to_owned()].as_slice()));
    }
}
