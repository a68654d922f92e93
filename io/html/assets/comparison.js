/// Two results of the same estimator: how B compares with A in every common cell, and what moved on the front.

function makeComparison() {
  const raw = model.raw.comparison;
  if (!raw || !(raw.cells || []).length) return null;
  const axes = (raw.axes_values || []).map((axis, i) =>
    axisOf(
      Array.isArray(axis)
        ? { name: raw.axes[i], kind: "label", unit: "1", values: axis }
        : { name: raw.axes[i], ...axis },
      i
    )
  );
  const size = axes.reduce((product, axis) => product * axis.values.length, 1);
  const metrics = raw.cells.map(each => ({
    ...metricOf({
      name: each.metric,
      unit: (model.byName.metric.get(each.metric) || each).unit || "1",
      better: each.better
    }),
    a: decodeColumn(each.a, Float32Array),
    b: decodeColumn(each.b, Float32Array)
  }));
  const comparison = { raw, axes, size, metrics, names: raw.names };
  return makeSection("comparison", `${raw.names[1]} against ${raw.names[0]}`, {}, section =>
    updateComparison(section, comparison)
  ).element;
}

/// Best of A and of B for each group of cells over two axes, and B over A so that more than 1 is better.
function comparedCells({ axes, size, metrics }, metric, rowAxis, columnAxis) {
  const columns = columnAxis ? columnAxis.values.length : 1,
    count = (rowAxis ? rowAxis.values.length : 1) * columns;
  const a = new Float64Array(count).fill(NaN),
    b = new Float64Array(count).fill(NaN);
  const strides = axes.map((axis, i) => axes.slice(i + 1).reduce((product, each) => product * each.values.length, 1));
  const codeOf = (axis, cell) => (axis ? Math.floor(cell / strides[axes.indexOf(axis)]) % axis.values.length : 0);
  const better = (value, old) => Number.isFinite(value) && !(metric.sign * old <= metric.sign * value);
  for (let cell = 0; cell < size; ++cell) {
    const at = codeOf(rowAxis, cell) * columns + codeOf(columnAxis, cell);
    if (better(metric.a[cell], a[at])) a[at] = metric.a[cell];
    if (better(metric.b[cell], b[at])) b[at] = metric.b[cell];
  }
  return { a, b, columns, ratio: a.map((value, i) => (metric.sign > 0 ? value / b[i] : b[i] / value)) };
}

function updateComparison(section, comparison) {
  const { axes, metrics, names } = comparison,
    labels = axes.map(axis => ({ value: axis.name, text: axis.title })),
    axisNames = ["none", ...axes.map(axis => axis.name)],
    longest = [...axes].sort((p, q) => q.values.length - p.values.length).map(axis => axis.name);
  const metric = metrics.find(
    each =>
      each.name ===
      option(
        "comparison.metric",
        metrics.map(each => each.name)
      )
  );
  const rowAxis = axes.find(axis => axis.name === option("comparison.rows", axisNames, longest[0] || "none")) || null;
  const columnAxis =
    axes.find(
      axis => axis !== rowAxis && axis.name === option("comparison.columns", axisNames, longest[1] || "none")
    ) || null;
  const none = [{ value: "none", text: "none" }, ...labels];
  section.options.replaceChildren(
    chooser(
      "comparison.metric",
      "metric",
      metrics.map(each => ({ value: each.name, text: each.title })),
      metric.name
    ),
    chooser("comparison.rows", "rows", none, rowAxis ? rowAxis.name : "none"),
    chooser("comparison.columns", "columns", none, columnAxis ? columnAxis.name : "none")
  );
  section.note.textContent = comparisonSummary(comparison, metric);
  offerFiles(section);
  const room = roomOf(section);
  section.body.replaceChildren(
    ratioMap(comparedCells(comparison, metric, rowAxis, columnAxis), metric, rowAxis, columnAxis, names, room),
    ...(comparison.raw.front || [])
      .filter(front => front.a.length + front.b.length > 0)
      .map(front => frontPair(front, names, room))
  );
}

