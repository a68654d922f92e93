/// The cube under the filters: best rows and counts of groups of cells. Best of best is best, so all of it is exact.

const cubeCache = { version: -1, passing: null, results: new Map() };

function cubeCached(key, make) {
  if (cubeCache.version !== state.version) {
    cubeCache.version = state.version;
    cubeCache.passing = passingCells();
    cubeCache.results.clear();
  }
  if (!cubeCache.results.has(key)) cubeCache.results.set(key, make(cubeCache.passing));
  return cubeCache.results.get(key);
}

function passingCells() {
  const { cube } = model,
    passing = new Uint8Array(cube.cells).fill(1);
  cube.axes.forEach((axis, place) => {
    const mask = state.allowed.get(axis.name);
    if (!mask) return;
    const codes = cube.codes[place];
    for (let cell = 0; cell < cube.cells; ++cell) passing[cell] &= mask[codes[cell]];
  });
  return passing;
}

/// For each cell of the cube the place of its group: row-major over `axes`.
function groupsOf(axes) {
  const groups = new Uint32Array(model.cube.cells);
  for (const axis of axes) {
    const codes = model.cube.codes[model.cube.axes.indexOf(axis)],
      size = axis.values.length;
    for (let cell = 0; cell < groups.length; ++cell) groups[cell] = groups[cell] * size + codes[cell];
  }
  return groups;
}

function groupCount(axes) {
  return axes.reduce((product, axis) => product * axis.values.length, 1);
}

function namesOf(axes) {
  return axes.map(axis => axis.name).join("/");
}

/// The best kept row of each group by a metric; -1: no feasible row.
function bestBy(metric, axes) {
  return cubeCached(`best ${metric.name} ${namesOf(axes)}`, passing => {
    const best = new Int32Array(groupCount(axes)).fill(-1),
      rows = model.cube.best.get(metric.name);
    const groups = groupsOf(axes),
      { values, sign } = metric;
    for (let cell = 0; cell < rows.length; ++cell) {
      const row = rows[cell];
      if (row < 0 || !passing[cell]) continue;
      const leader = best[groups[cell]];
      if (leader < 0 || sign * values[row] < sign * values[leader]) best[groups[cell]] = row;
    }
    return best;
  });
}

/// Rows of each group by status: [{ status, rows }].
function countBy(axes) {
  return cubeCached(`count ${namesOf(axes)}`, passing => {
    const groups = groupsOf(axes),
      size = groupCount(axes);
    return model.cube.count.map(({ status, rows }) => {
      const sums = new Float64Array(size);
      for (let cell = 0; cell < rows.length; ++cell) if (passing[cell]) sums[groups[cell]] += rows[cell];
      return { status, rows: sums };
    });
  });
}

function statusName(code) {
  const found = model.statuses.find(each => each.code === code);
  return found ? found.name : String(code);
}

/// "out of memory 12, invalid 3": why a group has no feasible row; empty where it has no rows at all.
function reasonsOf(counts, group) {
  return counts
    .filter(each => each.status !== 0 && each.rows[group] > 0)
    .sort((a, b) => b.rows[group] - a.rows[group])
    .map(each => `${statusName(each.status)} ${grouped(each.rows[group])}`)
    .join(", ");
}

/// Which rows of the page pass the filters.
const rowCache = { version: -1, passing: null };
function passingRows() {
  if (rowCache.version === state.version) return rowCache.passing;
  const passing = new Uint8Array(model.rows.count).fill(1);
  for (const [name, mask] of state.allowed) {
    const axis = model.byName.axis.get(name),
      { codes, missing } = axis;
    for (let row = 0; row < passing.length; ++row) if (codes[row] === missing || !mask[codes[row]]) passing[row] = 0;
  }
  rowCache.version = state.version;
  return (rowCache.passing = passing);
}

/// Which rows belong to the selected system; null where none is selected.
function selectedRows() {
  if (state.selection.size === 0) return null;
  const selected = new Uint8Array(model.rows.count).fill(1);
  for (const [name, code] of state.selection) {
    const { codes } = model.byName.axis.get(name);
    for (let row = 0; row < selected.length; ++row) if (codes[row] !== code) selected[row] = 0;
  }
  return selected;
}
