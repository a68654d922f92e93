/// Chromium under playwright, the pages it opens, and the checks so far.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [modules, executablePath, folder, ...listed] = process.argv.slice(2);
const { chromium } = createRequire(modules + "/")("playwright-core");
export const accessibility = readFileSync(modules + "/axe-core/axe.min.js", "utf8");
export const screenshots = folder;
const addresses = new Map(listed.map(each => [each.slice(0, each.indexOf("=")), pathToFileURL(each.slice(each.indexOf("=") + 1)).href]));
export const names = [...addresses.keys()];
export const refused = ["version", "damaged"];
export const systems = "#systems.facet=device&systems.y=topology&systems.x=memory&systems.x2=interconnect";

export const checks = { count: 0, failures: [] };
export function check(what, holds, detail = "") {
  ++checks.count;
  if (!holds) checks.failures.push(`${what}${detail === "" ? "" : `: ${detail}`}`);
}

export const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--disable-quic"] });

/// Opens a page and notes every error, message of the console and request beyond files.
export async function open(name, { hash = "", width = 1280, ...context } = {}) {
  const made = await browser.newContext({ viewport: { width, height: 900 }, ...context }), page = await made.newPage();
  page.on("pageerror", error => checks.failures.push(`${name}: error ${error.message}`));
  page.on("console", message => checks.failures.push(`${name}: console says ${message.text()}`));
  page.on("dialog", dialog => { checks.failures.push(`${name}: a dialog says ${dialog.message()}`); return dialog.dismiss(); });
  page.on("request", request => { if (!/^(file|blob|data):/.test(request.url())) checks.failures.push(`${name}: requests ${request.url()}`); });
  await page.goto(addresses.get(name) + hash);
  if (context.javaScriptEnabled !== false)
    await page.waitForFunction(() => document.documentElement.dataset.ready, null, { timeout: 15000 })
      .catch(() => { checks.failures.push(`${name}: is not ready`); });
  return { page, close: () => made.close() };
}

/// Waits until sections out of sight are drawn as well.
export const settled = page => page.waitForFunction(() => document.documentElement.dataset.drawn === "1", null, { timeout: 15000 });

/// What must not be shown, as text or in a drawing; in the plain tables and in provenance people may write what they like.
export const badText = async page => {
  await settled(page);
  return page.evaluate(() => (document.getElementById("app").innerHTML.match(/.{0,30}\b(NaN|Infinity|undefined)\b.{0,30}/) || [""])[0]);
};
export const roles = page => page.evaluate(() => ["facet", "y", "x", "x2"].map(role => document.querySelector(`[name="systems.${role}"]`).value));
export const cells = async page => {
  await settled(page);
  return page.locator("#heat [role=gridcell]").count();
};
export const hatched = async (page, reason) => {
  await settled(page);
  return page.locator(`#heat [role=gridcell][aria-label*="no feasible row: ${reason}"]`).count();
};
