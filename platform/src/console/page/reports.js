// Reports, with what the endpoints say of themselves.

import { get, post } from "/console/api.js";
import { block, h, said } from "/console/dom.js";
import { empty, field, form, notify, short, state, when } from "/console/parts.js";

export async function view() {
  const { items } = await get("/v1/reports");
  const file = async (values, element) => {
    const body = { text: values.text, conversation: values.conversation.trim() || undefined };
    const filed = await post("/v1/reports", body);
    element.reset();
    notify(`The report is filed, with what ${filed.diagnostics.length} ${filed.diagnostics.length === 1 ? "endpoint says" : "endpoints say"}.`);
  };
  return [
    h("h1", {}, "Reports"),
    h("p", { class: "lead" }, "Somebody says that something is wrong. Endpoints with diagnostics have 8 seconds to say how they are."),
    form({ class: "card", "data-key": "file" }, file,
      field("What went wrong", "text", { tag: "textarea", rows: "2", required: true }),
      field("Conversation", "conversation", { placeholder: "conv_…", spellcheck: "false" }, "When it came from one."),
      h("div", { class: "actions" }, h("button", { class: "primary" }, "File the report"))),
    items.length === 0
      ? empty("There is no report yet.")
      : h("ul", { class: "cards", "aria-label": "Reports" }, items.map((one) => h("li", { class: "card", "data-key": one.id },
        h("div", { class: "card-head" }, h("h2", { class: "text" }, said(one.text)), when(one.atMs)),
        h("p", { class: "hint" }, short(one.id), one.conversation ? [" in ", h("a", { href: `#/conversations/${encodeURIComponent(one.conversation)}` }, short(one.conversation))] : null),
        one.diagnostics.length === 0 ? h("p", { class: "quiet" }, "No endpoint offers diagnostics.") : null,
        one.diagnostics.map((found) => h("div", { class: "outcome", "data-key": found.endpoint },
          h("p", { class: "outcome-head" }, said(found.url, { class: "mono" }), " ", state(found.state)),
          found.text ? block(found.text, "What the endpoint says of itself") : null,
          found.cut ? h("p", { class: "cut" }, "✂ Cut here: the first 2,000 characters are kept.") : null))))),
  ];
}
