/// Every system at a glance: one heat map for each metric, panels by an axis, the best system outlined.

const MOST_CELLS = 4000,
  DIGIT = 6.6; // pixels of a character in a cell

function makeHeat() {
  if (model.objectives.length === 0 || model.cube.axes.length === 0) return null;
  return makeSection("heat", "Every system at a glance", { uses: ["systems"] }, updateHeat).element;
}

function heatMetrics() {
  const named = (model.views.heat || [])
    .map(name => model.byName.metric.get(name))
    .filter(metric => metric && model.cube.best.has(metric.name));
  const main = named.length > 0 ? named : model.objectives.slice(0, 3);
  const chosen = option("heat.metric", ["main", ...model.objectives.map(metric => metric.name)]);
  return chosen === "main" ? main : [model.byName.metric.get(chosen)];
}

const SCALES = { all: "all cells", panel: "each panel", row: "each row" };

function updateHeat(section) {
  const set = systems(),
    metrics = heatMetrics(),
    scaling = heatScaling(set),
    numbers = option("heat.numbers", ["on", "off"]) === "on",
    shown = option("heat.show", ["each", ...model.objectives.map(metric => metric.name)]);
  section.options.replaceChildren(...systemChoosers(), ...heatChoosers(metrics, shown, scaling, numbers));
  section.note.textContent =
    `Stronger colour is better, on one scale for ${SCALES[scaling]}.` +
    optimisedText(set) +
    " Arrow keys move, Enter selects a system for the whole page.";
  const cells = set.facets.length * set.ys.length * set.columns.length;
  if (cells === 0) return say(section, "No row passes the filters.");
  if (cells > MOST_CELLS)
    return say(section, `These axes make ${grouped(cells)} cells, too many to see. Choose other axes, or filter.`);
  section.files.hidden = false;
  offerFiles(section);
  const layout = { ...heatLayout(set, roomOf(section), numbers), scaling },
    rows = [],
    by = model.byName.metric.get(shown);
  const maps = metrics.map(metric => heatMap(metric, by || metric, set, layout, rows));
  section.body.replaceChildren(h("div", { class: "maps" }, maps), heatKey());
  linkCells(section, rows);
}

function heatChoosers(metrics, shown, scaling, numbers) {
  const names = choicesOf(model.objectives),
    single = metrics.length === 1 && state.options.has("heat.metric"),
    rows = names.map(({ value, text }) => ({ value, text: `the row with the best ${text}` })),
    scales = Object.entries(SCALES).map(([value, text]) => ({ value, text }));
  const main = { value: "main", text: "the main ones" },
    each = { value: "each", text: "the best of each metric" };
  return [
    chooser("heat.metric", "metrics", [main, ...names], single ? metrics[0].name : "main"),
    chooser("heat.show", "cells show", [each, ...rows], shown),
    toggle("heat.numbers", "Numbers", numbers),
    chooser("heat.scale", "one colour scale for", scales, scaling)
  ];
}

/// Different tasks have scales of their own unless the reader says otherwise.
function heatScaling(set) {
  const task = taskAxis(),
    usual = !task ? "all" : set.axis.facet === task ? "panel" : set.axis.y === task ? "row" : "all";
  return option("heat.scale", ["all", "panel", "row"], usual);
}

/// Sizes in pixels; as many panels side by side as leave room for numbers.
function heatLayout(set, room, numbers) {
  const longest = labels => labels.reduce((most, label) => Math.max(most, label.length), 0);
  const yLabels = set.axis.y ? set.ys.map(y => set.axis.y.labels[y]) : [""];
  let left = Math.min(170, 18 + 7 * longest(yLabels)),
    columns = set.columns.length;
  const least = numbers ? 46 : 16,
    gap = 10;
  const fitting = Math.floor((room - left + gap) / (columns * least + gap));
  const lines = Math.ceil(set.facets.length / Math.max(1, Math.min(set.facets.length, fitting)));
  const across = Math.ceil(set.facets.length / lines);
  const width = Math.min(92, Math.max(14, Math.floor((room - left - gap * (across - 1)) / across) / columns));
  const inner = set.axis.x2 || set.axis.x;
  const label = inner ? 6.4 * longest(set.columns.map(c => inner.labels[set.axis.x2 ? c.x2 : c.x])) : 0;
  const turned = label > width - 2;
  if (turned) left = Math.max(left, 0.76 * Math.min(label, 130) - width / 2);
  return {
    left,
    gap,
    across,
    width,
    height: 23,
    panel: columns * width,
    turned,
    numbers: numbers && width >= 34,
    foot: (inner ? (turned ? Math.min(112, 20 + 0.7 * label) : 17) : 0) + (set.axis.x2 && set.axis.x ? 15 : 0) + 6,
    head: set.axis.facet ? 20 : 4,
    heading: room < 560 ? 50 : 30,
    room
  };
}

