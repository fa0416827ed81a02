// The log, by type, endpoint, tool and conversation.

import { get } from "/console/api.js";
import { h, said } from "/console/dom.js";
import { button, empty, field, form, short, when } from "/console/parts.js";

const TYPES = ["Tools", "Conversations", "Reports", "Alerts", "System"];
let filter = {};
let pages = 1;

export function begin() {
  pages = 1;
}

export async function view(_, draw) {
  const [{ items: endpoints }, { items: tools }] = await Promise.all([get("/v1/tool-endpoints"), get("/v1/tools")]);
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value));
  const items = [];
  let next = null;
  for (let page = 0; page < pages; page += 1) {
    const of = new URLSearchParams(query);
    of.set("limit", "100");
    if (next) of.set("before", next);
    const found = await get(`/v1/logs?${of}`);
    items.push(...found.items);
    next = found.next;
    if (!next) break;
  }
  const set = (name) => (event) => {
    filter = { ...filter, [name]: event.currentTarget.value.trim() };
    pages = 1;
    return draw();
  };
  const all = ["", "all"];
  const older = () => {
    pages += 1;
    return draw();
  };
  return [
    h("h1", {}, "Log"),
    form({ class: "filters", "data-key": "filters" }, draw,
      field("Type", "type", { tag: "select", options: [all, ...TYPES.map((one) => [one, one])], value: filter.type ?? "", onchange: set("type") }),
      field("Endpoint", "endpoint", { tag: "select", options: [all, ...endpoints.map((one) => [one.id, one.url])], value: filter.endpoint ?? "", onchange: set("endpoint") }),
      field("Tool", "tool", { tag: "select", options: [all, ...tools.map((one) => [one.name, one.name])], value: filter.tool ?? "", onchange: set("tool") }),
      field("Conversation", "conversation", { value: filter.conversation ?? "", placeholder: "conv_…", spellcheck: "false", onchange: set("conversation") })),
    items.length === 0
      ? empty("Nothing is in the log that fits.")
      : h("ol", { class: "log", "aria-label": "Events, the newest first" }, items.map((one) => h("li", { "data-key": one.id },
        when(one.atMs),
        h("span", { class: "badge plain" }, one.type),
        h("code", { class: "event" }, one.event),
        h("span", { class: "text" }, said(one.text)),
        one.conversation ? h("a", { href: `#/conversations/${encodeURIComponent(one.conversation)}` }, short(one.conversation)) : h("span", {})))),
    next ? h("div", { class: "actions" }, button("Show older", older)) : null,
  ];
}
