// Plays one scenario: `node run.mjs NAME`. Fails when the scenario does, and when the page did what it must never do.

import { openPage } from "./browser.mjs";
import * as scenarios from "./scenarios.mjs";

const name = process.argv[2];
const scenario = scenarios[name];
if (!scenario) throw new Error(`There is no scenario ${name}: ${Object.keys(scenarios).join(", ")}.`);

const opened = await openPage(process.env.CONSOLE);
try {
  await scenario(opened);
  await opened.isCalm();
} finally {
  await opened.close();
}
