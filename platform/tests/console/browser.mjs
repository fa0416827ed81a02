// The browser, and what holds for the page whatever it shows.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";

const { chromium } = createRequire(import.meta.url)(process.env.PLAYWRIGHT);

export const endpoint = (name) => process.env[`ENDPOINT_${name}`];

/** The console in a new browser, which listens for what must not happen. */
export async function openPage(url) {
  const isRoot = process.getuid?.() === 0;
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: isRoot ? ["--no-sandbox"] : [] });
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" });
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  const wrong = [];
  page.on("pageerror", (error) => wrong.push(`a script failed: ${error.message}`));
  page.on("dialog", (dialog) => {
    wrong.push(`a dialog opened: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on("console", (message) => {
    // A refusal of the API is an answer that the page shows.
    const isRefusal = message.text().startsWith("Failed to load resource") && message.location().url.includes("/v1/");
    if (message.type() === "error" && !isRefusal) wrong.push(`the browser reports: ${message.text()}`);
  });
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol !== "data:" && origin !== process.env.STAND_IN) wrong.push(`it asked for ${request.url()}`);
  });
  await page.addInitScript(() => {
    window.violations = [];
    document.addEventListener("securitypolicyviolation", (event) => window.violations.push(`${event.violatedDirective}: ${event.blockedURI}`));
  });
  await page.goto(url);

  /** Nothing was violated, nothing ran that an endpoint said, and nothing is wider than the window. */
  const isCalm = async () => {
    wrong.push(...(await page.evaluate(() => window.violations)));
    if (await page.evaluate(() => window.harmed === true)) wrong.push("a script of an endpoint ran");
    assert.deepEqual(wrong, []);
    assert.deepEqual(await page.evaluate(tooWide), []);
  };

  /** Pictures of the page: light, dark, and on a phone. */
  const shoot = async (name) => {
    for (const [kind, colorScheme, width, height] of [["light", "light", 1280, 800], ["dark", "dark", 1280, 800], ["phone", "light", 390, 844]]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height });
      assert.deepEqual(await page.evaluate(tooWide), [], `${name}, ${kind}`);
      await page.screenshot({ path: join(process.env.SCREENSHOTS, `${name}-${kind}.png`), fullPage: true });
    }
    await page.emulateMedia({ colorScheme: "light" });
    await page.setViewportSize({ width: 1280, height: 800 });
  };

  return { page, isCalm, shoot, close: () => browser.close() };
}

/** The elements that stick out of the window, but for those within one that scrolls. */
function tooWide() {
  const scrolls = (element) => ["auto", "scroll", "hidden"].includes(getComputedStyle(element).overflowX);
  const isHeld = (element) => {
    for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) if (scrolls(at)) return true;
    return false;
  };
  const out = [...document.body.querySelectorAll("*")].filter((element) => {
    const box = element.getBoundingClientRect();
    return box.width > 1 && box.right > document.documentElement.clientWidth + 1 && !isHeld(element);
  });
  const found = out.map((element) => `${element.tagName}.${element.className} sticks out`).slice(0, 5);
  if (document.documentElement.scrollWidth > window.innerWidth) found.push("the page scrolls sideways");
  return found;
}
