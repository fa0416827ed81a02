//! The envelope of a tool call. The tool of these calls does not exist, so that nothing can run.

use median_edge::Code;

use crate::check::{Check, MANIFEST, POST, RAW, Skip, must, should};
use crate::json::quoted;
use crate::plan::Plan;
use crate::probe::Probe;
use crate::requirement::Area::Calls;

/// A call to a tool that does not exist is answered as one; what is in the envelope can be told apart by it.
const UNKNOWN: &str = "call-unknown-tool";
/// Where the tool is looked up first, a call to nobody says nothing of its envelope.
const SHAPE_FIRST: &str = "call-shape-first";

pub(crate) const CHECKS: &[Check] = &[
    must(Calls, UNKNOWN, "CALL-9", "A tool that does not exist is 404 unknown_tool.")
        .why("The synced list can be behind, and the operator has to see that.")
        .mend("Look the name up, and answer 404 unknown_tool when it is not there.")
        .needs(&[POST])
        .send(unknown_tool),
    must(Calls, "call-unknown-tool-message", "CALL-9", "The message of unknown_tool says to sync again.")
        .why("That is what mends it.")
        .mend("Say in the message that the endpoint has to be synced again.")
        .needs(&[UNKNOWN])
        .send(sync_again),
    must(Calls, "call-name-inherited", "CALL-9", "Names that every object of a language has are unknown_tool too.")
        .why("Looked up in a plain object, `constructor` and `toString` are found, and are run or fail with a 500.")
        .mend("Look tools up in a map, or among an object's own members.")
        .needs(&[UNKNOWN])
        .send(inherited),
    must(Calls, "call-name-exact", "CALL-9", "Names are compared exactly.")
        .why("What was approved under one name must not run under another.")
        .mend("Compare names byte for byte.")
        .needs(&[MANIFEST, UNKNOWN])
        .ask(exact),
    must(Calls, "call-ids-opaque", "CALL-4", "Any text will do as `toolCallId` and as `conversationId`.")
        .why("A call that was approved carries the id of the approval: no form is promised.")
        .mend("Take ids as they are: no pattern, no length.")
        .needs(&[UNKNOWN])
        .send(opaque),
    must(Calls, "call-approved-by", "CALL-8", "Any text will do as `approvedBy`.")
        .why("It is a teammate's name, in any script.")
        .mend("Take it as it is.")
        .needs(&[UNKNOWN])
        .send(approved_by),
    must(Calls, "call-optional-members", "CALL-1", "`externalId`, `email`, `name` and `approvedBy` may be left out.")
        .why("A visitor who is not signed in has none of them.")
        .mend("Make them optional.")
        .needs(&[UNKNOWN])
        .send(optional),
    must(Calls, "call-risks", "CALL-1", "Each of the four risks is taken.")
        .why("The list that was synced says which one it is.")
        .mend("Take low, medium, reviewed and high in context.risk.")
        .needs(&[UNKNOWN])
        .send(risks),
    should(Calls, SHAPE_FIRST, "ORDER-1", "The shape of a call is looked at before its tool is looked up.")
        .why("One order of checks means one answer, whatever else is wrong.")
        .mend("Check the envelope first.")
        .needs(&[UNKNOWN])
        .send(shape_first),
    should(Calls, "call-members", "CALL-2", "A required member that is missing is 400 invalid_body.")
        .why("A tool must not have to guess who is asking.")
        .mend("Check the envelope before the tool's name is looked up.")
        .needs(&[SHAPE_FIRST])
        .send(missing),
    should(Calls, "call-types", "CALL-2", "A member of another type is 400 invalid_body.")
        .why("`\"false\"` is true in many languages.")
        .mend("Check the type of each member, and the four risks.")
        .needs(&[SHAPE_FIRST])
        .send(types),
    should(Calls, "call-path", "CALL-2", "The message of invalid_body names the path of the member.")
        .why("It is what the operator looks for.")
        .mend("Name the path, like context.visitor.verified.")
        .needs(&["call-members"])
        .send(path),
    should(Calls, "call-null", "CALL-3", "`null` in an optional member counts as absent.")
        .why("Senders write null for what they do not have.")
        .mend("Treat null as if the member were not there.")
        .needs(&[UNKNOWN])
        .send(null),
    should(Calls, "call-other-members", "BODY-4", "Members that the protocol does not name are ignored at every level.")
        .why("The platform can add one without breaking every endpoint.")
        .mend("Read the members you know, and pass over the others.")
        .needs(&[UNKNOWN])
        .send(other_members),
    should(Calls, "call-name-half-pair", "BODY-7", "Half of a surrogate pair in `name` or `email` does not fail the call.")
        .why("A page that cuts a name in the middle of an emoji sends it.")
        .mend("Replace it by U+FFFD there.")
        .needs(&[UNKNOWN, RAW])
        .send(half_pair),
    should(Calls, "call-duplicates", "BODY-3", "A member that is given twice is 400 invalid_body, in the envelope and in the input.")
        .why("Of two values, one layer checks the first and the next one runs the last.")
        .mend("Use a reader that reports duplicates.")
        .needs(&[SHAPE_FIRST, RAW])
        .send(duplicates),
    should(Calls, "call-id-half-pair", "BODY-7", "Half of a surrogate pair in an id is 400 invalid_body.")
        .why("It is not text: as an idempotency key it would change on its way to a database.")
        .mend("Check ids for lone surrogates.")
        .needs(&[SHAPE_FIRST, RAW])
        .send(id_half_pair),
];

