/// How values spread: a histogram of each metric over all rows, and of the rows that pass the filters before it.

const FIRST_HISTOGRAMS = 8,
  MOST_COUNTED = 25000;

function makeSpread() {
  const histograms = (model.raw.histograms || []).filter(
    each =>
      model.numbers.some(metric => metric.name === each.name) &&
      each.count.some(count => count > 0) &&
      each.hi > each.lo
  );
  if (histograms.length === 0) return null;
  const main = viewMetrics().map(metric => metric.name),
    rank = each => (main.includes(each.name) ? main.indexOf(each.name) : main.length);
  histograms.sort((a, b) => rank(a) - rank(b));
  return makeSection("spread", "How values spread", {}, section => updateSpread(section, histograms)).element;
}

function updateSpread(section, histograms) {
  const all = option("spread.metrics", ["main", "all"]) === "all",
    shown = all ? histograms : histograms.slice(0, FIRST_HISTOGRAMS);
  const narrowed = state.allowed.size > 0 || state.selection.size > 0,
    room = roomOf(section);
  section.options.replaceChildren(
    ...(histograms.length > FIRST_HISTOGRAMS
      ? [
          button(
            all ? "Main metrics" : `All ${histograms.length} metrics`,
            () => setOption("spread.metrics", all ? "main" : "all"),
            { name: "spread.metrics" }
          )
        ]
      : []),
    h(
      "span",
      { class: "legend" },
      h("span", { class: "key" }, swatch(readPalette().other), "all feasible rows, exact"),
      narrowed
        ? h(
            "span",
            { class: "key" },
            swatch(readPalette().series[0]),
            "filters and selection" + (model.complete ? "" : ", from the sample")
          )
        : null
    )
  );
  section.note.textContent = "";
  offerFiles(section);
  const across = Math.max(1, Math.min(4, Math.floor(room / 250))),
    width = Math.floor((room - 16 * (across - 1)) / across);
  const passing = narrowed ? narrowedRows() : { rows: [], weight: 1 };
  section.body.replaceChildren(
    h(
      "div",
      { class: "panels" },
      shown.map(each => histogramChart(each, passing, width))
    )
  );
}

/// Rows that represent all, and how many rows each represents: every row if the page holds all, else rows of the sample.
function narrowedRows() {
  const passing = passingRows(),
    selected = selectedRows(),
    first = model.complete ? 0 : model.rows.kept,
    count = model.rows.count - first,
    every = model.complete ? 1 : Math.max(1, Math.floor(count / MOST_COUNTED)),
    rows = [];
  for (let row = first; row < model.rows.count; row += every)
    if (passing[row] && (!selected || selected[row])) rows.push(row);
  return { rows, weight: model.complete ? 1 : (model.sampleOf / Math.max(1, count)) * every };
}

function histogramChart(histogram, { rows, weight }, width) {
  const metric = model.byName.metric.get(histogram.name),
    log = histogram.scale === "log",
    bins = histogram.count.length;
  const from = log ? Math.log(histogram.lo) : histogram.lo,
    step = ((log ? Math.log(histogram.hi) : histogram.hi) - from) / bins;
  const narrowed = new Float64Array(bins);
  const values = log ? logsOf(metric) : metric.values;
  for (const row of rows) {
    const value = values[row];
    if (value - value === 0) narrowed[Math.min(bins - 1, Math.max(0, Math.floor((value - from) / step)))] += weight;
  }
  const most = Math.max(...histogram.count),
    top = 24,
    bottom = 104,
    bar = width / bins;
  const [least, greatest] = [histogram.lo, histogram.hi].map(value => withUnit(value, metric.unit)),
    label = `Spread of ${metric.title}: from ${least} to ${greatest}`;
  const chart = drawing(width, bottom + 18, { role: "img", "aria-label": label });
  chart.append(svgText(0, 14, titled(metric.title, "") + (log ? ", log" : ""), { class: "strong" }));
  const wide = Math.max(0.8, bar - 0.8).toFixed(2);
  const draw = (counts, fill) => {
    let bars = "";
    counts.forEach((count, i) => {
      if (count <= 0) return;
      const height = Math.max(1, Math.min(1, count / most) * (bottom - top)).toFixed(2);
      bars += `M${(i * bar).toFixed(2)},${bottom}v-${height}h${wide}v${height}Z`;
    });
    if (bars) chart.append(svg("path", { d: bars, fill }));
  };
  draw(histogram.count, palette.other);
  draw(narrowed, palette.series[0]);
  chart.append(
    svg("line", { class: "base", x1: 0, x2: width, y1: bottom, y2: bottom }),
    svgText(0, bottom + 14, least, { class: "m" }),
    svgText(width, bottom + 14, greatest, { class: "m", "text-anchor": "end" })
  );
  return chart;
}
