// One conversation, in which the person plays everybody.

import { get, path, post, postText } from "/console/api.js";
import { around, inputFields, readInput } from "/console/call.js";
import { h, said } from "/console/dom.js";
import { agentReads, button, field, form, notify, outcome, problem, risk, short, state, teammate, visitor } from "/console/parts.js";
import { fact } from "/console/endpoints.js";
import { thread } from "/console/thread.js";
import { description } from "/console/tools.js";

const PREFIX = "input";

// What the person has chosen here; another conversation begins anew.
let chosen = { mode: "agent", tool: "", raw: null, last: null };

export function begin() {
  chosen = { mode: "agent", tool: "", raw: null, last: null };
}

export async function view(id, draw, put) {
  const of = (what) => get(path`/v1/conversations/${id}/` + `${what}?limit=200`);
  const [shown, entries, calls, requests, runs, tools] = await Promise.all([
    get(path`/v1/conversations/${id}`), of("entries"), of("calls"),
    get(path`/v1/tool-approvals?limit=200&conversation=${id}`), of("runs"), get("/v1/tools"),
  ]);
  const { conversation } = shown;
  const turn = conversation.turn ? await get(path`/v1/turns/${conversation.turn}`) : null;
  const { last } = chosen;
  if (last?.run) last.run = runs.items.find((one) => one.id === last.run.id) ?? last.run;
  const seen = { entries: entries.items, calls: calls.items, requests: requests.items, runs: runs.items };
  const all = { id, conversation, turn, due: shown.agentIsDue, tools: tools.items, seen, draw };
  // What the person picks shows at once, with what is known.
  all.again = () => put(page(all));
  return page(all);
}

function page(all) {
  const { conversation, seen } = all;
  return [
    h("p", { class: "crumb" }, h("a", { href: "#/conversations" }, "Conversations")),
    h("div", { class: "title" }, h("h1", {}, "Conversation"), state(conversation.state),
      conversation.unread ? h("span", { class: "badge warn" }, "unread") : null),
    about(all),
    h("div", { class: "columns" },
      h("section", { class: "column", "aria-label": "What happens", "data-key": "thread" },
        h("h2", {}, "Thread"),
        thread(seen),
        write(all)),
      h("section", { class: "column side", "aria-label": "Calling a tool", "data-key": "side" }, acting(all))),
  ];
}

function about({ id, conversation, draw }) {
  const to = (word) => () => post(path`/v1/conversations/${id}/state`, { state: word }).then(draw);
  const hold = () => post(path`/v1/conversations/${id}/holder`,
    conversation.holder.kind === "agent" ? { kind: "teammate", name: teammate() ?? "A teammate" } : { kind: "agent" }).then(draw);
  const states = ["open", "resolved", "closed", "archived"].filter((word) => word !== conversation.state);
  const labels = { open: "Open again", resolved: "Resolve", closed: "Close", archived: "Archive" };
  return h("div", { class: "card about", "data-key": "about" },
    h("dl", { class: "facts" },
      fact("Visitor", visitor(conversation.visitor)),
      fact("Held by", conversation.holder.kind === "agent" ? "the agent" : said(conversation.holder.name)),
      fact("Channel", conversation.channel),
      fact("Id", short(id))),
    h("div", { class: "actions" },
      button(conversation.holder.kind === "agent" ? "Take it over" : "Hand it back to the agent", hold, { "data-key": "hold" }),
      states.map((word) => button(labels[word], to(word), { "data-key": word })),
      conversation.unread ? button("Mark as read", () => post(path`/v1/conversations/${id}/read`).then(draw), { "data-key": "read" }) : null),
    h("details", { "data-key": "identity" }, h("summary", {}, "Who the visitor is"), identity(id, draw)),
    h("details", { "data-key": "notes" }, h("summary", {}, `Notes of the team (${conversation.notes.length})`),
      conversation.notes.map((one) => h("p", { class: "note" }, said(one.by ?? "A teammate"), ": ", said(one.text))),
      form({ class: "inline" }, async ({ note }, element) => {
        await post(path`/v1/conversations/${id}/notes`, { text: note, teammate: teammate() ?? undefined });
        element.reset();
        await draw();
      }, field("Note", "note"), h("button", {}, "Add"))));
}

