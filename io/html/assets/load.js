/// Latency under load: times to the first and between tokens of the same executions along the load, with their limits,
/// the knee of each line, and the cost beside them.

const LOAD_AXES = ["load", "arrival_rate", "concurrency"],
  LOAD_METRICS = ["time_to_first_token", "time_per_output_token", "cost_per_million_tokens"],
  KNEE_POINTS = 4, // fewer points have no shape
  KNEE_DEPTH = 0.1; // of the box of the line; less is a straight line

function loadAxes() {
  return freeAxes().filter(axis => axis.number && axis.values.length > 1 && LOAD_AXES.includes(axis.name));
}

function makeLoad() {
  const metrics = LOAD_METRICS.map(name => model.byName.metric.get(name)).filter(metric => metric),
    times = metrics.filter(metric => metric.name !== "cost_per_million_tokens");
  if (loadAxes().length === 0 || times.length === 0 || model.objectives.length === 0) return null;
  return makeSection("load", "Latency under load", {}, section => updateLoad(section, metrics)).element;
}

/// Values of the parameter that limits a metric: fixed, or of an axis.
function limitsOf(metric) {
  const axis = model.byName.axis.get(`${metric.name}_limit`),
    fixed = (model.raw.limits || {})[metric.name];
  return (axis ? axis.values : [fixed]).filter(value => Number.isFinite(value) && value > 0);
}

function updateLoad(section, metrics) {
  const xs = loadAxes(),
    x = model.byName.axis.get(option("load.x", xs.map(axis => axis.name), xs[0].name)),
    cost = metrics.find(metric => model.objectives.includes(metric) && metric.name === "cost_per_million_tokens"),
    by = model.byName.metric.get(
      option("load.by", model.objectives.map(each => each.name), (cost || mainMetric()).name)
    );
  const task = machineTask(x),
    code = task ? taskCode("load.task", task) : 0,
    others = freeAxes().filter(
      axis => axis !== x && axis !== task && axis.values.length > 1 && axis.values.length <= MOST_LINES
    ),
    names = ["none", ...others.map(axis => axis.name)],
    usual = [machineAxis(), ...others].find(axis => axis && others.includes(axis)),
    series = model.byName.axis.get(option("load.series", names, usual ? usual.name : "none")) || null;
  section.options.replaceChildren(
    chooser("load.by", "executions with the best", choicesOf(model.objectives), by.name),
    chooser("load.x", "along", choicesOf(xs), x.name),
    chooser("load.series", "one line for each", [{ value: "none", text: "none" }, ...choicesOf(others)], series ? series.name : "none"),
    ...(task ? [taskChooser("load.task", task, code)] : [])
  );
  const lines = loadLines(by, x, series, task, code),
    shown = metrics.filter(metric => lines.some(line => line.points.some(point => Number.isFinite(metric.values[point.row]))));
  section.note.textContent =
    `Every point is one execution, the best ${by.title} over all other axes. Ring: the knee, where the time to the first ` +
    "token leaves its flat part, or without one the time between tokens. Dashed: the limit.";
  if (lines.length === 0 || shown.length === 0) return say(section, "No feasible row passes the filters.");
  offerFiles(section);
  section.files.hidden = false;
  const across = Math.min(shown.length, Math.max(1, Math.floor(roomOf(section) / 350))),
    width = Math.floor((roomOf(section) - 14 * (across - 1)) / across);
  const charts = shown.map(metric => {
    const drawn = lines.map(line => pointsOfMetric(line, metric)).filter(line => line.points.length > 0);
    return lineChart(drawn, metric, x, series, width, { limits: limitsOf(metric) });
  });
  section.body.replaceChildren(h("div", { class: "panels" }, charts), kneeTable(section, lines, x, series, shown));
}

