/// Where the time goes: the parts of the total of each system's best row, stacked.

const MOST_BARS = 1200;

function makeBreakdown() {
  const view = model.views.breakdown;
  if (!view || model.objectives.length === 0) return null;
  const parts = view.parts.map(name => model.byName.metric.get(name)).filter(metric => metric);
  const total = model.byName.metric.get(view.total) || null;
  if (parts.length === 0) return null;
  return makeSection("breakdown", "Where the time goes", { uses: ["systems"] }, section =>
    updateBreakdown(section, total, parts, view.adds_up !== false)
  ).element;
}

/// Parts of a system's best row; a part that is missing or zero is no bar.
function barsOf(set, by, total, parts, f) {
  const best = bestBy(by, set.axes),
    bars = [];
  for (const column of set.columns)
    for (const y of set.ys) {
      const row = best[set.groupAt(f, y, column.x, column.x2)];
      const values = parts.map(part => (row >= 0 && part.values[row] > 0 ? part.values[row] : 0));
      bars.push({
        f,
        y,
        column,
        row,
        values,
        sum: values.reduce((a, b) => a + b, 0),
        total: row >= 0 && total ? total.values[row] : NaN
      });
    }
  return bars;
}

function updateBreakdown(section, total, parts, addsUp) {
  const usual = total && model.cube.best.has(total.name) ? total : mainMetric();
  const by = model.byName.metric.get(
    option(
      "breakdown.by",
      model.objectives.map(metric => metric.name),
      usual.name
    )
  );
  const set = systems(),
    shares = option("breakdown.shares", ["off", "on"], taskAxis() ? "on" : "off") === "on";
  const same = option("breakdown.same", ["off", "on"]) === "on";
  const used = parts.filter(part => (extentOf(part.values.subarray(0, model.rows.kept)) || [0, 0])[1] > 0);
  section.options.replaceChildren(
    chooser(
      "breakdown.by",
      "row of each system with the best",
      model.objectives.map(metric => ({ value: metric.name, text: metric.title })),
      by.name
    ),
    toggle("breakdown.shares", "As shares", shares),
    toggle("breakdown.same", "Same scale in all panels", same),
    h(
      "span",
      { class: "legend" },
      used.map((part, i) => h("span", { class: "key", title: part.longName }, swatch(partColour(i)), part.title))
    )
  );
  const count = set.facets.length * set.ys.length * set.columns.length;
  if (count === 0 || count > MOST_BARS) {
    section.body.replaceChildren(
      h(
        "p",
        { class: "sentence" },
        count === 0
          ? "No row passes the filters."
          : `These axes make ${grouped(count)} bars, too many to see. Choose other axes above, or filter.`
      )
    );
    section.files.hidden = true;
    return;
  }
  section.files.hidden = false;
  offerFiles(section);
  const panels = set.facets.map(f => barsOf(set, by, total, used, f)),
    all = panels.flat();
  const overlap = !addsUp ? " Parts may run at the same time, so their sum may exceed it." : "";
  section.note.textContent =
    (set.axis.y && set.axis.x
      ? `Bars of a group, from left: ${set.ys.map(y => set.axis.y.labels[y]).join(", ")}.`
      : "") +
    (shares || !total ? "" : ` Line: ${total.title}.${overlap}`) +
    (shares && !addsUp ? " Shares of the sum of the parts, each as if alone." : "");
  const most = bars => Math.max(...bars.map(bar => Math.max(bar.sum, bar.total || 0)), 0);
  const room = roomOf(section),
    across = barPanelsAcross(set, room);
  const width = Math.floor((room - 14 * (across - 1)) / across);
  section.body.replaceChildren(
    h(
      "div",
      { class: "panels" },
      panels.map((bars, i) =>
        barPanel(set, used, total || by, bars, {
          width,
          shares,
          most: same ? most(all) : most(bars),
          title: set.axis.facet ? set.axis.facet.labels[set.facets[i]] : ""
        })
      )
    )
  );
}

function barPanelsAcross(set, room) {
  const wanted = 60 + set.ys.length * set.columns.length * 9;
  const across = Math.max(1, Math.min(set.facets.length, Math.floor(room / Math.max(190, wanted))));
  return Math.ceil(set.facets.length / Math.ceil(set.facets.length / across));
}

function partColour(i) {
  return readPalette().parts[i % 9];
}

function swatch(colour) {
  return svg(
    "svg",
    { width: 12, height: 12, "aria-hidden": "true" },
    svg("rect", { width: 12, height: 12, rx: 2, fill: colour })
  );
}

