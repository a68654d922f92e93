/// Axes that go with another one: linked parameters, whose value follows from the value of a single other axis.

/// For each axis of the cube that another one determines: that other axis. Of two that determine one another the first
/// one leads.
function leaders(cube) {
  const cells = occupiedCells(cube),
    found = new Map();
  for (const [b, axis] of cube.axes.entries())
    for (const [a, other] of cube.axes.entries()) {
      if (a === b || axis.values.length < 2 || !determines(cube, cells, a, b)) continue;
      if (determines(cube, cells, b, a) && axis.index < other.index) continue;
      found.set(axis, other);
      break;
    }
  for (const [axis, other] of found) {
    let first = other;
    while (found.has(first)) first = found.get(first);
    found.set(axis, first);
  }
  return found;
}

function occupiedCells(cube) {
  const cells = [];
  for (let cell = 0; cell < cube.cells; ++cell) if (cube.count.some(({ rows }) => rows[cell] > 0)) cells.push(cell);
  return cells;
}

function determines(cube, cells, a, b) {
  const from = cube.codes[a],
    to = cube.codes[b],
    seen = new Int32Array(cube.axes[a].values.length).fill(-1);
  for (const cell of cells) {
    if (seen[from[cell]] >= 0 && seen[from[cell]] !== to[cell]) return false;
    seen[from[cell]] = to[cell];
  }
  return true;
}

/// Axes of the cube that no other axis determines.
function freeAxes() {
  return model.cube.axes.filter(axis => !model.leaders.has(axis));
}