function comparisonSummary({ raw, names }, metric) {
  let better = 0,
    worse = 0,
    equal = 0,
    gained = 0,
    lost = 0;
  const ratios = [];
  metric.a.forEach((a, i) => {
    const b = metric.b[i],
      hasA = Number.isFinite(a),
      hasB = Number.isFinite(b);
    if (!hasA || !hasB) return void ((gained += !hasA && hasB), (lost += hasA && !hasB));
    if (a === b) ++equal;
    else if (metric.sign * b < metric.sign * a) ++better;
    else ++worse;
    ratios.push(metric.sign > 0 ? a / b : b / a);
  });
  ratios.sort((p, q) => p - q);
  const middle = ratios.length > 0 ? `; the median is ${ratioText(ratios[ratios.length >> 1])} as good` : "";
  const only =
    raw.only_a || raw.only_b
      ? ` Rows whose values the other lacks: ${grouped(raw.only_a || 0)} in ${names[0]}, ${grouped(raw.only_b || 0)} in ${names[1]}.`
      : "";
  return (
    `Of ${countText(ratios.length, "common cell")}, ${names[1]} has a better ${metric.title} in ${grouped(better)}, the same in ${grouped(equal)}, a worse one in ${grouped(worse)}${middle}.` +
    ` Feasible only in ${names[1]}: ${grouped(gained)}; only in ${names[0]}: ${grouped(lost)}.${only}`
  );
}

/// Ratios as a map: blue where B is better, orange where it is worse, stronger the more it differs.
function ratioMap({ a, b, columns, ratio }, metric, rowAxis, columnAxis, names, room) {
  const rows = ratio.length / columns,
    left = Math.min(160, rowAxis ? 18 + 7 * Math.max(...rowAxis.labels.map(label => label.length)) : 4);
  const width = Math.max(34, Math.min(92, (room - left) / columns)),
    height = 24,
    colours = readPalette();
  const most = Math.max(
    ...[...ratio].filter(each => each > 0 && Number.isFinite(each)).map(each => Math.abs(Math.log(each))),
    1e-12
  );
  const turned = columnAxis && 6.4 * Math.max(...columnAxis.labels.map(label => label.length)) > width - 2,
    foot = columnAxis ? (turned ? 90 : 20) : 4;
  const map = drawing(Math.max(left + columns * width, Math.min(room, 560)), 30 + rows * height + foot, {
    role: "grid",
    class: "heat",
    "aria-label": `${metric.title}: ${names[1]} against ${names[0]}`
  });
  map.append(
    svg("defs", {}, hatchPattern("hatch-comparison")),
    svgText(0, 16, `${capitalized(metric.title)}: how many times as good ${names[1]} is`, { class: "heading" })
  );
  for (let i = 0; i < rows; ++i) {
    const line = svg("g", { role: "row" });
    if (rowAxis)
      map.append(
        svgText(left - 8, 30 + i * height + 16, shortened(rowAxis.labels[i], 22), {
          "text-anchor": "end",
          "aria-hidden": "true"
        })
      );
    for (let j = 0; j < columns; ++j) {
      const at = i * columns + j,
        value = ratio[at],
        known = Number.isFinite(value),
        name =
          [rowAxis && rowAxis.labels[i], columnAxis && columnAxis.labels[j]].filter(each => each).join(", ") || "all";
      const colour = known ? mixed(colours.turn, value > 0 ? 0.5 + (0.5 * Math.log(value)) / most : 0.5) : null,
        x = left + j * width,
        y = 30 + i * height;
      const told = [
        [names[0], withUnit(a[at], metric.unit)],
        [names[1], withUnit(b[at], metric.unit)]
      ];
      const cell = svg(
        "g",
        {
          role: "gridcell",
          "data-ratio": known ? value : null,
          "aria-label": `${name}: ${known ? ratioText(value) : MISSING}, ${told.map(each => each.join(" ")).join(", ")}`,
          onmousemove: event => showTooltip(name, told, event.clientX, event.clientY),
          onmouseleave: hideTooltip
        },
        svg("rect", {
          x: x + 1,
          y: y + 1,
          width: width - 2,
          height: height - 2,
          rx: 2,
          fill: known ? rgb(colour) : "url(#hatch-comparison)",
          class: known ? null : "frame"
        })
      );
      if (known)
        cell.append(
          svgText(x + width / 2, y + 16, ratioText(value), {
            "text-anchor": "middle",
            class: "cell-text",
            "aria-hidden": "true",
            fill: inkOn(colour)
          })
        );
      line.append(cell);
    }
    map.append(line);
  }
  if (columnAxis)
    columnAxis.labels.forEach((label, j) =>
      map.append(
        turned
          ? svgText(0, 0, shortened(label, 22), {
              class: "m",
              "text-anchor": "end",
              "aria-hidden": "true",
              transform: `translate(${left + (j + 0.5) * width + 4},${42 + rows * height}) rotate(-42)`
            })
          : svgText(left + (j + 0.5) * width, 30 + rows * height + 15, label, {
              class: "m",
              "text-anchor": "middle",
              "aria-hidden": "true"
            })
      )
    );
  return h("div", { class: "scroll-drawing" }, map);
}

