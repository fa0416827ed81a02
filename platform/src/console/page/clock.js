// The stand-in's clock, and the buttons that move it forward.

import { get, post } from "/console/api.js";
import { h } from "/console/dom.js";
import { button, field, form, notify, span } from "/console/parts.js";

const MINUTE = 60_000;
const STEPS = [["11 min", 11 * MINUTE], ["1 hour", 60 * MINUTE], ["24 hours", 24 * 60 * MINUTE]];

let ahead = 0;
let offset = 0;
let redraw = () => {};

/** What the stand-in's clock says now, in milliseconds. */
export const now = () => Date.now() + offset;

function set({ nowMs, aheadMs }) {
  ahead = aheadMs;
  offset = nowMs - Date.now();
}

export async function startClock(frame) {
  redraw = frame;
  set(await get("/v1/clock"));
}

async function forward(byMs) {
  set(await post("/v1/clock/move", { byMs }));
  notify(`The clock is ${span(ahead)} ahead.`);
  redraw();
  close();
}

/** What it covered can be seen again, and the keyboard goes on where it was opened. */
function close() {
  const details = document.querySelector("details.clock");
  details.open = false;
  details.querySelector("summary").focus();
}

/** The clock moved by someone else shows too. */
export async function look() {
  set(await get("/v1/clock"));
  redraw();
}

export function clock() {
  const custom = (values) => {
    const minutes = Number(values.minutes);
    if (!Number.isSafeInteger(minutes) || minutes < 1) throw new Error("Minutes are a whole number from 1.");
    return forward(minutes * MINUTE);
  };
  return h("details", { class: "clock", "data-key": "clock", onkeydown: (event) => event.key === "Escape" && close() },
    h("summary", {}, "Clock ", h("span", { class: "ahead" }, ahead ? `+${span(ahead)}` : "is real")),
    h("div", { class: "popover" },
      h("p", { class: "hint" }, "Expiry, checks and limits go by this clock. It only moves forward."),
      h("div", { class: "actions" }, STEPS.map(([label, ms]) => button(`+ ${label}`, () => forward(ms)))),
      form({ class: "inline" }, custom,
        field("Minutes", "minutes", { inputmode: "numeric", value: "90" }), h("button", {}, "Move"))));
}
