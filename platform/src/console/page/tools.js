// Tools as the agent sees them.

import { get, path, post, postText } from "/console/api.js";
import { around, inputFields, readInput } from "/console/call.js";
import { block, h, said } from "/console/dom.js";
import { button, empty, form, outcome, risk, state } from "/console/parts.js";

const raws = new Map();
const tested = new Map();

export async function view(_, draw) {
  const [{ items }, { items: endpoints }] = await Promise.all([get("/v1/tools"), get("/v1/tool-endpoints")]);
  const urls = new Map(endpoints.map((one) => [one.id, one.url]));
  return [
    h("h1", {}, "Tools"),
    h("p", { class: "lead" }, "As the agent sees them. The marked line is the platform's own: it is added to what the endpoint wrote."),
    items.length === 0
      ? empty("There are no tools yet.", "They come with the first good sync of an endpoint.")
      : h("ul", { class: "cards two", "aria-label": "Tools" }, items.map((tool) => card(tool, urls, draw))),
  ];
}

/** The description, with the platform's line apart. */
export function description(tool, own) {
  const line = own !== undefined && tool.agentDescription.startsWith(own.trimEnd()) ? tool.agentDescription.slice(own.trimEnd().length).trim() : "";
  return h("div", { class: "description" },
    h("p", {}, said(own)),
    line ? h("p", { class: "platform-line" }, h("span", { class: "unseen-text" }, "The platform adds: "), line) : null);
}

function card(tool, urls, draw) {
  const word = tool.enabled ? "disable" : "enable";
  return h("li", { class: tool.enabled ? "card" : "card off", "data-key": `${tool.endpoint} ${tool.name}` },
    h("div", { class: "card-head" },
      h("h2", { class: "mono" }, said(tool.name)), risk(tool.risk),
      button(tool.enabled ? "On" : "Off", () => post(path`/v1/tools/${tool.name}/` + word), {
        role: "switch", "aria-checked": String(tool.enabled), "aria-label": `${tool.name} is switched on`, class: "switch",
      })),
    description(tool, tool.description),
    fieldTable(tool),
    h("p", { class: "hint" }, "At ", said(urls.get(tool.endpoint) ?? tool.endpoint, { class: "mono" })),
    h("details", { "data-key": "schema" }, h("summary", {}, "Schema"), block(JSON.stringify(tool.inputSchema, null, 2), "The tool's schema")),
    h("details", { "data-key": "test" }, h("summary", {}, "Test it"), test(tool, draw)));
}

function fieldTable(tool) {
  if (tool.fields.length === 0) return h("p", { class: "quiet" }, "No input.");
  return h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": `Fields of ${tool.name}` }, h("table", {},
    h("thead", {}, h("tr", {}, ["Field", "Type", "For"].map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, tool.fields.map((one) => h("tr", { "data-key": one.name },
      h("td", { class: "mono" }, said(one.name), one.required ? null : h("span", { class: "kind" }, " optional")),
      h("td", {}, one.choices ? one.choices.map((choice) => h("code", { class: "choice" }, said(choice))) : one.type),
      h("td", {}, one.description ? said(one.description) : h("span", { class: "quiet" }, "–")))))));
}

function test(tool, draw) {
  const prefix = `test-${tool.name}`;
  const raw = raws.get(tool.name) ?? null;
  const run = async (values) => {
    const input = readInput(tool, values, prefix, raw);
    tested.set(tool.name, await postText(path`/v1/tools/${tool.name}/test`, around(input, {})));
    return draw();
  };
  const found = tested.get(tool.name);
  return form({}, run,
    h("p", { class: "hint" }, "At any risk and at once. The visitor is nobody; test within a conversation to have one."),
    inputFields(tool, prefix, raw, (isRaw, text) => {
      if (isRaw) raws.set(tool.name, text);
      else raws.delete(tool.name);
      draw();
    }),
    h("div", { class: "actions" }, h("button", {}, "Run the test")),
    h("div", { "aria-live": "polite" }, found
      ? [h("p", {}, "ok: ", state(found.ok ? "completed" : "failed")), outcome(found.call.outcome)]
      : null));
}
