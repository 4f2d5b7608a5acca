// The browser that browser.py names.
import { createRequire } from "node:module";

export function launch() {
  const { chromium } = createRequire(import.meta.url)(process.env.PLAYWRIGHT_CORE);
  // No sandbox: in a container there may be none, and the pages are our own.
  return chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
}
