/// The answer: for each task the best row of the metric that the sweep is about, its execution, and what comes next.

const FIRST_TASKS = 4, // that the page shows before it is asked for all
  RANKED = 16,
  KNOWN = ["expected_error", "evidence"];

function makeAnswer() {
  if (model.rows.kept === 0 || model.objectives.length === 0) return null;
  const metric = mainMetric(),
    section = makeSection("answer", superlative(metric), { uses: ["systems"] }, updateAnswer);
  section.files.remove();
  return section.element;
}

/// "Lowest train days".
function superlative(metric) {
  return `${metric.better === "min" ? "Lowest" : "Highest"} ${metric.title}`;
}

function updateAnswer(section) {
  const metric = mainMetric(),
    task = model.byName.axis.get(model.views.task) || null,
    rankings = currentRankings(metric, task),
    all = option("answer.tasks", ["first", "all"]) === "all" || rankings.length <= FIRST_TASKS + 1,
    shown = all ? rankings : rankings.slice(0, FIRST_TASKS);
  section.badge.textContent = state.allowed.size === 0 || model.complete ? "exact" : "best exact, runner-up of this page";
  section.note.textContent = metric.longName === metric.title ? "" : capitalized(words(metric.longName)) + ".";
  if (rankings.length === 0) return say(section, "No feasible row passes the filters.");
  const picture = answerPicture(metric, task, shown, rankings, Math.min(460, roomOf(section))),
    parts = rankings.length === 1 ? [winnerOf(metric, task, rankings[0]), picture] : taskParts(metric, task, shown, picture);
  section.body.replaceChildren(h("div", { class: rankings.length === 1 ? "answer" : "answer several" }, parts));
  if (rankings.length > FIRST_TASKS + 1) section.body.append(toggleTasks(all, countText(rankings.length, task.title)));
}

function toggleTasks(all, count) {
  const label = all ? `Show ${FIRST_TASKS} of ${count}` : `Show all ${count}`;
  return button(label, () => setOption("answer.tasks", all ? "first" : "all"), { name: "answer.tasks" });
}

/// Without filters what the program found in all rows; with filters, and of fits, the ranking of the page's rows.
function currentRankings(metric, task) {
  const { answer } = model.raw;
  if (answer && state.allowed.size === 0)
    return answer
      .map(each => ({ ...each, rows: each.kept, task: task ? each.task : -1 }))
      .filter(each => each.rows.every(row => Number.isFinite(metric.values[row])));
  const passing = passingRows(),
    groups = new Map();
  for (let row = 0; row < model.rows.kept; ++row) {
    if (!passing[row] || !Number.isFinite(metric.values[row])) continue;
    const code = task ? task.codes[row] : -1;
    if (!groups.has(code)) groups.set(code, []);
    groups.get(code).push(row);
  }
  return [...groups.keys()].sort((a, b) => a - b).map(code => rankingOf(metric, code, groups.get(code)));
}

function rankingOf(metric, task, rows) {
  rows.sort((p, q) => metric.sign * (metric.values[p] - metric.values[q]) || p - q);
  const first = rows.slice(0, RANKED),
    errors = model.byName.metric.get("expected_error"),
    error = errors && metric.unit !== "B" ? errors.values[first[0]] : NaN,
    lead = metric.values[first[0]],
    near = value => value === lead || Math.abs(Math.log(value / lead)) <= Math.log1p(error > 0 ? error : 0),
    beyond = first.findIndex(row => !near(metric.values[row]));
  return { task, rows: first, error, more: rows.length > RANKED, tied: beyond < 0 ? first.length : beyond };
}

/// The only task, or the only one that passes: number, execution, runner-up, other metrics.
function winnerOf(metric, task, ranking) {
  const [row] = ranking.rows,
    named = task && task.values.length > 1 ? task : null;
  return h(
    "div",
    { class: "winner" },
    h("p", { class: "answer-number" }, h("b", {}, withUnit(metric.values[row], metric.unit)), ` ${taskName(named, ranking)}`),
    executionList(row, [named]),
    nextText(metric, ranking),
    otherNumbers(metric, row),
    otherWinners(metric, row),
    button("Select this system", () => selectSystemOf(row), { class: "small", name: "answer.select" })
  );
}

function taskName(task, ranking) {
  if (!task) return "";
  return ranking.task < task.labels.length ? valueText(task, ranking.task) : `no ${task.title}`;
}

/// Several tasks: one line each, because their numbers do not compete. What all winners have in common stands first.
function taskParts(metric, task, rankings, picture) {
  const rows = rankings.map(ranking => ranking.rows[0]),
    isCommon = axis => axis.codes[rows[0]] !== axis.missing && rows.every(row => axis.codes[row] === axis.codes[rows[0]]),
    common = model.axes.filter(axis => axis !== task && rows.length > 1 && isCommon(axis)),
    evidence = model.byName.metric.get("evidence"),
    isSameEvidence = evidence && common.length > 0 && new Set(rows.map(row => evidence.values[row])).size === 1,
    winners = taskWinners(metric, task, rankings, common, isSameEvidence ? ["expected_error"] : KNOWN);
  if (common.length === 0) return [winners, picture];
  const values = common.map(axis => [axis.title, axis.labels[axis.codes[rows[0]]]]);
  winners.classList.add("wide");
  const shared = h(
    "div",
    { class: "common" },
    h("p", {}, "All of these winners have"),
    namedValues("execution", values),
    isSameEvidence ? numbersOf(["evidence"], rows[0]) : null
  );
  return [shared, picture, winners];
}

