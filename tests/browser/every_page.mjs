/// What holds of every page: numbers only, true values, names for everything, room on a telephone, choices, filters.
import { accessibility, badText, check, open, refused, settled } from "./driver.mjs";
import { keptBests } from "./page_data.mjs";

// Their lists are those of the page that they were made of.
const changed = ["hostile", "infeasible", "failed", "empty", "comparison", "measured"];

export async function checkPage(name) {
  const { page, close } = await open(name);
  check(`${name} is ready`, (await page.evaluate(() => document.documentElement.dataset.ready)) === (refused.includes(name) ? "refused" : "1"));
  check(`${name} has not run a label`, (await page.title()) !== "1" && (await page.locator("img, b[onclick]").count()) === 0);
  if (!refused.includes(name)) {
    check(`${name} shows numbers only`, !(await badText(page)), await badText(page));
    await checkValues(name, page);
    await checkNames(name, page);
    if (!changed.includes(name)) await checkChoices(name, page);
    await checkFilters(name, page);
  }
  await page.setViewportSize({ width: 400, height: 800 });
  await page.waitForTimeout(100);
  if (!refused.includes(name)) await settled(page);
  const wide = await page.evaluate(() => [document.documentElement, ...document.querySelectorAll("section")]
    .filter(each => each.scrollWidth > each.clientWidth).map(each => each.id || each.tagName));
  check(`${name} does not scroll sideways at 400 pixels`, wide.length === 0, wide.join());
  await close();
}

/// Every cell of the heat maps against the best of the rows in the page; cells without a number have no row.
async function checkValues(name, page) {
  const shown = await page.evaluate(() => [...document.querySelectorAll("#heat [role=gridcell]")].map(cell =>
    ({ metric: cell.about.metric.name, codes: [...cell.about.codes], value: "value" in cell.dataset ? Number(cell.dataset.value) : null })));
  if (shown.length === 0) return;
  const data = JSON.parse(await page.evaluate(() => document.getElementById("data").textContent));
  const best = keptBests(data);
  const wrong = shown.filter(({ metric, codes, value }) => {
    const expected = best(metric, codes);
    return value === null ? expected !== undefined : !(Math.abs(value - expected) <= 1e-6 * Math.abs(expected));
  });
  check(`${name}: ${shown.length} cells show the best row`, wrong.length === 0, JSON.stringify(wrong.slice(0, 3)));
}

/// Charts, controls, tables, regions: everything that is met has a name.
async function checkNames(name, page) {
  const nameless = await page.evaluate(() => {
    const text = each => (each ? each.textContent.trim() : "");
    const named = each => each.getAttribute("aria-label") || text(document.getElementById(each.getAttribute("aria-labelledby"))) ||
      text(each.closest("label")) || text(each) || each.title || text(each.querySelector("caption, legend"));
    const all = document.querySelectorAll("#app :is(button, select, input, textarea, table, fieldset, section, nav, [role=img], [role=grid], [role=gridcell], [role=region])");
    const pictures = [...document.querySelectorAll("#app :is(svg, canvas)")].filter(each => !each.closest("[role=img], [role=grid], [aria-hidden=true]"));
    const hidden = pictures.filter(each => !each.parentElement.querySelector("[role=img]"));
    return [...[...all].filter(each => !named(each)), ...hidden].map(each => each.outerHTML.slice(0, 100));
  });
  check(`${name}: everything has a name`, nameless.length === 0, nameless.slice(0, 3).join(" | "));
}

/// Every option of every list, and every switch, leave numbers only.
async function checkChoices(name, page) {
  const bad = await page.evaluate(async () => {
    const app = document.getElementById("app"), found = [];
    const look = what => {
      const text = app.innerHTML.match(/.{0,30}\b(?:NaN|Infinity|undefined)\b.{0,30}|This part cannot be drawn/);
      if (text) found.push(`${what}: ${text[0]}`);
    };
    for (const list of [...app.querySelectorAll("select")].map(each => each.name)) {
      const select = () => app.querySelector(`select[name="${list}"]`), first = select().value;
      for (const value of [...[...select().options].map(each => each.value).slice(0, 40), first]) {
        select().value = value;
        select().dispatchEvent(new Event("change"));
        look(`${list} ${value}`);
        if (!select()) break;
      }
    }
    for (const one of [...app.querySelectorAll("button[aria-pressed]")].map(each => each.name)) {
      const button = app.querySelector(`button[name="${one}"]`);
      if (button) button.click();
      look(one);
    }
    return found;
  });
  check(`${name}: every choice shows numbers only`, bad.length === 0, bad.slice(0, 3).join(" | "));
  await page.locator("#reset").click();
  await settled(page);
}

/// All values of an axis off: sentences and no numbers; each axis in turn.
async function checkFilters(name, page) {
  const sets = await page.locator("#filters fieldset").count();
  for (let i = 0; i < Math.min(sets, 3); ++i) {
    await page.evaluate(place => {
      const boxes = () => [...document.querySelectorAll("#filters fieldset")[place].querySelectorAll("input")];
      for (let k = 0; k < boxes().length; ++k) boxes()[k].click();
    }, i);
    check(`${name}: nothing passes, axis ${i}`, !(await badText(page)), await badText(page));
    check(`${name}: the bar counts no row, axis ${i}`, (await page.locator("#matched").textContent()).startsWith("0 of "));
    if (await page.locator("#heat").count()) check(`${name}: nothing is a sentence, axis ${i}`, (await page.locator("#heat .sentence").textContent()) === "No row passes the filters.");
    await page.locator("#reset").click();
  }
}

export async function checkAccessibility(name, colorScheme) {
  const { page, close } = await open(name, { colorScheme, bypassCSP: true });
  await page.evaluate(accessibility);
  const found = await page.evaluate(async () => (await axe.run(document, { resultTypes: ["violations"] })).violations
    .map(each => `${each.id} ${each.nodes.length} times, first ${each.nodes[0].html.slice(0, 120)}`));
  check(`${name} is accessible, ${colorScheme}`, found.length === 0, found.join("; "));
  await close();
}
