// What the team does in the console: conversations, decisions, endpoints; with the keyboard alone, and on a phone.

import assert from "node:assert/strict";

import { act, answer, begin, call, elsewhere, goTo, isFocused, leave, prepare, request, requestElsewhere, sees, show, tabTo, waiting } from "./person.mjs";

const REFUND = { orderNumber: "ORD-1042", cents: 500 };

const beAna = async (page) => {
  await page.getByLabel("You are").fill("Ana");
  await page.getByLabel("You are").press("Tab");
};

export async function pastedIdentity({ page, shoot }) {
  await begin(page);
  const about = page.locator('[data-key="about"]');
  await sees(about, "not verified");
  await about.getByText("Who the visitor is").click();
  const pasted = about.getByLabel("Signed identity");
  const use = about.getByRole("button", { name: "Use it" });
  await pasted.fill("{ not JSON");
  await use.click();
  await sees(page.getByRole("status"), /What is pasted is not JSON/);
  await pasted.fill(process.env.FORGED);
  await use.click();
  await sees(page.getByRole("status"), "The signature does not hold: not verified.");
  await sees(about, "not verified");
  await pasted.fill(process.env.IDENTITY);
  await use.click();
  await sees(about, "verified");
  await sees(about, "user_1");
  await shoot("identity");
  await call(page, "orderStatus", { orderNumber: "ORD-1042" });
  await sees(answer(page), /shipped/i);
  await about.getByRole("button", { name: "Sign out" }).click();
  await sees(about, "not verified");
}

export async function handOver({ page, shoot }) {
  await beAna(page);
  await begin(page, "user_1");
  const about = page.locator('[data-key="about"]');
  await about.getByRole("button", { name: "Take it over" }).click();
  await sees(about, "Ana");
  await call(page, "orderStatus", { orderNumber: "ORD-1042" });
  await sees(answer(page), "Ana handles this conversation. Hand it back to the agent first.");
  const thread = page.getByRole("list", { name: "Thread" });
  const say = async (who, text) => {
    await page.getByLabel("Say something").fill(text);
    await page.getByLabel("As", { exact: true }).selectOption(who);
    await page.getByRole("button", { name: "Say it" }).click();
    await sees(thread, text);
  };
  await say("teammate", "I look into it myself.");
  await say("customer", "Thank you!");
  await sees(page, "The agent has no turn.");
  await shoot("held");
  await about.getByRole("button", { name: "Hand it back to the agent" }).click();
  await sees(about, "the agent");
  await sees(page, "The agent is due a turn.");
  await page.getByRole("button", { name: "Begin its turn" }).click();
  await sees(page, "0 of 10 calls.");
}

export async function notes({ page, shoot }) {
  await beAna(page);
  await begin(page, "user_1");
  const about = page.locator('[data-key="about"]');
  await about.getByText("Notes of the team (0)").click();
  await about.getByLabel("Note", { exact: true }).fill("Moves <b>often</b>.");
  await about.getByRole("button", { name: "Add" }).click();
  await sees(about, "Notes of the team (1)");
  await sees(about, "Moves <b>often</b>.");
  await sees(about.locator(".note"), "Ana");
  assert.equal(await about.getByLabel("Note", { exact: true }).inputValue(), "");
  await shoot("notes");
}

export async function removal({ page, shoot }) {
  await requestElsewhere("refundOrder", REFUND);
  await goTo(page, "Endpoints");
  const card = page.getByRole("list", { name: "Endpoints" }).getByRole("listitem");
  await card.getByRole("button", { name: "Remove…" }).click();
  await card.getByRole("button", { name: "Remove it with its tools" }).waitFor();
  await shoot("removing");
  await card.getByRole("button", { name: "Keep it" }).click();
  await card.getByRole("button", { name: "Remove…" }).click();
  await card.getByRole("button", { name: "Remove it with its tools" }).click();
  await sees(page, "No endpoint is connected yet.");
  await goTo(page, "Approvals");
  await show(page, "expired");
  await sees(request(page, "refundOrder", "expired"), "Its endpoint was removed.");
  await goTo(page, "Tools");
  await sees(page, "There are no tools yet.");
}

export async function failedCall({ page, shoot }) {
  await begin(page, "user_1");
  await call(page, "payOut", { cents: "500" });
  await waiting(page, 1);
  await goTo(page, "Approvals");
  await request(page, "payOut", "pending").getByRole("button", { name: "Approve payOut" }).click();
  const failed = request(page, "payOut", "failed");
  await sees(failed, "It did not run");
  await sees(failed, "The bank is closed. <b>Try</b> tomorrow.");
  await shoot("failed-call");
  await page.goBack();
  await sees(page.getByRole("list", { name: "Thread" }), "payOut did not run: The bank is closed. <b>Try</b> tomorrow.");
  await sees(page, /Treat the action as not done/);
}

