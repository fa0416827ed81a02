//! The manifest: its shape, its limits, its names.

use median_edge::limits::{MAX_MANIFEST_BYTES, MAX_TOOLS, is_name, is_reserved};

use crate::check::{Check, GET, MANIFEST, Skip, must, should};
use crate::json::Json;
use crate::manifest::Manifest as Read;
use crate::plan::Plan;
use crate::probe::{Expected, Probe};
use crate::requirement::Area::Manifest;

/// 500 KB, in its widest reading.
const WIDEST_MANIFEST_BYTES: usize = 500 * 1024;

pub(crate) const CHECKS: &[Check] = &[
    must(
        Manifest,
        MANIFEST,
        "MAN-1",
        "The manifest has `version`, which is 1, and `tools`, an array of objects.",
    )
    .why("The platform refuses another version, and keeps the last tools that were good.")
    .mend("Answer {\"version\":1,\"tools\":[…]}.")
    .needs(&[GET])
    .ask(shape),
    must(
        Manifest,
        "manifest-tool-members",
        "MAN-2",
        "Each tool has a `name`, a `description`, a `risk` and an `inputSchema`.",
    )
    .why("A tool without one of them fails the sync of all.")
    .mend("Give each tool all four: three strings and an object.")
    .needs(&[MANIFEST])
    .ask(tool_members),
    must(Manifest, "manifest-risk", "RISK-1", "A risk is low, medium, reviewed or high.")
        .why("It decides whether a person sees a call before it runs.")
        .mend("Use one of the four, in lower case.")
        .needs(&[MANIFEST])
        .ask(risk),
    must(Manifest, "manifest-tools-limit", "MAN-6", "There are at most 20 tools.")
        .why("The platform refuses a longer list whole.")
        .mend("Take tools out, or join some; the 20 count over all endpoints of an organization.")
        .needs(&[MANIFEST])
        .ask(tools_limit),
    must(Manifest, "manifest-size", "MAN-6", "The manifest has at most 500 KB.")
        .why("The platform refuses a larger one whole.")
        .mend("Shorten descriptions and choices.")
        .needs(&[MANIFEST])
        .ask(size),
    should(Manifest, "manifest-size-strict", "MAN-7", "The manifest has at most 500,000 bytes.")
        .why("500 KB can be read in two ways, and this one is safe in both.")
        .mend("Shorten descriptions and choices.")
        .needs(&[MANIFEST])
        .ask(strict_size),
    must(Manifest, "manifest-unique", "MAN-8", "No two tools have the same name.")
        .why("Which of the two a call means would be a guess.")
        .mend("Rename one; names are unique over all endpoints of an organization.")
        .needs(&[MANIFEST])
        .ask(unique),
    must(Manifest, "manifest-reserved", "MAN-8", "No tool has the name of one of the agent's own.")
        .why("The platform refuses the whole manifest.")
        .mend("Rename the tool.")
        .needs(&[MANIFEST])
        .ask(reserved),
    should(
        Manifest,
        "manifest-names",
        "MAN-7",
        "Names of tools and fields match [A-Za-z][A-Za-z0-9_]{0,63}.",
    )
    .why("It is what every model provider takes.")
    .mend("Use letters, digits and underscores, a letter first, 64 at most.")
    .needs(&[MANIFEST])
    .ask(names),
    should(Manifest, "manifest-descriptions", "MAN-7", "No description of a tool is blank.")
        .why("The agent chooses tools by their descriptions.")
        .mend("Say what the tool does, and when to use it.")
        .needs(&[MANIFEST])
        .ask(descriptions),
    must(Manifest, "manifest-diagnostics", "MAN-1", "`diagnostics` is true, or not there.")
        .why("The platform asks only endpoints that say so.")
        .mend("Write \"diagnostics\":true, or leave it out.")
        .needs(&[MANIFEST])
        .ask(diagnostics),
    should(Manifest, "manifest-stable", "MAN-5", "Two answers are the same, byte for byte.")
        .why("A manifest that changes by itself changes what was synced and approved.")
        .mend("Make the bytes once, in the order of declaration.")
        .needs(&[MANIFEST])
        .ask(stable),
];

/// The manifest that was read, for a check that needs it.
pub(super) fn read(probe: &Probe<'_>) -> Result<Read, Skip> {
    probe.manifest.clone().ok_or_else(|| Skip("there is no manifest".to_owned()))
}

/// Each tool with a name for it.
pub(super) fn tools(manifest: &Read) -> Vec<(String, &Json)> {
    let tools = manifest.json.get("tools").and_then(Json::list).unwrap_or_default();
    let name = |(at, tool): (usize, &Json)| match tool.get("name").and_then(Json::text) {
        Some(name) => format!("tool {name}"),
        None => format!("tool {} of the list", at + 1),
    };
    tools.iter().enumerate().map(|tool| (name(tool), tool.1)).collect()
}

