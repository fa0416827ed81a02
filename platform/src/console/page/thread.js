// The thread of a conversation: what is said, the lines for the team, and a card for each call, request and run.

import { block, h, said } from "/console/dom.js";
import { agentReads, outcome, risk, state, when } from "/console/parts.js";
import { request } from "/console/approvals.js";

export function thread({ entries, calls, requests, runs }) {
  const byId = new Map([...requests, ...runs].map((one) => [one.id, one]));
  const items = [
    ...entries.map((entry) => ({ at: entry.atMs, id: entry.id, make: () => ofEntry(entry, byId.get(entry.about)) })),
    ...calls.map((call) => ({ at: call.sentMs, id: call.id, make: () => ofCall(call) })),
  ];
  items.sort((a, b) => a.at - b.at);
  if (items.length === 0) return h("p", { class: "quiet" }, "Nothing has been said yet.");
  return h("ol", { class: "thread", "aria-label": "Thread" }, items.map(({ id, make }) => keyed(make(), id)));
}

function keyed(element, id) {
  const item = element.nodeName === "LI" ? element : h("li", {}, element);
  item.setAttribute("data-key", id);
  return item;
}

const WHO = { customer: "Customer", agent: "Agent", platform: "Platform" };
const who = (by) => (by.kind === "teammate" ? said(by.name ?? "A teammate") : WHO[by.kind]);

function ofEntry(entry, about) {
  if (entry.kind === "request" && about) return request(about);
  if (entry.kind === "run" && about) return ofRun(about);
  if (entry.kind === "message") {
    return h("li", { class: `message ${entry.by.kind}` },
      h("p", { class: "by" }, who(entry.by), " ", when(entry.atMs)),
      h("p", { class: "words" }, said(entry.text)),
      entry.pictures.length ? h("p", { class: "hint" }, `${entry.pictures.length} pictures, by reference.`) : null);
  }
  return h("li", { class: "line" }, h("span", { class: "quiet" }, "For the team "), said(entry.text), " ", when(entry.atMs));
}

function ofCall(call) {
  return h("li", { class: "card call" },
    h("div", { class: "card-head" },
      h("h3", { class: "mono" }, said(call.tool)), risk(call.risk),
      state(call.outcome?.kind ?? call.state)),
    h("p", { class: "hint" }, call.origin === "agent" ? "Called by the agent " : "A test ", when(call.sentMs)),
    block(call.input, "The input"),
    call.agentReads === null ? null : agentReads(call.agentReads, call.outcome),
    call.outcome?.kind === "notAnswering" ? outcome(call.outcome) : null);
}

function ofRun(run) {
  return h("li", { class: "card call" },
    h("div", { class: "card-head" }, h("h3", { class: "mono" }, said(run.tool)), risk(run.risk), state(run.state)),
    h("p", { class: "hint" }, "Run by ", said(run.teammate ?? "a teammate"), " ", when(run.startedMs), ". The agent does not see it."),
    block(run.input, "The input"),
    run.error ? h("p", { class: "problem" }, "did not run: ", said(run.error)) : outcome(run.outcome));
}