/** Where the middle of something is in the window. */
const middle = async (locator) => {
  const { x, y, width, height } = await locator.boundingBox();
  return { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
};

export async function inbox({ page, shoot }) {
  const [first, second] = [await requestElsewhere("refundOrder", REFUND), await requestElsewhere("refundOrder", REFUND)];
  await goTo(page, "Approvals");
  const card = (one) => page.locator(`[data-key="${one.id}"]`);
  const approve = (one) => card(one).getByRole("button", { name: "Approve refundOrder" });
  await approve(second).hover();
  const before = await middle(approve(second));

  const third = await requestElsewhere("refundOrder", REFUND);
  await approve(third).waitFor();
  assert.deepEqual(await middle(approve(second)), before, "one that came moved it");
  await elsewhere(`/v1/tool-approvals/${first.id}/deny`);
  await sees(page, "Something changed. It shows once you leave the list.");
  assert.deepEqual(await middle(approve(second)), before, "one that went moved it");
  await approve(first).click();
  await sees(page.getByRole("status"), "This request has already been reviewed.");
  await shoot("inbox-in-hand");

  await approve(second).hover();
  const at = await middle(approve(second));
  await approve(second).click();
  await sees(card(second), "completed");
  const under = await page.evaluate(({ x, y }) => document.elementFromPoint(x, y).closest("li")?.dataset.key, at);
  assert.equal(under, second.id, "another request came to where this one was decided");

  await leave(page);
  await card(second).waitFor({ state: "detached" });
  await card(first).waitFor({ state: "detached" });
  await approve(third).waitFor();
  await waiting(page, 1);
}

export async function keyboard({ page, shoot }) {
  const [first, second] = [await requestElsewhere("refundOrder", REFUND), await requestElsewhere("refundOrder", REFUND)];
  await waiting(page, 2);
  await tabTo(page, page.getByRole("navigation").getByRole("link", { name: "Approvals" }));
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Approvals" }).waitFor();
  const card = (one) => page.locator(`[data-key="${one.id}"]`);
  const button = (one, word) => card(one).getByRole("button", { name: `${word} refundOrder` });
  await button(second, "Deny").waitFor();
  await tabTo(page, button(first, "Approve"));
  await shoot("keyboard");
  await page.keyboard.press("Enter");
  await sees(card(first), "completed");
  await isFocused(card(first));
  await tabTo(page, button(second, "Deny"));
  await page.keyboard.press("Space");
  await sees(card(second), "denied");
  await waiting(page, 0);
  await tabTo(page, page.locator("[data-key=alerts] a").first());
  await sees(page, "Nothing waits for a decision.");
}

/** Everything once on a phone, in the dark. `isCalm` looks for what is wider than the window. */
export async function phone({ page, isCalm }) {
  await page.emulateMedia({ colorScheme: "dark" });
  await page.setViewportSize({ width: 390, height: 844 });
  const see = async (name) => {
    await isCalm();
    await page.screenshot({ path: `${process.env.SCREENSHOTS}/on-a-phone-${name}.png` });
  };
  await requestElsewhere("refundOrder", REFUND);
  for (const name of ["Endpoints", "Tools", "Approvals", "Reports", "Log", "Conversations"]) {
    await goTo(page, name);
    await see(name.toLowerCase());
  }
  await begin(page, "user_1");
  await call(page, "refundOrder", { orderNumber: "ORD-1043", cents: "500" });
  await sees(answer(page), /needs sign-off/);
  await answer(page).scrollIntoViewIfNeeded();
  await see("call");
  await page.getByText("Who the visitor is").click();
  await page.getByText(/^Notes of the team/).click();
  await page.getByText(/^Clock/).click();
  await page.evaluate(() => window.scrollTo(0, 0));
  await see("unfolded");
  const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.ok(background.match(/\d+/g).slice(0, 3).every((part) => Number(part) < 64), `${background} is not dark`);
}

export async function address({ page }) {
  for (const odd of ["#/%", "#/%E0%A4%A", "#%"]) {
    await page.evaluate((hash) => { location.hash = hash; }, odd);
    await page.getByRole("heading", { level: 1, name: "Endpoints" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Endpoints" }).waitFor();
  }
  await page.evaluate(() => { location.hash = "#/conversations/%"; });
  await page.getByRole("alert").waitFor();
  await goTo(page, "Tools");
}

export async function picking({ page }) {
  await begin(page, "user_1");
  await prepare(page, "orderStatus", { orderNumber: "ORD-1042" });
  // From here on the API is silent.
  const held = [];
  await page.route("**/v1/**", (route) => held.push(route));
  await prepare(page, "refundOrder", { orderNumber: "ORD-1043" });
  await act(page, "Run it yourself");
  await page.getByRole("button", { name: "Run", exact: true }).waitFor();
  await page.getByLabel("Write the JSON by hand").check();
  await page.getByLabel("Input as JSON").waitFor();
  await page.unroute("**/v1/**");
  await Promise.all(held.map((route) => route.continue()));
}
