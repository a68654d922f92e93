/// Measured against predicted: every row beside the diagonal, and how far off the groups are.

function makeMeasured() {
  const raw = model.raw.measured;
  if (!raw || !(raw.rows || []).length) return null;
  const rows = raw.rows.map((each, place) => ({
    ...each,
    place,
    ratio: each.predicted > 0 && each.measured > 0 ? each.predicted / each.measured : NaN
  }));
  const groups = [...new Set(rows.map(each => each.group || ""))];
  const metric = model.byName.metric.get(raw.metric) || metricOf({ name: raw.metric, unit: raw.unit });
  return makeSection("measured", "Measured against predicted", {}, section =>
    updateMeasured(section, { raw, rows, groups, metric })
  ).element;
}

/// |predicted / measured - 1|: how far off, in either direction.
function deviation(ratio) {
  return Math.abs(ratio - 1);
}

function updateMeasured(section, { raw, rows, groups, metric }) {
  const known = rows.filter(each => Number.isFinite(each.ratio)),
    summary = raw.summary || {},
    percent = value => `${(100 * value).toFixed(1)} %`;
  const group = option("measured.group", ["all", ...groups]),
    shown = group === "all" ? known : known.filter(each => (each.group || "") === group);
  section.options.replaceChildren(
    ...(groups.length > 1
      ? [
          chooser(
            "measured.group",
            "group",
            [
              { value: "all", text: `all ${groups.length}` },
              ...groups.map(each => ({ value: each, text: each || "none" }))
            ],
            group
          )
        ]
      : [])
  );
  section.note.textContent =
    `${countText(summary.count ?? known.length, "row")} compared` +
    (summary.missing ? `, ${grouped(summary.missing)} without a prediction` : "") +
    (Number.isFinite(summary.median)
      ? `. Half of them are within ${percent(summary.median)}` +
        (Number.isFinite(summary.p90) ? `, nine of ten within ${percent(summary.p90)}` : "")
      : "") +
    ". Below the diagonal the prediction is less than the measurement. Dashed lines: factors 1.3 and 2.";
  section.files.hidden = shown.length === 0;
  if (shown.length === 0)
    return section.body.replaceChildren(h("p", { class: "sentence" }, "No row has both numbers."));
  offerFiles(section);
  const table = measuredTable(
    section,
    rows.filter(each => group === "all" || (each.group || "") === group),
    metric
  );
  section.body.replaceChildren(measuredChart(shown, groups, metric, roomOf(section)), table.element);
  section.options.append(
    button("Save as CSV", () => saveTable("measured", table.columns, table.rows), { name: "measured.csv" })
  );
}

