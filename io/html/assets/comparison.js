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
  const sentences = [
    `Of ${countText(ratios.length, "common cell")}, ${names[1]} has a better ${metric.title} in ${grouped(better)}, `,
    `the same in ${grouped(equal)}, a worse one in ${grouped(worse)}${middle}.`,
    ` Feasible only in ${names[1]}: ${grouped(gained)}; only in ${names[0]}: ${grouped(lost)}.`
  ];
  const [onlyA, onlyB] = [raw.only_a || 0, raw.only_b || 0];
  if (onlyA || onlyB)
    sentences.push(
      ` Rows whose values the other lacks: ${grouped(onlyA)} in ${names[0]}, ${grouped(onlyB)} in ${names[1]}.`
    );
  return sentences.join("");
}
