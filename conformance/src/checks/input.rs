//! The input of a call, generated from the endpoint's own manifest.
//!
//! These requests go to real tools. Each has one fault for which every endpoint refuses it before the tool runs, so
//! that nothing runs that was not allowed to; what a right endpoint may take needs leave to run the tool.

use median_edge::Code;

use crate::check::{Check, MANIFEST, POST, RAW, Skip, must, should};
use crate::json::quoted;
use crate::manifest::{Field, Kind, Tool};
use crate::plan::Plan;
use crate::probe::{Expected, Probe};
use crate::requirement::Area::Input;

/// The most requests of one check: an endpoint may have 20 tools of 20 fields.
const MOST: usize = 24;

const UNFIT: &[Code] = &[Code::InvalidInput, Code::InvalidBody];

pub(crate) const CHECKS: &[Check] = &[
    must(Input, "input-required", "IN-3", "A field that is needed and missing is 400 invalid_input.")
        .why("The agent reads the message and mends its call; any other answer ends there.")
        .mend("Validate the input against the schema before the tool runs.")
        .needs(&[MANIFEST, POST])
        .ask(required),
    must(Input, "input-null-required", "IN-5", "`null` in a field that is needed is 400 invalid_input.")
        .why("null counts as absent.")
        .mend("Treat null as if the field were not there.")
        .needs(&[MANIFEST, POST])
        .ask(null_required),
    must(Input, "input-string", "IN-4", "A string is a string: nothing is converted to one.")
        .why("An order number of 1042 and one of \"1042\" are not the same to everyone.")
        .mend("Check the type, and convert nothing.")
        .needs(&[MANIFEST, POST])
        .ask(string),
    must(Input, "input-number", "IN-4", "A number is a number: \"12\" is not one.")
        .why("\"1e3\" and \"0x10\" are numbers to some converters.")
        .mend("Check the type, and convert nothing.")
        .needs(&[MANIFEST, POST])
        .ask(number),
    must(Input, "input-boolean", "IN-4", "A boolean is a boolean: 1 and \"true\" are none.")
        .why("\"false\" is true in many languages.")
        .mend("Check the type, and convert nothing.")
        .needs(&[MANIFEST, POST])
        .ask(boolean),
    must(Input, "input-scalar", "IN-1", "A field takes one scalar: objects and lists are 400 invalid_input.")
        .why("Code that expects a text and gets an object fails in its own way, or worse, queries with it.")
        .mend("Check the type of each field.")
        .needs(&[MANIFEST, POST])
        .ask(scalar),
    must(Input, "input-choice", "IN-3", "A text that is not one of an enum's is 400 invalid_input.")
        .why("The schema promised a closed set.")
        .mend("Compare with the choices, exactly.")
        .needs(&[MANIFEST, POST])
        .ask(choice),
    must(Input, "input-finite", "IN-6", "A number that is not finite is refused.")
        .why("Infinity passes every lower bound, and NaN fails no comparison.")
        .mend("Refuse numbers that are not finite, and JSON with NaN or Infinity in it.")
        .needs(&[MANIFEST, POST, RAW])
        .ask(finite),
    should(Input, "input-too-large", "IN-7", "1e999 is 400 invalid_input and names the field.")
        .why("It is JSON, and the agent can mend it.")
        .mend("Read numbers as text first, or catch the overflow of one field.")
        .needs(&[MANIFEST, POST, RAW])
        .ask(too_large),
    should(Input, "input-names-field", "IN-9", "The message of invalid_input names the field.")
        .why("The agent mends what it is told; without a name it guesses.")
        .mend("Put the field, what belongs there and what came into the message.")
        .needs(&["input-required"])
        .send(names_field),
    should(Input, "input-order", "IN-9", "Of two wrong fields, the one that is declared first is named.")
        .why("The same call gets the same answer each time.")
        .mend("Check fields in the order of the schema.")
        .needs(&["input-names-field"])
        .ask(order),
    should(
        Input,
        "input-unknown-field",
        "IN-8",
        "A field that the tool does not declare is 400 invalid_input, even when it is null.",
    )
    .why("A field that is dropped is an instruction that is dropped.")
    .mend("Refuse names that are not in the schema: it says additionalProperties false.")
    .needs(&[MANIFEST, POST])
    .ask(unknown_field),
    should(Input, "input-half-pair", "IN-12", "Half of a surrogate pair in a text is 400 invalid_input.")
        .why("The tool would act on a text that nobody wrote.")
        .mend("Refuse lone surrogates in the input, and name the field.")
        .needs(&[MANIFEST, POST, RAW])
        .ask(half_pair),
    must(Input, "input-null-optional", "IN-5", "`null` in an optional field counts as absent.")
        .why("Models write null for what they leave out.")
        .mend("Treat null as if the field were not there.")
        .needs(&[MANIFEST, POST])
        .ask(null_optional),
];

