//! `manifest`: an endpoint's tools; and the manifest as other commands need it.

use std::collections::HashSet;

use median_edge::APPLICATION_MANIFEST_PATH;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::args::ManifestOptions;
use crate::call::reading::error_of;
use crate::failure::{Exit, Failure};
use crate::http::{Address, Answer, Client};
use crate::json::{self, Members};
use crate::keys::Signing;
use crate::table::table;
use crate::text::{grouped, start_of};
use crate::{application, clock, hints, terminal};

/// The version that the protocol has.
const VERSION: &str = "1";

/// The most tools that are shown: an endpoint may write any number, where the platform takes 20.
const MOST_SHOWN: usize = 100;

/// The most fields of a tool that are shown, of which the platform takes 20, and about how many bytes of them: what a
/// cell of a table has room for.
const MOST_FIELDS: usize = 40;
const FIELDS_SHOWN_BYTES: usize = 3_000;

/// What is shown of a field, or of why there is no manifest.
const LONGEST_SHOWN: usize = 500;

/// A manifest as far as it is shown. What an endpoint writes beyond that is not looked at.
#[derive(Debug, Deserialize)]
pub(crate) struct Manifest {
    version: Box<RawValue>,
    pub(crate) tools: Vec<Entry>,
    #[serde(default)]
    diagnostics: bool,
}

/// One tool.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Entry {
    pub(crate) name: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    pub(crate) risk: String,
    #[serde(default)]
    pub(crate) input_schema: Schema,
}

/// A tool's fields.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Schema {
    #[serde(default)]
    pub(crate) properties: Members<Property>,
    #[serde(default)]
    required: Vec<String>,
}

/// One field.
#[derive(Debug, Deserialize)]
pub(crate) struct Property {
    #[serde(rename = "type")]
    kind: Option<Box<RawValue>>,
    #[serde(rename = "enum")]
    choices: Option<Vec<Box<RawValue>>>,
}

impl Manifest {
    /// Reads a manifest that an endpoint answered with 200.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, Failure> {
        serde_json::from_slice(bytes).map_err(|error| {
            let message = if error_of(bytes).is_some() {
                "The endpoint answered 200 with an error in the place of a manifest.".to_owned()
            } else {
                let why = start_of(&error.to_string(), LONGEST_SHOWN);
                format!("The endpoint answered 200, but not with a manifest: {why}.")
            };
            Failure::answered(200, "not_a_manifest", message)
                .hint(r#"A manifest is {"version":1,"tools":[…]}. Check that the address is the endpoint's."#)
        })
    }

    pub(crate) fn tool(&self, name: &str) -> Option<&Entry> {
        self.tools.iter().find(|tool| tool.name == name)
    }
}

impl Property {
    /// The JSON Schema type: of several the first that is not null.
    pub(crate) fn kind(&self) -> Option<String> {
        let kind = self.kind.as_ref()?;
        json::string(kind).or_else(|| {
            let several: Vec<String> = serde_json::from_str(kind.get()).ok()?;
            several.into_iter().find(|kind| kind != "null")
        })
    }

    /// The type, or the texts to choose from, for people.
    fn shown(&self) -> String {
        match &self.choices {
            Some(choices) => choices
                .iter()
                .take(LONGEST_SHOWN)
                .map(|choice| json::string(choice).unwrap_or_else(|| choice.get().to_owned()))
                .collect::<Vec<_>>()
                .join("|"),
            None => self.kind().unwrap_or_else(|| "any".to_owned()),
        }
    }
}

impl Schema {
    /// A field on each line: `amount number`, and `?` where it may be absent.
    pub(crate) fn shown(&self) -> String {
        let required: HashSet<&str> = self.required.iter().map(String::as_str).collect();
        let field = |(name, property): &(String, Property)| {
            let optional = if required.contains(name.as_str()) { "" } else { "?" };
            start_of(&format!("{name}{optional} {}", property.shown()), LONGEST_SHOWN)
        };
        let fields = &self.properties.0;
        let mut room = FIELDS_SHOWN_BYTES;
        let fitting = fields.iter().take(MOST_FIELDS).map(field).take_while(|line| {
            let fits = room > 0;
            room = room.saturating_sub(line.len());
            fits
        });
        let mut lines: Vec<_> = fitting.collect();
        if let more @ 1.. = fields.len() - lines.len() {
            lines.push(format!("… and {} more", grouped(more)));
        }
        lines.join("\n")
    }
}

pub(crate) fn run(options: &ManifestOptions, signing: &Signing, as_json: bool) -> Result<Exit, Failure> {
    let address = Address::parse(&options.url)?;
    if options.application {
        let client = Client::new(address.at(APPLICATION_MANIFEST_PATH), options.wait.timeout);
        let (document, answer) = application::fetch(&client, signing)?;
        return print(&answer, as_json, |width| document.shown(answer.body.len(), width));
    }
    let client = Client::new(address, options.wait.timeout);
    let (manifest, answer) = fetch(&client, signing)?;
    print(&answer, as_json, |width| shown(&manifest, &answer, width))
}

