/// Cost against latency: the front of each machine, and the cheapest and the fastest row of each.

/// The axis of machines: what the views say, else systems or devices.
function machineAxis() {
  return [model.views.compute, "system", "device"]
    .map(name => model.byName.axis.get(name))
    .find(axis => axis && axis.values.length > 1 && axis.values.length <= MOST_LINES);
}

/// The axis of tasks, unless it is `used`: rows of different tasks are not compared.
function machineTask(used) {
  const task = taskAxis();
  return task && task !== used ? task : null;
}

function taskCode(id, task) {
  return task.labels.indexOf(option(id, task.labels, task.labels[0]));
}

function taskChooser(id, task, code) {
  return chooser(id, `for ${task.title}`, task.labels.map(label => ({ value: label, text: label })), task.labels[code]);
}

function makeMachines() {
  const latency = model.byName.metric.get("request_latency"),
    cost = model.byName.metric.get("cost_per_million_tokens"),
    axis = machineAxis();
  const isUsable = metric => metric && extentOf(metric.values.subarray(0, model.rows.kept));
  if (!axis || !isUsable(latency) || !isUsable(cost)) return null;
  const badge = model.complete ? "exact, every feasible row" : "fronts of the rows kept here";
  return makeSection("machines", "Cost against latency", { badge }, section => updateMachines(section, axis, latency, cost)).element;
}

function updateMachines(section, axis, latency, cost) {
  const task = machineTask(axis),
    code = task ? taskCode("machines.task", task) : 0;
  section.options.replaceChildren(...(task ? [taskChooser("machines.task", task, code)] : []));
  section.note.textContent = `A line for each ${axis.title}: no row of it is both cheaper and faster.`;
  const fronts = machineFronts(axis, latency, cost, task, code);
  if (fronts.length === 0) return say(section, "No feasible row passes the filters.");
  section.files.hidden = false;
  offerFiles(section);
  const labels = [],
    lines = fronts.map(front => ({
      ...front,
      points: front.rows.map(row => {
        labels.push(withUnit(latency.values[row], latency.unit));
        return { code: labels.length - 1, at: latency.values[row], row, value: cost.values[row] };
      })
    }));
  const chart = lineChart(lines, cost, { ...latency, labels }, axis, roomOf(section));
  section.body.replaceChildren(chart, machineTable(section, fronts, axis, latency, cost));
}

/// Rows of each machine that no other row of it beats in latency and cost, the fastest first.
function machineFronts(axis, latency, cost, task, code) {
  const passing = passingRows(),
    own = axis.labels.map(() => []);
  for (let row = 0; row < model.rows.kept; ++row) {
    if (!passing[row] || axis.codes[row] === axis.missing || (task && task.codes[row] !== code)) continue;
    if (Number.isFinite(latency.values[row]) && Number.isFinite(cost.values[row])) own[axis.codes[row]].push(row);
  }
  return own
    .map((rows, s) => ({ s, name: axis.labels[s], rows: frontOf(rows, latency, cost) }))
    .filter(front => front.rows.length > 0);
}

function machineTable(section, fronts, axis, latency, cost) {
  const cheapest = front => front.rows[front.rows.length - 1],
    fastest = front => front.rows[0];
  const column = (name, title, metric, row) => {
    const at = front => metric.values[row(front)],
      format = columnFormat(fronts.map(at), metric.unit);
    return {
      name,
      title: titled(title, format.unit),
      numeric: true,
      value: at,
      shown: front => format.cell(at(front)),
      text: front => exactText(at(front))
    };
  };
  const columns = [
    { name: axis.name, title: axis.title, value: front => front.s, shown: front => front.name, text: front => front.name },
    column("lowest_cost", "lowest cost per million tokens", cost, cheapest),
    column("latency_there", "request latency there", latency, cheapest),
    column("lowest_latency", "lowest request latency", latency, fastest),
    column("cost_there", "cost there", cost, fastest)
  ];
  const made = sortableTable("machines", columns, fronts, {
    caption: `Cheapest and fastest row of each ${axis.title}`,
    initial: "lowest_cost up",
    redraw: section.update,
    onrow: (line, front) => {
      line.addEventListener("mouseenter", () => highlight(cheapest(front)));
      line.addEventListener("mouseleave", () => highlight(-1));
    }
  });
  return made.element;
}
