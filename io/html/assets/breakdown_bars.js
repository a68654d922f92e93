/// A panel of stacked bars, and one such bar.

const BAR_LEFT = 44,
  BAR_TOP = 26,
  BAR_BOTTOM = 176,
  MOST_BAR_WIDTH = 56;

function barPanel(set, parts, total, bars, { width, shares, most, title }) {
  const inner = set.axis.x2 || set.axis.x,
    labels = inner ? set.columns.map(column => inner.labels[set.axis.x2 ? column.x2 : column.x]) : [],
    longest = 6.4 * Math.max(0, ...labels.map(label => label.length)),
    group = (width - BAR_LEFT - 4) / set.columns.length,
    turned = longest > group - 2,
    foot = (turned ? Math.min(112, 20 + 0.7 * longest) : inner ? 18 : 4) + (set.axis.x && set.axis.x2 ? 15 : 0) + 6;
  const top = shares ? 1 : 1.02 * (most || 1),
    place = value => BAR_BOTTOM - (value / top) * (BAR_BOTTOM - BAR_TOP);
  const spoken = `parts of ${total.title} of ${countText(bars.length, "system")}; the heat map selects them by keyboard`;
  const label = title ? `${title}: ${spoken}` : spoken;
  const panel = drawing(width, BAR_BOTTOM + foot, { role: "img", "aria-label": label });
  panel.append(barAxis(width, place, shares, most, (parts[0] || total).unit));
  panel.append(svgText((BAR_LEFT + width) / 2, 14, title, { class: "strong", "text-anchor": "middle" }));
  const gap = Math.min(8, 0.2 * group),
    step = (group - gap) / set.ys.length,
    size = Math.min(MOST_BAR_WIDTH, Math.max(1, step - (step > 5 ? 1 : 0)));
  bars.forEach((bar, i) => {
    const column = Math.floor(i / set.ys.length),
      x = BAR_LEFT + 2 + column * group + gap / 2 + (i % set.ys.length) * step + (step - size) / 2;
    panel.append(stackedBar(set, parts, total, bar, { shares, place, x, width: size }));
  });
  const below = { ...set, ys: [], axis: { ...set.axis, facet: null, y: null } },
    layout = { head: 0, height: 0, width: group, foot, turned, left: BAR_LEFT };
  panel.append(panelLabels({ set: below, layout }, 0, BAR_LEFT + 2, BAR_BOTTOM, false));
  return panel;
}

function barAxis(width, place, shares, most, unit) {
  const ticks = (shares ? [0.25, 0.5, 0.75, 1] : linearTicks(0, most || 1, 5)).filter(tick => tick > 0),
    format = tickFormat(ticks, shares ? "1" : unit),
    axis = svg("g", {}),
    right = { class: "m", "text-anchor": "end" };
  ticks.forEach((tick, i) => {
    const y = place(tick);
    axis.append(svg("line", { class: "grid", x1: BAR_LEFT, x2: width, y1: y, y2: y }));
    axis.append(svgText(BAR_LEFT - 6, y + 4, shares ? `${100 * tick} %` : format.texts[i], right));
  });
  axis.append(svg("line", { class: "base", x1: BAR_LEFT, x2: width, y1: BAR_BOTTOM, y2: BAR_BOTTOM }));
  if (!shares) axis.append(svgText(BAR_LEFT - 6, 14, format.unit, right));
  return axis;
}

function stackedBar(set, parts, total, bar, { shares, place, x, width }) {
  const codes = systemCodes(set, bar.f, bar.y, bar.column),
    tell = telling(systemName(codes), () => barLines(set, parts, total, bar)),
    stack = svg("g", { class: "bar", onclick: () => select(codes), ...tell }),
    whole = shares ? bar.sum : 1,
    level = (value, name) => svg("line", { class: name, x1: x, x2: x + width, y1: place(value), y2: place(value) });
  let from = 0;
  bar.values.forEach((value, i) => {
    if (value <= 0) return;
    const low = place(from / whole),
      high = place((from + value) / whole);
    stack.append(svg("rect", { x, width, y: high, height: Math.max(0.5, low - high), fill: partColour(i) }));
    from += value;
  });
  if (!shares && Number.isFinite(bar.total)) stack.append(level(bar.total, "total"));
  if (bar.row >= 0 && isSelected(codes)) {
    const y = place(shares ? 1 : Math.max(bar.sum, bar.total || 0)) - 2;
    stack.append(
      svg("rect", { class: "selected", fill: "none", x: x - 1, width: width + 2, y, height: BAR_BOTTOM - y })
    );
  }
  return stack;
}

function barLines(set, parts, total, bar) {
  if (bar.row < 0) return [["", "no feasible row"]];
  const part = (metric, value) => {
    if (value > 0) return `${withUnit(value, metric.unit)}, ${((100 * value) / bar.sum).toFixed(0)} %`;
    return Number.isFinite(metric.values[bar.row]) ? "0" : MISSING;
  };
  return [
    [total.title, withUnit(total.values[bar.row], total.unit)],
    ...parts.map((metric, i) => [metric.title, part(metric, bar.values[i])]),
    ["", rowText(bar.row, set.axes)]
  ];
}