function barPanel(set, parts, total, bars, { width, shares, most, title }) {
  const left = 44,
    top = 26,
    height = 150,
    bottom = top + height;
  const ticks = shares ? [0, 0.25, 0.5, 0.75, 1] : linearTicks(0, most || 1, 5),
    format = tickFormat(
      ticks.filter(tick => tick > 0),
      shares ? "1" : (parts[0] || total).unit
    );
  const place = value => bottom - (value / (shares ? 1 : 1.02 * (most || 1))) * height;
  const inner = set.axis.x2 || set.axis.x,
    label = inner && 6.4 * Math.max(...set.columns.map(c => inner.labels[set.axis.x2 ? c.x2 : c.x].length));
  const group = (width - left - 4) / set.columns.length,
    turned = inner && label > group - 2;
  const foot = (inner ? (turned ? Math.min(112, 20 + 0.7 * label) : 18) : 4) + (set.axis.x && set.axis.x2 ? 15 : 0) + 6;
  const panel = drawing(width, bottom + foot, {
    class: "bars",
    role: "img",
    "aria-label": `${title ? title + ": " : ""}parts of ${total.title} of ${bars.length} systems; the heat map selects them by keyboard`
  });
  ticks
    .filter(tick => tick > 0)
    .forEach((tick, i) =>
      panel.append(
        svg("line", { class: "grid", x1: left, x2: width, y1: place(tick), y2: place(tick) }),
        svgText(left - 6, place(tick) + 4, shares ? `${100 * tick} %` : format.texts[i], {
          class: "m",
          "text-anchor": "end"
        })
      )
    );
  panel.append(svg("line", { class: "base", x1: left, x2: width, y1: bottom, y2: bottom }));
  if (!shares) panel.append(svgText(left - 6, 14, format.unit, { class: "m", "text-anchor": "end" }));
  panel.append(svgText(left + (width - left) / 2, 14, title, { class: "strong", "text-anchor": "middle" }));
  const step = (group - Math.min(8, 0.2 * group)) / set.ys.length;
  bars.forEach((bar, i) =>
    panel.append(
      stackedBar(set, parts, total, bar, {
        shares,
        place,
        bottom,
        x: left + 2 + Math.floor(i / set.ys.length) * group + Math.min(4, 0.1 * group) + (i % set.ys.length) * step,
        width: Math.max(1, step - (step > 5 ? 1 : 0))
      })
    )
  );
  const labels = panelLabels(
    {
      set: { ...set, ys: [], axis: { ...set.axis, facet: null, y: null } },
      layout: { head: 0, height: 0, width: group, foot, turned, left }
    },
    0,
    left + 2,
    bottom,
    false
  );
  panel.append(labels);
  return panel;
}

function stackedBar(set, parts, total, bar, { shares, place, bottom, x, width }) {
  const codes = systemCodes(set, bar.f, bar.y, bar.column),
    name = systemName(codes);
  const stack = svg("g", {
    class: "bar",
    onclick: () => select(codes),
    onmouseleave: hideTooltip,
    onmousemove: event =>
      showTooltip(
        name,
        bar.row < 0
          ? [["", "no feasible row"]]
          : [
              [total.title, withUnit(total.values[bar.row], total.unit)],
              ...parts.map((part, i) => [
                part.title,
                bar.values[i] > 0
                  ? `${withUnit(bar.values[i], part.unit)}, ${((100 * bar.values[i]) / bar.sum).toFixed(0)} %`
                  : Number.isFinite(part.values[bar.row])
                    ? "0"
                    : MISSING
              ]),
              ["", rowText(bar.row, set.axes)]
            ],
        event.clientX,
        event.clientY
      )
  });
  let from = 0;
  bar.values.forEach((value, i) => {
    if (value <= 0) return;
    const low = shares ? from / bar.sum : from,
      high = shares ? (from + value) / bar.sum : from + value;
    stack.append(
      svg("rect", { x, width, y: place(high), height: Math.max(0.5, place(low) - place(high)), fill: partColour(i) })
    );
    from += value;
  });
  if (bar.sum <= 0) stack.append(svg("line", { class: "grid", x1: x, x2: x + width, y1: bottom - 2, y2: bottom - 2 }));
  if (!shares && Number.isFinite(bar.total))
    stack.append(svg("line", { class: "total", x1: x, x2: x + width, y1: place(bar.total), y2: place(bar.total) }));
  if (bar.row >= 0 && isSelected(codes))
    stack.append(
      svg("rect", {
        x: x - 1,
        width: width + 2,
        y: place(shares ? 1 : Math.max(bar.sum, bar.total || 0)) - 2,
        height: bottom - place(shares ? 1 : Math.max(bar.sum, bar.total || 0)) + 2,
        fill: "none",
        class: "selected"
      })
    );
  return stack;
}
