// What a person does in the console, and what they see. Each is one test of `main.rs`.

import assert from "node:assert/strict";

import { endpoint, openPage } from "./browser.mjs";
import { act, answer, begin, call, goTo, isFocused, leave, prepare, request, sees, show, waiting } from "./person.mjs";

const REFUND = { orderNumber: "ORD-1042", cents: "500" };
const ADDRESS = { orderNumber: "ORD-1043", street: "Via Po 2", city: "Torino", postalCode: "10123" };

export async function connect({ page, shoot }) {
  await sees(page, "A local stand-in. Nothing here reaches the real platform.");
  await page.getByRole("heading", { level: 1, name: "Endpoints" }).waitFor();
  await page.keyboard.press("Tab");
  await isFocused(page.getByRole("link", { name: "Skip to the content" }));
  const url = page.getByLabel("URL of an endpoint");
  await url.focus();
  await page.keyboard.type(endpoint("DEMO"));
  await page.keyboard.press("Enter");
  const card = page.getByRole("list", { name: "Endpoints" }).getByRole("listitem");
  await sees(card, "synced");
  await sees(card, "6 tools");
  await isFocused(url);
  await shoot("endpoints");

  await goTo(page, "Tools");
  const refund = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "refundOrder" }) });
  await sees(refund, "The call does not run at once: it waits for sign-off by a teammate.");
  await sees(refund, "high");
  await shoot("tools");
  await refund.getByRole("switch").click();
  await refund.getByRole("switch", { checked: false }).waitFor();
}

export async function syncFailure({ page, shoot }) {
  await page.getByLabel("URL of an endpoint").fill(endpoint("BROKEN"));
  await page.getByRole("button", { name: "Connect" }).click();
  const card = page.getByRole("list", { name: "Endpoints" }).getByRole("listitem");
  await sees(card, "Sync failed");
  await sees(card, /requestHandoff/);
  await sees(card, /"a"/);
  await shoot("sync-failed");
}

export async function lowCall({ page, shoot }) {
  await begin(page, "user_1");
  await sees(page, "verified");
  await call(page, "orderStatus", { orderNumber: "ORD-1042" });
  await sees(answer(page), /"ORD-1042"|shipped/i);
  await sees(page.getByRole("list", { name: "Thread" }), "Called by the agent");
  await sees(page, "1 of 10 calls.");
  await page.getByLabel("Say something").fill("Your order is on its way.");
  await page.getByLabel("As", { exact: true }).selectOption("agent");
  await page.getByRole("button", { name: "Say it" }).click();
  await sees(page.getByRole("list", { name: "Thread" }), "Your order is on its way.");
  await sees(page, "The agent has no turn.");
  await shoot("low-call");
}

export async function refusal({ page, shoot }) {
  await begin(page);
  await call(page, "orderStatus", { orderNumber: "ORD-1042" });
  await sees(answer(page), /The tool said no/);
  await sees(answer(page), "refusal");
  await sees(answer(page), /Sign in under/);
  await shoot("refusal");
  await page.getByLabel(/^orderNumber /).fill("");
  await page.getByRole("button", { name: "Call", exact: true }).click();
  await sees(answer(page), /"?orderNumber"? is needed to run this/);
  await page.getByLabel("Write the JSON by hand").check();
  await page.getByLabel("Input as JSON").fill('{"orderNumber": 7}');
  await page.getByLabel("Send it even if it does not fit the schema").check();
  await page.getByRole("button", { name: "Call", exact: true }).click();
  await sees(answer(page), /The tool did not take the input/);
}

export async function longResult({ page, shoot }) {
  await begin(page);
  await call(page, "readAll", {});
  await sees(answer(page), /the agent reads the first 4,000 of 5,0\d\d characters/);
  await shoot("long-result");
}

