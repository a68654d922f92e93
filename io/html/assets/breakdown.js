/// Where the time goes: the parts of the total of each system's best row, stacked.

const MOST_BARS = 1200,
  MOST_ROWS = 40;

function makeBreakdown() {
  const view = model.views.breakdown;
  if (!view || model.objectives.length === 0) return null;
  const parts = view.parts.map(name => model.byName.metric.get(name)).filter(metric => metric);
  const total = model.byName.metric.get(view.total) || null;
  if (parts.length === 0) return null;
  return makeSection("breakdown", "Where the time goes", { uses: ["systems"] }, section =>
    updateBreakdown(section, total, parts, view.adds_up !== false)
  ).element;
}

/// Parts of a system's best row; a part that is missing or zero is no bar.
function barsOf(set, by, total, parts, f) {
  if (set.rows) return set.rows.map(row => barOf(set, f, 0, set.columns[0], row, total, parts));
  const best = bestBy(by, set.axes),
    bars = [];
  for (const column of set.columns)
    for (const y of set.ys)
      bars.push(barOf(set, f, y, column, best[set.groupAt(f, y, column.x, column.x2)], total, parts));
  return bars;
}

function barOf(set, f, y, column, row, total, parts) {
  const values = parts.map(part => (row >= 0 && part.values[row] > 0 ? part.values[row] : 0)),
    sum = values.reduce((a, b) => a + b, 0);
  return { f, y, column, row, values, sum, total: row >= 0 && total ? total.values[row] : NaN };
}

/// The systems of the heat map; without any axis, as after a search for the best few, each row is one.
function breakdownSystems(by) {
  const set = systems();
  if (set.axes.length > 0 || !model.complete || set.columns.length === 0) return set;
  const passing = passingRows(),
    rows = [...passing.keys()].filter(row => passing[row] && row < model.rows.kept && Number.isFinite(by.values[row]));
  rows.sort((p, q) => by.sign * (by.values[p] - by.values[q]) || p - q);
  const shown = rows.slice(0, MOST_ROWS);
  return shown.length > 0 ? { ...set, rows: shown, columns: shown.map(() => set.columns[0]) } : set;
}

function barPanelsAcross(set, room) {
  const wanted = 60 + set.ys.length * set.columns.length * 9;
  const across = Math.max(1, Math.min(set.facets.length, Math.floor(room / Math.max(190, wanted))));
  return Math.ceil(set.facets.length / Math.ceil(set.facets.length / across));
}

function updateBreakdown(section, total, parts, addsUp) {
  const usual = mainMetric(),
    names = model.objectives.map(metric => metric.name),
    by = model.byName.metric.get(option("breakdown.by", names, usual.name)),
    shares = option("breakdown.shares", ["off", "on"], taskAxis() ? "on" : "off") === "on",
    same = option("breakdown.same", ["off", "on"]) === "on";
  const set = breakdownSystems(by),
    used = parts.filter(part => (extentOf(part.values.subarray(0, model.rows.kept)) || [0, 0])[1] > 0),
    keys = used.map((part, i) => h("span", { class: "key", title: part.longName }, swatch(partColour(i)), part.title));
  section.options.replaceChildren(
    chooser("breakdown.by", "row of each system with the best", choicesOf(model.objectives), by.name),
    toggle("breakdown.shares", "As shares", shares),
    toggle("breakdown.same", "Same scale in all panels", same),
    h("span", { class: "legend" }, keys)
  );
  section.note.textContent = breakdownNote(set, total, shares, addsUp);
  const count = set.facets.length * set.ys.length * set.columns.length;
  if (count === 0) return say(section, "No row passes the filters.");
  if (count > MOST_BARS)
    return say(section, `These axes make ${grouped(count)} bars, too many to see. Choose other axes above, or filter.`);
  section.files.hidden = false;
  offerFiles(section);
  const panels = set.facets.map(f => barsOf(set, by, total, used, f)),
    most = bars => Math.max(...bars.map(bar => Math.max(bar.sum, bar.total || 0)), 0),
    across = barPanelsAcross(set, roomOf(section)),
    width = Math.floor((roomOf(section) - 14 * (across - 1)) / across);
  const drawn = panels.map((bars, i) => {
    const title = set.axis.facet ? set.axis.facet.labels[set.facets[i]] : "";
    return barPanel(set, used, total || by, bars, { width, shares, title, most: most(same ? panels.flat() : bars) });
  });
  section.body.replaceChildren(h("div", { class: "panels" }, drawn));
}

function breakdownNote(set, total, shares, addsUp) {
  const order = set.axis.y && set.axis.x ? set.ys.map(y => set.axis.y.labels[y]).join(", ") : "";
  const sentences = [
    set.rows && `The best ${countText(set.rows.length, "row")}, the best one on the left.`,
    order && `Bars of a group, from left: ${order}.`,
    !shares && total && `Line: ${total.title}.`,
    !shares && total && !addsUp && "Parts may run at the same time, so their sum may exceed it.",
    shares && !addsUp && "Shares of the sum of the parts, each as if alone."
  ];
  return sentences.filter(each => each).join(" ");
}

function partColour(i) {
  return readPalette().parts[i % PARTS];
}

function swatch(colour) {
  const square = svg("rect", { width: 12, height: 12, rx: 2, fill: colour });
  return svg("svg", { width: 12, height: 12, "aria-hidden": "true" }, square);
}
