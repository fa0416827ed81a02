// Plays one scenario: `node run.mjs NAME`. Fails when the scenario does, and when the page did what it must never do.

import { openPage } from "./browser.mjs";
import * as scenarios from "./scenarios.mjs";
import * as team from "./team.mjs";

const name = process.argv[2];
const all = { ...scenarios, ...team };
const scenario = all[name];
if (!scenario) throw new Error(`There is no scenario ${name}: ${Object.keys(all).join(", ")}.`);

const opened = await openPage(process.env.CONSOLE);
try {
  await scenario(opened);
  await opened.isCalm();
} finally {
  await opened.close();
}
