/// The box beside the pointer or the focus that tells about a row or a group.

let tooltip = null;

/// Shows lines of [name, text] under a heading, beside a place of the window.
function showTooltip(heading, lines, x, y) {
  if (!tooltip) document.body.append((tooltip = h("div", { id: "tooltip", "aria-hidden": "true" })));
  tooltip.replaceChildren(
    h("b", {}, heading),
    h("dl", {}, lines.map(([name, text]) => [h("dt", {}, name), h("dd", {}, text)]).flat())
  );
  tooltip.classList.add("shown");
  const box = tooltip.getBoundingClientRect();
  const left = x + 14 + box.width > innerWidth - 8 ? x - 14 - box.width : x + 14;
  tooltip.style.left = Math.max(8, left) + "px";
  tooltip.style.top = Math.max(8, Math.min(y + 14, innerHeight - box.height - 8)) + "px";
}

function hideTooltip() {
  if (tooltip) tooltip.classList.remove("shown");
}

/// What the tooltip says about a row: the metrics that sections show, then its execution.
function rowLines(row, first = []) {
  const shown = [...new Set([...first, ...viewMetrics()])];
  const lines = shown.map(metric => [metric.title, metricText(metric, metric.values[row])]);
  for (const axis of model.axes) lines.push([axis.title, axisText(axis, row)]);
  if (row >= model.rows.kept) lines.push(["", "sampled; metrics to 16 bits"]);
  return [...lines, ["point", String(model.rows.point[row])]].slice(0, 26);
}

/// Metrics of the views that the tooltip shows first.
function viewMetrics() {
  const names = [...(model.views.heat || []), ...(model.views.pareto || []).flat()];
  return [...new Set(names)]
    .map(name => model.byName.metric.get(name))
    .filter(metric => metric)
    .slice(0, 6);
}

/// Attributes of an element that tells lines of [name, text] while the pointer is on it.
function telling(heading, lines) {
  return {
    onmousemove: event => showTooltip(heading, lines(), event.clientX, event.clientY),
    onmouseleave: hideTooltip
  };
}
