/// In short: for each main metric the best row, whose it is, and how far the next value of the first axis is behind.

function makeHighlights() {
  if (model.objectives.length === 0 || model.cube.axes.length === 0) return null;
  const section = makeSection("highlights", "In short", { uses: ["systems"] }, updateHighlights);
  section.files.remove();
  section.note.remove();
  section.options.remove();
  return section.element;
}

function highlightMetrics() {
  const names = [mainMetric().name, ...(model.views.heat || []), ...(model.views.pareto || []).flat()];
  return [...new Set(names)].filter(name => model.cube.best.has(name)).slice(0, 4).map(name => model.byName.metric.get(name));
}

function updateHighlights(section) {
  const axis = model.byName.axis.get(systemRoles().facet) || model.cube.axes.find(each => each.values.length > 1) || model.cube.axes[0];
  section.body.replaceChildren(h("div", { class: "cards" }, highlightMetrics().map(metric => highlightCard(metric, axis))));
}

function highlightCard(metric, axis) {
  const rows = bestRows(metric, axis).filter(each => each.row >= 0).sort((a, b) => metric.sign * (a.value - b.value));
  const title = `${metric.better === "min" ? "Least" : "Most"} ${metric.title}`;
  if (rows.length === 0) return h("div", { class: "card" }, h("span", { class: "card-title" }, title), h("b", {}, MISSING), h("span", {}, "No feasible row passes the filters."));
  const [first, second] = rows, systemAxes = ROLES.map(role => model.byName.axis.get(systemRoles()[role])).filter(each => each);
  const name = systemAxes.map(each => axisText(each, first.row)).join(", ");
  const next = second && axis.labels.length > 1 ? `next ${axis.title}: ${axis.labels[second.code]}, ${ratioText(second.ratio)} behind` : "";
  const rest = rowText(first.row, systemAxes);
  return h("button", { type: "button", class: "card", name: `card.${metric.name}`, title: "Select this system", onclick: () => selectSystemOf(first.row) },
    h("span", { class: "card-title" }, title), h("b", {}, withUnit(first.value, metric.unit)), h("span", {}, name),
    h("span", { class: "card-next" }, next), rest ? h("span", { class: "card-next" }, shortened(rest, 110)) : null);
}
