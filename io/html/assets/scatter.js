/// Trade-offs: two metrics of every row, the front that no row beats in both, a box whose rows the table lists.

const MOST_FRONTS = 20;
let scatter = null; // what is drawn: metrics, rows, places, fronts, table rows

function makeScatter() {
  if (model.numbers.length < 2 || model.rows.count === 0) return null;
  const section = makeSection("scatter", "Trade-offs", { badge: "" }, updateScatter);
  section.plot = h("div", {
    class: "plot",
    tabindex: 0,
    role: "img",
    "aria-describedby": "scatter-note",
    "data-key": "plot"
  });
  section.legend = h("p", { class: "legend" });
  section.body.append(section.legend, section.plot);
  linkPlot(section);
  return section.element;
}

function hasScatter() {
  return sections.some(section => section.id === "scatter");
}

function declaredPairs() {
  return (model.views.pareto || []).filter(pair => pair.every(name => model.byName.metric.has(name)));
}

/// Metrics of the axes: what the reader chose, else the box's, else the first declared pair.
function scatterMetrics() {
  const names = model.numbers.map(metric => metric.name),
    pair = declaredPairs()[0] || names.slice(0, 2);
  const box = state.box || { x: pair[0], y: pair[1] };
  return [option("scatter.x", names, box.x), option("scatter.y", names, box.y)].map(name =>
    model.byName.metric.get(name)
  );
}

function colourAxes() {
  return model.axes.filter(axis => axis.values.length > 1);
}

function setPair([x, y]) {
  state.options.set("scatter.x", x);
  setOption("scatter.y", y);
}

function updateScatter(section) {
  const [x, y] = scatterMetrics(),
    axes = colourAxes(),
    usual = taskAxis() || choiceAxis() || axes.find(axis => axis.values.length <= SHAPES) || axes[0],
    names = ["none", ...axes.map(axis => axis.name)],
    colour = model.byName.axis.get(option("scatter.colour", names, usual ? usual.name : "none")),
    apart = colour && option("scatter.fronts", ["one", "each"], colour === taskAxis() ? "each" : "one") === "each";
  section.options.replaceChildren(...scatterChoosers(x, y, colour, axes, apart));
  readPalette();
  const selected = selectedRows();
  scatter = { x, y, colour, series: seriesOf(colour), selected, ...visibleRows(x, y), walked: -1 };
  scatter.hasFront = x.better !== "none" && y.better !== "none";
  scatter.fronts = frontsOf(scatter.rows, apart ? colour : null);
  scatter.front = scatter.fronts.flatMap(each => each.rows);
  const chosen = selected && scatter.rows.filter(row => selected[row]);
  scatter.selectedFront = chosen ? frontOf(chosen, x, y) : null;
  section.badge.textContent = scatterBadge(x, y);
  const walk = scatter.hasFront ? "Line: Pareto front; arrow keys walk along it, Enter selects a system. " : "";
  section.note.textContent = walk + "Drag a box to list its rows below.";
  section.files.hidden = scatter.rows.length === 0;
  if (scatter.rows.length > 0) offerFiles(section);
  drawLegend(section);
  drawPlot(section);
}

function scatterChoosers(x, y, colour, axes, apart) {
  const metrics = choicesOf(model.numbers),
    none = { value: "none", text: "none" };
  const pairs = declaredPairs().map(pair => {
    const pressed = String(pair[0] === x.name && pair[1] === y.name);
    const text = pair.map(words).join(" / ");
    return button(text, () => setPair(pair), { name: `pair.${pair.join("/")}`, "aria-pressed": pressed });
  });
  const fronts = button("A front for each colour", () => setOption("scatter.fronts", apart ? "one" : "each"), {
    name: "scatter.fronts",
    "aria-pressed": String(!!apart)
  });
  return [
    chooser("scatter.x", "x", metrics, x.name),
    chooser("scatter.y", "y", metrics, y.name),
    chooser("scatter.colour", "colour", [none, ...choicesOf(axes)], colour ? colour.name : "none"),
    ...pairs,
    ...(colour && colour.values.length <= MOST_FRONTS ? [fronts] : [])
  ];
}

