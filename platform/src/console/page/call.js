// A form made from a tool's schema, and the JSON that it writes: the input goes out as it is shown here.

import { h, said } from "/console/dom.js";
import { field } from "/console/parts.js";

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** The fields of a tool. Names are the endpoint's own, so that the form's are numbers. */
export function schemaFields(tool, prefix) {
  if (tool.fields.length === 0) return [h("p", { class: "quiet" }, "This tool takes no input.")];
  return tool.fields.map((one, at) => {
    const name = `${prefix}-${at}`;
    const label = h("span", {}, said(one.name, { class: "mono" }),
      h("span", { class: "kind" }, ` ${one.choices ? "choice" : one.type}${one.required ? "" : ", optional"}`));
    const hint = one.description ? said(one.description) : null;
    if (one.choices) {
      const options = one.choices.map((choice) => [`=${choice}`, choice]);
      return field(label, name, { tag: "select", options: [["", one.required ? "Choose…" : "Left out"], ...options] }, hint);
    }
    if (one.type === "boolean") {
      const options = [["", one.required ? "Choose…" : "Left out"], ["true", "true"], ["false", "false"]];
      return field(label, name, { tag: "select", options }, hint);
    }
    const numeric = one.type !== "string";
    return field(label, name, { type: "text", inputmode: numeric ? "decimal" : null, spellcheck: "false" }, hint);
  });
}

/** The input as JSON. What is empty is left out: the API names what is needed. */
export function inputOf(tool, values, prefix) {
  const members = [];
  tool.fields.forEach((one, at) => {
    const text = values[`${prefix}-${at}`] ?? "";
    if (text === "") return;
    let json = JSON.stringify(text);
    if (one.choices) json = JSON.stringify(text.slice(1));
    else if (one.type === "boolean") json = text;
    // As it was typed, when it is a number: 1.0 and 1e2 are not written anew.
    else if (one.type !== "string" && NUMBER.test(text.trim())) json = text.trim();
    members.push(`${JSON.stringify(one.name)}: ${json}`);
  });
  return members.length ? `{ ${members.join(", ")} }` : "{}";
}

/** The form of a tool, or the JSON by hand. */
export function inputFields(tool, prefix, raw, onRaw) {
  const toggle = (event) => {
    const form = event.currentTarget.form;
    const values = Object.fromEntries(new FormData(form));
    onRaw(event.currentTarget.checked, inputOf(tool, values, prefix));
  };
  return [
    raw === null
      ? h("div", { class: "fields", "data-key": `fields-${prefix}-${tool.name}` }, schemaFields(tool, prefix))
      : h("div", { class: "fields", "data-key": `raw-${prefix}-${tool.name}` },
        field("Input as JSON", `${prefix}-raw`, { tag: "textarea", rows: "5", class: "mono", value: raw, spellcheck: "false" },
          "Sent byte for byte as it stands here.")),
    h("label", { class: "check" }, h("input", { type: "checkbox", name: `${prefix}-is-raw`, checked: raw !== null, onchange: toggle }),
      " Write the JSON by hand"),
  ];
}

/** What the form says: the text of the input. Throws when it is not JSON, since it would break the request around it. */
export function readInput(tool, values, prefix, raw) {
  if (raw === null) return inputOf(tool, values, prefix);
  const text = values[`${prefix}-raw`];
  try {
    JSON.parse(text);
  } catch (error) {
    throw new Error(`The input is not JSON: ${error.message}`);
  }
  return text;
}

/** A body around an input that is not written anew. */
export function around(input, members) {
  const rest = Object.entries(members).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const written = rest.map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`).join("");
  return `{"input":${input}${written}}`;
}
