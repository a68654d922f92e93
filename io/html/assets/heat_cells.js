/// Cells, labels and keyboard of the heat maps.

function heatDefinitions(metric) {
  const colours = readPalette();
  const stops = [0, 1, 2, 3, 4, 5].map(i => svg("stop", { offset: i / 5, "stop-color": rgb(colours.ramp[i]) }));
  return svg(
    "defs",
    {},
    svg("linearGradient", { id: `ramp-${metric.index}` }, stops),
    hatchPattern(`hatch-${metric.index}`)
  );
}

function hatchPattern(id) {
  const colours = readPalette();
  return svg(
    "pattern",
    { id, width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
    svg("rect", { width: 6, height: 6, fill: colours.card }),
    svg("rect", { width: 1.5, height: 6, fill: colours.other })
  );
}

function heatHeading(metric, scales, format, layout) {
  const title = capitalized(titled(metric.title, format.unit || shownUnit(metric.unit)));
  const heading = svg("g", { "aria-hidden": "true" }, svgText(0, 17, title, { class: "heading" }));
  const scale = layout.scaling === "all" ? scales.get(0) : null;
  if (layout.scaling === "all" && !scale) return heading;
  const narrow = layout.heading > 40,
    at = narrow ? 0 : 22 + 8.4 * title.length,
    y = narrow ? 39 : 17;
  const text = value => (format.unit ? format.cell(value) : withUnit(value, metric.unit, 3));
  const low = scale ? text(scale.worst) : `worst of a ${layout.scaling}`,
    high = scale ? text(scale.best) + (scale.log ? ", log" : "") : "best";
  const wide = 7.2 * low.length;
  heading.append(
    svgText(at, y, low, { class: "m" }),
    svg("rect", { x: at + wide + 8, y: y - 9, width: 110, height: 10, rx: 2, fill: `url(#ramp-${metric.index})` }),
    svgText(at + wide + 126, y, high, { class: "m" })
  );
  return heading;
}

function panelLabels({ set, layout }, f, x, y, first) {
  const labels = svg("g", { "aria-hidden": "true" }),
    { axis } = set;
  const bottom = y + layout.head + set.ys.length * layout.height;
  if (axis.facet)
    labels.append(
      svgText(x + layout.panel / 2, y + 13, axis.facet.labels[f], { class: "strong", "text-anchor": "middle" })
    );
  if (first && axis.y)
    set.ys.forEach((code, i) =>
      labels.append(
        svgText(layout.left - 8, y + layout.head + i * layout.height + 15, shortened(axis.y.labels[code], 22), {
          "text-anchor": "end"
        })
      )
    );
  const inner = axis.x2 || axis.x;
  if (inner)
    set.columns.forEach((column, j) => {
      const text = shortened(inner.labels[axis.x2 ? column.x2 : column.x], layout.turned ? 20 : 24),
        at = x + (j + 0.5) * layout.width;
      labels.append(
        layout.turned
          ? svgText(0, 0, text, {
              class: "m",
              "text-anchor": "end",
              transform: `translate(${at + 4},${bottom + 12}) rotate(-42)`
            })
          : svgText(at, bottom + 14, text, { class: "m", "text-anchor": "middle" })
      );
    });
  if (axis.x && axis.x2) outerLabels(set, layout, x, bottom + layout.foot - 8).forEach(label => labels.append(label));
  return labels;
}

/// The outer axis of the columns: one label below each run of columns.
function outerLabels(set, layout, x, y) {
  const labels = [];
  for (let j = 0; j < set.columns.length;) {
    let end = j;
    while (end < set.columns.length && set.columns[end].x === set.columns[j].x) ++end;
    labels.push(
      svgText(x + ((j + end) / 2) * layout.width, y, set.axis.x.labels[set.columns[j].x], { "text-anchor": "middle" })
    );
    j = end;
  }
  return labels;
}

function shortened(text, most) {
  return text.length > most ? text.slice(0, most - 1) + "\u2026" : text;
}

function heatCell(frame, index, place, x, y) {
  const { metric, best, values, groups, scales, format, set, layout } = frame,
    scale = scales.get(groups[index]);
  const group = set.groupAt(place.f, place.y, place.column.x, place.column.x2),
    row = best[group],
    value = values[index];
  const codes = systemCodes(set, place.f, place.y, place.column),
    name = systemName(codes),
    feasible = Number.isFinite(value);
  const cell = svg("g", { role: "gridcell", tabindex: -1, "data-key": `${metric.name}/${name}`, class: "cell" });
  const box = { x: x + 1, y: y + 1, width: layout.width - 2, height: layout.height - 2, rx: 2 };
  if (feasible) {
    const colour = mixed(palette.ramp, scale.share(value));
    cell.setAttribute("data-value", value);
    cell.append(svg("rect", { ...box, fill: rgb(colour) }));
    if (layout.numbers)
      cell.append(
        svgText(x + layout.width / 2, y + 15.5, cellText(format, value, metric), {
          "text-anchor": "middle",
          fill: inkOn(colour),
          class: "cell-text",
          "aria-hidden": "true"
        })
      );
    if (value === scale.best && !scale.outlined) {
      scale.outlined = true;
      cell.append(svg("rect", { ...box, fill: "none", class: "leader" }));
    }
  } else if (set.total[group] > 0) {
    cell.append(svg("rect", { ...box, fill: `url(#hatch-${metric.index})`, class: "frame" }));
  } else {
    cell.append(svg("rect", { ...box, fill: "none", class: "frame" }));
  }
  if (isSelected(codes)) cell.append(svg("rect", { ...box, fill: "none", class: "selected" }));
  const meaning = feasible
    ? spokenValue(format, value, metric)
    : set.total[group] === 0
      ? "no rows"
      : row >= 0
        ? `${metric.title} does not apply`
        : `no feasible row: ${reasonsOf(set.counts, group)}`;
  cell.setAttribute("aria-label", `${name}: ${metric.title} ${meaning}`);
  cell.setAttribute("aria-selected", String(isSelected(codes)));
  cell.about = { codes, name, row, meaning, metric, group, set };
  return cell;
}

function cellText(format, value, metric) {
  return format.unit || !shownUnit(metric.unit)
    ? format.cell(value)
    : withoutUnit(withUnit(value, metric.unit, 3), shownUnit(metric.unit));
}

/// What a reader of the screen hears: it holds the text that is seen.
function spokenValue(format, value, metric) {
  const seen = cellText(format, value, metric);
  if (format.unit) return `${seen} ${format.unit}`;
  const spoken = withUnit(value, metric.unit, 3);
  return spoken.includes(seen) ? spoken : `${seen}, ${spoken}`;
}

function heatKey() {
  const sample = content =>
    h("span", { class: "key" }, svg("svg", { width: 16, height: 16, "aria-hidden": "true" }, content));
  const entry = (content, text) => {
    const key = sample(content);
    key.append(" " + text);
    return key;
  };
  return h(
    "p",
    { class: "legend" },
    entry(
      [svg("rect", { x: 2, y: 2, width: 12, height: 12, rx: 2, fill: "none", class: "leader" })],
      "best of its scale"
    ),
    entry(
      [
        hatchPattern("hatch-key"),
        svg("rect", { x: 2, y: 2, width: 12, height: 12, fill: "url(#hatch-key)", class: "frame" })
      ],
      "no feasible row"
    )
  );
}

/// One tab stop for all maps; arrows, Home, End and Enter; the pointer does the same.
function linkCells(section, rows) {
  const cells = rows.flat(),
    lineOf = new Map();
  rows.forEach((row, line) => row.forEach((cell, column) => lineOf.set(cell, [line, column])));
  if (cells.length === 0) return;
  const current = cells.find(cell => cell.getAttribute("aria-selected") === "true") || cells[0];
  current.setAttribute("tabindex", 0);
  const go = (cell, event) => {
    event.preventDefault();
    section.body.querySelector("[role=gridcell][tabindex='0']").setAttribute("tabindex", -1);
    cell.setAttribute("tabindex", 0);
    cell.focus();
  };
  section.body.onkeydown = event => {
    const cell = event.target.closest("[role=gridcell]");
    if (!cell) return;
    const [line, column] = lineOf.get(cell),
      row = rows[line];
    if (event.key === "ArrowRight" && row[column + 1]) go(row[column + 1], event);
    else if (event.key === "ArrowLeft" && row[column - 1]) go(row[column - 1], event);
    else if (event.key === "ArrowDown" && rows[line + 1])
      go(rows[line + 1][Math.min(column, rows[line + 1].length - 1)], event);
    else if (event.key === "ArrowUp" && rows[line - 1])
      go(rows[line - 1][Math.min(column, rows[line - 1].length - 1)], event);
    else if (event.key === "Home") go(row[0], event);
    else if (event.key === "End") go(row[row.length - 1], event);
    else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      select(cell.about.codes);
    }
  };
  section.body.onclick = event => {
    const cell = event.target.closest("[role=gridcell]");
    if (cell) select(cell.about.codes);
  };
  section.body.onmousemove = event => tellCell(event.target.closest("[role=gridcell]"), event.clientX, event.clientY);
  section.body.onmouseleave = hideTooltip;
  section.body.onfocusin = event => {
    const box = event.target.getBoundingClientRect();
    tellCell(event.target.closest("[role=gridcell]"), box.right, box.bottom);
  };
  section.body.onfocusout = hideTooltip;
}

function tellCell(cell, x, y) {
  if (!cell) return hideTooltip();
  const { name, row, meaning, metric, set, group } = cell.about;
  if (row < 0) return showTooltip(name, [[metric.title, meaning]], x, y);
  const ok = set.counts.find(each => each.status === 0);
  showTooltip(
    name,
    [
      ...rowLines(row, [metric]),
      ["feasible rows", `${grouped(ok ? ok.rows[group] : 0)} of ${grouped(set.total[group])}`]
    ],
    x,
    y
  );
}
