// node picture.mjs PAGE PICTURE: a picture of a page for the documents, at the first preemption.
import { pathToFileURL } from "node:url";
import { launch } from "./chromium.mjs";

const [file, picture] = process.argv.slice(2);
const browser = await launch();
const page = await browser.newPage({ viewport: { width: 1280, height: 860 }, colorScheme: "light" });
await page.goto(pathToFileURL(file).href);
await page.waitForSelector("html[data-ready]");
await page.keyboard.press("Home");
await page.keyboard.press("n");
await page.waitForTimeout(200);
await page.screenshot({ path: picture });
await browser.close();
