// What a person does in the console, by the names that are on the screen.

import assert from "node:assert/strict";

export const sees = async (within, text) => within.getByText(text).first().waitFor();

export async function goTo(page, name) {
  await page.getByRole("navigation").getByRole("link", { name }).click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
}

/** Begins a conversation, signed in or not. */
export async function begin(page, customer = "") {
  await goTo(page, "Conversations");
  await page.getByLabel("Signed in as").fill(customer);
  await page.getByRole("button", { name: "Begin a conversation" }).click();
  await page.getByRole("heading", { level: 1, name: "Conversation", exact: true }).waitFor();
}

export const act = (page, mode) => page.getByRole("radio", { name: mode }).check();

/** Picks a tool and fills in its form. Choices and booleans are picked, the rest is typed. */
export async function prepare(page, tool, input) {
  await page.getByLabel("Tool", { exact: true }).selectOption(tool);
  // The form of the tool that was picked before may have fields of the same names.
  await page.locator(`[data-key="fields-input-${tool}"]`).waitFor();
  for (const [name, value] of Object.entries(input)) {
    const field = page.getByRole("region", { name: "Calling a tool" }).getByLabel(new RegExp(`^${name} `));
    const isSelect = await field.evaluate((element) => element.nodeName === "SELECT");
    if (isSelect) await field.selectOption(value);
    else await field.fill(value);
  }
}

export async function call(page, tool, input, button = "Call") {
  await prepare(page, tool, input);
  await page.getByRole("button", { name: button, exact: true }).click();
}

/** The part of the page that holds the last answer. */
export const answer = (page) => page.locator(".answer");

/** The request with this state, in the approvals. */
export const request = (page, tool, state) =>
  page.getByRole("list", { name: "Requests" }).getByRole("listitem").filter({ has: page.getByRole("heading", { name: tool }) })
    .filter({ has: page.getByText(state, { exact: true }) });

export const waiting = async (page, count) => {
  await page.getByRole("navigation").getByText(`${count} waiting`).waitFor({ state: "attached" });
};

export async function show(page, status) {
  await page.getByLabel("Show").selectOption(status);
}

/** Asks the API beside the page, as somebody else would. */
export async function elsewhere(path, body = {}) {
  const headers = { authorization: `Bearer ${process.env.KEY}`, "content-type": "application/json" };
  const response = await fetch(process.env.STAND_IN + path, { method: "POST", headers, body: JSON.stringify(body) });
  const answer = await response.json();
  assert.ok(response.ok, JSON.stringify(answer));
  return answer;
}

/** A request that comes from a conversation of its own. */
export async function requestElsewhere(tool, input) {
  const { conversation } = await elsewhere("/v1/conversations");
  await elsewhere(`/v1/conversations/${conversation.id}/turns`);
  const { approval } = await elsewhere(`/v1/conversations/${conversation.id}/calls`, { tool, input });
  return approval;
}

/** Goes on with the Tab key until this has the focus. */
export async function tabTo(page, locator) {
  for (let presses = 0; presses < 60; presses += 1) {
    if (await locator.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`The keyboard does not come to ${locator}.`);
}

/** The person is nowhere in particular. */
export const leave = (page) => page.mouse.move(1, 1);

export async function isFocused(locator) {
  assert.equal(await locator.evaluate((element) => element === document.activeElement), true);
}