/// Scales by the group of cells that shares one: all, a panel or a row. `groups`: of each value.
function heatScales(metric, values, groups) {
  const scales = new Map();
  groups.forEach((group, i) => {
    if (!scales.has(group)) scales.set(group, []);
    scales.get(group).push(values[i]);
  });
  for (const [group, each] of scales) scales.set(group, heatScale(metric, each));
  return scales;
}

function heatScale(metric, values) {
  const extent = extentOf(values);
  if (!extent) return null;
  const [low, high] = extent,
    log = wantsLog(low, high, 30);
  const place = log ? value => Math.log(value / low) / Math.log(high / low) : value => (value - low) / (high - low);
  const share = value => (high === low ? 1 : metric.sign > 0 ? 1 - place(value) : place(value));
  return {
    low,
    high,
    log,
    share,
    worst: metric.sign > 0 ? high : low,
    best: metric.sign > 0 ? low : high,
    outlined: false
  };
}

/// One metric: a drawing with all panels. Cells are appended to `rows`, line by line, for the keyboard.
function heatMap(metric, by, set, layout, rows) {
  const best = bestBy(by, set.axes),
    groups = [],
    values = [];
  for (const f of set.facets)
    for (const y of set.ys)
      for (const c of set.columns) {
        const row = best[set.groupAt(f, y, c.x, c.x2)];
        values.push(row >= 0 ? metric.values[row] : NaN);
        groups.push(layout.scaling === "all" ? 0 : layout.scaling === "panel" ? f : f * 1e6 + y);
      }
  const scales = heatScales(metric, values, groups),
    format = columnFormat(values, metric.unit, 3);
  const lines = Math.ceil(set.facets.length / layout.across);
  const block = layout.head + set.ys.length * layout.height + layout.foot;
  const map = drawing(
    Math.max(layout.left + layout.across * (layout.panel + layout.gap), Math.min(layout.room, 520)),
    layout.heading + lines * block,
    { class: "heat", role: "grid", "aria-label": `${metric.title}, ${metric.longName}` }
  );
  map.append(heatDefinitions(metric), heatHeading(metric, scales, format, layout));
  const widest = values.filter(Number.isFinite).reduce((most, value) => Math.max(most, cellText(format, value, metric).length), 0),
    numbers = layout.numbers && widest * DIGIT <= layout.width - 2,
    frame = { metric, best, values, groups, scales, format, set, layout: { ...layout, numbers } };
  const grid = [];
  for (let line = 0; line < lines; ++line) for (let i = 0; i < set.ys.length; ++i) grid.push([]);
  set.facets.forEach((f, place) => {
    const line = Math.floor(place / layout.across),
      x = layout.left + (place % layout.across) * (layout.panel + layout.gap);
    const y = layout.heading + line * block;
    map.append(panelLabels(frame, f, x, y, place % layout.across === 0));
    set.ys.forEach((code, i) => {
      const row = svg("g", { role: "row" });
      set.columns.forEach((column, j) => {
        const index = (place * set.ys.length + i) * set.columns.length + j;
        const cell = heatCell(
          frame,
          index,
          { f, y: code, column },
          x + j * layout.width,
          y + layout.head + i * layout.height
        );
        row.append(cell);
        grid[line * set.ys.length + i].push(cell);
      });
      map.append(row);
    });
  });
  rows.push(...grid);
  return h("div", { class: "scroll-drawing" }, map);
}
