/// Checks of pages under playwright: node page_test.mjs MODULES CHROMIUM SCREENSHOTS NAME=PAGE...
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { numberFrom, keptValues } from "./page_data.mjs";

const [modules, executablePath, screenshots, ...listed] = process.argv.slice(2);
const { chromium } = createRequire(modules + "/")("playwright-core");
const accessibility = readFileSync(modules + "/axe-core/axe.min.js", "utf8");
const pages = new Map(listed.map(each => [each.slice(0, each.indexOf("=")), each.slice(each.indexOf("=") + 1)]));
const addresses = new Map([...pages].map(([name, path]) => [name, pathToFileURL(path).href]));
const systems = "#systems.facet=device&systems.y=topology&systems.x=memory&systems.x2=interconnect";
const refused = ["version", "damaged"];

let checks = 0;
const failures = [];
function check(what, holds, detail = "") {
  ++checks;
  if (!holds) failures.push(`${what}${detail === "" ? "" : `: ${detail}`}`);
}

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--disable-quic"] });

/// Opens a page and notes every error, message of the console and request beyond files.
async function open(name, { hash = "", width = 1280, ...context } = {}) {
  const made = await browser.newContext({ viewport: { width, height: 900 }, ...context }), page = await made.newPage();
  page.on("pageerror", error => failures.push(`${name}: error ${error.message}`));
  page.on("console", message => failures.push(`${name}: console says ${message.text()}`));
  page.on("request", request => { if (!/^(file|blob|data):/.test(request.url())) failures.push(`${name}: requests ${request.url()}`); });
  await page.goto(addresses.get(name) + hash);
  if (context.javaScriptEnabled !== false)
    await page.waitForFunction(() => document.documentElement.dataset.ready, null, { timeout: 15000 })
      .catch(() => { failures.push(`${name}: is not ready`); });
  return { page, close: () => made.close() };
}

const badText = page => page.evaluate(() => (document.body.innerText.match(/.{0,30}\b(NaN|Infinity|undefined)\b.{0,30}/) || [""])[0]);
const cells = page => page.locator("#heat [role=gridcell]").count();
const hatched = page => page.locator('#heat [role=gridcell][aria-label*="no feasible row"]').count();

/// Every page: no bad text, no sideways scroll at 400 pixels, names for charts and controls, contrast.
async function checkAny(name) {
  const { page, close } = await open(name);
  check(`${name} is ready`, (await page.evaluate(() => document.documentElement.dataset.ready)) === (refused.includes(name) ? "refused" : "1"));
  check(`${name} shows numbers only`, !(await badText(page)), await badText(page));
  check(`${name} has not run a label`, (await page.title()) !== "1");
  await page.setViewportSize({ width: 400, height: 800 });
  await page.waitForTimeout(100);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  check(`${name} does not scroll sideways at 400 pixels`, wide <= 400, wide);
  await close();
}

async function checkAccessibility(name, colorScheme) {
  const { page, close } = await open(name, { colorScheme, bypassCSP: true });
  await page.evaluate(accessibility);
  const found = await page.evaluate(async () => (await axe.run(document, { resultTypes: ["violations"] })).violations
    .map(each => `${each.id} ${each.nodes.length} times, first ${each.nodes[0].html.slice(0, 120)}`));
  check(`${name} is accessible, ${colorScheme}`, found.length === 0, found.join("; "));
  await close();
}

/// The 80 systems of the study: values against a recomputation from the rows in the page.
async function checkValues() {
  const { page, close } = await open("llm", { hash: systems });
  const shown = await page.evaluate(() => [...document.querySelectorAll("#heat [role=gridcell]")].map(cell =>
    ({ key: cell.dataset.key, value: Number(cell.dataset.value) })));
  const data = JSON.parse(await page.evaluate(() => document.getElementById("data").textContent));
  const expected = keptValues(data, ["utilization", "cost_efficiency", "power_efficiency"], await roles(page));
  check("240 cells", shown.length === 240, shown.length);
  const wrong = shown.filter(({ key, value }) => !(Math.abs(value - expected.get(key)) <= 1e-6 * Math.abs(value)));
  check("cells show the best kept row", wrong.length === 0, JSON.stringify(wrong.slice(0, 3)));
  await close();
}

const roles = page => page.evaluate(() => ["facet", "y", "x", "x2"].map(role => document.querySelector(`[name="systems.${role}"]`).value));