function identity(id, draw) {
  const identify = async (signed) => {
    const { conversation } = await post(path`/v1/conversations/${id}/identity`, { identity: signed });
    notify(conversation.visitor.verified ? `Verified as ${conversation.visitor.externalId}.` : signed ? "The signature does not hold: not verified." : "Signed out: not verified.");
    await draw();
  };
  const sign = async ({ customer }) => identify(await post("/v1/identities", { id: customer.trim() }));
  const paste = async ({ pasted }) => {
    let signed;
    try {
      signed = JSON.parse(pasted);
    } catch {
      throw new Error("What is pasted is not JSON. It is what your identity route answers.");
    }
    await identify(signed.visitor ? signed : null);
  };
  return h("div", { class: "identity" },
    form({ class: "inline" }, sign,
      field("Signed in as", "customer", { spellcheck: "false" }, "The customer's id, like user_1. Signed here with the organization's key."),
      h("button", {}, "Sign in")),
    form({ class: "inline" }, paste,
      field("Signed identity", "pasted", { tag: "textarea", rows: "3", class: "mono", spellcheck: "false" }, "As your identity route answers it."),
      h("button", {}, "Use it")),
    button("Sign out", () => identify(null)));
}

function write({ id, conversation, turn, draw }) {
  if (conversation.state !== "open") return h("p", { class: "quiet" }, "Nothing is said in a conversation that ended. Open it again to go on.");
  const held = conversation.holder.kind === "teammate";
  const say = async ({ text, from }, element) => {
    if (from === "agent") {
      if (!turn) await post(path`/v1/conversations/${id}/turns`);
      await post(path`/v1/conversations/${id}/reply`, { text });
    } else {
      await post(path`/v1/conversations/${id}/messages`, { from, text });
    }
    element.querySelector("textarea").value = "";
    await draw();
  };
  const options = [["customer", "the customer"], held ? ["teammate", "the teammate"] : ["agent", "the agent, which ends its turn"]];
  return form({ class: "card write", "data-key": "write" }, say,
    field("Say something", "text", { tag: "textarea", rows: "2" }),
    h("div", { class: "row end" }, field("As", "from", { tag: "select", options }), h("button", { class: "primary" }, "Say it")));
}

const MODES = [["agent", "Call as the agent"], ["run", "Run it yourself"], ["test", "Test"]];

function acting(all) {
  const { turn, again } = all;
  const choose = (event) => {
    chosen = { ...chosen, mode: event.currentTarget.value, last: null };
    again();
  };
  const asAgent = chosen.mode === "agent";
  const list = asAgent && turn?.state === "open" ? turn.tools : all.tools.filter((one) => one.enabled || chosen.mode === "test");
  const tool = list.find((one) => one.name === chosen.tool) ?? list[0];
  return [
    h("fieldset", { class: "modes", "data-key": "modes" }, h("legend", {}, "You act as"),
      MODES.map(([mode, label]) => h("label", {},
        h("input", { type: "radio", name: "mode", value: mode, checked: mode === chosen.mode, onchange: choose }), h("span", {}, label)))),
    asAgent ? turnOf(all) : h("p", { class: "hint" }, chosen.mode === "run"
      ? "Any tool, at any risk, with no sign-off. The agent is not told. Three may run at once."
      : "Any tool at once, as the command line tests it, with this visitor."),
    tool
      ? calling(all, tool, list)
      : h("p", { class: "quiet" }, "There are no tools. Connect an endpoint first."),
    h("div", { class: "answer", "aria-live": "polite", "data-key": "answer" }, answered()),
  ];
}

