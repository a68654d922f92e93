/// Starts the page: decodes the data, makes the sections that have something to show, and draws them.

function buildPage(app) {
  applyTheme(chosenTheme());
  const bar = makeBar(),
    filters = makeFilters();
  const answer = makeAnswer();
  const parts = [
    makeComparison,
    makeMeasured,
    makeHeat,
    makeBreakdown,
    makeScatter,
    makeRowTable,
    makeBest,
    makeSensitivity,
    makeRejections,
    makeLoad,
    makeMachines,
    makeLines,
    makeSpread,
    makeParallel
  ].map(make => make());
  const made = sections.filter(section => section.element);
  app.replaceChildren(
    ...[
      bar,
      answer,
      makeContents(made),
      filters,
      ...parts,
      makeFooter(),
      h("div", { id: "live", class: "unseen", "aria-live": "polite" })
    ].filter(part => part)
  );
  app.hidden = false;
  showFixed();
}

function listen() {
  addEventListener("hashchange", () => {
    readAddress();
    applyTheme(chosenTheme());
    refresh();
  });
  addEventListener("keydown", event => {
    if (event.key === "Escape") {
      hideTooltip();
      clearSelection();
    }
  });
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth === width) return;
    width = innerWidth;
    requestAnimationFrame(refresh);
  });
  followTheme();
}

/// A reason why nothing is drawn, above the tables.
function refuse(reason) {
  const app = document.getElementById("app");
  app.replaceChildren(h("p", { class: "notice", role: "alert" }, reason));
  app.hidden = false;
  document.documentElement.dataset.ready = "refused";
}

/// Loads the page of an unfinished run again, but not while it is used; the choices are in its address, and browsers keep
/// the place on the page.
function followRun() {
  const seconds = document.querySelector('meta[name="reload-seconds"]');
  if (!seconds) return;
  const wait = 1000 * Number(seconds.content);
  let used = -Infinity;
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => (used = performance.now()));
  setInterval(() => performance.now() - used > 4 * wait && location.reload(), wait);
}

function start() {
  followRun();
  try {
    model = buildModel(readData(document.getElementById("data").textContent));
  } catch (error) {
    return refuse(error.message);
  }
  readAddress();
  buildPage(document.getElementById("app"));
  refresh();
  drawWaiting();
  listen();
  document.documentElement.dataset.ready = "1";
}

start();