async function checkKeyboard() {
  const { page, close } = await open("llm", { hash: systems });
  const focused = () => page.evaluate(() => document.activeElement.dataset.key);
  const tabStops = await page.locator("#heat [role=gridcell][tabindex='0']").count();
  check("the heat map is one tab stop", tabStops === 1, tabStops);
  await page.locator("#heat [role=gridcell][tabindex='0']").focus();
  const first = await focused(), panel = key => key.split("/")[1].split(",")[0];
  const columns = await page.evaluate(() => document.querySelector("#heat [role=row]").children.length);
  for (let i = 0; i < columns; ++i) await page.keyboard.press("ArrowRight");
  check("arrows cross into the next panel", panel(await focused()) !== panel(first), await focused());
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  const selected = await page.evaluate(() => location.hash), key = await focused();
  check("Enter selects and keeps the focus", selected.includes("select.device=") && key !== undefined, `${selected} ${key}`);
  check("the bar names the selection", (await page.locator("#matched").textContent()).includes("selected:"));
  const again = await open("llm", { hash: selected });
  check("the address opens the same selection", (await again.page.locator("#heat [aria-selected=true]").count()) === 3);
  await again.close();
  await page.keyboard.press("Escape");
  check("Escape clears", (await page.evaluate(() => location.hash)) === systems && (await page.locator("#heat [aria-selected=true]").count()) === 0);
  await page.locator(".plot[data-key=plot]").focus();
  const said = [];
  for (const each of ["ArrowRight", "ArrowRight", "End", "Home"]) {
    await page.keyboard.press(each);
    said.push(await page.locator("#live").textContent());
  }
  check("the front is told step by step", said[0].startsWith("Front, row 1 of") && said[1].startsWith("Front, row 2 of") && said[3] === said[0], said.join(" | "));
  await close();
}

async function checkFilters() {
  const { page, close } = await open("llm", { hash: systems });
  const chip = (axis, place) => page.locator(`#filters input[name^="only.${axis}."]`).nth(place);
  await chip("memory", 0).click();
  check("one memory off leaves half of the cells", (await cells(page)) === 120, await cells(page));
  check("the bar counts what is left", (await page.locator("#matched").textContent()).startsWith("40 of 80 rows"), await page.locator("#matched").textContent());
  check("the chip keeps the focus", await chip("memory", 0).evaluate(each => each === document.activeElement));
  await chip("memory", 1).click();
  check("nothing left is a sentence", (await cells(page)) === 0 && (await page.locator("#heat .sentence").textContent()) === "No row passes the filters.");
  check("nothing left shows numbers only", !(await badText(page)), await badText(page));
  await page.locator("#reset").click();
  check("reset clears all choices", (await page.locator("#matched").textContent()).startsWith("All 80 rows") && (await page.evaluate(() => location.hash)) === "");
  await close();
  for (const nonsense of ["&only.memory=nonsense&select.device=none&box=a,b,c,d&best.by=x&heat.scale=%", "&%E0%A4%A&&==&only.=&box=1,2"]) {
    const hash = systems + nonsense, damaged = await open("llm", { hash });
    check("a damaged address is ignored", (await cells(damaged.page)) === 240 && (await damaged.page.locator("[aria-selected=true]").count()) === 0, hash);
    await damaged.close();
  }
}

async function checkTable() {
  const { page, close } = await open("llm", { hash: systems }), first = () => page.locator("#rows tbody tr:first-child > *").first().textContent().then(numberFrom);
  const head = page.locator("#rows thead th").first();
  check("sorted by the first metric", (await head.getAttribute("aria-sort")) === "ascending");
  const least = await first();
  await head.locator("button").click();
  check("a click turns the order round", (await head.getAttribute("aria-sort")) === "descending" && (await first()) > least);
  await page.locator(".plot[data-key=plot]").evaluate(each => each.scrollIntoView({ block: "center" }));
  const plot = await page.locator(".plot[data-key=plot]").boundingBox();
  await page.mouse.move(plot.x + 80, plot.y + 40);
  await page.mouse.down();
  await page.mouse.move(plot.x + plot.width / 2, plot.y + plot.height - 60, { steps: 4 });
  await page.mouse.up();
  check("a box lists its rows", /row.? in the box/.test(await page.locator("#rows strong").textContent()) && (await page.evaluate(() => location.hash)).includes("box="));
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator('[name="rows.csv"]').click()]);
  const lines = readFileSync(await download.path(), "utf8").trim().split("\r\n"), rows = await page.locator("#rows tbody tr").count();
  check("the file has the rows of the box", lines.length - 1 >= rows && lines[0].startsWith("system_cost,"), lines[0]);
  for (const [label, start] of [["SVG", "<svg"], ["PNG", "\u0089PNG"]])
    for (const id of ["heat", "scatter", "parallel"]) {
      const [file] = await Promise.all([page.waitForEvent("download"), page.locator(`#${id} .files button`, { hasText: label }).click()]);
      const bytes = readFileSync(await file.path(), label === "PNG" ? "latin1" : "utf8");
      check(`${id} is saved as ${label}`, bytes.startsWith(start) && bytes.length > 2000 && !bytes.includes("var(--"), bytes.length);
    }
  await close();
}

