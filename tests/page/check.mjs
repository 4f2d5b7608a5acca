// Opens pages that `heddle show --html` has made, in a real Chromium, and uses them: keys, clicks, screenshots.
//
//   browser.py check.mjs PAGES.json
//
// PAGES.json: { screenshots, pages: [{ name, file, failure }] }; `failure` is what --json has of it. Prints
// what does not hold, a line for each, and what was measured; exit code 1 if anything does not hold.
import fs from "node:fs";
import { pathToFileURL } from "node:url";
import * as checks from "./checks.mjs";
import { launch } from "./chromium.mjs";

const setup = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
const failures = [];

// The page, and what it must not do: ask for anything, fail, or ask the user.
async function open(browser, { name, file }, settings = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: "light", ...settings });
  const page = await context.newPage();
  const url = pathToFileURL(file).href;
  page.on("request", (request) => { if (request.url() !== url) failures.push(`${name}: asks for ${request.url()}`); });
  page.on("pageerror", (error) => failures.push(`${name}: ${error.message}`));
  page.on("console", (message) => { if (message.type() === "error") failures.push(`${name}: ${message.text()}`); });
  page.on("dialog", (dialog) => { failures.push(`${name}: asks "${dialog.message()}"`); dialog.dismiss(); });
  await page.goto(url);
  await page.waitForSelector("html[data-ready]");
  return page;
}

const browser = await launch();
try {
  for (const one of setup.pages) {
    const expect = (condition, words) => { if (!condition) failures.push(`${one.name}: ${words}`); };
    const shoot = (page, what) => page.screenshot({ path: `${setup.screenshots}/${one.name}-${what}.png` });
    const tools = { expect, shoot, again: (settings) => open(browser, one, settings), other: (name) => open(browser, setup.pages.find((p) => p.name === name)) };
    try {
      const page = await open(browser, one);
      await checks.agreement(page, one.failure, tools);
      await checks[one.name](page, tools);
      await page.context().close();
    } catch (error) {
      failures.push(`${one.name}: ${error.message}`);
    }
  }
} finally {
  await browser.close();
}
console.log(failures.join("\n"));
process.exit(failures.length > 0 ? 1 : 0);