/// Both fronts of a pair of metrics in one plot.
function frontPair(front, names, room) {
  const [x, y] = [front.x, front.y].map(name => model.byName.metric.get(name) || metricOf({ name, unit: "1" })),
    all = [...front.a, ...front.b];
  const area = { left: 58, right: room - 12, top: 24, bottom: 250 },
    xs = extentOf(all.map(each => each[0])),
    ys = extentOf(all.map(each => each[1]));
  const scaleX = makeScale(xs, area.left, area.right, wantsLog(...xs, 8)),
    scaleY = makeScale(ys, area.bottom, area.top, wantsLog(...ys, 8));
  const chart = drawing(room, 292, {
    role: "img",
    "aria-label": `Fronts of ${x.title} and ${y.title}: ${names[0]} ${front.a.length} rows, ${names[1]} ${front.b.length} rows`
  });
  chart.append(
    axisLayer(scaleX, {
      horizontal: true,
      from: area.top,
      to: area.bottom,
      at: area.bottom,
      title: x.title,
      unit: x.unit,
      better: x.better
    }),
    axisLayer(scaleY, {
      horizontal: false,
      from: area.left,
      to: area.right,
      at: area.left,
      title: y.title,
      unit: y.unit,
      better: y.better
    })
  );
  [front.a, front.b].forEach((points, i) => {
    const places = [...points]
      .sort((p, q) => x.sign * (p[0] - q[0]))
      .map(point => [scaleX(point[0]), scaleY(point[1]), point]);
    if (places.length === 0) return;
    chart.append(
      svg("path", {
        class: "line",
        stroke: readPalette().series[i],
        d: places.map(([px, py], k) => (k === 0 ? `M${px},${py}` : `H${px}V${py}`)).join("")
      })
    );
    for (const [px, py, point] of places)
      chart.append(
        svg("path", {
          d: markerPath(i, px, py, 4),
          fill: readPalette().series[i],
          class: "front-mark",
          onmouseleave: hideTooltip,
          onmousemove: event =>
            showTooltip(
              names[i],
              [
                [x.title, withUnit(point[0], x.unit)],
                [y.title, withUnit(point[1], y.unit)],
                ["point", String(point[2])]
              ],
              event.clientX,
              event.clientY
            )
        })
      );
  });
  const mark = i =>
    svg(
      "svg",
      { width: 14, height: 14, "aria-hidden": "true" },
      svg("path", { d: markerPath(i, 7, 7, 4.6), fill: readPalette().series[i] })
    );
  return h(
    "div",
    {},
    h(
      "p",
      { class: "legend" },
      [0, 1].map(i =>
        h("span", { class: "key" }, mark(i), `front of ${names[i]}, ${countText([front.a, front.b][i].length, "row")}`)
      )
    ),
    chart
  );
}
