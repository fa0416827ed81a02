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

export async function isFocused(locator) {
  assert.equal(await locator.evaluate((element) => element === document.activeElement), true);
}
