/// Names as words, lists as sentences, cells as CSV.

/// "step_time" is "step time".
function words(name) {
  return String(name).replaceAll("_", " ");
}

function capitalized(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/// "3 rows", "1 row".
function countText(count, noun) {
  return `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/// "step time [s]"; without a unit the name alone.
function titled(name, unit) {
  return unit ? `${name} [${unit}]` : name;
}

/// One line of a CSV file (RFC 4180).
function csvLine(cells) {
  return cells.map(cell => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(",");
}

/// What a row is: the values of its axes, without those that `known` has named already.
function rowText(row, known = []) {
  const parts = [];
  for (const axis of model.axes) {
    const code = axis.codes[row];
    if (known.includes(axis) || code === axis.missing) continue;
    parts.push(
      axis.number || !axis.inCube || model.leaders.has(axis) ? `${axis.title} ${axis.labels[code]}` : axis.labels[code]
    );
  }
  return parts.join(", ");
}

/// A value of a metric as text.
function metricText(metric, value, digits) {
  if (metric.labels) return metric.labels[value] ?? MISSING;
  return withUnit(value, metric.unit, digits);
}

/// A value of an axis that stands alone: numbers say what they count.
function valueText(axis, code) {
  return axis.number ? `${axis.title} ${axis.labels[code]}` : axis.labels[code];
}

/// The value of an axis in a row as text.
function axisText(axis, row) {
  const code = axis.codes[row];
  return code === axis.missing ? MISSING : axis.labels[code];
}