function measuredChart(rows, groups, metric, room) {
  const both = extentOf(rows.flatMap(each => [each.measured, each.predicted])),
    log = wantsLog(...both, 8),
    colours = readPalette();
  const side = Math.min(460, room - 80),
    area = { left: 62, right: 62 + side, top: 24, bottom: 24 + side };
  const scaleX = makeScale(both, area.left, area.right, log),
    scaleY = makeScale(both, area.bottom, area.top, log),
    width = Math.max(room, area.right + 12);
  const chart = drawing(width, area.bottom + 44, {
    role: "img",
    "aria-label": `Predicted over measured ${metric.title} of ${countText(rows.length, "row")}`
  });
  chart.append(
    svg(
      "defs",
      {},
      svg("clipPath", { id: "measured-area" }, svg("rect", { x: area.left, y: area.top, width: side, height: side }))
    ),
    axisLayer(scaleX, {
      horizontal: true,
      from: area.top,
      to: area.bottom,
      at: area.bottom,
      title: `measured ${metric.title}`,
      unit: metric.unit,
      wanted: 5
    }),
    axisLayer(scaleY, {
      horizontal: false,
      from: area.left,
      to: area.right,
      at: area.left,
      title: `predicted ${metric.title}`,
      unit: metric.unit,
      wanted: 5
    })
  );
  const [low, high] = [scaleX.low, scaleX.high];
  for (const factor of [1, 1.3, 1 / 1.3, 2, 0.5])
    chart.append(
      svg("path", {
        class: factor === 1 ? "diagonal" : "diagonal far",
        "clip-path": "url(#measured-area)",
        d: diagonalPath(scaleX, scaleY, Math.max(low, 1e-300), high, factor)
      })
    );
  rows.forEach(each => {
    const of = groups.indexOf(each.group || "");
    chart.append(
      svg("path", {
        class: "dot",
        fill: of < SHAPES ? colours.series[of] : colours.other,
        d: markerPath(of, scaleX(each.measured), scaleY(each.predicted), 3.4),
        onmouseleave: hideTooltip,
        onmousemove: event =>
          showTooltip(
            each.name,
            [
              ["group", each.group || ""],
              ["measured", withUnit(each.measured, metric.unit)],
              ["predicted", withUnit(each.predicted, metric.unit)],
              ["predicted / measured", ratioText(each.ratio)]
            ],
            event.clientX,
            event.clientY
          )
      })
    );
  });
  const at = area.right + 24;
  if (width - at > 150)
    groupErrors(rows, groups)
      .slice(0, 18)
      .forEach((each, i) =>
        chart.append(
          svg("path", {
            d: markerPath(each.of, at, 42 + 22 * i, 4),
            fill: each.of < SHAPES ? colours.series[each.of] : colours.other
          }),
          svgText(
            at + 12,
            46 + 22 * i,
            `${shortened(each.name || "all", 30)}: ${each.count}, median off by ${(100 * each.median).toFixed(1)} %`
          )
        )
      );
  return h("div", { class: "scroll-drawing" }, chart);
}

/// predicted = factor * measured as a line of a few points, straight on log axes and on linear ones.
function diagonalPath(scaleX, scaleY, low, high, factor) {
  return (
    "M" +
    [0, 0.25, 0.5, 0.75, 1]
      .map(share => low * (high / low) ** share)
      .map(value => `${scaleX(value)},${scaleY(Math.max(1e-300, factor * value))}`)
      .join("L")
  );
}

function groupErrors(rows, groups) {
  return groups
    .map((name, of) => {
      const off = rows
        .filter(each => (each.group || "") === name)
        .map(each => deviation(each.ratio))
        .sort((a, b) => a - b);
      return { name, of, count: off.length, median: off[off.length >> 1] };
    })
    .filter(each => each.count > 0)
    .sort((a, b) => b.count - a.count);
}

function measuredTable(section, rows, metric) {
  const number = (name, title) => {
    const format = columnFormat(
      rows.map(each => each[name]),
      metric.unit
    );
    return {
      name,
      title: titled(title, format.unit),
      numeric: true,
      value: each => each[name] ?? NaN,
      shown: each => format.cell(each[name] ?? NaN),
      text: each => exactText(each[name] ?? NaN)
    };
  };
  const text = name => ({
    name,
    title: name,
    value: each => each[name] || "",
    shown: each => each[name] || "",
    text: each => each[name] || ""
  });
  const columns = [
    text("name"),
    ...(rows.some(each => each.group) ? [text("group")] : []),
    number("measured", "measured"),
    number("predicted", "predicted"),
    {
      name: "ratio",
      title: "predicted / measured",
      numeric: true,
      value: each => each.ratio,
      shown: each => ratioText(each.ratio),
      text: each => exactText(each.ratio)
    },
    {
      name: "off",
      title: "off by",
      numeric: true,
      value: each => deviation(each.ratio),
      shown: each => (Number.isFinite(each.ratio) ? `${(100 * deviation(each.ratio)).toFixed(1)} %` : MISSING),
      text: each => exactText(deviation(each.ratio))
    }
  ];
  const made = sortableTable("measured", columns, rows, {
    caption: "Measured and predicted rows",
    initial: "off down",
    redraw: section.update
  });
  return { element: made.element, columns, rows: made.rows };
}
