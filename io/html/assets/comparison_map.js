/// The drawings of a comparison: ratios as a map, both fronts of a pair of metrics.

/// Blue where B is better, orange where it is worse, stronger the more it differs.
function ratioMap(compared, metric, rowAxis, columnAxis, names, room) {
  const { columns, ratio } = compared,
    rows = ratio.length / columns,
    widest = axis => Math.max(...axis.labels.map(label => label.length));
  const left = rowAxis ? Math.min(160, 18 + 7 * widest(rowAxis)) : 4,
    width = Math.max(34, Math.min(92, (room - left) / columns)),
    turned = columnAxis && 6.4 * widest(columnAxis) > width - 2,
    foot = columnAxis ? (turned ? 90 : 20) : 4;
  const logs = [...ratio].filter(each => each > 0 && Number.isFinite(each)).map(each => Math.abs(Math.log(each)));
  const layout = { rows, left, top: 30, width, height: 24, turned, most: Math.max(...logs, 1e-12) };
  const map = drawing(Math.max(left + columns * width, Math.min(room, 560)), 30 + rows * 24 + foot, {
    role: "grid",
    class: "heat",
    "aria-label": `${metric.title}: ${names[1]} against ${names[0]}`
  });
  const heading = `${capitalized(metric.title)}: how many times as good ${names[1]} is`;
  map.append(svg("defs", {}, hatchPattern("hatch-comparison")), svgText(0, 16, heading, { class: "heading" }));
  map.append(ratioLabels(layout, rowAxis, columnAxis));
  for (let i = 0; i < rows; ++i) {
    const line = svg("g", { role: "row" });
    for (let j = 0; j < columns; ++j) {
      const labels = [rowAxis && rowAxis.labels[i], columnAxis && columnAxis.labels[j]].filter(each => each);
      line.append(ratioCell(compared, layout, metric, i, j, labels.join(", ") || "all", names));
    }
    map.append(line);
  }
  return h("div", { class: "scroll-drawing" }, map);
}

function ratioCell({ a, b, columns, ratio }, { left, top, width, height, most }, metric, i, j, name, names) {
  const at = i * columns + j,
    value = ratio[at],
    known = Number.isFinite(value),
    colour = mixed(readPalette().turn, known && value > 0 ? 0.5 + (0.5 * Math.log(value)) / most : 0.5);
  const lines = [a, b].map((values, k) => [names[k], withUnit(values[at], metric.unit)]);
  const cell = svg("g", {
    role: "gridcell",
    "data-ratio": known ? value : null,
    "aria-label": `${name}: ${known ? ratioText(value) : MISSING}, ${lines.map(each => each.join(" ")).join(", ")}`,
    ...telling(name, () => lines)
  });
  const x = left + j * width,
    y = top + i * height,
    fill = known ? rgb(colour) : "url(#hatch-comparison)",
    frame = known ? null : "frame";
  cell.append(svg("rect", { x: x + 1, y: y + 1, width: width - 2, height: height - 2, rx: 2, fill, class: frame }));
  const text = { "text-anchor": "middle", class: "cell-text", "aria-hidden": "true", fill: inkOn(colour) };
  if (known) cell.append(svgText(x + width / 2, y + 16, ratioText(value), text));
  return cell;
}

function ratioLabels({ rows, left, top, width, height, turned }, rowAxis, columnAxis) {
  const labels = svg("g", { "aria-hidden": "true" }),
    bottom = top + rows * height;
  for (const [i, label] of (rowAxis ? rowAxis.labels : []).entries())
    labels.append(svgText(left - 8, top + i * height + 16, shortened(label, 22), { "text-anchor": "end" }));
  for (const [j, label] of (columnAxis ? columnAxis.labels : []).entries()) {
    const x = left + (j + 0.5) * width,
      turn = { class: "m", "text-anchor": "end", transform: `translate(${x + 4},${bottom + 12}) rotate(-42)` };
    labels.append(
      turned
        ? svgText(0, 0, shortened(label, 22), turn)
        : svgText(x, bottom + 15, label, { class: "m", "text-anchor": "middle" })
    );
  }
  return labels;
}

/// Both fronts of a pair of metrics in one plot.
function frontPair(front, names, room) {
  const [x, y] = [front.x, front.y].map(name => model.byName.metric.get(name) || metricOf({ name, unit: "1" })),
    fronts = [front.a, front.b],
    all = fronts.flat();
  const area = { left: 58, right: room - 12, top: 24, bottom: 250 },
    xs = extentOf(all.map(each => each[0])),
    ys = extentOf(all.map(each => each[1]));
  const scaleX = makeScale(xs, area.left, area.right, wantsLog(...xs, 8)),
    scaleY = makeScale(ys, area.bottom, area.top, wantsLog(...ys, 8));
  const counts = names.map((name, i) => `front of ${name}, ${countText(fronts[i].length, "row")}`);
  const chart = drawing(room, 292, { role: "img", "aria-label": `${x.title} and ${y.title}: ${counts.join("; ")}` });
  chart.append(axesLayer(area, [scaleX, x], [scaleY, y]));
  fronts.forEach((points, i) => {
    const places = [...points]
      .sort((p, q) => x.sign * (p[0] - q[0]))
      .map(([atX, atY, point]) => ({ atX, atY, point, px: scaleX(atX), py: scaleY(atY) }));
    const path = places.map(({ px, py }, k) => (k === 0 ? `M${px},${py}` : `H${px}V${py}`)).join("");
    chart.append(svg("path", { class: "line", stroke: palette.series[i], d: path }));
    for (const { atX, atY, point, px, py } of places) {
      const lines = [x, y].map((metric, k) => [metric.title, withUnit(k ? atY : atX, metric.unit)]);
      const tell = telling(names[i], () => [...lines, ["point", String(point)]]);
      chart.append(svg("path", { d: markerPath(i, px, py, 4), fill: palette.series[i], class: "front-mark", ...tell }));
    }
  });
  const keys = counts.map((text, i) => h("span", { class: "key" }, legendMark(i, readPalette().series[i]), text));
  return h("div", {}, h("p", { class: "legend" }, keys), chart);
}
