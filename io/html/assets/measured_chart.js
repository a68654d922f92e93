/// Predicted over measured: dots, the diagonal, lines of equal factors, errors of groups.

function measuredChart(rows, groups, metric, room) {
  const both = extentOf(rows.flatMap(each => [each.measured, each.predicted])),
    log = wantsLog(...both, 8),
    side = Math.min(460, room - 80),
    area = { left: 62, right: 62 + side, top: 24, bottom: 24 + side };
  const scaleX = makeScale(both, area.left, area.right, log),
    scaleY = makeScale(both, area.bottom, area.top, log),
    width = Math.max(room, area.right + 12);
  const chart = drawing(width, area.bottom + 44, {
    role: "img",
    "aria-label": `Predicted over measured ${metric.title} of ${countText(rows.length, "row")}`
  });
  const inside = svg("rect", { x: area.left, y: area.top, width: side, height: side });
  chart.append(
    svg("defs", {}, svg("clipPath", { id: "measured-area" }, inside)),
    axesLayer(
      area,
      [scaleX, { title: `measured ${metric.title}`, unit: metric.unit }],
      [scaleY, { title: `predicted ${metric.title}`, unit: metric.unit }],
      5
    )
  );
  for (const factor of [1, 1.3, 1 / 1.3, 2, 0.5]) chart.append(factorLine(scaleX, scaleY, factor));
  for (const row of rows)
    chart.append(
      measuredDot(row, groups.indexOf(row.group || ""), scaleX(row.measured), scaleY(row.predicted), metric)
    );
  if (width - area.right > 170) chart.append(groupKey(groupErrors(rows, groups), area.right + 24));
  return h("div", { class: "scroll-drawing" }, chart);
}

function groupColour(of) {
  return of < SHAPES ? readPalette().series[of] : readPalette().other;
}

function measuredDot(row, of, x, y, metric) {
  const lines = [
    ["group", row.group || ""],
    ["measured", withUnit(row.measured, metric.unit)],
    ["predicted", withUnit(row.predicted, metric.unit)],
    ["predicted / measured", ratioText(row.ratio)]
  ];
  return svg("path", {
    class: "dot",
    fill: groupColour(of),
    d: markerPath(of, x, y, 3.4),
    ...telling(row.name, () => lines)
  });
}

/// predicted = factor * measured as a line of a few points, straight on log axes and on linear ones.
function factorLine(scaleX, scaleY, factor) {
  const low = Math.max(scaleX.low, 1e-300),
    values = [0, 0.25, 0.5, 0.75, 1].map(share => low * (scaleX.high / low) ** share);
  const places = values.map(value => `${scaleX(value)},${scaleY(Math.max(1e-300, factor * value))}`);
  return svg("path", {
    class: factor === 1 ? "diagonal" : "diagonal far",
    "clip-path": "url(#measured-area)",
    d: "M" + places.join("L")
  });
}

function groupErrors(rows, groups) {
  const found = groups.map((name, of) => {
    const own = rows.filter(each => (each.group || "") === name),
      off = own.map(each => deviation(each.ratio)).sort((a, b) => a - b);
    return { name, of, count: off.length, median: off[off.length >> 1] };
  });
  return found.filter(each => each.count > 0).sort((a, b) => b.count - a.count);
}

function groupKey(errors, x) {
  const key = svg("g", {});
  errors.slice(0, 18).forEach(({ name, of, count, median }, i) => {
    const text = `${shortened(name || "all", 30)}: ${count}, median off by ${(100 * median).toFixed(1)} %`;
    key.append(
      svg("path", { d: markerPath(of, x, 42 + 22 * i, 4), fill: groupColour(of) }),
      svgText(x + 12, 46 + 22 * i, text)
    );
  });
  return key;
}