/// `common`: axes that are said already. `known`: metrics that say which measurements support a row.
function taskWinners(metric, task, rankings, common, known) {
  return h(
    "div",
    { class: "winners" },
    rankings.map(ranking =>
      h(
        "div",
        { class: "winner" },
        h("p", { class: "answer-task" }, taskName(task, ranking)),
        h("p", { class: "answer-number" }, h("b", {}, withUnit(metric.values[ranking.rows[0]], metric.unit))),
        h("div", { class: "answer-text" }, executionList(ranking.rows[0], [task, ...common]), nextText(metric, ranking), numbersOf(known, ranking.rows[0]))
      )
    )
  );
}

/// Every value of an axis that a row has, and what a study chose for it; nothing is cut off.
function executionList(row, known) {
  const values = model.axes
    .filter(axis => !known.includes(axis) && axis.codes[row] !== axis.missing)
    .map(axis => [axis.title, axis.labels[axis.codes[row]]]);
  for (const metric of model.metrics)
    if (metric.name.startsWith("best_") && Number.isFinite(metric.values[row]))
      values.push([metric.title, metricText(metric, metric.values[row])]);
  return namedValues("execution", values);
}

function namedValues(kind, values) {
  return h(
    "dl",
    { class: kind },
    values.map(([name, text]) => h("div", {}, h("dt", {}, name), h("dd", {}, text)))
  );
}

/// The runner-up, how far it is behind, and whether the two can be told apart.
function nextText(metric, ranking) {
  const [first, second] = ranking.rows;
  if (second === undefined) return h("p", { class: "runner-up" }, "There is no other feasible row.");
  const line = (name, row) => {
    const isTied = ranking.rows.indexOf(row) < ranking.tied,
      distance = isTied ? h("span", { class: "tie" }, `a tie (${tieText(ranking)})`) : distanceText(metric, first, row);
    return h(
      "p",
      { class: "runner-up" },
      h("strong", {}, name),
      ` ${withUnit(metric.values[row], metric.unit)}, `,
      distance,
      `: ${differenceText(first, row)}`
    );
  };
  const beyond = ranking.tied > 1 ? ranking.rows[ranking.tied] : undefined;
  return h(
    "div",
    { class: "next" },
    line("Runner-up", second),
    beyond === undefined || beyond === second ? null : line("First beyond the tie", beyond)
  );
}

function tieText({ tied, error, rows, more }) {
  const count = tied === rows.length && more ? `at least ${tied}` : `the first ${tied}`;
  return error > 0
    ? `${count} rows lie within ${(100 * error).toFixed(1)} %, the expected error`
    : `${count} rows have the same value`;
}

/// "3.2 % behind", "1.52x behind", "as good".
function distanceText(metric, best, next) {
  const [a, b] = [best, next].map(row => metric.values[row]);
  if (a === b) return "as good";
  const ratio = Math.max(a, b) / Math.min(a, b);
  if (!(a > 0 && b > 0)) return `${withUnit(Math.abs(a - b), metric.unit)} behind`;
  if (ratio >= 1.5) return `${ratioText(ratio)} behind`;
  const percent = 100 * (ratio - 1);
  return percent < 0.05 ? "less than 0.1 % behind" : `${percent.toFixed(1)} % behind`;
}

/// In which axes another row differs.
function differenceText(row, other) {
  const parts = model.axes
    .filter(axis => axis.codes[row] !== axis.codes[other] && !model.leaders.has(axis))
    .map(axis => `${axis.title} ${axisText(axis, other)}`);
  return parts.length > 0 ? parts.join(", ") : "the same values of all axes";
}

/// The other numbers of the winner, and the measurements that support them.
function otherNumbers(metric, row) {
  const names = [...(model.views.heat || []), ...(model.views.pareto || []).map(([x]) => x), ...KNOWN];
  return numbersOf([...new Set(names)].filter(name => name !== metric.name), row);
}

function numbersOf(names, row) {
  const metrics = names.map(name => model.byName.metric.get(name)),
    shown = metrics.filter(each => each && Number.isFinite(each.values[row]));
  if (shown.length === 0) return null;
  return namedValues("numbers", shown.map(each => [each.title, knownText(each, each.values[row])]));
}

/// Errors in percent, names as words.
function knownText(metric, value) {
  return metric.name === "expected_error" ? `${(100 * value).toFixed(1)} %` : words(metricText(metric, value));
}

/// Best rows of other main metrics, where another row is the best. What a system has (bytes) ranks nothing.
function otherWinners(metric, row) {
  const lines = (model.views.heat || [])
    .map(name => model.byName.metric.get(name))
    .filter(each => each && each !== metric && each.unit !== "B" && model.cube.best.has(each.name))
    .map(each => ({ each, best: bestBy(each, [])[0] }))
    .filter(({ each, best }) => best >= 0 && each.values[best] !== each.values[row])
    .slice(0, 2);
  return lines.map(({ each, best }) =>
    h(
      "p",
      { class: "other-winner" },
      `${superlative(each)}: ${withUnit(each.values[best], each.unit)} with ${differenceText(row, best)}`
    )
  );
}