fn unknown_tool(probe: &mut Probe<'_>) {
    let call = probe.call_to_nobody().json();
    probe.code("a name that nobody has", Plan::post(call), Code::UnknownTool);
    let call = probe.call_to_nobody().set("tool", "\"\"").json();
    probe.code("an empty name", Plan::post(call), Code::UnknownTool);
}

fn sync_again(probe: &mut Probe<'_>) {
    let call = probe.call_to_nobody().json();
    probe.mentions("a name that nobody has", Plan::post(call), Code::UnknownTool, &["sync"]);
}

fn inherited(probe: &mut Probe<'_>) {
    for name in ["constructor", "toString", "__proto__", "hasOwnProperty", "__init__", "__class__"] {
        let call = probe.call_to_nobody().set("tool", &quoted(name)).json();
        probe.code(name, Plan::post(call), Code::UnknownTool);
    }
}

fn exact(probe: &mut Probe<'_>) -> Result<(), Skip> {
    let tools = probe.refusing();
    // With a field missing, so that nothing runs even where the name is found.
    let Some(tool) = tools.iter().find(|tool| tool.required().is_some()) else {
        return Skip::because("no tool of low or medium risk has a field that is needed");
    };
    let known = |name: &String| tools.iter().any(|tool| tool.name == *name);
    let names = [
        tool.name.to_uppercase(),
        tool.name.to_lowercase(),
        format!("{} ", tool.name),
        format!(" {}", tool.name),
    ];
    for name in names.into_iter().filter(|name| !known(name)) {
        let call = probe.call(tool, "{}").set("tool", &quoted(&name)).json();
        probe.code(&format!("{name:?}"), Plan::post(call), Code::UnknownTool);
    }
    Ok(())
}

fn opaque(probe: &mut Probe<'_>) {
    let long = "x".repeat(300);
    for id in ["1", "a b/c?d#e", "é😀", "0b4c2f5e-7d1c-4a39-9d8b-1f1f5b0a7c11", long.as_str()] {
        for path in ["toolCallId", "context.conversationId"] {
            let call = probe.call_to_nobody().set(path, &quoted(id)).json();
            probe.code(&format!("{path} {id}"), Plan::post(call), Code::UnknownTool);
        }
    }
}

fn approved_by(probe: &mut Probe<'_>) {
    for name in ["A test from the CLI", "The reviewer", "A teammate", "Zoë Ōkubo 😀"] {
        let call = probe.call_to_nobody().set("context.approvedBy", &quoted(name)).json();
        probe.code(name, Plan::post(call), Code::UnknownTool);
    }
}

