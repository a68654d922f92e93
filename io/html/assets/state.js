/// What the reader has chosen: filters, a selected system, a box, options. It lives in the address after "#" by names.

let model = null;
const state = {
  allowed: new Map(), // axis name -> Uint8Array, 1: the value passes; without an entry all do
  selection: new Map(), // axis name -> code
  box: null, // { x, y: names of metrics, x0, x1, y0, y1: in units }
  options: new Map(), // "section.option" -> text
  version: 0 // of the filters
};
const sections = []; // { id, update, uses }: drawn in this order

/// The choice for `id`, or `fallback` where nothing or nonsense was chosen.
function option(id, allowed, fallback = allowed[0]) {
  const wanted = state.options.get(id);
  return allowed.includes(wanted) ? wanted : fallback;
}

function setOption(id, value) {
  state.options.set(id, value);
  writeAddress();
  const group = id.split(".")[0];
  for (const section of sections) if (section.id === group || (section.uses || []).includes(group)) section.update();
}

function setAllowed(axis, code, passes) {
  let mask = state.allowed.get(axis.name);
  if (!mask) state.allowed.set(axis.name, (mask = new Uint8Array(axis.values.length).fill(1)));
  mask[code] = passes ? 1 : 0;
  if (mask.every(each => each === 1)) state.allowed.delete(axis.name);
  ++state.version;
  refresh();
}

function allowOnly(axis, code) {
  const mask = new Uint8Array(axis.values.length);
  mask[code] = 1;
  state.allowed.set(axis.name, mask);
  ++state.version;
  refresh();
}

function allowAll(axis) {
  state.allowed.delete(axis.name);
  ++state.version;
  refresh();
}

/// Selects a system; the selected one again clears the selection.
function select(codes) {
  const same =
    codes.size === state.selection.size && [...codes].every(([name, code]) => state.selection.get(name) === code);
  state.selection = same ? new Map() : new Map(codes);
  refresh();
}

function clearSelection() {
  if (state.selection.size === 0 && !state.box) return;
  state.selection = new Map();
  state.box = null;
  refresh();
}

function resetAll() {
  state.allowed.clear();
  state.options.clear();
  state.selection = new Map();
  state.box = null;
  ++state.version;
  applyTheme(chosenTheme());
  refresh();
}

function selectionText() {
  return [...state.selection]
    .map(([name, code]) => {
      return valueText(model.byName.axis.get(name), code);
    })
    .join(", ");
}

function addressParts() {
  const parts = [];
  const add = (key, value) => parts.push(`${encodeURIComponent(key)}=${value.map(encodeURIComponent).join(",")}`);
  for (const [name, mask] of state.allowed) {
    const axis = model.byName.axis.get(name);
    add(
      `only.${name}`,
      axis.labels.filter((label, code) => mask[code])
    );
  }
  for (const [name, code] of state.selection) add(`select.${name}`, [model.byName.axis.get(name).labels[code]]);
  if (state.box) {
    const { x, y, x0, x1, y0, y1 } = state.box;
    add("box", [x, y, ...[x0, x1, y0, y1].map(value => String(Number(value.toPrecision(6))))]);
  }
  for (const [id, value] of state.options) add(id, [value]);
  return parts;
}

let writtenAddress = null;
function writeAddress() {
  const text = addressParts().join("&");
  if (text === writtenAddress) return;
  writtenAddress = text;
  try {
    history.replaceState(null, "", text ? "#" + text : location.pathname + location.search);
  } catch {
    // a browser may forbid it for files or frames; the page works without
  }
}

function readPart(key, values) {
  const [group, ...rest] = key.split("."),
    name = rest.join(".");
  const axis = model.byName.axis.get(name);
  if (group === "only") {
    const codes = axis && axis.inCube ? values.map(value => axis.labels.indexOf(value)).filter(code => code >= 0) : [];
    if (axis && axis.inCube && (codes.length > 0 || values.join("") === "")) {
      const mask = new Uint8Array(axis.values.length);
      codes.forEach(code => {
        mask[code] = 1;
      });
      if (mask.some(each => each === 0)) state.allowed.set(name, mask);
    }
  } else if (group === "select") {
    const code = axis ? axis.labels.indexOf(values[0]) : -1;
    if (code >= 0) state.selection.set(name, code);
  } else if (group === "box") {
    const [x, y, ...edges] = values,
      numbers = edges.map(Number);
    if (
      model.byName.metric.has(x) &&
      model.byName.metric.has(y) &&
      numbers.length === 4 &&
      numbers.every(Number.isFinite)
    )
      state.box = { x, y, x0: numbers[0], x1: numbers[1], y0: numbers[2], y1: numbers[3] };
  } else if (rest.length > 0) {
    state.options.set(key, values.join(","));
  }
}

/// Takes over what the address says; parts that name nothing of this page are ignored.
function readAddress() {
  state.allowed.clear();
  state.options.clear();
  state.selection = new Map();
  state.box = null;
  ++state.version;
  for (const part of location.hash.slice(1).split("&")) {
    const [key, value = ""] = part.split("=");
    try {
      readPart(decodeURIComponent(key), value.split(",").map(decodeURIComponent));
    } catch {
      // not an address of this page
    }
  }
}
