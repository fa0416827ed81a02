//! The subset of JSON Schema that an `inputSchema` is written in.

use median_edge::limits::{MAX_FIELDS, MAX_SCHEMA_CHARACTERS};

use super::manifest::{read, start, tools};
use crate::check::{Check, MANIFEST, Skip, must, should};
use crate::json::Json;
use crate::probe::Probe;
use crate::requirement::Area::Manifest;

pub(crate) const CHECKS: &[Check] = &[
    must(Manifest, "schema-object", "MAN-3", "An inputSchema has the type `object`, and its properties are objects.")
        .why("The platform refuses a manifest that goes beyond its subset.")
        .mend("Write \"type\":\"object\" and an object of properties.")
        .needs(&[MANIFEST])
        .ask(object),
    must(Manifest, "schema-closed", "MAN-3", "An inputSchema is closed: `additionalProperties` is false.")
        .why("Otherwise the agent may invent fields.")
        .mend("Write \"additionalProperties\":false.")
        .needs(&[MANIFEST])
        .ask(closed),
    must(Manifest, "schema-scalar", "MAN-3", "A field is one scalar: string, number or boolean.")
        .why("Nested objects, lists, unions and references are beyond the subset, and the platform refuses them.")
        .mend("Flatten the input. An optional field is left out of `required`; it is not a union with null.")
        .needs(&[MANIFEST])
        .ask(scalar),
    must(Manifest, "schema-required", "MAN-3", "`required` names fields that are there, each once.")
        .why("A call can never have a field that no schema describes.")
        .mend("List the names of properties, and nothing else.")
        .needs(&[MANIFEST])
        .ask(required),
    must(Manifest, "schema-fields-limit", "MAN-6", "A tool has at most 20 fields.")
        .why("The platform refuses more.")
        .mend("Take fields out, or split the tool.")
        .needs(&[MANIFEST])
        .ask(fields_limit),
    must(Manifest, "schema-size", "MAN-6", "A schema has at most 8,000 characters as JSON.")
        .why("The platform refuses a longer one.")
        .mend("Shorten descriptions and choices.")
        .needs(&[MANIFEST])
        .ask(size),
    should(Manifest, "schema-keywords", "MAN-4", "A schema has no keyword beyond the subset.")
        .why("Which others the platform takes is not published: one too many fails the sync of all tools.")
        .mend("Keep type, properties, required and additionalProperties, and in a property type, description and enum. Check ranges and lengths in the tool.")
        .needs(&[MANIFEST])
        .ask(keywords),
    should(Manifest, "schema-integer", "MAN-4", "An integer is given as `number`.")
        .why("The published subset is not known to have `integer`.")
        .mend("Give it as number, and check in the tool that it is whole.")
        .needs(&[MANIFEST])
        .ask(integer),
    should(Manifest, "schema-choices", "MAN-4", "An enum is a list of strings, each once, in a field of type string.")
        .why("A closed set of strings is all that an enum is known to be taken for.")
        .mend("List the strings.")
        .needs(&[MANIFEST])
        .ask(choices),
    should(Manifest, "schema-required-empty", "MAN-4", "`properties` is there even when it is empty, and `required` is left out when it would be.")
        .why("Older validators refuse an empty `required`.")
        .mend("Write \"properties\":{} for a tool without fields, and leave `required` out.")
        .needs(&[MANIFEST])
        .ask(empty),
];

/// Each schema that is an object, with a name for it.
fn schemas(probe: &Probe<'_>) -> Result<Vec<(String, Json)>, Skip> {
    let manifest = read(probe)?;
    let schema = |(tool, json): (String, &Json)| Some((tool, json.get("inputSchema")?.clone()));
    Ok(tools(&manifest).into_iter().filter_map(schema).collect())
}

fn fields(schema: &Json) -> &[(String, Json)] {
    schema.get("properties").and_then(Json::members).unwrap_or_default()
}

/// Each field, with a name for it.
fn all_fields(probe: &Probe<'_>) -> Result<Vec<(String, Json)>, Skip> {
    let named = |(tool, schema): &(String, Json)| -> Vec<_> {
        let name = |(field, json): &(String, Json)| (format!("{field} of {tool}"), json.clone());
        fields(schema).iter().map(name).collect()
    };
    Ok(schemas(probe)?.iter().flat_map(named).collect())
}

fn object(probe: &mut Probe<'_>) -> Result<(), Skip> {
    for (tool, schema) in schemas(probe)? {
        if schema.get("type").and_then(Json::text) != Some("object") {
            probe.wrong_with(&tool, "type object", start(schema.get("type")));
        }
        let properties = schema.get("properties");
        if properties.is_some_and(|properties| properties.members().is_none()) {
            probe.wrong_with(&tool, "properties, an object", start(properties));
        }
        for (name, property) in fields(&schema).iter().filter(|(_, property)| property.members().is_none()) {
            probe.wrong_with(&format!("{name} of {tool}"), "an object", start(Some(property)));
        }
    }
    Ok(())
}