/// Sends inputs with one wrong field each. `values` gives the wrong values of a field, as JSON.
fn refused(
    probe: &mut Probe<'_>,
    what: &str,
    expected: Expected,
    values: impl Fn(&Tool, &Field) -> Vec<Option<String>>,
) -> Result<(), Skip> {
    let mut left = MOST;
    for tool in probe.refusing() {
        for field in &tool.fields {
            for value in values(&tool, field) {
                if left == 0 {
                    return Ok(());
                }
                left -= 1;
                let shown = value.as_deref().unwrap_or("left out");
                let case = format!("{} of {}: {shown}", field.name, tool.name);
                let input = tool.with(&[(&field.name, value.as_deref())]);
                let call = probe.call(&tool, &input).json();
                probe.expect(&case, Plan::post(call), expected);
            }
        }
    }
    if left == MOST {
        return Skip::because(format!(
            "no tool of low or medium risk has {what}; --call TOOL lets it look at others"
        ));
    }
    Ok(())
}

const INVALID: Expected = Expected::Code(Code::InvalidInput);

fn texts(values: &[&str]) -> Vec<Option<String>> {
    values.iter().map(|&value| Some(value.to_owned())).collect()
}

fn required(probe: &mut Probe<'_>) -> Result<(), Skip> {
    let missing = |_: &Tool, field: &Field| if field.required { vec![None] } else { Vec::new() };
    refused(probe, "a field that is needed", INVALID, missing)
}

fn null_required(probe: &mut Probe<'_>) -> Result<(), Skip> {
    refused(probe, "a field that is needed", INVALID, |_, field| {
        if field.required { texts(&["null"]) } else { Vec::new() }
    })
}

/// Wrong values for fields of one kind.
fn of_kind(probe: &mut Probe<'_>, what: &str, kind: &Kind, values: &[&str]) -> Result<(), Skip> {
    refused(probe, what, INVALID, |_, field| if field.kind == *kind { texts(values) } else { Vec::new() })
}

fn string(probe: &mut Probe<'_>) -> Result<(), Skip> {
    of_kind(probe, "a field of type string", &Kind::Text, &["12", "true"])
}

fn number(probe: &mut Probe<'_>) -> Result<(), Skip> {
    of_kind(probe, "a field of type number", &Kind::Number, &["\"12\"", "\"\"", "true"])
}

fn boolean(probe: &mut Probe<'_>) -> Result<(), Skip> {
    of_kind(probe, "a field of type boolean", &Kind::Bool, &["1", "0", "\"true\"", "\"false\""])
}

fn scalar(probe: &mut Probe<'_>) -> Result<(), Skip> {
    refused(probe, "a field", INVALID, |_, field| match field.kind {
        Kind::Other => Vec::new(),
        _ => texts(&["{}", "[\"a\"]"]),
    })
}

fn choice(probe: &mut Probe<'_>) -> Result<(), Skip> {
    refused(probe, "a field with an enum", INVALID, |_, field| {
        let Kind::Choice(choices) = &field.kind else {
            return Vec::new();
        };
        let other = |text: &String| !text.is_empty() && !choices.contains(text);
        let cases = choices.iter().take(1).flat_map(|choice| {
            [choice.to_uppercase(), choice.to_lowercase(), format!("{choice} "), format!("{choice}x")]
        });
        cases.filter(other).map(|text| Some(quoted(&text))).chain(texts(&["\"\"", "0"])).collect()
    })
}

fn finite(probe: &mut Probe<'_>) -> Result<(), Skip> {
    refused(probe, "a field of type number", Expected::OneOf(UNFIT), |_, field| match field.kind {
        Kind::Number => texts(&["1e999", "-1e999", "NaN", "Infinity", "-Infinity"]),
        _ => Vec::new(),
    })
}