fn print(answer: &Answer, as_json: bool, shown: impl FnOnce(u16) -> String) -> Result<Exit, Failure> {
    if as_json && terminal::is_seen() {
        // The same JSON, and nothing in it that the terminal would act on.
        terminal::print(&format!("{}\n", json::safe(&String::from_utf8_lossy(&answer.body))))?;
    } else if as_json {
        terminal::print_bytes(&answer.body)?;
    } else {
        terminal::print(&shown(terminal::width()))?;
    }
    Ok(Exit::Good)
}

/// Asks an endpoint for its manifest.
pub(crate) fn fetch(client: &Client, signing: &Signing) -> Result<(Manifest, Answer), Failure> {
    let answer = client.get(&signing.sign(clock::now_ms(), b"")?)?;
    if answer.status != 200 {
        return Err(turned_away(&answer, signing.is_public()));
    }
    Ok((Manifest::parse(&answer.body)?, answer))
}

/// An answer that is not what was asked for, as a failure.
pub(crate) fn turned_away(answer: &Answer, public_key: bool) -> Failure {
    let error = error_of(&answer.body);
    let code = error.as_ref().map(|error| error.code.as_str());
    let hint = hints::for_error(answer.status, code, public_key);
    let message = match (&error, &answer.location) {
        (Some(error), _) => {
            format!(
                "The endpoint answered {} {}: {}",
                answer.status,
                start_of(&error.code, 200),
                start_of(&error.message, 1_000)
            )
        }
        (None, Some(location)) => {
            format!("The answer is {}, a redirect to {}.", answer.status, start_of(location, 300))
        }
        (None, None) => {
            format!(
                "The answer is {}, and not in the form of an endpoint: {}",
                answer.status,
                body_shown(&answer.body)
            )
        }
    };
    Failure::answered(answer.status, code.unwrap_or("not_an_endpoint"), message).hint(hint)
}

/// The start of a body that is in no known form.
pub(crate) fn body_shown(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    match text.trim() {
        "" => "an empty body.".to_owned(),
        text => start_of(text, 200),
    }
}

fn shown(manifest: &Manifest, answer: &Answer, width: u16) -> String {
    let rows = manifest.tools.iter().take(MOST_SHOWN).map(|tool| {
        vec![tool.name.clone(), tool.risk.clone(), tool.input_schema.shown(), tool.description.clone()]
    });
    let tools = match manifest.tools.len() {
        1 => "1 tool".to_owned(),
        count => format!("{count} tools"),
    };
    let diagnostics = if manifest.diagnostics { "with diagnostics" } else { "no diagnostics" };
    let bytes = grouped(answer.body.len());

    let mut lines = Vec::new();
    if !manifest.tools.is_empty() {
        lines.push(table(&["tool", "risk", "fields", "description"], rows, width));
    }
    let legend = if manifest.tools.is_empty() { "" } else { " A field with ? may be left out." };
    if let more @ 1.. = manifest.tools.len().saturating_sub(MOST_SHOWN) {
        lines.push(format!("{} more are not shown.", grouped(more)));
    }
    lines.push(format!("{tools}, {diagnostics}, {bytes} bytes.{legend}"));
    let version = manifest.version.get();
    if version != VERSION {
        let version = start_of(version, 40);
        lines.push(format!(
            "Its version is {version}. The platform knows version {VERSION} and refuses others."
        ));
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::{Manifest, Schema};

    #[test]
    fn fields_are_shown_in_their_order_with_their_types() {
        let manifest: Manifest = serde_json::from_str(
            r#"{"version":1,"tools":[{"name":"t","inputSchema":{"type":"object","required":["z"],"properties":{
                "z":{"type":"string"},"a":{"type":["null","number"]},"c":{"type":"string","enum":["x","y"]},"n":{}}}}]}"#,
        )
        .unwrap();
        assert_eq!(manifest.tool("t").unwrap().input_schema.shown(), "z string\na? number\nc? x|y\nn? any");
    }

    #[test]
    fn of_many_fields_the_first_are_shown_and_the_rest_counted() {
        let fields = |count: usize| {
            let fields: Vec<_> = (0..count).map(|at| format!(r#""f{at}":{{}}"#)).collect();
            let json = format!(r#"{{"properties":{{{}}}}}"#, fields.join(","));
            serde_json::from_str::<Schema>(&json).unwrap().shown()
        };
        assert!(fields(40).ends_with("\nf39? any"));
        assert!(fields(41).ends_with("\nf39? any\n… and 1 more"));
        assert_eq!(fields(2_000).lines().count(), 41);

        let long: Vec<_> = (0..20).map(|at| format!(r#""f{at}{}":{{}}"#, "x".repeat(900))).collect();
        let long = format!(r#"{{"properties":{{{}}}}}"#, long.join(","));
        let long = serde_json::from_str::<Schema>(&long).unwrap().shown();
        assert!(long.ends_with("\n… and 14 more") && long.lines().count() == 7, "{long}");
    }

    #[test]
    fn a_manifest_needs_a_version_and_tools() {
        assert!(serde_json::from_str::<Manifest>(r#"{"version":1,"tools":[]}"#).is_ok());
        assert!(serde_json::from_str::<Manifest>(r#"{"tools":[]}"#).is_err());
        assert!(serde_json::from_str::<Manifest>(r#"{"version":1}"#).is_err());
    }
}
