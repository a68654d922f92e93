/// Times a filter click: node filter_bench.mjs MODULES CHROMIUM PAGE
import { createRequire } from "node:module";
import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [modules, executablePath, path] = process.argv.slice(2);
const { chromium } = createRequire(modules + "/")("playwright-core");
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
const median = values => [...values].sort((a, b) => a - b)[values.length >> 1];

const opened = [];
const computed = [], painted = [];
let points = "";
for (let round = 0; round < 3; ++round) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } }), page = await context.newPage();
  await page.goto(pathToFileURL(path).href);
  await page.waitForFunction(() => document.documentElement.dataset.ready);
  opened.push(await page.evaluate(() => performance.now()));
  points = await page.locator(".plot[data-key=plot]").getAttribute("aria-label");
  for (let click = 0; click < 6; ++click) {
    const [inClick, untilPaint] = await page.evaluate(() => new Promise(resolve => {
      const chip = document.querySelector("#filters input"), start = performance.now();
      chip.click();
      const done = performance.now() - start;
      requestAnimationFrame(() => requestAnimationFrame(() => resolve([done, performance.now() - start])));
    }));
    computed.push(inClick);
    painted.push(untilPaint);
  }
  await context.close();
}
await browser.close();
console.log(`${(statSync(path).size / 1e6).toFixed(2)} MB; ${points}`);
console.log(`ready after ${median(opened).toFixed(0)} ms`);
console.log(`filter click: redrawn in ${median(computed).toFixed(0)} ms, second frame after ${median(painted).toFixed(0)} ms (medians of ${painted.length})`);
