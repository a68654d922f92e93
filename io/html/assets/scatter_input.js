/// Pointer and keyboard on the trade-offs: tell the nearest row, drag a box, walk the front.

const NEAR = 14; // pixels

function linkPlot(section) {
  const { plot } = section;
  let start = null;
  const place = event => {
    const box = plot.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  plot.addEventListener("pointerdown", event => {
    if (event.button !== 0 || event.pointerType === "touch" || !scatter.scaleX) return;
    start = place(event);
    plot.setPointerCapture(event.pointerId);
  });
  plot.addEventListener("pointermove", event => {
    const at = place(event);
    if (start && dragged(start, at)) {
      hideTooltip();
      showDrag(start, at);
    } else tellNearest(at, event);
  });
  plot.addEventListener("pointerup", event => {
    if (!start) return;
    const from = start,
      at = place(event);
    start = null;
    if (dragged(from, at)) setBox(from, at);
    else {
      const row = nearestRow(at);
      if (row >= 0) selectSystemOf(row);
    }
  });
  plot.addEventListener("pointercancel", () => {
    start = null;
  });
  plot.addEventListener("pointerleave", () => {
    hideTooltip();
    highlight(-1);
  });
  plot.addEventListener("keydown", event => walkFront(section, event));
  plot.addEventListener("blur", () => {
    hideTooltip();
    highlight(-1);
  });
}

function dragged([x0, y0], [x1, y1]) {
  return Math.abs(x1 - x0) > 4 && Math.abs(y1 - y0) > 4;
}

function showDrag([x0, y0], [x1, y1]) {
  document.getElementById("scatter-box").replaceChildren(
    svg("rect", {
      class: "box",
      x: Math.min(x0, x1),
      y: Math.min(y0, y1),
      width: Math.abs(x1 - x0),
      height: Math.abs(y1 - y0)
    })
  );
}

function setBox([x0, y0], [x1, y1]) {
  const { scaleX, scaleY, x, y } = scatter;
  state.box = {
    x: x.name,
    y: y.name,
    x0: scaleX.invert(Math.min(x0, x1)),
    x1: scaleX.invert(Math.max(x0, x1)),
    y0: scaleY.invert(Math.max(y0, y1)),
    y1: scaleY.invert(Math.min(y0, y1))
  };
  refresh();
  announce(tableRows().title);
}

function nearestRow([x, y]) {
  const { px, py, rows } = scatter;
  if (!px) return -1;
  let best = NEAR * NEAR,
    found = -1;
  for (let i = 0; i < rows.length; ++i) {
    const dx = px[i] - x,
      dy = py[i] - y,
      distance = dx * dx + dy * dy;
    if (distance < best) {
      best = distance;
      found = rows[i];
    }
  }
  return found;
}

function tellNearest(at, event) {
  const row = nearestRow(at);
  highlight(row);
  if (row < 0) hideTooltip();
  else tellRow(row, event.clientX, event.clientY);
}

function tellRow(row, x, y) {
  showTooltip(systemName(systemCodesOf(row)), rowLines(row, [scatter.x, scatter.y]), x, y);
}

/// The system that a row belongs to: its values on the axes of the heat map.
function systemCodesOf(row) {
  const codes = new Map(),
    roles = systemRoles();
  for (const role of ROLES) {
    const axis = roles[role] !== "none" && model.byName.axis.get(roles[role]);
    if (axis && axis.codes[row] !== axis.missing) codes.set(axis.name, axis.codes[row]);
  }
  return codes;
}

function selectSystemOf(row) {
  const codes = systemCodesOf(row);
  if (codes.size > 0) select(codes);
}

function walkFront(section, event) {
  const front = scatter.selectedFront || scatter.front,
    last = front.length - 1;
  const steps = {
    ArrowRight: at => Math.min(last, at + 1),
    ArrowLeft: at => Math.max(0, at - 1),
    Home: () => 0,
    End: () => last
  };
  if (last < 0) return;
  if (event.key === "Enter" && scatter.walked >= 0) return selectSystemOf(front[scatter.walked]);
  if (!steps[event.key]) return;
  event.preventDefault();
  scatter.walked = steps[event.key](scatter.walked);
  const row = front[scatter.walked],
    { x, y } = scatter,
    box = section.plot.getBoundingClientRect();
  highlight(row);
  tellRow(row, box.left + scatter.scaleX(x.values[row]), box.top + scatter.scaleY(y.values[row]));
  announce(
    `Front, row ${scatter.walked + 1} of ${front.length}: ${x.title} ${withUnit(x.values[row], x.unit)}, ` +
      `${y.title} ${withUnit(y.values[row], y.unit)}; ${rowText(row)}`
  );
}
