/// In short: for each main metric the best row, whose it is, and how far the next value of the first axis is behind.

function makeHighlights() {
  if (model.objectives.length === 0 || model.rows.kept === 0) return null;
  const section = makeSection("highlights", "In short", { uses: ["systems"] }, updateHighlights);
  section.files.remove();
  section.note.remove();
  section.options.remove();
  return section.element;
}

function highlightMetrics() {
  const names = [mainMetric().name, ...(model.views.heat || []), ...(model.views.pareto || []).flat()];
  return [...new Set(names)]
    .filter(name => model.cube.best.has(name))
    .slice(0, 4)
    .map(name => model.byName.metric.get(name));
}

function updateHighlights(section) {
  const choice = choiceAxis(),
    task = taskAxis();
  section.body.replaceChildren(
    h(
      "div",
      { class: "cards" },
      highlightMetrics().map(metric =>
        task && choice ? winnersCard(metric, task, choice) : leaderCard(metric, choice)
      )
    )
  );
}

function cardTitle(metric) {
  return h("span", { class: "card-title" }, `${metric.better === "min" ? "Least" : "Most"} ${metric.title}`);
}

function emptyCard(metric) {
  return h(
    "div",
    { class: "card" },
    cardTitle(metric),
    h("b", {}, MISSING),
    h("span", {}, "No feasible row passes the filters.")
  );
}

/// One task: the best row and, where values compete, the one that comes next.
function leaderCard(metric, choice) {
  const [row] = bestBy(metric, []);
  if (row < 0) return emptyCard(metric);
  const rows = choice ? bestRows(metric, choice).filter(each => each.row >= 0) : [];
  rows.sort((a, b) => metric.sign * (a.value - b.value));
  const second = rows[1],
    roles = systemRoles(),
    axes = ROLES.map(role => model.byName.axis.get(roles[role])).filter(each => each);
  const next = second ? `next ${choice.title}: ${choice.labels[second.code]}${behindText(second.ratio)}` : "";
  const rest = rowText(row, axes),
    named = axes.filter(each => each.codes[row] !== each.missing);
  return h(
    "button",
    {
      type: "button",
      class: "card",
      name: `card.${metric.name}`,
      title: "Select this system",
      onclick: () => selectSystemOf(row)
    },
    cardTitle(metric),
    h("b", {}, withUnit(metric.values[row], metric.unit)),
    h("span", {}, named.map(each => valueText(each, each.codes[row])).join(", ")),
    h("span", { class: "card-next" }, next),
    rest ? h("span", { class: "card-next" }, shortened(rest, 110)) : null
  );
}

function behindText(ratio) {
  if (!Number.isFinite(ratio)) return "";
  return ratio < 1.005 ? ", as good" : `, ${ratioText(ratio)} behind`;
}

/// Several tasks: which value of the choice is the best for most of them, alone or with others.
function winnersCard(metric, task, choice) {
  const best = bestBy(metric, [task, choice]),
    size = choice.values.length,
    wins = new Float64Array(size);
  let tasks = 0;
  task.values.forEach((value, t) => {
    const rows = [...best.slice(t * size, (t + 1) * size)],
      values = rows.map(row => (row >= 0 ? metric.sign * metric.values[row] : Infinity));
    const least = Math.min(...values);
    if (least === Infinity) return;
    ++tasks;
    values.forEach((value, code) => {
      if (value === least) ++wins[code];
    });
  });
  if (tasks === 0) return emptyCard(metric);
  const order = [...choice.values.keys()].filter(code => wins[code] > 0).sort((a, b) => wins[b] - wins[a] || a - b),
    [first, ...others] = order;
  const rest = others
    .slice(0, 3)
    .map(code => `${choice.labels[code]} for ${wins[code]}`)
    .join(", ");
  return h(
    "button",
    {
      type: "button",
      class: "card",
      name: `card.${metric.name}`,
      title: `Select this ${choice.title}`,
      onclick: () => select(new Map([[choice.name, first]]))
    },
    cardTitle(metric),
    h("b", {}, valueText(choice, first)),
    h("span", {}, `best for ${wins[first]} of ${countText(tasks, task.title)}`),
    h("span", { class: "card-next" }, rest ? `then ${rest}${others.length > 3 ? ", ..." : ""}` : "")
  );
}
