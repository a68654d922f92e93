/// Best by: for each value of an axis its best row, how far it is behind, and what runs there.

function makeBest() {
  if (model.objectives.length === 0 || model.cube.axes.length === 0) return null;
  return makeSection("best", "Best by", { uses: [] }, updateBest).element;
}

function updateBest(section) {
  const axes = freeAxes().filter(axis => axis.values.length > 1),
    names = axes.map(axis => axis.name);
  if (axes.length === 0) return void (section.element.hidden = true);
  const metric = model.byName.metric.get(
    option(
      "best.metric",
      model.objectives.map(each => each.name),
      mainMetric().name
    )
  );
  const axis = model.byName.axis.get(option("best.by", names, (taskAxis() || choiceAxis() || axes[0]).name));
  section.options.replaceChildren(
    chooser(
      "best.metric",
      "best",
      model.objectives.map(each => ({ value: each.name, text: each.title })),
      metric.name
    ),
    chooser(
      "best.by",
      "for each",
      axes.map(each => ({ value: each.name, text: each.title })),
      axis.name
    )
  );
  const rows = bestRows(metric, axis),
    columns = bestColumns(metric, axis, rows);
  const made = sortableTable("best", columns, rows, {
    caption: `Best ${metric.title} for each ${axis.title}`,
    initial: axis === taskAxis() ? `${axis.name} up` : "ratio up",
    redraw: section.update,
    onrow: (line, each) => {
      if (state.selection.get(axis.name) === each.code) line.classList.add("picked");
      line.addEventListener("mouseenter", () => highlight(each.row));
      line.addEventListener("mouseleave", () => highlight(-1));
    }
  });
  section.options.append(button("Save as CSV", () => saveTable("best", columns, made.rows), { name: "best.csv" }));
  section.note.textContent = rows.some(each => each.row < 0)
    ? "Values without a feasible row are listed with the reason."
    : "";
  section.body.replaceChildren(
    rows.length > 0 ? made.element : h("p", { class: "sentence" }, "No row passes the filters.")
  );
}

/// The metric that the estimator is judged by: the total of the breakdown, else the first of the views.
function mainMetric() {
  const names = [
    model.views.decides,
    (model.views.breakdown || {}).total,
    ...(model.views.heat || []),
    ...(model.views.pareto || []).flat()
  ];
  return (
    names.map(name => model.byName.metric.get(name)).find(metric => metric && model.cube.best.has(metric.name)) ||
    model.objectives[0]
  );
}

function bestRows(metric, axis) {
  const best = bestBy(metric, [axis]),
    counts = countBy([axis]),
    ok = counts.find(each => each.status === 0);
  const values = [...best].map(row => (row >= 0 ? metric.values[row] : NaN)),
    extent = extentOf(values);
  const leader = extent ? (metric.sign > 0 ? extent[0] : extent[1]) : NaN;
  const rows = [];
  axis.values.forEach((value, code) => {
    const total = counts.reduce((sum, each) => sum + each.rows[code], 0);
    if (total === 0) return;
    const ratio = metric.sign > 0 ? values[code] / leader : leader / values[code];
    rows.push({
      code,
      row: best[code],
      value: values[code],
      ratio: leader === 0 ? NaN : ratio,
      ok: ok ? ok.rows[code] : 0,
      total,
      reasons: reasonsOf(counts, code)
    });
  });
  return rows;
}

function bestColumns(metric, axis, rows) {
  const format = columnFormat(
    rows.map(each => each.value),
    metric.unit
  );
  const others = model.axes.filter(each => each !== axis);
  return [
    {
      name: axis.name,
      title: axis.title,
      value: each => each.code,
      shown: each => axis.labels[each.code],
      text: each => String(axis.values[each.code])
    },
    {
      name: metric.name,
      title: titled(metric.title, format.unit),
      numeric: true,
      value: each => each.value,
      shown: each => format.cell(each.value),
      text: each => exactText(each.value)
    },
    ...(axis === taskAxis() ? [] : [ratioColumn(rows)]), // tasks do not compete
    {
      name: "feasible",
      title: "feasible rows",
      numeric: true,
      value: each => each.ok,
      shown: each => `${grouped(each.ok)} of ${grouped(each.total)}`,
      text: each => String(each.ok)
    },
    ...others.map((other, i) => executionColumn(other, i === 0))
  ];
}

/// How far behind the best, as a number and as a bar.
function ratioColumn(rows) {
  const worst = Math.max(...rows.map(each => each.ratio).filter(Number.isFinite), 1);
  const width = ratio => (Number.isFinite(ratio) ? Math.max(2, (64 * ratio) / worst) : 0);
  const bar = ratio => svg("rect", { class: "ratio-bar", width: width(ratio), height: 8, rx: 2 });
  const picture = ratio => svg("svg", { width: 64, height: 8, "aria-hidden": "true" }, bar(ratio));
  return {
    name: "ratio",
    title: "behind the best",
    numeric: true,
    value: each => each.ratio,
    shown: each => ratioText(each.ratio),
    cell: each => h("span", { class: "ratio" }, ratioText(each.ratio), picture(each.ratio)),
    text: each => exactText(each.ratio)
  };
}

/// The value of an axis in the best row; without a row the `first` such column gives the reason.
function executionColumn(axis, first) {
  const { value, shown, text } = axisColumn(axis);
  return {
    name: axis.name,
    title: axis.title,
    numeric: axis.number,
    value: each => (each.row < 0 ? null : value(each.row)),
    shown: each => (each.row >= 0 ? shown(each.row) : (first && each.reasons) || MISSING),
    text: each => (each.row < 0 ? "" : text(each.row))
  };
}