fn optional(probe: &mut Probe<'_>) {
    let call = probe.call_to_nobody().set("context.visitor", r#"{"verified":false}"#).json();
    probe.code("a visitor of whom nothing is known", Plan::post(call), Code::UnknownTool);
    let visitor = r#"{"verified":true,"externalId":"u","email":"ana@example.org","name":"Ana"}"#;
    let call = probe.call_to_nobody().set("context.visitor", visitor).json();
    probe.code("a visitor with all of them", Plan::post(call), Code::UnknownTool);
}

fn risks(probe: &mut Probe<'_>) {
    for risk in ["low", "medium", "reviewed", "high"] {
        let call = probe.call_to_nobody().set("context.risk", &quoted(risk)).json();
        probe.code(risk, Plan::post(call), Code::UnknownTool);
    }
}

const REQUIRED: [&str; 7] = [
    "toolCallId",
    "input",
    "context",
    "context.conversationId",
    "context.risk",
    "context.visitor",
    "context.visitor.verified",
];

fn missing(probe: &mut Probe<'_>) {
    for path in REQUIRED {
        let call = probe.call_to_nobody().without(path);
        probe.code(path, Plan::post(call.json()), Code::InvalidBody);
    }
}

fn types(probe: &mut Probe<'_>) {
    for (path, json) in [
        ("toolCallId", "7"),
        ("input", "[]"),
        ("input", "null"),
        ("input", "\"{}\""),
        ("context", "[]"),
        ("context.conversationId", "null"),
        ("context.risk", "\"extreme\""),
        ("context.risk", "\"Low\""),
        ("context.approvedBy", "true"),
        ("context.visitor", "\"u\""),
        ("context.visitor.verified", "\"true\""),
        ("context.visitor.verified", "1"),
        ("context.visitor.externalId", "7"),
        ("context.visitor.email", "[]"),
        ("context.visitor.name", "{}"),
    ] {
        let call = probe.call_to_nobody().set(path, json);
        probe.code(&format!("{path} {json}"), Plan::post(call.json()), Code::InvalidBody);
    }
    let call = probe.call_to_nobody().set("tool", "7");
    probe.code("tool 7", Plan::post(call.json()), Code::InvalidBody);
}

fn path(probe: &mut Probe<'_>) {
    for path in REQUIRED {
        let call = probe.call_to_nobody().without(path).json();
        probe.mentions(&format!("without {path}"), Plan::post(call), Code::InvalidBody, &[path]);
    }
}

fn null(probe: &mut Probe<'_>) {
    for path in
        ["context.approvedBy", "context.visitor.externalId", "context.visitor.email", "context.visitor.name"]
    {
        let call = probe.call_to_nobody().set(path, "null").json();
        probe.code(path, Plan::post(call), Code::UnknownTool);
    }
}

fn other_members(probe: &mut Probe<'_>) {
    for path in ["later", "context.later", "context.visitor.later"] {
        let call = probe.call_to_nobody().set(path, r#"{"a":[null,1.5,"x"]}"#).json();
        probe.code(path, Plan::post(call), Code::UnknownTool);
    }
}

fn half_pair(probe: &mut Probe<'_>) {
    for path in ["context.visitor.name", "context.visitor.email"] {
        let call = probe.call_to_nobody().set(path, "\"Ana \\ud83d\"").json();
        probe.code(path, Plan::post(call), Code::UnknownTool);
    }
}

fn shape_first(probe: &mut Probe<'_>) {
    let call = probe.call_to_nobody().without("context").json();
    let exchange = probe.send(Plan::post(call));
    if matches!(exchange.error(), Some(("unknown_tool", _))) {
        probe.wrong("a call without context to a tool that does not exist", &exchange, "400 invalid_body");
    }
}

fn duplicates(probe: &mut Probe<'_>) {
    let json = probe.call_to_nobody().json();
    let twice = json.replacen("\"toolCallId\"", "\"toolCallId\":\"a\",\"toolCallId\"", 1);
    probe.code("toolCallId", Plan::post(twice), Code::InvalidBody);
    let twice = json.replacen("\"verified\":true", "\"verified\":false,\"verified\":true", 1);
    probe.code("context.visitor.verified", Plan::post(twice), Code::InvalidBody);
    let twice = json.replacen("\"input\":{}", "\"input\":{\"a\":1,\"a\":2}", 1);
    probe.code("a field of the input", Plan::post(twice), Code::InvalidBody);
}

fn id_half_pair(probe: &mut Probe<'_>) {
    for path in ["toolCallId", "context.conversationId"] {
        let call = probe.call_to_nobody().set(path, "\"a\\ud83d\"").json();
        probe.code(path, Plan::post(call), Code::InvalidBody);
    }
}
