/// Measured against predicted: every row beside the diagonal, and how far off the groups are.

function makeMeasured() {
  const all = [model.raw.measured || []].flat().filter(each => (each.rows || []).length > 0);
  if (all.length === 0) return null;
  const sets = all.map(measuredSet);
  return makeSection("measured", "Measured against predicted", {}, section => updateMeasured(section, sets)).element;
}

function measuredSet(raw) {
  const rows = raw.rows.map((each, place) => ({
    ...each,
    place,
    ratio: each.predicted > 0 && each.measured > 0 ? each.predicted / each.measured : NaN
  }));
  const groups = [...new Set(rows.map(each => each.group || ""))];
  const metric = model.byName.metric.get(raw.metric) || metricOf({ name: raw.metric, unit: raw.unit });
  return { raw, rows, groups, metric };
}

/// |predicted / measured - 1|: how far off, in either direction.
function deviation(ratio) {
  return Math.abs(ratio - 1);
}

function updateMeasured(section, sets) {
  const metrics = sets.map(set => set.metric),
    chosen = option("measured.metric", metrics.map(metric => metric.name)),
    { raw, rows, groups, metric } = sets.find(set => set.metric.name === chosen);
  const known = rows.filter(each => Number.isFinite(each.ratio)),
    group = option("measured.group", ["all", ...groups]),
    among = list => (group === "all" ? list : list.filter(each => (each.group || "") === group)),
    shown = among(known);
  const choices = groups.map(each => ({ value: each, text: each || "none" }));
  section.options.replaceChildren();
  if (sets.length > 1) section.options.append(chooser("measured.metric", "of", choicesOf(metrics), chosen));
  if (groups.length > 1)
    section.options.append(
      chooser("measured.group", "group", [{ value: "all", text: `all ${groups.length}` }, ...choices], group)
    );
  section.note.textContent = (raw.about ? raw.about + " " : "") + measuredSummary(raw.summary || {}, known.length);
  section.files.hidden = shown.length === 0;
  if (shown.length === 0)
    return section.body.replaceChildren(h("p", { class: "sentence" }, "No row has both numbers."));
  offerFiles(section);
  const table = measuredTable(section, among(rows), metric);
  section.body.replaceChildren(
    measuredChart(shown, groups, metric, roomOf(section)),
    table.element,
    missingList(raw.missing || [])
  );
  section.options.append(
    button("Save as CSV", () => saveTable("measured", table.columns, table.rows), { name: "measured.csv" })
  );
}

function measuredSummary({ count, missing, median, p90 }, known) {
  const percent = value => `${(100 * value).toFixed(1)} %`;
  const most = Number.isFinite(p90) ? `, nine of ten within ${percent(p90)}` : "";
  return (
    `${countText(count ?? known, "row")} compared` +
    (missing ? `, ${grouped(missing)} without a prediction` : "") +
    (Number.isFinite(median) ? `. Half of them are within ${percent(median)}${most}` : "") +
    ". Below the diagonal the prediction is less than the measurement. Dashed lines: factors 1.3 and 2."
  );
}

/// Measured rows without a prediction, with the reason, folded away.
function missingList(missing) {
  if (missing.length === 0) return "";
  const items = missing.map(each => h("li", {}, `${each.name || `line ${each.line}`}: ${each.reason}`));
  return h(
    "details",
    {},
    h("summary", {}, `${countText(missing.length, "row")} without a prediction`),
    h("ul", {}, items)
  );
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