fn closed(probe: &mut Probe<'_>) -> Result<(), Skip> {
    for (tool, schema) in schemas(probe)? {
        let more = schema.get("additionalProperties");
        if more != Some(&Json::Bool(false)) {
            probe.wrong_with(&tool, "additionalProperties false", start(more));
        }
    }
    Ok(())
}

fn scalar(probe: &mut Probe<'_>) -> Result<(), Skip> {
    for (field, json) in all_fields(probe)? {
        let kind = json.get("type");
        // An integer is a scalar; it has a check of its own.
        if !matches!(kind.and_then(Json::text), Some("string" | "number" | "integer" | "boolean")) {
            probe.wrong_with(&field, "type string, number or boolean", start(kind));
        }
    }
    Ok(())
}

fn required(probe: &mut Probe<'_>) -> Result<(), Skip> {
    for (tool, schema) in schemas(probe)? {
        let Some(required) = schema.get("required") else {
            continue;
        };
        let names: Option<Vec<_>> = required.list().and_then(|list| list.iter().map(Json::text).collect());
        let is_field = |name: &&str| fields(&schema).iter().any(|(field, _)| field == name);
        match names {
            None => probe.wrong_with(&tool, "required, a list of names", start(Some(required))),
            Some(names) => {
                if let Some(other) = names.iter().find(|name| !is_field(name)) {
                    probe.wrong_with(&tool, "required names fields only", (*other).to_owned());
                }
                let mut once = names.clone();
                once.sort_unstable();
                once.dedup();
                if once.len() < names.len() {
                    probe.wrong_with(&tool, "each name in required once", start(Some(required)));
                }
            }
        }
    }
    Ok(())
}

fn fields_limit(probe: &mut Probe<'_>) -> Result<(), Skip> {
    for (tool, schema) in schemas(probe)? {
        let count = fields(&schema).len();
        if count > MAX_FIELDS {
            probe.wrong_with(&tool, "at most 20 fields", count.to_string());
        }
    }
    Ok(())
}

fn size(probe: &mut Probe<'_>) -> Result<(), Skip> {
    for (tool, schema) in schemas(probe)? {
        let characters = schema.to_string().encode_utf16().count();
        if characters > MAX_SCHEMA_CHARACTERS {
            probe.wrong_with(&tool, "at most 8,000 characters of schema", format!("{characters}"));
        }
    }
    Ok(())
}

fn keywords(probe: &mut Probe<'_>) -> Result<(), Skip> {
    const OF_SCHEMA: [&str; 4] = ["type", "properties", "required", "additionalProperties"];
    const OF_FIELD: [&str; 3] = ["type", "description", "enum"];
    let others = |json: &Json, known: &[&str]| -> Vec<String> {
        let names = json.members().unwrap_or_default().iter().map(|(name, _)| name.clone());
        names.filter(|name| !known.contains(&name.as_str())).collect()
    };
    for (tool, schema) in schemas(probe)? {
        for name in others(&schema, &OF_SCHEMA) {
            probe.wrong_with(&tool, "no keyword beyond the subset", name);
        }
    }
    for (field, json) in all_fields(probe)? {
        for name in others(&json, &OF_FIELD) {
            probe.wrong_with(&field, "no keyword beyond the subset", name);
        }
    }
    Ok(())
}

fn integer(probe: &mut Probe<'_>) -> Result<(), Skip> {
    for (field, json) in all_fields(probe)? {
        if json.get("type").and_then(Json::text) == Some("integer") {
            probe.wrong_with(&field, "type number", "type integer");
        }
    }
    Ok(())
}

fn choices(probe: &mut Probe<'_>) -> Result<(), Skip> {
    for (field, json) in all_fields(probe)? {
        let Some(choices) = json.get("enum") else {
            continue;
        };
        let texts: Option<Vec<_>> = choices.list().and_then(|list| list.iter().map(Json::text).collect());
        let is_text = json.get("type").and_then(Json::text) == Some("string");
        let mut once = texts.clone().unwrap_or_default();
        once.sort_unstable();
        once.dedup();
        if !is_text || once.is_empty() || texts.is_some_and(|texts| texts.len() > once.len()) {
            probe.wrong_with(&field, "type string, and an enum of strings, each once", start(Some(&json)));
        }
    }
    Ok(())
}

fn empty(probe: &mut Probe<'_>) -> Result<(), Skip> {
    for (tool, schema) in schemas(probe)? {
        if schema.get("properties").is_none() {
            probe.wrong_with(&tool, "properties", "none");
        }
        if schema.get("required").and_then(Json::list).is_some_and(<[Json]>::is_empty) {
            probe.wrong_with(&tool, "no `required`", "an empty one");
        }
    }
    Ok(())
}
