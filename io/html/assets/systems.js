/// Which axes make up the systems that heat map and bars show: panels, rows, and columns of two axes.

const ROLES = ["facet", "y", "x", "x2"];

/// What the views say, unless that shows linked parameters against one another: then the free axes share the roles.
/// Panels that were asked for by name stay.
function defaultRoles() {
  const { views } = model,
    [x = "none", x2 = "none"] = views.x || [],
    asked = views.facet_asked ? model.byName.axis.get(views.facet) || null : null,
    given = { facet: views.facet || "none", y: views.y || "none", x, x2 };
  const used = ROLES.map(role => model.byName.axis.get(given[role])).filter(axis => axis);
  const linked = used.some((axis, i) => model.leaders.has(axis) || used.slice(0, i).some(each => model.together(axis, each)));
  return seenAtOnce(linked ? freeRoles(given.facet, asked) : asked ? given : withRows(given), asked);
}

/// Two axes make one panel: rows and columns, tasks as the rows.
function withRows(roles) {
  if (roles.y !== "none" || roles.facet === "none" || roles.x === "none" || roles.x2 !== "none") return roles;
  const task = taskAxis(),
    turned = task && task.name === roles.x;
  return { facet: "none", y: turned ? roles.x : roles.facet, x: turned ? roles.facet : roles.x, x2: "none" };
}

/// Roles whose systems can be seen at once: the inner columns go first, then the panels, or the rows of panels asked for.
function seenAtOnce(roles, asked) {
  const size = name => (name === "none" ? 1 : model.byName.axis.get(name).values.length);
  const cells = () => ROLES.reduce((product, role) => product * size(roles[role]), 1);
  for (const role of ["x2", asked ? "y" : "facet"]) if (cells() > MOST_CELLS / 2) roles[role] = "none";
  return roles;
}

/// Axes of which none goes with another, names before numbers.
function freeRoles(facet, asked) {
  const free = freeAxes().filter(axis => axis.values.length > 1 && (!axis.number || axis.values.length <= 16));
  const several = free.filter(axis => axis.values.length >= 3 && axis.values.length <= 8);
  const first =
    asked || several.find(axis => axis === taskAxis()) || several.find(axis => axis.name === facet) || several[0];
  const rest = [];
  for (const axis of free.sort((p, q) => p.number - q.number || q.values.length - p.values.length))
    if (![first, ...rest].some(each => each && (each === axis || model.together(each, axis)))) rest.push(axis);
  const [y, ...columns] = rest,
    [x, x2] = columns.slice(0, 2).sort((p, q) => p.index - q.index);
  const name = axis => (axis ? axis.name : "none");
  return { facet: name(first), y: name(y), x: name(x), x2: name(x2) };
}

/// The axis of tasks: its values are different problems, whose times are not to be compared with one another.
function taskAxis() {
  const axis = model.byName.axis.get(model.views.task || "model");
  return axis && axis.inCube && axis.values.length > 1 ? axis : null;
}

/// The axis whose values compete: the one, apart from the tasks, by which the main metric differs most. Names come
/// before numbers: that a larger batch takes longer is no news.
function choiceAxis() {
  const task = taskAxis(),
    metric = mainMetric();
  if (!metric) return null;
  return cubeCached("choice", () => {
    const effects = freeAxes()
      .filter(axis => axis !== task)
      .map(axis => ({ axis, effect: effectOf(metric, axis, task) }));
    const competing = effects.filter(each => each.effect > 0);
    competing.sort((p, q) => p.axis.number - q.axis.number || q.effect - p.effect);
    return competing.length > 0 ? competing[0].axis : null;
  });
}

/// Mean over the tasks of log(worst / best) among the best rows of the axis's values.
function effectOf(metric, axis, task) {
  const best = bestBy(metric, task ? [task, axis] : [axis]),
    size = axis.values.length,
    logs = [];
  for (let from = 0; from < best.length; from += size) {
    const values = [...best.subarray(from, from + size)]
      .filter(row => row >= 0)
      .map(row => Math.abs(metric.values[row]))
      .filter(value => value > 0);
    if (values.length > 1) logs.push(Math.log(Math.max(...values) / Math.min(...values)));
  }
  return logs.length > 0 ? logs.reduce((sum, each) => sum + each, 0) / logs.length : 0;
}