/// Every option of every list leaves numbers only.
async function checkChoices(name) {
  const { page, close } = await open(name), names = await page.evaluate(() => [...document.querySelectorAll("#app select")].map(each => each.name));
  for (const list of names) {
    const values = await page.evaluate(each => [...document.querySelector(`select[name="${each}"]`).options].map(option => option.value), list);
    for (const value of values.slice(0, 8)) {
      await page.locator(`select[name="${list}"]`).selectOption(value);
      check(`${name}: ${list} ${value}`, !(await badText(page)), await badText(page));
    }
  }
  for (const name of await page.evaluate(() => [...document.querySelectorAll("button[aria-pressed]")].map(each => each.name).filter(each => each)))
    await page.locator(`button[name="${name}"]`).first().click();
  check(`${name}: toggles`, !(await badText(page)), await badText(page));
  await close();
}

async function checkSpecial() {
  const without = await open("llm", { javaScriptEnabled: false });
  check("without scripts the tables are seen", await without.page.locator("#plain table").first().isVisible());
  check("without scripts the page says so", await without.page.locator("noscript .notice").isVisible());
  await without.close();
  const version = await open("version");
  check("an unknown version is refused with a sentence", (await version.page.locator("#app [role=alert]").textContent()).includes("version 2"));
  check("its tables stay", await version.page.locator("#plain table").first().isVisible());
  await version.close();
  const none = await open("infeasible", { hash: systems });
  check("no feasible row hatches every cell", (await hatched(none.page)) === 240, await hatched(none.page));
  await none.close();
  const two = await open("comparison"), ratios = await two.page.evaluate(() => [...document.querySelectorAll("#comparison [role=gridcell]")].map(each => each.dataset.ratio));
  check("half the time is twice as good", JSON.stringify(ratios.map(each => each === undefined ? null : Number(each))) === "[2,1,0.5,null]", JSON.stringify(ratios));
  check("the comparison is told", (await two.page.locator("#comparison .note").textContent()).startsWith("Of 3 common cells, B has a better step time in 1, the same in 1, a worse one in 1"));
  await two.close();
  const seen = await open("measured");
  check("measured rows are dots", (await seen.page.locator("#measured .dot").count()) === 3);
  await seen.close();
  const failed = await open("failed");
  check("a failed row is a warning", (await failed.page.locator("#rejections .notice").textContent()).startsWith("1 row failed"));
  await failed.close();
}

async function takeScreenshots(name) {
  for (const [kind, options] of [["light", {}], ["dark", { colorScheme: "dark" }], ["400", { width: 400 }]]) {
    const { page, close } = await open(name, options);
    await page.screenshot({ path: `${screenshots}/${name}-${kind}.png`, fullPage: true });
    if (kind === "light") await page.pdf({ path: `${screenshots}/${name}.pdf`, format: "A4" });
    await close();
  }
}

for (const name of pages.keys()) await checkAny(name);
for (const colorScheme of ["light", "dark"]) for (const name of ["llm", "quickstart", "serving-cost", "comparison", "measured"]) await checkAccessibility(name, colorScheme);
await checkValues();
await checkKeyboard();
await checkFilters();
await checkTable();
for (const name of ["llm", "serving-cost", "step-law"]) await checkChoices(name);
await checkSpecial();
if (screenshots) for (const name of pages.keys()) await takeScreenshots(name);
await browser.close();
for (const failure of failures) console.log(failure);
console.log(`${checks} checks of ${pages.size} pages, ${failures.length} failures`);
process.exit(failures.length > 0 ? 1 : 0);
