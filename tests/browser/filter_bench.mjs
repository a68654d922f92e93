/// Times a filter click: node filter_bench.mjs MODULES CHROMIUM PAGE
import { createRequire } from "node:module";
import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [modules, executablePath, path] = process.argv.slice(2);
const { chromium } = createRequire(modules + "/")("playwright-core");
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
const median = values => [...values].sort((a, b) => a - b)[values.length >> 1].toFixed(0);

/// Milliseconds of one click: until the sections in sight are redrawn, until the second frame, until all sections are.
const click = page =>
  page.evaluate(() => new Promise(resolve => {
    const chip = document.querySelector("#filters input"), start = performance.now(), times = [], root = document.documentElement;
    const finish = () => (root.dataset.drawn !== "0" ? resolve([...times, performance.now() - start]) : setTimeout(finish));
    chip.click();
    times.push(performance.now() - start);
    requestAnimationFrame(() => requestAnimationFrame(() => {
      times.push(performance.now() - start);
      finish();
    }));
  }));

const opened = [], clicks = { "the filters": [], "the trade-offs": [] };
let points = "";
for (let round = 0; round < 3; ++round) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } }), page = await context.newPage();
  await page.goto(pathToFileURL(path).href);
  await page.waitForFunction(() => document.documentElement.dataset.ready);
  opened.push(await page.evaluate(() => performance.now()));
  points = await page.locator(".plot[data-key=plot]").getAttribute("aria-label");
  for (const [seen, list] of Object.entries(clicks)) {
    await page.locator(seen === "the filters" ? "#filters" : "#scatter").evaluate(each => each.scrollIntoView());
    await page.waitForTimeout(200);
    for (let i = 0; i < 6; ++i) list.push(await click(page));
  }
  await context.close();
}
await browser.close();
console.log(`${(statSync(path).size / 1e6).toFixed(2)} MB; ${points}`);
console.log(`ready after ${median(opened)} ms`);
for (const [seen, list] of Object.entries(clicks)) {
  const [redrawn, painted, all] = [0, 1, 2].map(i => median(list.map(each => each[i])));
  console.log(`filter click with ${seen} in sight: redrawn in ${redrawn} ms, second frame after ${painted} ms, ` +
    `all sections after ${all} ms (medians of ${list.length})`);
}
