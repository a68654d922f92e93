/// Checks of pages under playwright: node page_test.mjs MODULES CHROMIUM SCREENSHOTS NAME=PAGE...
import { readFileSync } from "node:fs";
import { badText, browser, cells, check, checks, hatched, names, open, roles, screenshots, settled, systems } from "./driver.mjs";
import { checkAccessibility, checkPage } from "./every_page.mjs";
import { numberFrom } from "./page_data.mjs";

async function checkKeyboard() {
  const { page, close } = await open("llm", { hash: systems });
  const focused = () => page.evaluate(() => document.activeElement.dataset.key);
  const tabStops = await page.locator("#heat [role=gridcell][tabindex='0']").count();
  check("the heat map is one tab stop", tabStops === 1, tabStops);
  await page.locator("#heat [role=gridcell][tabindex='0']").focus();
  const first = await focused(), panel = key => key.split("/")[1].split(",")[0];
  check("240 cells", (await cells(page)) === 240, await cells(page));
  for (let i = 0; i < 4; ++i) await page.keyboard.press("ArrowRight");
  check("four arrows cross into the next panel", panel(await focused()) !== panel(first), await focused());
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await settled(page);
  const selected = await page.evaluate(() => location.hash), key = await focused();
  check("Enter selects and keeps the focus", selected.includes("select.device=") && key !== undefined, `${selected} ${key}`);
  check("the bar names the selection", (await page.locator("#matched").textContent()).includes("selected:"));
  const again = await open("llm", { hash: selected });
  check("the address opens the same selection", (await again.page.locator("#heat [aria-selected=true]").count()) === 3);
  await again.close();
  await page.keyboard.press("Escape");
  await settled(page);
  check("Escape clears", (await page.evaluate(() => location.hash)) === systems && (await page.locator("#heat [aria-selected=true]").count()) === 0);
  await page.locator(".plot[data-key=plot]").focus();
  const said = [];
  for (const each of ["ArrowRight", "ArrowRight", "End", "Home"]) {
    await page.keyboard.press(each);
    said.push(await page.locator("#live").textContent());
  }
  check("the front is announced row by row", said[0].startsWith("Front, row 1 of") && said[1].startsWith("Front, row 2 of") && said[3] === said[0], said.join(" | "));
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
  await settled(page);
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

async function checkSpecial() {
  const without = await open("llm", { javaScriptEnabled: false }), tables = without.page.locator("#plain table"),
    table = tables.filter({ hasText: "of each system" });
  check("without scripts the first table is the answer", (await tables.first().locator("tbody tr").allTextContents()).some(each => each.includes("winner")));
  check("without scripts the 80 systems are a table", (await table.isVisible()) && (await table.locator("tbody tr").count()) === 80, await table.locator("tbody tr").count());
  check("without scripts the page says so", await without.page.locator("noscript .notice").isVisible());
  await without.close();
  const version = await open("version");
  check("an unknown version is refused with a sentence", (await version.page.locator("#app [role=alert]").textContent()).includes("version 2"));
  check("its tables stay", await version.page.locator("#plain table").first().isVisible());
  await version.close();
  const none = await open("infeasible", { hash: systems });
  check("no feasible row hatches every cell", (await hatched(none.page, "out_of_memory")) === 240);
  await none.close();
  const two = await open("comparison"), ratios = await two.page.evaluate(() => [...document.querySelectorAll("#comparison [role=gridcell]")].map(each => each.dataset.ratio));
  check("half the time is twice as good", JSON.stringify(ratios.map(each => each === undefined ? null : Number(each))) === "[2,1,0.5,null]", JSON.stringify(ratios));
  check("the comparison has a summary", (await two.page.locator("#comparison .note").textContent()).startsWith("Of 3 common cells, B has a better step time in 1, the same in 1, a worse one in 1"));
  await two.close();
  const seen = await open("measured");
  check("measured rows are dots", (await seen.page.locator("#measured .dot").count()) === 3);
  await seen.close();
  const failed = await open("failed");
  check("a failed row is a warning", (await failed.page.locator("#rejections .notice").textContent()).startsWith("1 row failed"));
  await failed.close();
}

/// Results of real sweeps that are special in one respect.
async function checkSweeps() {
  const scarce = await open("scarce"), chip = scarce.page.locator('#filters input[name="only.tensor_parallel.8"]');
  const all = await cells(scarce.page);
  check("panels are those asked for, of two values as well", (await roles(scarce.page))[0] === "device");
  check("some systems fit", all > 0 && (await hatched(scarce.page, "out_of_memory")) < all);
  await chip.click();
  check("what does not fit is hatched with the reason", (await cells(scarce.page)) > 0 && (await hatched(scarce.page, "out_of_memory")) === (await cells(scarce.page)));
  await scarce.close();
  const linked = await open("linked"), shown = await roles(linked.page);
  check("panels asked for stay, and no linked axes face one another", shown[0] === "device" && !(shown.includes("node_links") && shown.includes("device_hour_price")), shown.join());
  check("of linked axes names are the filter", (await linked.page.locator('#filters input[name^="only.node_links."]').count()) === 2);
  await linked.close();
  const nothing = await open("nothing-fits");
  check("without a feasible row the page says so", (await nothing.page.locator("header .notice, .notice").allTextContents()).some(each => each.startsWith("No row is feasible")));
  check("and why", (await nothing.page.locator("#rejections").textContent()).includes("out of memory"));
  await nothing.close();
  const single = await open("single-row");
  check("a single row is counted", (await single.page.locator("#matched").textContent()).startsWith("All 1 row, 1 feasible"), await single.page.locator("#matched").textContent());
  check("a single row has bars of its parts", (await single.page.locator("#breakdown svg[role=img]").count()) > 0);
  await single.close();
  const hostile = await open("hostile-names");
  check("a hostile name is text", (await hostile.page.locator("body").textContent()).includes("<img src=x onerror=alert(1)>"));
  await hostile.close();
  const running = await open("running"), [, done, of] = (await running.page.locator(".notice").first().textContent()).match(/: (\d+) of (\d+) blocks/) || [];
  check("a running sweep shows its complete blocks", Number(done) > 0 && Number(done) < Number(of), `${done} of ${of}`);
  await running.close();
}

async function takeScreenshots(name) {
  for (const [kind, options] of [["light", {}], ["dark", { colorScheme: "dark" }], ["400", { width: 400 }]]) {
    const { page, close } = await open(name, options);
    await page.screenshot({ path: `${screenshots}/${name}-${kind}.png`, fullPage: true });
    if (kind === "light") await page.pdf({ path: `${screenshots}/${name}.pdf`, format: "A4" });
    await close();
  }
}

for (const name of names) await checkPage(name);
for (const name of names) await checkAccessibility(name, "light");
for (const name of ["llm", "quickstart", "serving-cost", "comparison", "measured"]) await checkAccessibility(name, "dark");
await checkKeyboard();
await checkFilters();
await checkTable();
await checkSpecial();
await checkSweeps();
if (screenshots) for (const name of names) await takeScreenshots(name);
await browser.close();
for (const failure of checks.failures) console.log(failure);
console.log(`${checks.count} checks of ${names.length} pages, ${checks.failures.length} failures`);
process.exit(checks.failures.length > 0 ? 1 : 0);
