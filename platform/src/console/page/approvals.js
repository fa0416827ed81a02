// Requests that wait for a decision, and the alerts that they sent.

import { get, path, post } from "/console/api.js";
import { now } from "/console/clock.js";
import { block, h, said } from "/console/dom.js";
import { button, empty, field, form, notify, outcome, risk, short, span, state, teammate, visitor, when } from "/console/parts.js";
import { fact } from "/console/endpoints.js";

const FILTERS = ["open", "all", "reviewing", "pending", "executing", "completed", "failed", "denied", "expired"];
let filter = "open";

export async function view(_, draw) {
  const query = filter === "all" ? "" : `&status=${filter}`;
  const [{ items }, alerts] = await Promise.all([get(`/v1/tool-approvals?limit=100${query}`), get("/v1/alerts?limit=20")]);
  const choose = (event) => {
    filter = event.currentTarget.value;
    return draw();
  };
  return [
    h("h1", {}, "Approvals"),
    h("p", { class: "lead" }, "What is approved is what is sent: the input, byte for byte. A request waits for 24 hours and is decided once."),
    form({ class: "filters", "data-key": "filters" }, draw,
      field("Show", "status", { tag: "select", options: FILTERS.map((one) => [one, one]), value: filter, onchange: choose })),
    items.length === 0
      ? empty(filter === "open" ? "Nothing waits for a decision." : "There is no such request.", "A call of a high or reviewed tool becomes a request here.")
      : h("ul", { class: "cards", "aria-label": "Requests" }, items.map((one) => request(one, true))),
    h("section", { class: "alerts", "data-key": "alerts" },
      h("h2", {}, "Alerts"),
      alerts.items.length === 0
        ? h("p", { class: "quiet" }, "None yet. A high request sends one when it is recorded, a reviewed one when the reviewer passes it on.")
        : h("ul", { class: "lines" }, alerts.items.map((one) => h("li", { "data-key": one.id },
          when(one.atMs), h("span", {}, said(one.text)),
          h("a", { href: `#/conversations/${one.conversation}` }, "conversation"),
          h("span", { class: "quiet" }, one.delivered === null ? "" : one.delivered ? "webhook took it" : "webhook did not take it"))))),
  ];
}

const VERDICTS = {
  approve: "The reviewer lets it run.",
  escalate: "The reviewer passes it to the team.",
  none: "The reviewer gave no verdict, so the team decides.",
};

const EXPIRED = {
  unanswered: "Nobody answered it within 24 hours.",
  conversationEnded: "The conversation ended.",
  endpointRemoved: "Its endpoint was removed.",
};

/** A request, with all that a teammate needs to decide it. */
export function request(one, linked) {
  const waits = one.state === "pending" || one.state === "reviewing";
  const decide = (word) => async () => {
    const after = await post(path`/v1/tool-approvals/${one.id}/` + word, { teammate: teammate() ?? undefined });
    notify(`${one.tool}: ${after.state}.`);
  };
  const by = one.decidedBy && (one.decidedBy.kind === "reviewer" ? "the reviewer" : said(one.decidedBy.name ?? "a teammate"));
  return h("li", { class: `card request ${waits ? "waits" : ""}`, "data-key": one.id },
    h("div", { class: "card-head" }, h("h3", { class: "mono" }, said(one.tool)), risk(one.risk), state(one.state)),
    h("dl", { class: "facts" },
      fact("Asked", when(one.createdMs)),
      fact("For", visitor(one.visitor)),
      waits ? fact("Expires in", span(one.expiresMs - now())) : null,
      by ? fact(one.state === "denied" ? "Denied by" : "Approved by", by) : null,
      linked ? fact("In", h("a", { href: `#/conversations/${one.conversation}` }, short(one.conversation))) : null,
      fact("Id", short(one.id))),
    h("p", { class: "outcome-head" }, "Exact input"),
    block(one.input, "The exact input"),
    one.review
      ? h("div", { class: "review" }, h("p", {}, state(one.review.verdict), " ", VERDICTS[one.review.verdict]),
        h("p", {}, said(one.review.reason)), h("p", { class: "hint" }, "The customer never sees this."))
      : null,
    one.state === "reviewing" ? h("p", { class: "hint" }, "The reviewer reads. You may decide before it does.") : null,
    one.expired ? h("p", { class: "hint" }, EXPIRED[one.expired]) : null,
    one.error ? h("div", {}, h("p", { class: "outcome-head" }, "It did not run"), problemText(one.error)) : null,
    outcome(one.outcome),
    waits
      ? h("div", { class: "actions" },
        button("Approve", decide("approve"), { class: "primary", "aria-label": `Approve ${one.tool}` }),
        button("Deny", decide("deny"), { class: "bad", "aria-label": `Deny ${one.tool}` }))
      : null);
}

const problemText = (text) => h("p", { class: "problem" }, said(text));
