// Requests that wait for a decision, and the alerts that they sent.

import { get, path, post } from "/console/api.js";
import { now } from "/console/clock.js";
import { block, h, said } from "/console/dom.js";
import { button, empty, field, form, notify, outcome, risk, short, span, state, teammate, visitor, when } from "/console/parts.js";
import { fact } from "/console/endpoints.js";

const FILTERS = ["open", "all", "reviewing", "pending", "executing", "completed", "failed", "denied", "expired"];
// What waits is listed as it came: a new one comes last.
const WAITING = ["open", "reviewing", "pending"];
let filter = "open";

// What the list shows, in its order, by id.
let listed = new Map();

export function begin() {
  listed = new Map();
}

/** Whether somebody is about to use the list: the pointer is on it, or the keyboard is in it. */
const isInHand = (list) => list !== null && (list.matches(":hover") || list.querySelector(":focus-visible") !== null);

/** Puts what is so now into the list, and tells whether it is behind. One that is in hand stands still: what is new comes last. */
function settle(items) {
  const list = document.querySelector('main [data-key="requests"]');
  if (listed.size > 0 && isInHand(list)) {
    for (const one of items) if (!listed.has(one.id)) listed.set(one.id, one);
  } else {
    listed = new Map(items.map((one) => [one.id, one]));
    for (const card of list?.children ?? []) card.style.minHeight = "";
  }
  const now = new Map(items.map((one) => [one.id, one.state]));
  return [...listed.values()].some((one) => isWaiting(one) && now.get(one.id) !== one.state);
}

export async function view(_, draw) {
  const query = filter === "all" ? "" : `&status=${filter}`;
  const order = WAITING.includes(filter) ? "&after=0" : "";
  const asked = get(`/v1/tool-approvals?limit=200${query}${order}`);
  const [{ items, next }, alerts] = await Promise.all([asked, get("/v1/alerts?limit=20")]);
  const isBehind = settle(items);
  const choose = (event) => {
    filter = event.currentTarget.value;
    begin();
    return draw();
  };
  const decided = (after) => {
    listed.set(after.id, after);
    return draw();
  };
  const left = () => draw();
  return [
    h("h1", {}, "Approvals"),
    h("p", { class: "lead" }, "What is approved is what is sent: the input, byte for byte. A request waits for 24 hours and is decided once."),
    form({ class: "filters", "data-key": "filters" }, draw,
      field("Show", "status", { tag: "select", options: FILTERS.map((one) => [one, one]), value: filter, onchange: choose })),
    listed.size === 0
      ? empty(filter === "open" ? "Nothing waits for a decision." : "There is no such request.", "A call of a high or reviewed tool becomes a request here.")
      : h("ul", { class: "cards", "aria-label": "Requests", "data-key": "requests", onmouseleave: left, onfocusout: left },
        [...listed.values()].map((one) => request(one, decided))),
    next ? h("p", { class: "hint" }, "There are more: the first 200 are shown.") : null,
    isBehind ? h("p", { class: "hint", "data-key": "behind" }, "Something changed. It shows once you leave the list.") : null,
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

const isWaiting = (one) => one.state === "pending" || one.state === "reviewing";

/** A request, with all that a teammate needs to decide it. In the inbox, `decided` is told what became of it. */
export function request(one, decided = null) {
  const waits = isWaiting(one);
  const decide = (word) => async (event) => {
    const card = event.currentTarget.closest("li");
    const after = await post(path`/v1/tool-approvals/${one.id}/` + word, { teammate: teammate() ?? undefined });
    if (decided) {
      // The next request does not come to where this one was decided, and the keyboard stays where it is.
      card.style.minHeight = `${card.offsetHeight}px`;
      if (card.contains(document.activeElement)) card.focus({ preventScroll: true });
      await decided(after);
    }
    notify(after.outcome?.kind === "refusal" ? `${one.tool} said no: ${after.outcome.reason}.` : `${one.tool}: ${after.state}.`);
  };
  const by = one.decidedBy && (one.decidedBy.kind === "reviewer" ? "the reviewer" : said(one.decidedBy.name ?? "a teammate"));
  return h("li", { class: `card request ${waits ? "waits" : ""}`, "data-key": one.id, tabindex: decided ? "-1" : null },
    h("div", { class: "card-head" }, h("h3", { class: "mono" }, said(one.tool)), risk(one.risk), state(one.state)),
    h("dl", { class: "facts" },
      fact("Asked", when(one.createdMs)),
      fact("For", visitor(one.visitor)),
      waits ? fact("Expires in", span(one.expiresMs - now())) : null,
      by ? fact(one.state === "denied" ? "Denied by" : "Approved by", by) : null,
      decided ? fact("In", h("a", { href: `#/conversations/${one.conversation}` }, short(one.conversation))) : null,
      fact("Id", short(one.id))),
    h("p", { class: "outcome-head" }, "Exact input"),
    block(one.input, "The exact input"),
    one.review
      ? h("div", { class: "review" }, h("p", {}, state(one.review.verdict), " ", VERDICTS[one.review.verdict]),
        h("p", {}, said(one.review.reason)), h("p", { class: "hint" }, "The customer never sees this."))
      : null,
    one.state === "reviewing" ? h("p", { class: "hint" }, "The reviewer reads. You may decide before it does.") : null,
    one.expired ? h("p", { class: "hint" }, EXPIRED[one.expired]) : null,
    // The error says all that its outcome does.
    one.error ? h("div", { class: "outcome" }, h("p", { class: "outcome-head" }, "It did not run"), problemText(one.error)) : outcome(one.outcome),
    waits
      ? h("div", { class: "actions" },
        button("Approve", decide("approve"), { class: "primary", "aria-label": `Approve ${one.tool}` }),
        button("Deny", decide("deny"), { class: "bad", "aria-label": `Deny ${one.tool}` }))
      : null);
}

const problemText = (text) => h("p", { class: "problem" }, said(text));
