// Which view is shown, and when it is drawn again.

import { get, knownBearer, listen, useBearer } from "/console/api.js";
import { fill, h } from "/console/dom.js";
import { field, form, notify, problem, setTeammate, teammate } from "/console/parts.js";
import { clock, look, startClock } from "/console/clock.js";
import * as approvals from "/console/approvals.js";
import * as conversation from "/console/conversation.js";
import * as conversations from "/console/conversations.js";
import * as endpoints from "/console/endpoints.js";
import * as log from "/console/log.js";
import * as reports from "/console/reports.js";
import * as tools from "/console/tools.js";

const VIEWS = [
  ["endpoints", "Endpoints", endpoints],
  ["tools", "Tools", tools],
  ["conversations", "Conversations", conversations],
  ["approvals", "Approvals", approvals],
  ["reports", "Reports", reports],
  ["log", "Log", log],
];

const main = document.getElementById("main");
const nav = document.getElementById("nav");
const top = document.getElementById("tools-of-page");

let view = null;
let open = 0;
let live = "connecting";

/** A part of the address. What somebody typed there may be no encoding at all; then it is what it is. */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function named() {
  const [name = "", ...rest] = location.hash.replace(/^#\/?/, "").split("/").map(decoded);
  if (name === "conversations" && rest[0]) return { name, module: conversation, argument: rest[0], title: "Conversation" };
  const [known, title, module] = VIEWS.find(([one]) => one === name) ?? VIEWS[0];
  return { name: known, module, argument: rest[0], title };
}

function frame() {
  fill(nav, VIEWS.map(([name, title]) => h("a", {
    href: `#/${name}`, "aria-current": view?.name === name ? "page" : null,
  }, title, name === "approvals"
    ? h("span", { class: open ? "count" : "count none", title: "Waiting for a decision" }, String(open), h("span", { class: "unseen-text" }, " waiting"))
    : null)));
  fill(top,
    clock(),
    h("div", { class: "you" }, h("label", { for: "your-name" }, "You are"),
      h("input", { id: "your-name", value: teammate() ?? "", placeholder: "A teammate", autocomplete: "off", maxlength: "80",
        onchange: (event) => setTeammate(event.currentTarget.value) })),
    h("span", { class: `live ${live}`, title: "Whether this page hears of what happens" }, live === "on" ? "live" : live));
}

/** Draws the view with what is so now. Only the newest drawing counts. */
let drawing = 0;
async function draw() {
  const mine = (drawing += 1);
  const shown = view;
  // A view that knows all that it needs draws at once, without asking the API again.
  const put = (children) => shown === view && fill(main, children);
  try {
    const children = await shown.module.view(shown.argument, draw, put);
    if (mine === drawing && shown === view) fill(main, children);
  } catch (error) {
    if (error.status === 401) return signIn();
    if (mine === drawing && shown === view) fill(main, h("h1", {}, shown.title), problem(error.message));
  }
}

async function show() {
  const before = view;
  const next = named();
  if (before?.name === next.name && before?.argument === next.argument) return draw();
  view = next;
  view.module.begin?.(view.argument);
  document.title = `${view.title} · local stand-in`;
  frame();
  // On a phone the views are wider than the window. `scrollIntoView` would also move where Tab goes on from.
  nav.scrollLeft = (nav.querySelector("[aria-current]")?.offsetLeft ?? 0) - 40;
  await draw();
  if (before) {
    window.scrollTo(0, 0);
    main.focus({ preventScroll: true });
  }
}

// Many events come together: they are one drawing.
let timer = null;
function soon() {
  timer ??= setTimeout(() => {
    timer = null;
    count().catch(() => {});
    draw();
  }, 60);
}

let counting = 0;
async function count() {
  const mine = (counting += 1);
  const { items } = await get("/v1/tool-approvals?status=open&limit=200");
  // An answer that was overtaken tells what was so before.
  if (mine !== counting) return;
  open = items.filter((one) => one.state !== "executing").length;
  frame();
}

function heard(event) {
  if (event?.type === "Alerts") notify(event.text);
  // A person at another page, or the command line, may move the clock.
  if (event?.type === "System") look().catch(() => {});
  soon();
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function keepListening() {
  for (;;) {
    try {
      await listen(() => {
        live = "on";
        soon();
      }, heard);
    } catch (error) {
      if (error.status === 401) return;
    }
    live = "offline";
    frame();
    await pause(1500);
  }
}

function signIn() {
  fill(nav);
  fill(top);
  const enter = async (values) => {
    const linked = values.bearer.trim().match(/#token=([0-9a-f]{64})$/);
    useBearer(linked ? linked[1] : values.bearer);
    try {
      await get("/v1/clock");
    } catch (error) {
      return fill(main.querySelector(".answer"), problem(error.status === 401 ? "That is not it. Look for the link in the terminal where the stand-in runs." : error.message));
    }
    await begin();
  };
  fill(main, h("h1", {}, "Open the console"),
    h("p", {}, "This stand-in has a key of your own. Open the link that it printed when it started, or paste the link or ", h("code", {}, "MEDIAN_KEY"), " here. It stays in this tab."),
    form({ class: "card narrow" }, enter,
      field("Link or key", "bearer", { type: "password", required: true }),
      h("div", { class: "answer" }),
      h("div", { class: "actions" }, h("button", { class: "primary" }, "Open"))));
}

async function begin() {
  await startClock(frame);
  window.addEventListener("hashchange", show);
  await show();
  keepListening();
}

if (knownBearer()) begin().catch((error) => (error.status === 401 ? signIn() : fill(main, problem(error.message))));
else signIn();