/// Name of an axis or "none" for each role; no axis twice.
function systemRoles() {
  const names = ["none", ...model.cube.axes.map(axis => axis.name)],
    roles = {},
    used = new Set();
  const defaults = defaultRoles();
  for (const role of ROLES) {
    const fallback = names.includes(defaults[role]) ? defaults[role] : "none";
    const name = option(`systems.${role}`, names, fallback);
    roles[role] = used.has(name) ? "none" : name;
    if (name !== "none") used.add(name);
  }
  return roles;
}

/// Gives a role an axis; a role that had it gets the old one.
function setSystemRole(role, name) {
  const roles = systemRoles();
  const other = ROLES.find(each => each !== role && roles[each] === name && name !== "none");
  if (other) state.options.set(`systems.${other}`, roles[role]);
  ROLES.filter(each => each !== role && each !== other).forEach(each =>
    state.options.set(`systems.${each}`, roles[each])
  );
  setOption(`systems.${role}`, name);
}

function systemChoosers() {
  const roles = systemRoles(),
    labels = { facet: "panels", y: "rows", x: "columns", x2: "within columns" };
  const choices = [
    { value: "none", text: "none" },
    ...model.cube.axes.map(axis => ({ value: axis.name, text: axis.title }))
  ];
  return ROLES.map(role =>
    chooser(`systems.${role}`, labels[role], choices, roles[role], name => setSystemRole(role, name))
  );
}

/// The systems that have rows under the filters: axes by role, codes of panels, rows and columns, rows of each group.
function systems() {
  const roles = systemRoles(),
    axis = {};
  for (const role of ROLES) axis[role] = roles[role] === "none" ? null : model.byName.axis.get(roles[role]);
  const axes = ROLES.map(role => axis[role]).filter(each => each),
    counts = countBy(axes);
  const sizes = ROLES.map(role => (axis[role] ? axis[role].values.length : 1));
  const total = new Float64Array(groupCount(axes));
  for (const { rows } of counts)
    rows.forEach((count, group) => {
      total[group] += count;
    });
  const groupAt = (f, y, x, x2) => ((f * sizes[1] + y) * sizes[2] + x) * sizes[3] + x2;
  const present = [new Set(), new Set(), new Set()];
  for (let group = 0; group < total.length; ++group) {
    if (total[group] === 0) continue;
    const column = group % (sizes[2] * sizes[3]),
      rest = Math.floor(group / (sizes[2] * sizes[3]));
    present[0].add(Math.floor(rest / sizes[1]));
    present[1].add(rest % sizes[1]);
    present[2].add(column);
  }
  const sorted = set => [...set].sort((a, b) => a - b);
  const columns = sorted(present[2]).map(column => ({ x: Math.floor(column / sizes[3]), x2: column % sizes[3] }));
  return { axis, axes, counts, total, groupAt, facets: sorted(present[0]), ys: sorted(present[1]), columns };
}

/// Codes of the axes of a system, as the selection holds them.
function systemCodes(set, f, y, column) {
  const codes = new Map(),
    places = { facet: f, y, x: column.x, x2: column.x2 };
  for (const role of ROLES) if (set.axis[role]) codes.set(set.axis[role].name, places[role]);
  return codes;
}

function systemName(codes) {
  return (
    [...codes]
      .map(([name, code]) => {
        return valueText(model.byName.axis.get(name), code);
      })
      .join(", ") || "all rows"
  );
}

function isSelected(codes) {
  return state.selection.size > 0 && [...state.selection].every(([name, code]) => codes.get(name) === code);
}

/// The axes that a system is the best over.
function optimisedText(set) {
  const over = model.axes.filter(
    axis => axis.values.length > 1 && !set.axes.includes(axis) && !set.axes.includes(model.leaders.get(axis))
  );
  return over.length > 0 ? ` Every cell is the best over ${over.map(axis => axis.title).join(", ")}.` : "";
}
