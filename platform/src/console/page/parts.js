// Small parts that several views are made of.

import { block, h, said } from "/console/dom.js";

const two = (number) => String(number).padStart(2, "0");

/** A moment, as the stand-in's clock says it. */
export function when(ms) {
  if (!ms) return h("span", { class: "quiet" }, "never");
  const date = new Date(ms);
  const time = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return h("time", { datetime: date.toISOString(), title: `${day} ${time}`, class: "time" }, time);
}

/** A length of time, roughly. */
export function span(ms) {
  const minutes = Math.max(0, Math.round(ms / 60000));
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} days ${hours % 24} h`;
}

const RISKS = { low: "ok", medium: "note", reviewed: "warn", high: "bad" };
export const risk = (name) => h("span", { class: `badge ${RISKS[name] ?? ""}`, title: "Risk" }, name);

const STATES = {
  synced: "ok", completed: "ok", open: "ok", answered: "ok", data: "ok", approve: "ok",
  syncing: "note", reviewing: "note", executing: "note", running: "note", sent: "note", waiting: "note",
  pending: "warn", escalate: "warn", refusal: "warn", invalidInput: "warn",
  failed: "bad", denied: "bad", notAnswering: "bad",
};
const WORDS = {
  invalidInput: "invalid input", notAnswering: "not answering", failed: "failed", never: "not synced yet",
};
export const state = (name) => h("span", { class: `badge ${STATES[name] ?? "plain"}` }, WORDS[name] ?? name);

export const problem = (text) => h("p", { class: "problem", role: "alert" }, said(text));

/** A button that says when it is at work, and tells what went wrong beside it. */
export function button(label, run, attributes = {}) {
  const busy = async (event) => {
    const element = event.currentTarget;
    if (element.getAttribute("aria-disabled") === "true") return;
    element.setAttribute("aria-disabled", "true");
    try {
      await run(event);
    } catch (error) {
      notify(error.message, true);
    } finally {
      element.removeAttribute("aria-disabled");
    }
  };
  return h("button", { type: "button", ...attributes, onclick: busy }, label);
}

let numbered = 0;
/** A label with its field. The id follows from the name, so that it stays the same when the view is drawn again. */
export function field(label, name, attributes = {}, hint = null) {
  const id = `f-${name.replace(/\W/g, "_")}`;
  const { tag = "input", options, ...rest } = attributes;
  const more = { id, name, autocomplete: "off", ...rest, "aria-describedby": hint ? `${id}-hint` : null };
  const children = options ? options.map(([value, text]) => h("option", { value, selected: value === rest.value }, text)) : [];
  if (tag === "textarea") children.push(rest.value ?? "");
  if (tag !== "input") delete more.value;
  return h("div", { class: "field" },
    h("label", { for: id }, label),
    h(tag, more, children),
    hint ? h("p", { class: "hint", id: `${id}-hint` }, hint) : null);
}

/** A form that sends itself to a function, with its fields by name. */
export function form(attributes, run, ...children) {
  const onsubmit = async (event) => {
    event.preventDefault();
    const element = event.currentTarget;
    if (element.getAttribute("aria-busy") === "true") return;
    element.setAttribute("aria-busy", "true");
    try {
      await run(Object.fromEntries(new FormData(element)), element);
    } catch (error) {
      notify(error.message, true);
    } finally {
      element.removeAttribute("aria-busy");
    }
  };
  return h("form", { novalidate: true, ...attributes, onsubmit }, children);
}

/** Something that the person should hear of wherever they are. */
export function notify(text, isBad = false) {
  const list = document.getElementById("notices");
  const key = `notice-${(numbered += 1)}`;
  const close = () => notice.remove();
  const notice = h("div", { class: isBad ? "notice bad" : "notice", "data-key": key },
    said(text), h("button", { type: "button", class: "plain", onclick: close, "aria-label": "Close this notice" }, "×"));
  list.append(notice);
  while (list.childElementCount > 3) list.firstElementChild.remove();
  if (!isBad) setTimeout(close, 8000);
}

/** A path of the site itself: one slash, nothing that a browser would read as another site. */
export const isOwnPath = (text) =>
  typeof text === "string" && /^\/(?![/\\])[^\\\u0000-\u0020\u007f]*$/.test(text) && text.length <= 2048;

/** How a call ended, as the team sees it. */
export function outcome(of) {
  if (!of) return null;
  const body = [];
  if (of.kind === "data") {
    body.push(block(of.text, "What the tool answered"));
    if (of.cut) body.push(cut(of));
    if (of.navigateTo || of.highlight) body.push(widget(of));
  } else if (of.kind === "refusal") {
    body.push(h("p", {}, h("code", {}, said(of.reason)), of.detail ? [" ", said(of.detail)] : null));
    if (of.unknown) body.push(h("p", { class: "hint" }, "The action may have happened."));
    body.push(signIn(of));
  } else if (of.kind === "notAnswering") {
    body.push(h("p", {}, said(of.why)), h("p", { class: "hint" }, "Only the team sees why."));
  } else {
    body.push(block(of.message, "What went wrong"));
  }
  return h("div", { class: "outcome" }, h("p", { class: "outcome-head" }, "Result ", state(of.kind)), body);
}

/** What the person at the console does about a tool that wants to know who is asking. The agent reads none of it. */
const signIn = (of) => of?.reason === "not_signed_in"
  ? h("p", { class: "hint" }, "The visitor is not verified. Sign in under “Who the visitor is”, and call it again.")
  : null;

const cut = (of) => h("p", { class: "cut" },
  `✂ Cut here: the agent reads the first 4,000 of ${of.characters.toLocaleString("en")} characters.`);

/** The button and the highlight, as the widget would show them. It is shown where they lead; nothing goes there. */
function widget(of) {
  const tell = () => notify(`In the widget, this opens ${of.navigateTo} on your site. The console stays here.`);
  return h("div", { class: "widget", role: "group", "aria-label": "In the widget" },
    h("span", { class: "widget-label" }, "In the widget"),
    isOwnPath(of.navigateTo)
      ? h("button", { type: "button", class: "page-button", onclick: tell }, "Open page ", said(of.navigateTo, { class: "mono" }))
      : null,
    of.highlight ? h("span", {}, "Highlights ", h("code", { class: "highlight" }, said(of.highlight))) : null);
}

/** What the agent reads of an answer, and where it ends. */
export function agentReads(text, of) {
  return h("div", { class: "agent-reads" },
    h("p", { class: "outcome-head" }, "The agent reads"),
    block(text, "What the agent reads"),
    of?.kind === "data" && of.cut ? cut(of) : null,
    signIn(of),
    of?.kind === "data" && (of.navigateTo || of.highlight) ? widget(of) : null);
}

/** Who is on the other side. */
export function visitor(of) {
  if (of.verified) return h("span", {}, h("span", { class: "badge ok" }, "verified"), " ", said(of.externalId, { class: "mono" }));
  return h("span", {}, h("span", { class: "badge plain" }, "not verified"), of.email ? [" ", said(of.email)] : null);
}

export const short = (id) => said(id, { class: "mono id", title: id });

export const empty = (title, ...how) => h("div", { class: "empty" }, h("p", {}, h("strong", {}, title)), how.map((line) => h("p", {}, line)));

/** The name that the person decides and runs tools under. */
export const teammate = () => sessionStorage.getItem("median-edge-console-name") || null;
export const setTeammate = (name) => sessionStorage.setItem("median-edge-console-name", name.trim());