function scatterBadge(x, y) {
  if (model.complete) return "exact, every feasible row";
  const declared = declaredPairs().some(([a, b]) => (a === x.name && b === y.name) || (a === y.name && b === x.name));
  const exact =
    model.paretoExact ||
    [...state.allowed.keys(), ...state.selection.keys()].every(name => model.paretoAxes.includes(name));
  const front = !declared
    ? "front of the rows kept here"
    : exact
      ? "front exact"
      : "front of the rows kept here: exact without these filters";
  return `${front}; points: sample of ${grouped(model.sampleRows)} in ${grouped(model.sampleOf)}`;
}

/// Rows that pass the filters and have both metrics.
function visibleRows(x, y) {
  const passing = passingRows(),
    found = new Int32Array(model.rows.count);
  let count = 0;
  for (let row = 0; row < found.length; ++row)
    if (passing[row] && x.values[row] - x.values[row] === 0 && y.values[row] - y.values[row] === 0)
      found[count++] = row;
  return { rows: found.subarray(0, count) };
}

/// Kept rows that no kept row beats in both metrics, from the best x on.
function frontOf(rows, x, y) {
  if (x.better === "none" || y.better === "none" || x === y) return [];
  const kept = keptOf(rows),
    a = x.values,
    b = y.values;
  kept.sort((p, q) => x.sign * (a[p] - a[q]) || y.sign * (b[p] - b[q]) || p - q);
  const front = [];
  let best = Infinity;
  for (const row of kept) {
    if (y.sign * b[row] >= best) continue;
    best = y.sign * b[row];
    front.push(row);
  }
  return front;
}

/// Rows ascend, so the kept ones come first.
function keptOf(rows) {
  const end = rows.findIndex(row => row >= model.rows.kept);
  return [...(end < 0 ? rows : rows.slice(0, end))];
}

/// One front of all rows, or one for each value of an axis.
function frontsOf(rows, axis) {
  const { x, y } = scatter;
  if (!axis) return [{ name: "", rows: frontOf(rows, x, y) }];
  const groups = axis.labels.map(name => ({ name, rows: [] }));
  for (const row of keptOf(rows))
    if (axis.codes[row] !== axis.missing) groups[axis.codes[row]].rows.push(row);
  return groups.map(({ name, rows: own }) => ({ name, rows: frontOf(own, x, y) })).filter(each => each.rows.length > 0);
}

function drawLegend(section) {
  const { series, colour } = scatter;
  if (!colour) return section.legend.replaceChildren();
  const mark = i =>
    svg(
      "svg",
      { width: 14, height: 14, "aria-hidden": "true" },
      svg("path", { d: markerPath(i, 7, 7, 4.6), fill: series.colour(i) })
    );
  const shown = series.ramp
    ? [...series.names.keys()].filter(i => i === 0 || i === series.names.length - 1)
    : [...series.names.keys()];
  section.legend.replaceChildren(
    h("span", {}, colour.title + ":"),
    ...shown.map(i => h("span", { class: "key" }, mark(series.ramp ? 0 : i), series.names[i]))
  );
}

/// What table and parallel coordinates show: rows of the box, else of the front.
function tableRows() {
  if (!scatter) return { rows: [], title: "" };
  const { x, y, selected } = scatter,
    { box } = state;
  const whose = selected ? ` of ${selectionText()}` : "";
  if (box && box.x === x.name && box.y === y.name) {
    const inside = scatter.rows.filter(
      row =>
        x.values[row] >= box.x0 &&
        x.values[row] <= box.x1 &&
        y.values[row] >= box.y0 &&
        y.values[row] <= box.y1 &&
        (!selected || selected[row])
    );
    return {
      rows: [...inside],
      title: `${countText(inside.length, "row")} in the box${whose}` + (model.complete ? "" : ", kept and sampled")
    };
  }
  if (scatter.hasFront) {
    const rows = selected ? scatter.selectedFront : scatter.front;
    return { rows, title: `${countText(rows.length, "row")} on the front${whose}` };
  }
  const rows = [...scatter.rows.filter(row => row < model.rows.kept && (!selected || selected[row]))].slice(0, 200);
  return { rows, title: countText(rows.length, "row") + whose };
}
