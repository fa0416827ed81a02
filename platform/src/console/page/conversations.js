// The conversations, and beginning one.

import { get, post } from "/console/api.js";
import { h, said } from "/console/dom.js";
import { empty, field, form, short, state, visitor, when } from "/console/parts.js";

export async function view() {
  const { items } = await get("/v1/conversations?limit=100");
  const begun = async (values) => {
    const body = { channel: values.channel, email: values.email.trim() || undefined, name: values.name.trim() || undefined };
    const customer = values.customer.trim();
    if (customer) body.identity = await post("/v1/identities", { id: customer });
    const { conversation } = await post("/v1/conversations", body);
    location.hash = `#/conversations/${conversation.id}`;
  };
  return [
    h("h1", {}, "Conversations"),
    h("p", { class: "lead" }, "You play the customer, the agent and the team."),
    form({ class: "card begin", "data-key": "begin" }, begun,
      h("div", { class: "row" },
        field("Signed in as", "customer", { spellcheck: "false" }, "The customer's id in your application, like user_1. Empty: not verified."),
        field("Name", "name", {}, "As they say themselves."),
        field("Email", "email", { type: "email" }, "As they say themselves."),
        field("Channel", "channel", { tag: "select", options: [["widget", "widget"], ["email", "email"], ["discord", "discord"]] }, "Button and highlight: widget only.")),
      h("div", { class: "actions" }, h("button", { class: "primary" }, "Begin a conversation"))),
    items.length === 0
      ? empty("There is no conversation yet.", "Begin one above, and call a tool in it.")
      : h("ul", { class: "rows", "aria-label": "Conversations" }, items.map((one) => h("li", { "data-key": one.id },
        h("a", { href: `#/conversations/${one.id}`, class: "row-link" },
          short(one.id),
          h("span", {}, visitor(one.visitor), one.visitor.name ? [" ", said(one.visitor.name)] : null),
          h("span", { class: "quiet" }, one.channel, ", ", one.holder.kind === "agent" ? "agent" : ["held by ", said(one.holder.name)]),
          h("span", {}, state(one.state), one.unread ? h("span", { class: "badge warn" }, "unread") : null),
          when(one.createdMs))))),
  ];
}
