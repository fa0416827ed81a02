// Elements are made of text nodes and attributes only: nothing that an endpoint says is ever read as markup.

const dispatch = (event) => event.currentTarget.handlers[event.type]?.(event);

/** An element. `on…` are handlers; true is an attribute without a value; false and null leave one out. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  element.handlers = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) {
      element.handlers[name.slice(2)] = value;
      element.addEventListener(name.slice(2), dispatch);
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

/** Puts children into an element and keeps what is the same: the focus, what is typed, what is folded open. */
export function fill(element, ...children) {
  const wanted = document.createElement("div");
  append(wanted, children);
  morphChildren(element, wanted);
}

const keyOf = (node) => (node.nodeType === Node.ELEMENT_NODE ? node.getAttribute("data-key") : null);
const isSame = (a, b) => a.nodeType === b.nodeType && a.nodeName === b.nodeName && keyOf(a) === keyOf(b);

function morphChildren(from, to) {
  const keyed = new Map();
  for (const child of from.childNodes) if (keyOf(child) !== null) keyed.set(keyOf(child), child);
  let at = from.firstChild;
  for (const want of [...to.childNodes]) {
    const key = keyOf(want);
    const known = key === null ? null : keyed.get(key);
    if (known && isSame(known, want)) {
      if (known === at) at = at.nextSibling;
      else move(from, known, at);
      morph(known, want);
    } else if (at && isSame(at, want)) {
      const next = at.nextSibling;
      morph(at, want);
      at = next;
    } else {
      from.insertBefore(want, at);
    }
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

/** Moving an element takes its focus away. */
function move(parent, element, before) {
  const focused = element.contains(document.activeElement) ? document.activeElement : null;
  parent.insertBefore(element, before);
  focused?.focus({ preventScroll: true });
}

// What the person has changed by hand.
const THEIRS = { DETAILS: ["open"], INPUT: ["value", "checked"], OPTION: ["selected"], TEXTAREA: [], SELECT: [] };

function morph(from, to) {
  if (from.nodeType !== Node.ELEMENT_NODE) {
    if (from.nodeValue !== to.nodeValue) from.nodeValue = to.nodeValue;
    return;
  }
  const theirs = THEIRS[from.nodeName] ?? [];
  for (const { name, value } of [...to.attributes]) {
    if (!theirs.includes(name) && from.getAttribute(name) !== value) from.setAttribute(name, value);
  }
  for (const { name } of [...from.attributes]) {
    // No element is made with a style: one that it has was set on it while it is shown.
    if (name !== "style" && !theirs.includes(name) && !to.hasAttribute(name)) from.removeAttribute(name);
  }
  for (const type of Object.keys(to.handlers ?? {})) {
    if (!from.handlers?.[type]) from.addEventListener(type, dispatch);
  }
  from.handlers = to.handlers ?? {};
  if (from.nodeName !== "TEXTAREA") morphChildren(from, to);
}

// Controls, what changes the direction of writing, and what takes no room, like a whole text in tags: shown as what they are.
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;

/** Text of somebody else's: isolated from the direction of what is around it, with nothing in it unseen. */
export function said(text, attributes = {}) {
  const nodes = [];
  let at = 0;
  const whole = String(text ?? "");
  for (const found of whole.matchAll(HIDDEN)) {
    nodes.push(whole.slice(at, found.index));
    const code = found[0].codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
    nodes.push(h("span", { class: "unseen", title: `The character U+${code}` }, `U+${code}`));
    at = found.index + found[0].length;
  }
  nodes.push(whole.slice(at));
  return h("bdi", attributes, nodes);
}

/** The same as a block that keeps its lines. */
export const block = (text, label) =>
  h("pre", { class: "block", tabindex: "0", "aria-label": label, role: "group" }, said(text));