/// The first characters of a value.
pub(super) fn start(json: Option<&Json>) -> String {
    json.map_or("nothing".to_owned(), |json| json.to_string().chars().take(80).collect())
}

fn shape(probe: &mut Probe<'_>) -> Result<(), Skip> {
    let Read { json, .. } = read(probe)?;
    if json.get("version") != Some(&Json::Number(1.0)) {
        probe.wrong_with("version", "1", start(json.get("version")));
    }
    match json.get("tools") {
        Some(Json::List(tools)) => {
            if let Some(other) = tools.iter().find(|tool| tool.members().is_none()) {
                probe.wrong_with("tools", "an array of objects", start(Some(other)));
            }
        }
        other => probe.wrong_with("tools", "an array", start(other)),
    }
    Ok(())
}

fn tool_members(probe: &mut Probe<'_>) -> Result<(), Skip> {
    for (tool, json) in tools(&read(probe)?) {
        for name in ["name", "description", "risk"] {
            if json.get(name).and_then(Json::text).is_none() {
                probe.wrong_with(&format!("{name} of {tool}"), "a string", start(json.get(name)));
            }
        }
        if json.get("inputSchema").and_then(Json::members).is_none() {
            probe.wrong_with(&format!("inputSchema of {tool}"), "an object", start(json.get("inputSchema")));
        }
    }
    Ok(())
}

fn risk(probe: &mut Probe<'_>) -> Result<(), Skip> {
    for (tool, json) in tools(&read(probe)?) {
        if let Some(risk) = json.get("risk").and_then(Json::text)
            && median_edge::Risk::parse(risk).is_none()
        {
            probe.wrong_with(&format!("risk of {tool}"), "low, medium, reviewed or high", risk);
        }
    }
    Ok(())
}

fn tools_limit(probe: &mut Probe<'_>) -> Result<(), Skip> {
    let count = tools(&read(probe)?).len();
    if count > MAX_TOOLS {
        probe.wrong_with("tools", "at most 20", count.to_string());
    }
    Ok(())
}

fn size(probe: &mut Probe<'_>) -> Result<(), Skip> {
    let bytes = read(probe)?.bytes.len();
    if bytes > WIDEST_MANIFEST_BYTES {
        probe.wrong_with("the manifest", "at most 500 KB", format!("{bytes} bytes"));
    }
    Ok(())
}

fn strict_size(probe: &mut Probe<'_>) -> Result<(), Skip> {
    let bytes = read(probe)?.bytes.len();
    if bytes > MAX_MANIFEST_BYTES {
        probe.wrong_with("the manifest", "at most 500,000 bytes", format!("{bytes} bytes"));
    }
    Ok(())
}

fn unique(probe: &mut Probe<'_>) -> Result<(), Skip> {
    let manifest = read(probe)?;
    let mut names: Vec<_> = manifest.tools.iter().map(|tool| tool.name.as_str()).collect();
    names.sort_unstable();
    if let Some([name, _]) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        probe.wrong_with("names", "each once", format!("{name} twice"));
    }
    Ok(())
}

fn reserved(probe: &mut Probe<'_>) -> Result<(), Skip> {
    for tool in read(probe)?.tools.iter().filter(|tool| is_reserved(&tool.name)) {
        probe.wrong_with("names", "none of the agent's own", tool.name.clone());
    }
    Ok(())
}

fn names(probe: &mut Probe<'_>) -> Result<(), Skip> {
    for tool in read(probe)?.tools {
        let fields = tool.fields.iter().map(|field| ("a field of ", &field.name));
        for (of, name) in [("the tool ", &tool.name)].into_iter().chain(fields) {
            if !is_name(name) {
                probe.wrong_with(&format!("{of}{}", tool.name), "[A-Za-z][A-Za-z0-9_]{0,63}", name);
            }
        }
    }
    Ok(())
}

fn descriptions(probe: &mut Probe<'_>) -> Result<(), Skip> {
    for (tool, json) in tools(&read(probe)?) {
        if json.get("description").and_then(Json::text).is_some_and(|text| text.trim().is_empty()) {
            probe.wrong_with(&tool, "a description", "a blank one");
        }
    }
    Ok(())
}

fn diagnostics(probe: &mut Probe<'_>) -> Result<(), Skip> {
    let Read { json, .. } = read(probe)?;
    let diagnostics = json.get("diagnostics");
    if !matches!(diagnostics, None | Some(Json::Bool(true))) {
        probe.wrong_with("diagnostics", "true, or nothing", start(diagnostics));
    }
    Ok(())
}

fn stable(probe: &mut Probe<'_>) -> Result<(), Skip> {
    let first = read(probe)?.bytes;
    let again = probe.expect("once more", Plan::get(), Expected::Manifest);
    if again.answer.as_ref().is_ok_and(|answer| answer.status == 200 && answer.body != first) {
        probe.wrong("once more", &again, "the same bytes as before");
    }
    Ok(())
}