export async function pageButton({ page, shoot }) {
  await begin(page, "user_1");
  const before = page.url();
  const path = page.getByLabel(/^path /);
  await page.getByLabel("Tool", { exact: true }).selectOption("goToPage");
  await path.fill("/orders/ORD-1042");
  await page.getByRole("button", { name: "Call", exact: true }).click();
  await answer(page).getByRole("button", { name: "Open page /orders/ORD-1042" }).click();
  await sees(page.getByRole("status"), /The console stays here/);
  assert.equal(page.url(), before);
  await shoot("page-button");
}

export async function approvals({ page, shoot }) {
  await page.getByLabel("You are").fill("Ana");
  await page.getByLabel("You are").press("Tab");
  await begin(page, "user_1");
  await call(page, "refundOrder", REFUND);
  await sees(answer(page), /needs sign-off by a teammate and has not run yet/);
  await waiting(page, 1);
  await goTo(page, "Approvals");
  const first = request(page, "refundOrder", "pending");
  await sees(first, /\{ "orderNumber": "ORD-1042", "cents": 500 \}/);
  await sees(first, "user_1");
  await shoot("approvals");
  await first.getByRole("button", { name: "Approve refundOrder" }).click();
  await sees(request(page, "refundOrder", "completed"), "Ana");
  await leave(page);
  await sees(page, "Nothing waits for a decision.");
  await show(page, "completed");
  await sees(request(page, "refundOrder", "completed"), "Ana");

  await page.goBack();
  await sees(page, "In its next turn, it will be told:");
  await call(page, "refundOrder", REFUND);
  await waiting(page, 1);
  await goTo(page, "Approvals");
  await show(page, "open");
  await request(page, "refundOrder", "pending").getByRole("button", { name: "Deny refundOrder" }).click();
  await show(page, "denied");
  await sees(request(page, "refundOrder", "denied"), "Denied by");
  await show(page, "all");
  await sees(request(page, "refundOrder", "completed"), "Approved by");
  assert.equal(await page.locator('main li[style*="min-height"]').count(), 0, "no place is kept for a button that was");
  await shoot("approvals-decided");
}

export async function escalation({ page, shoot }) {
  await begin(page, "user_1");
  await call(page, "changeAddress", ADDRESS);
  await sees(answer(page), /is being checked and has not run yet/);
  await sees(page.getByRole("list", { name: "Thread" }), "The reviewer passes it to the team.");
  await sees(page, "unread");
  await waiting(page, 1);
  await goTo(page, "Approvals");
  const waits = request(page, "changeAddress", "pending");
  await sees(waits, "The customer never sees this.");
  await shoot("escalation");
  await waits.getByRole("button", { name: "Approve changeAddress" }).click();
  await show(page, "completed");
  await sees(page, "Approved by");
}

export async function expiry({ page, shoot }) {
  await begin(page, "user_1");
  await call(page, "refundOrder", REFUND);
  await goTo(page, "Approvals");
  await request(page, "refundOrder", "pending").waitFor();
  await page.getByText(/^Clock/).click();
  await page.getByRole("button", { name: "+ 24 hours" }).click();
  await sees(page, "Nothing waits for a decision.");
  await waiting(page, 0);
  await show(page, "expired");
  await sees(page, "Nobody answered it within 24 hours.");
  await sees(page.getByRole("banner"), "+24 h 0 min");
  await shoot("expired");
}

export async function runs({ page, shoot }) {
  await begin(page);
  await act(page, "Run it yourself");
  for (const count of [1, 2, 3]) {
    await call(page, "slowTool", {}, "Run");
    await page.getByText("The agent does not see it.").nth(count - 1).waitFor();
  }
  await call(page, "slowTool", {}, "Run");
  await sees(answer(page), "Three tools are already running in this conversation. Wait for one to finish.");
  await shoot("runs");
  await page.getByRole("button", { name: "Archive" }).click();
  await sees(page, "archived");
  await call(page, "slowTool", {}, "Run");
  await sees(answer(page), "Move this conversation out of the archive before running a tool.");
}

