/// All dimensions at once: parallel coordinates of the table's rows over a faint sample.

const FAINT_LINES = 1000,
  STRONG_LINES = 150,
  MOST_DIMENSIONS = 13;

function makeParallel() {
  if (!hasScatter() || model.rows.count < 2) return null;
  return makeSection(
    "parallel",
    "All dimensions at once",
    { badge: model.complete ? "exact" : "rows of the table over a sample", uses: ["scatter", "rows"] },
    updateParallel
  ).element;
}

function dimensions() {
  const metrics = [...new Set([scatter.x, scatter.y, ...viewMetrics()])].slice(0, 4);
  const room = MOST_DIMENSIONS - metrics.length,
    axes = model.axes.filter(axis => axis.values.length > 1);
  const chosen =
    axes.length <= room ? axes : [...axes].sort((a, b) => b.inCube - a.inCube || a.index - b.index).slice(0, room);
  return [
    ...chosen.sort((a, b) => a.index - b.index).map(axis => ({ axis, title: axis.title })),
    ...metrics.map(metric => ({ metric, title: metric.title }))
  ];
}

function updateParallel(section) {
  threadOffset.clear();
  const { rows } = tableRows(),
    strong = rows.slice(0, STRONG_LINES),
    room = roomOf(section),
    all = scatter.rows;
  const first = rows.length > strong.length ? ` (the first of ${grouped(rows.length)})` : "";
  section.note.textContent =
    `${countText(strong.length, "row")} of the table in colour${first}, ` +
    `${model.complete ? "all rows" : "sampled rows"} behind them. On metrics up is better.`;
  section.files.hidden = all.length === 0;
  if (all.length === 0)
    return section.body.replaceChildren(h("p", { class: "sentence" }, "No feasible row passes the filters."));
  offerFiles(section);
  const list = dimensions(),
    width = Math.max(room, list.length * 62),
    height = 360,
    top = 62,
    bottom = height - 40;
  list.forEach((dimension, i) => placeDimension(dimension, 52 + (i * (width - 116)) / (list.length - 1), top, bottom));
  strong.forEach((row, i) => threadOffset.set(row, (i + 0.5) / strong.length - 0.5));
  const titles = list.map(each => each.title).join(", "),
    label = `Parallel coordinates of ${titles}: ${countText(strong.length, "row")}`,
    canvas = section.body.querySelector("canvas") || h("canvas", {}),
    layer = drawing(width, height, { class: "over", role: "img", "aria-label": label });
  drawFaint(canvas, width, height, list, all);
  for (const row of strong)
    layer.append(
      svg("path", {
        class: "thread",
        "data-row": row,
        stroke: scatter.series.colour(scatter.series.of(row)),
        d: threadPath(list, row)
      })
    );
  list.forEach(dimension => layer.append(dimensionLayer(dimension, top, bottom)));
  const plot = h("div", { class: "plot" }, canvas, layer);
  plot.style.height = height + "px";
  plot.style.width = width + "px";
  section.body.replaceChildren(
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "Parallel coordinates", "data-key": "parallel" },
      plot
    )
  );
}

/// Rows that share a value lie beside one another on its axis: a thick bundle is a frequent value.
const threadOffset = new Map();
function offsetOf(row) {
  return threadOffset.get(row) ?? ((row * 0.618034) % 1) - 0.5;
}

/// Gives a dimension its place and `at(row)`: the height of a row on it, NaN where the row has no value.
function placeDimension(dimension, x, top, bottom) {
  dimension.x = x;
  const { axis, metric } = dimension;
  if (axis) {
    const step = axis.values.length > 1 ? (bottom - top) / (axis.values.length - 1) : 0;
    const bundle = Math.min(26, 0.7 * step);
    dimension.at = row =>
      axis.codes[row] === axis.missing ? NaN : bottom - axis.codes[row] * step - bundle * offsetOf(row);
    return;
  }
  const extent = extentOf(metric.values, scatter.rows) || [0, 1];
  const scale =
    metric.better === "min"
      ? makeScale(extent, top, bottom, wantsLog(...extent, 8), 0)
      : makeScale(extent, bottom, top, wantsLog(...extent, 8), 0);
  dimension.ends = metric.better === "min" ? [extent[1], extent[0]] : extent;
  dimension.at = row => scale(metric.values[row]);
}

/// The line of a row on a context or a recorder of paths; it is interrupted where the row has no value.
function traceThread(context, list, row) {
  let on = false;
  for (const dimension of list) {
    const y = dimension.at(row),
      known = y - y === 0;
    if (known && on) context.lineTo(dimension.x, y);
    else if (known) context.moveTo(dimension.x, y);
    on = known;
  }
}

function threadPath(list, row) {
  let path = "";
  const recorder = {
    moveTo: (x, y) => (path += `M${x.toFixed(1)},${y.toFixed(1)}`),
    lineTo: (x, y) => (path += `L${x.toFixed(1)},${y.toFixed(1)}`)
  };
  traceThread(recorder, list, row);
  return path;
}

function drawFaint(canvas, width, height, list, rows) {
  const ratio = Math.min(2, devicePixelRatio || 1),
    context = canvas.getContext("2d");
  sizeCanvas(canvas, width, height, ratio);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.strokeStyle = readPalette().other;
  context.globalAlpha = Math.max(0.05, Math.min(0.35, 40 / Math.min(rows.length, FAINT_LINES)));
  const every = Math.max(1, Math.floor(rows.length / FAINT_LINES));
  for (let i = 0; i < rows.length; i += every) {
    context.beginPath();
    traceThread(context, list, rows[i]);
    context.stroke();
  }
}

function dimensionLayer({ axis, metric, title, x, ends }, top, bottom) {
  const layer = svg(
    "g",
    { "aria-hidden": "true" },
    svg("line", { class: "dimension", x1: x, x2: x, y1: top, y2: bottom })
  );
  const lines = wrapped(title, 12);
  lines.forEach((line, i) =>
    layer.append(
      svgText(x, top - 30 - 13 * (lines.length - 1 - i), line, {
        class: metric ? "strong" : null,
        "text-anchor": "middle"
      })
    )
  );
  const texts = axis ? axis.labels : [],
    step = axis ? (bottom - top) / Math.max(1, texts.length - 1) : 0,
    every = Math.max(1, Math.ceil(13 / Math.max(1, step)));
  texts.forEach((text, i) => {
    if (i % every === 0 || (i === texts.length - 1 && texts.length % every !== 1))
      layer.append(svgText(x + 5, bottom - i * step + 4, shortened(text, 11), { class: "m halo" }));
  });
  if (metric)
    layer.append(
      svgText(x, bottom + 24, withUnit(ends[0], metric.unit, 3), { class: "m", "text-anchor": "middle" }),
      svgText(x, top - 14, withUnit(ends[1], metric.unit, 3), { class: "m", "text-anchor": "middle" })
    );
  return layer;
}

/// At most two lines of about `most` characters.
function wrapped(text, most) {
  if (text.length <= most) return [text];
  const parts = text.split(" "),
    first = [];
  while (parts.length > 1 && [...first, parts[0]].join(" ").length <= Math.max(most, parts[0].length))
    first.push(parts.shift());
  return first.length > 0
    ? [shortened(first.join(" "), most + 2), shortened(parts.join(" "), most + 2)]
    : [shortened(text, most + 2)];
}