/// The best row of each place on the axis, for each line; `knee` is the place of its knee, -1: it has none.
function loadLines(by, x, series, task, code) {
  const best = bestBy(by, [task, series, x].filter(axis => axis)),
    count = series ? series.values.length : 1,
    order = [...x.values.keys()].filter(each => Number.isFinite(x.values[each])).sort((a, b) => x.values[a] - x.values[b]),
    lines = [];
  for (let s = 0; s < count; ++s) {
    const points = order
      .map(each => ({ code: each, at: x.values[each], row: best[(code * count + s) * x.values.length + each] }))
      .filter(point => point.row >= 0);
    if (points.length > 0) lines.push({ s, name: series ? series.labels[s] : "all", points, knee: kneeOfTimes(points) });
  }
  return lines;
}

function pointsOfMetric(line, metric) {
  const points = line.points.map((point, i) => ({ ...point, value: metric.values[point.row], isKnee: i === line.knee }));
  return { ...line, points: points.filter(point => Number.isFinite(point.value)) };
}

/// The knee of the time to the first token or, where that has none, of the time between tokens.
function kneeOfTimes(points) {
  const knees = LOAD_METRICS.slice(0, 2)
    .map(name => model.byName.metric.get(name))
    .map(metric => (metric ? kneeOf(points.map(point => [point.at, metric.values[point.row]])) : -1));
  return knees.find(knee => knee >= 0) ?? -1;
}

/// The point farthest below the straight line from the first to the last one, both axes scaled to one (Satopaa et al.,
/// Finding a "Kneedle" in a Haystack, 2011).
function kneeOf(points) {
  if (points.length < KNEE_POINTS || points.some(([, y]) => !Number.isFinite(y))) return -1;
  const [x0, y0] = points[0],
    [x1, y1] = points[points.length - 1];
  if (y1 <= y0) return -1;
  const depths = points.map(([px, py]) => (px - x0) / (x1 - x0) - (py - y0) / (y1 - y0)),
    deepest = Math.max(...depths);
  return deepest >= KNEE_DEPTH ? depths.indexOf(deepest) : -1;
}

/// The last place on the axis up to which every limit is met.
function lastWithinLimits(line, limits) {
  let last = null;
  for (const point of line.points) {
    if (limits.some(({ metric, limit }) => !(metric.values[point.row] <= limit))) break;
    last = point;
  }
  return last;
}

/// For each line its knee with the numbers there, and how far the limits allow.
function kneeTable(section, lines, x, series, metrics) {
  const limits = metrics.flatMap(metric => limitsOf(metric).slice(0, 1).map(limit => ({ metric, limit })));
  const rows = lines
    .map(line => ({ line, knee: line.knee >= 0 ? line.points[line.knee] : null, within: lastWithinLimits(line, limits) }))
    .filter(each => each.knee || limits.length > 0);
  if (rows.length === 0) return null;
  const place = point => (point ? x.labels[point.code] : "none");
  const columns = [
    {
      name: "line",
      title: series ? series.title : "executions",
      value: each => each.line.s,
      shown: each => each.line.name,
      text: each => each.line.name
    },
    {
      name: "knee",
      title: `knee at ${x.title}`,
      numeric: true,
      value: each => (each.knee ? each.knee.at : null),
      shown: each => place(each.knee),
      text: each => (each.knee ? exactText(each.knee.at) : "")
    },
    ...metrics.map(metric => kneeColumn(metric, rows)),
    ...(limits.length > 0
      ? [
          {
            name: "within",
            title: `limits met up to ${x.title}`,
            numeric: true,
            value: each => (each.within ? each.within.at : null),
            shown: each => place(each.within),
            text: each => (each.within ? exactText(each.within.at) : "")
          }
        ]
      : [])
  ];
  return sortableTable("load", columns, rows, {
    caption: "The knee of each line",
    initial: "line up",
    redraw: section.update
  }).element;
}

function kneeColumn(metric, rows) {
  const at = each => (each.knee ? metric.values[each.knee.row] : NaN),
    format = columnFormat(rows.map(at), metric.unit);
  return {
    name: metric.name,
    title: titled(metric.title, format.unit),
    numeric: true,
    value: at,
    shown: each => format.cell(at(each)),
    text: each => exactText(at(each))
  };
}
