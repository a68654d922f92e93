/// Axes that go with another one: linked parameters, whose value follows from the value of a single other axis.

/// For each axis of the cube that goes with another one: that other axis. Of two that determine one another names lead
/// numbers, else the first one leads. Names that a finer axis determines are a grouping of its values and stay free.
function leaders(cube) {
  const cells = occupiedCells(cube),
    found = new Map();
  for (const [b, axis] of cube.axes.entries())
    for (const [a, other] of cube.axes.entries()) {
      if (a === b || axis.values.length < 2 || !determines(cube, cells, a, b)) continue;
      const bothWays = determines(cube, cells, b, a);
      if (bothWays ? leadsOver(axis, other) : !axis.number) continue;
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

function leadsOver(axis, other) {
  return axis.number === other.number ? axis.index < other.index : other.number;
}

/// Whether one of two axes determines the other: together they show mostly combinations without rows.
function goTogether(cube) {
  const cells = occupiedCells(cube),
    known = new Map();
  const decide = (p, q) => {
    const [a, b] = [p, q].map(axis => cube.axes.indexOf(axis));
    return p.values.length > 1 && q.values.length > 1 && (determines(cube, cells, a, b) || determines(cube, cells, b, a));
  };
  return (p, q) => {
    const key = [p, q].map(axis => axis.index).sort((a, b) => a - b).join();
    if (!known.has(key)) known.set(key, decide(p, q));
    return known.get(key);
  };
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