export async function report({ page, shoot }) {
  await goTo(page, "Reports");
  await page.getByLabel("What went wrong").fill("The refund page is blank.");
  await page.getByRole("button", { name: "File the report" }).click();
  const filed = page.getByRole("list", { name: "Reports" }).getByRole("listitem");
  await sees(filed, "The refund page is blank.");
  await sees(filed, "answered");
  await filed.getByRole("group", { name: "What the endpoint says of itself" }).filter({ hasText: /orders/ }).waitFor();
  await shoot("report");
}

export async function log({ page, shoot }) {
  await goTo(page, "Log");
  const events = page.getByRole("list", { name: "Events, the newest first" });
  await sees(events, "sync.good");
  const other = await openPage(process.env.CONSOLE);
  await begin(other.page, "user_1");
  await call(other.page, "orderStatus", { orderNumber: "ORD-1042" });
  await sees(answer(other.page), "The agent reads");
  await other.close();
  await sees(events, "call.finished");
  await page.getByLabel("Type").selectOption("Conversations");
  await sees(events, "turn.open");
  await page.waitForFunction(() => !document.querySelector(".log").textContent.includes("call.finished"));
  await page.getByLabel("Type").selectOption("");
  await page.getByLabel("Tool", { exact: true }).selectOption("orderStatus");
  await sees(events, "call.finished");
  await page.waitForFunction(() => !document.querySelector(".log").textContent.includes("sync.good"));
  await page.getByLabel("Tool", { exact: true }).selectOption("");
  await sees(events, "sync.good");
  await shoot("log");
}

export async function hostile({ page, shoot, isCalm }) {
  const isText = async () => assert.equal(await page.locator("main script, main img, main iframe, main [onerror]").count(), 0);
  await goTo(page, "Tools");
  for (const unseen of ["U+202E", "U+E0041", "U+E0100", "U+3164"]) await sees(page, unseen);
  await sees(page, /<script>window.harmed = true<\/script>/);
  await isText();
  await shoot("hostile-tools");
  await begin(page);
  await call(page, "hostileTool", { plain: '<img src=x onerror="window.harmed = true">' });
  await sees(answer(page), /<script>window.harmed = true<\/script>/);
  await isText();
  assert.equal(await page.getByRole("button", { name: /Open page/ }).count(), 0);
  await shoot("hostile-call");
  await goTo(page, "Log");
  await isText();
  await isCalm();
}

export async function focus({ page }) {
  await begin(page, "user_1");
  await prepare(page, "orderStatus", { orderNumber: "ORD-10" });
  const typed = page.getByLabel(/^orderNumber /);
  await typed.focus();
  const other = await openPage(process.env.CONSOLE + page.url().slice(page.url().indexOf("#")));
  await other.page.getByLabel("Say something").fill("Is anybody there?");
  await other.page.getByRole("button", { name: "Say it" }).click();
  await sees(other.page.getByRole("list", { name: "Thread" }), "Is anybody there?");
  await other.close();
  await sees(page.getByRole("list", { name: "Thread" }), "Is anybody there?");
  await isFocused(typed);
  await page.keyboard.type("42");
  assert.equal(await typed.inputValue(), "ORD-1042");
}

export async function ownKey({ page, shoot }) {
  await page.getByRole("heading", { level: 1, name: "Endpoints" }).waitFor();
  assert.ok(!page.url().includes("token"), "the token does not stay in the address");
  await page.getByRole("navigation").waitFor();
  const stranger = await openPage(process.env.STAND_IN);
  await stranger.page.getByRole("heading", { level: 1, name: "Open the console" }).waitFor();
  await stranger.shoot("sign-in");
  await stranger.page.getByLabel("Link or key").fill("median_key_of_somebody_else_00000000");
  await stranger.page.getByRole("button", { name: "Open" }).click();
  await sees(stranger.page, /That is not it/);
  await stranger.page.getByLabel("Link or key").fill(process.env.OWN_KEY);
  await stranger.page.getByRole("button", { name: "Open" }).click();
  await stranger.page.getByRole("heading", { level: 1, name: "Endpoints" }).waitFor();
  await stranger.isCalm();
  await stranger.close();
  await shoot("own-key");
}