fn too_large(probe: &mut Probe<'_>) -> Result<(), Skip> {
    let tools = probe.refusing();
    let is_number = |field: &&Field| field.kind == Kind::Number;
    let Some((tool, field)) = tools.iter().find_map(|tool| Some((tool, tool.fields.iter().find(is_number)?)))
    else {
        return Skip::because(
            "no tool of low or medium risk has a field of type number; --call TOOL lets it look at others",
        );
    };
    let call = probe.call(tool, &tool.with(&[(&field.name, Some("1e999"))])).json();
    let case = format!("{} of {}", field.name, tool.name);
    probe.code(&case, Plan::post(call.clone()), Code::InvalidInput);
    probe.mentions(&case, Plan::post(call), Code::InvalidInput, &[&field.name]);
    Ok(())
}

fn names_field(probe: &mut Probe<'_>) {
    for tool in probe.refusing() {
        for field in tool.fields.iter().filter(|field| field.required).take(3) {
            for (case, value) in [("missing", None), ("a list", Some("[]"))] {
                let call = probe.call(&tool, &tool.with(&[(&field.name, value)])).json();
                let case = format!("{} of {}: {case}", field.name, tool.name);
                probe.mentions(&case, Plan::post(call), Code::InvalidInput, &[&field.name]);
            }
        }
    }
}

fn order(probe: &mut Probe<'_>) -> Result<(), Skip> {
    let mut looked = false;
    for tool in probe.refusing() {
        let fields: Vec<_> = tool.fields.iter().filter(|field| field.kind != Kind::Other).collect();
        let [first, .., last] = fields.as_slice() else {
            continue;
        };
        // A name that is part of the other one could not be told from it.
        if first.name.contains(&last.name) || last.name.contains(&first.name) {
            continue;
        }
        looked = true;
        // The last one comes first in the body: what counts is the schema.
        let input = format!("{{{}:[],{}:[]}}", quoted(&last.name), quoted(&first.name));
        let call = probe.call(&tool, &input).json();
        let case = format!("{} and {} of {}", first.name, last.name, tool.name);
        probe.mentions(&case, Plan::post(call), Code::InvalidInput, &[&first.name]);
    }
    if looked { Ok(()) } else { Skip::because("no tool of low or medium risk has two fields") }
}

/// Changes good inputs of the tools that may run, so that they must be refused all the same.
fn refused_where_it_may_run(
    probe: &mut Probe<'_>,
    change: impl Fn(&Tool) -> Vec<(String, String)>,
) -> Result<(), Skip> {
    for (tool, input) in probe.runnable()? {
        for (field, value) in change(&tool) {
            let members = input.trim().trim_start_matches('{').trim_end_matches('}').trim();
            let own = if tool.fields.iter().any(|f| f.name == field) {
                tool.with(&[(&field, Some(&value))])
            } else {
                let comma = if members.is_empty() { "" } else { "," };
                format!("{{{members}{comma}{}:{value}}}", quoted(&field))
            };
            let call = probe.call(&tool, &own).json();
            let case = format!("{field} of {}: {value}", tool.name);
            probe.code(&case, Plan::post(call), Code::InvalidInput);
        }
    }
    Ok(())
}

fn unknown_field(probe: &mut Probe<'_>) -> Result<(), Skip> {
    refused_where_it_may_run(probe, |_| {
        let field = |value: &str| ("medianEdgeCheck".to_owned(), value.to_owned());
        vec![field("1"), field("null")]
    })
}

fn half_pair(probe: &mut Probe<'_>) -> Result<(), Skip> {
    refused_where_it_may_run(probe, |tool| {
        let texts = tool.fields.iter().filter(|field| field.kind == Kind::Text);
        texts.map(|field| (field.name.clone(), "\"a\\ud83d\"".to_owned())).collect()
    })
}

fn null_optional(probe: &mut Probe<'_>) -> Result<(), Skip> {
    let mut looked = false;
    for (tool, input) in probe.runnable()? {
        let plain = probe.call(&tool, &input).json();
        // Whether a good call is answered as one is looked at elsewhere.
        if probe.send(Plan::post(plain)).result().is_none() {
            continue;
        }
        for field in tool.fields.iter().filter(|field| !field.required) {
            let members = input.trim().trim_start_matches('{').trim_end_matches('}').trim();
            // An input that was given may have the field already.
            if members.contains(&quoted(&field.name)) {
                continue;
            }
            looked = true;
            let comma = if members.is_empty() { "" } else { "," };
            let call = probe.call(&tool, &format!("{{{members}{comma}{}:null}}", quoted(&field.name))).json();
            probe.expect(&format!("{} of {}", field.name, tool.name), Plan::post(call), Expected::Ran);
        }
    }
    if looked {
        Ok(())
    } else {
        Skip::because("no tool that may run has an optional field, and takes its input")
    }
}
