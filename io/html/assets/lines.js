/// How it scales: the best of a metric along an axis of numbers, one line for each value of another axis.

const MOST_LINES = 14;

function makeLines() {
  const numeric = freeAxes().filter(axis => axis.number && axis.values.length > 1);
  if (numeric.length === 0 || model.objectives.length === 0) return null;
  return makeSection("lines", "How it scales", {}, section => updateLines(section, numeric)).element;
}

function updateLines(section, numeric) {
  const view = model.views.lines || {},
    xNames = numeric.map(axis => axis.name);
  const metric = model.byName.metric.get(
    option(
      "lines.metric",
      model.objectives.map(each => each.name),
      mainMetric().name
    )
  );
  const x = model.byName.axis.get(option("lines.x", xNames, xNames.includes(view.x) ? view.x : xNames[0]));
  const others = freeAxes().filter(axis => axis !== x && axis.values.length > 1 && axis.values.length <= MOST_LINES),
    names = ["none", ...others.map(axis => axis.name)];
  const series =
    model.byName.axis.get(
      option("lines.series", names, names.includes(view.series) ? view.series : names[1] || "none")
    ) || null;
  const text = axis => ({ value: axis.name, text: axis.title });
  section.options.replaceChildren(
    chooser("lines.metric", "best", model.objectives.map(text), metric.name),
    chooser("lines.x", "along", numeric.map(text), x.name),
    chooser(
      "lines.series",
      "one line for each",
      [{ value: "none", text: "none" }, ...others.map(text)],
      series ? series.name : "none"
    )
  );
  const lines = scalingLines(metric, x, series);
  section.note.textContent = "Every point is the best over all other axes. Missing points have no feasible row.";
  section.files.hidden = lines.length === 0;
  if (lines.length === 0)
    return section.body.replaceChildren(h("p", { class: "sentence" }, "No feasible row passes the filters."));
  offerFiles(section);
  section.body.replaceChildren(lineChart(lines, metric, x, series, roomOf(section)));
}

function scalingLines(metric, x, series) {
  const best = bestBy(metric, series ? [series, x] : [x]),
    lines = [];
  const order = [...x.values.keys()]
    .filter(code => Number.isFinite(x.values[code]))
    .sort((a, b) => x.values[a] - x.values[b]);
  for (let s = 0; s < (series ? series.values.length : 1); ++s) {
    const points = order
      .map(code => ({ code, at: x.values[code], row: best[s * x.values.length + code] }))
      .filter(point => point.row >= 0)
      .map(point => ({ ...point, value: metric.values[point.row] }))
      .filter(point => Number.isFinite(point.value));
    if (points.length > 0) lines.push({ s, name: series ? series.labels[s] : "all", points });
  }
  return lines;
}

/// `limits`: numbers that are drawn as dashed lines. Points with `isKnee` have a ring.
function lineChart(lines, metric, x, series, room, { limits = [] } = {}) {
  const longest = Math.max(...lines.map(line => line.name.length));
  const area = { left: 58, right: room - Math.min(170, 18 + 6.6 * longest), top: 24, bottom: 270 };
  const points = lines.flatMap(line => line.points),
    xs = extentOf(points.map(point => point.at)),
    ys = extentOf([...points.map(point => point.value), ...limits]);
  const scaleX = makeScale(xs, area.left, area.right, wantsLog(...xs, 8)),
    scaleY = makeScale(ys, area.bottom, area.top, wantsLog(...ys, 8), 0.06);
  const spoken = line => line.points.map(point => `${x.labels[point.code]} ${withUnit(point.value, metric.unit)}`);
  const texts = lines.map(line => `${line.name} ${spoken(line).join(", ")}`),
    label = `Best ${metric.title} along ${x.title}: ${texts.join("; ")}`;
  const chart = drawing(room, 312, { role: "img", "aria-label": label });
  chart.append(axesLayer(area, [scaleX, x], [scaleY, metric]));
  for (const limit of limits)
    chart.append(
      svg("line", { class: "limit", x1: area.left, x2: area.right, y1: scaleY(limit), y2: scaleY(limit) }),
      svgText(area.left + 4, scaleY(limit) - 4, `limit ${withUnit(limit, metric.unit)}`, { class: "m" })
    );
  const ends = labelPlaces(
    lines.map(line => scaleY(line.points[line.points.length - 1].value)),
    14,
    area
  );
  lines.forEach((line, i) => {
    const picked = series && state.selection.get(series.name) === line.s;
    const places = line.points.map(point => [scaleX(point.at), scaleY(point.value)]);
    chart.append(scalingLine(line, places, { metric, x, picked, end: ends[i], right: area.right }));
  });
  return chart;
}

/// A line with its markers, and its name at the end.
function scalingLine(line, places, { metric, x, picked, end, right }) {
  const colour = readPalette().series[line.s % SHAPES],
    [lastX, lastY] = places[places.length - 1],
    path = "M" + places.map(([px, py]) => `${px},${py}`).join("L");
  const group = svg(
    "g",
    {},
    svg("path", { class: picked ? "line picked" : "line", stroke: colour, d: path }),
    svg("path", { class: "leader-line", d: `M${lastX + 5},${lastY}L${right + 8},${end}` }),
    svgText(right + 11, end + 4, shortened(line.name, 24), { class: picked ? "strong" : null })
  );
  line.points.forEach((point, k) => {
    const tell = telling(line.name, () => [
      [metric.title, withUnit(point.value, metric.unit)],
      [x.title, x.labels[point.code]],
      ["", rowText(point.row)]
    ]);
    group.append(svg("path", { d: markerPath(line.s, ...places[k], 4), fill: colour, class: "front-mark", ...tell }));
    if (point.isKnee) group.append(svg("circle", { class: "knee", cx: places[k][0], cy: places[k][1], r: 8 }));
  });
  return group;
}

/// Heights for labels at line ends that do not cover one another: pushed apart, inside the area.
function labelPlaces(wanted, distance, area) {
  const order = [...wanted.keys()].sort((a, b) => wanted[a] - wanted[b]),
    places = wanted.slice();
  order.forEach((i, k) => {
    if (k > 0) places[i] = Math.max(places[i], places[order[k - 1]] + distance);
  });
  let limit = area.bottom + 4;
  for (let k = order.length - 1; k >= 0; --k) {
    places[order[k]] = Math.min(places[order[k]], limit);
    limit = places[order[k]] - distance;
  }
  return places;
}
