/// The data of the page: JSON with binary columns becomes axes, metrics, rows and the cube.

const FORMAT = "dfsweep-report";
const VERSION = 1;

/// Reads and checks the JSON. Throws an Error whose message is a sentence for the reader.
function readData(text) {
  let raw;
  try {
    raw = JSON.parse(text);
  } catch {
    throw new Error("The data of this page are damaged, so nothing can be drawn. The tables are complete.");
  }
  if (raw.format !== FORMAT || raw.version !== VERSION)
    throw new Error(
      `The data of this page have format ${raw.format} version ${raw.version}; its script reads ` +
        `${FORMAT} version ${VERSION}. Nothing is drawn. The tables are complete.`
    );
  return raw;
}

function decodeBytes(base64) {
  const text = atob(base64),
    bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/// A little-endian column of `Type`; on a machine with the other order it is turned round.
function decodeColumn(base64, Type) {
  const bytes = decodeBytes(base64),
    size = Type.BYTES_PER_ELEMENT;
  if (size > 1 && new Uint8Array(new Uint16Array([1]).buffer)[0] !== 1)
    for (let at = 0; at < bytes.length; at += size) bytes.subarray(at, at + size).reverse();
  return new Type(bytes.buffer, 0, Math.floor(bytes.length / size));
}

/// Six digits, or all of them where six do not tell the values apart.
function numberLabels({ values, unit }) {
  const labels = values.map(value => inputNumber(value, unit));
  return new Set(labels).size === labels.length ? labels : values.map(String);
}

/// Files go by their names: "systems/h100.toml" is "h100", where no other label is.
function fileLabels(labels) {
  const short = labels.map(label =>
    /\.(toml|json)$/.test(label) ? label.replace(/^.*\//, "").replace(/\.\w+$/, "") : label
  );
  return new Set(short).size === labels.length ? short : labels;
}

function axisOf(raw, index) {
  const number = raw.kind === "number";
  const labels = number ? numberLabels(raw) : fileLabels(raw.values.map(String));
  return {
    index,
    name: raw.name,
    title: words(raw.name),
    number,
    unit: raw.unit,
    longName: raw.long_name || "",
    values: raw.values,
    labels,
    inCube: !!raw.in_cube,
    missing: 65535,
    codes: null
  };
}

function metricOf(raw, index) {
  return {
    index,
    name: raw.name,
    title: words(raw.name),
    unit: raw.unit,
    longName: raw.long_name || words(raw.name),
    better: raw.better || "none",
    sign: raw.better === "max" ? -1 : 1,
    labels: raw.labels || null, // of codes that are the values
    values: null
  };
}

/// A sample row that is kept as well would be drawn twice.
function freshRows(kept, sample) {
  const seen = new Set(kept),
    fresh = [];
  for (let i = 0; i < sample.length; ++i) if (!seen.has(sample[i])) fresh.push(i);
  return fresh;
}

/// Points of rows; beyond 2^53 they are texts of decimal digits.
function pointsOf(part) {
  if (!part || !part.point) return [];
  if (part.point.text) return part.point.text;
  return decodeColumn(part.point.data, part.point.bytes === 8 ? Float64Array : Uint32Array);
}

function codesOf(part, name, count) {
  const found = part && (part.axes || []).find(axis => axis.name === name);
  if (!found) return new Uint16Array(count).fill(65535);
  const codes = decodeColumn(found.codes, found.bytes === 2 ? Uint16Array : Uint8Array);
  return found.bytes === 2 ? codes : Uint16Array.from(codes, code => (code === 255 ? 65535 : code));
}

/// The metric's values in the sample, from 16-bit codes on its range.
function sampleValues(part, name, count) {
  const values = new Float32Array(count).fill(NaN);
  const found = part && (part.metrics || []).find(metric => metric.name === name);
  if (!found) return values;
  const codes = decodeColumn(found.u16, Uint16Array),
    log = found.scale === "log";
  const low = log ? Math.log(found.lo) : found.lo,
    step = ((log ? Math.log(found.hi) : found.hi) - low) / 65534;
  for (let i = 0; i < count; ++i)
    if (codes[i] !== 65535) values[i] = log ? Math.exp(low + step * codes[i]) : low + step * codes[i];
  return values;
}

/// Kept rows first, then the rows of the sample that are not kept: one column for each axis and metric.
function readRows(raw, axes, metrics) {
  const kept = raw.kept || { n: 0 },
    sample = raw.sample || { n: 0 };
  const keptPoints = pointsOf(kept),
    samplePoints = pointsOf(sample),
    fresh = freshRows(keptPoints, samplePoints);
  const count = kept.n + fresh.length;
  const point = [...keptPoints, ...fresh.map(from => samplePoints[from])];
  for (const axis of axes) {
    axis.codes = new Uint16Array(count);
    axis.codes.set(codesOf(kept, axis.name, kept.n));
    const codes = codesOf(sample, axis.name, sample.n);
    fresh.forEach((from, i) => {
      axis.codes[kept.n + i] = codes[from];
    });
  }
  for (const metric of metrics) {
    metric.values = new Float32Array(count).fill(NaN);
    const found = (kept.metrics || []).find(each => each.name === metric.name);
    if (found) metric.values.set(decodeColumn(found.f32, Float32Array));
    const values = sampleValues(sample, metric.name, sample.n);
    fresh.forEach((from, i) => {
      metric.values[kept.n + i] = values[from];
    });
  }
  return { count, kept: kept.n, point, why: kept.why ? decodeColumn(kept.why, Uint8Array) : new Uint8Array(kept.n) };
}

function readCube(raw, axes, byName) {
  const cube = raw.cube || { axes: [], count: [], best: [] };
  const cubeAxes = cube.axes.map(name => byName.axis.get(name));
  const cells = cubeAxes.reduce((product, axis) => product * axis.values.length, 1);
  let stride = cells;
  const codes = cubeAxes.map(axis => {
    stride /= axis.values.length;
    const column = new Uint16Array(cells);
    for (let cell = 0; cell < cells; ++cell) column[cell] = Math.floor(cell / stride) % axis.values.length;
    return column;
  });
  return {
    axes: cubeAxes,
    cells,
    codes,
    count: cube.count.map(each => ({ status: each.status, rows: decodeColumn(each.u32, Uint32Array) })),
    best: new Map(cube.best.map(each => [each.metric, decodeColumn(each.kept, Int32Array)]))
  };
}

/// Everything that sections draw from.
function buildModel(raw) {
  const axes = (raw.axes || []).map(axisOf),
    metrics = (raw.metrics || []).map(metricOf);
  const byName = {
    axis: new Map(axes.map(axis => [axis.name, axis])),
    metric: new Map(metrics.map(metric => [metric.name, metric]))
  };
  const rows = readRows(raw, axes, metrics),
    cube = readCube(raw, axes, byName);
  const objectives = metrics.filter(metric => cube.best.has(metric.name));
  return {
    raw,
    axes,
    metrics,
    numbers: metrics.filter(metric => !metric.labels),
    byName,
    rows,
    cube,
    leaders: leaders(cube),
    together: goTogether(cube),
    objectives,
    views: raw.views || {},
    total: raw.rows,
    complete: !!raw.complete,
    paretoExact: raw.pareto_exact !== false,
    paretoAxes: raw.pareto_axes || [],
    statuses: raw.statuses || [],
    sampleOf: raw.sample ? raw.sample.of : 0,
    sampleRows: raw.sample ? raw.sample.n : 0
  };
}