function turnOf({ id, conversation, turn, due, draw }) {
  const beginTurn = () => post(path`/v1/conversations/${id}/turns`).then(draw);
  const list = (told) => (told.length ? h("ul", {}, told.map((one) => h("li", {}, said(one.text)))) : null);
  const later = conversation.due.length > 0;
  return h("div", { class: later || turn?.due.length ? "turn due" : "turn", "data-key": "turn" },
    turn
      ? h("p", {}, "The agent's turn: ", state(turn.state), ` ${turn.calls} of 10 calls.`, turn.state === "waiting" ? " It waits for a sync." : "")
      : h("div", { class: "row between" }, h("p", {}, due ? h("strong", {}, "The agent is due a turn.") : "The agent has no turn."),
        conversation.state === "open" && conversation.holder.kind === "agent" ? button("Begin its turn", beginTurn) : null),
    turn?.due.length ? [h("p", {}, "When it began, it was told:"), list(turn.due)] : null,
    later ? h("p", {}, "In its next turn, it will be told:") : null,
    list(conversation.due));
}

function calling(all, tool, list) {
  const { id, draw, again } = all;
  const asAgent = chosen.mode === "agent";
  const pick = (event) => {
    chosen = { ...chosen, tool: event.currentTarget.value, raw: null, last: null };
    again();
  };
  const setRaw = (isRaw, text) => {
    chosen = { ...chosen, raw: isRaw ? text : null };
    again();
  };
  const run = async (values) => {
    const input = readInput(tool, values, PREFIX, chosen.raw);
    chosen.last = null;
    try {
      chosen.last = await send(all, tool, input, values["send-anyway"] === "on");
    } catch (error) {
      chosen.last = { refused: error.message };
    }
    await draw();
  };
  return form({ class: "card", "data-key": "call" }, run,
    field("Tool", "tool", { tag: "select", options: list.map((one) => [one.name, `${one.name} · ${one.risk}`]), value: tool.name, onchange: pick }),
    h("div", { class: "picked" }, risk(tool.risk),
      tool.agentDescription === undefined ? h("p", { class: "description" }, said(tool.description)) : description(tool, tool.description)),
    inputFields(tool, PREFIX, chosen.raw, setRaw),
    asAgent ? h("label", { class: "check", "data-key": "anyway" }, h("input", { type: "checkbox", name: "send-anyway" }), " Send it even if it does not fit the schema") : null,
    h("div", { class: "actions" }, h("button", { class: "primary", "data-key": "go" }, { agent: "Call", run: "Run", test: "Test" }[chosen.mode])),
    h("p", { class: "unseen-text" }, `In conversation ${id}`));
}

async function send({ id, turn }, tool, input, sendAnyway) {
  if (chosen.mode === "run") {
    // It is not waited for: two more may run beside it. The events tell when it is back.
    return { run: await postText(path`/v1/conversations/${id}/runs` + "?wait=false", around(input, { tool: tool.name, teammate: teammate() })) };
  }
  if (chosen.mode === "test") {
    return { test: await postText(path`/v1/tools/${tool.name}/test`, around(input, { conversation: id })) };
  }
  if (!turn) await post(path`/v1/conversations/${id}/turns`);
  return { call: await postText(path`/v1/conversations/${id}/calls`, around(input, { tool: tool.name, sendAnyway: sendAnyway || null })) };
}

function answered() {
  const { last } = chosen;
  if (!last) return null;
  if (last.refused) return [h("h2", {}, "Not sent"), problem(last.refused)];
  if (last.run) {
    return [h("h2", {}, "Your run ", state(last.run.state)), last.run.error ? h("p", { class: "problem" }, "did not run: ", said(last.run.error)) : outcome(last.run.outcome)];
  }
  if (last.test) return [h("h2", {}, "Test ", state(last.test.ok ? "completed" : "failed")), outcome(last.test.call.outcome)];
  return [
    h("h2", {}, "Answer ", state(last.call.call?.outcome?.kind ?? "pending")),
    agentReads(last.call.agentReads ?? "", last.call.call?.outcome),
    last.call.approval ? h("p", {}, h("a", { href: "#/approvals" }, "It waits for a decision in Approvals.")) : null,
  ];
}
