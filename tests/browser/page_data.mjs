/// What a page should show, computed independently of the page from its data alone.

/// The first number of a text.
export function numberFrom(text) {
  return Number((text.match(/-?\d+(\.\d+)?(e-?\d+)?/) || [NaN])[0]);
}

function column(base64, Type) {
  const bytes = Buffer.from(base64, "base64");
  return new Type(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

/// A function (metric, [[axis, code]]) -> the best value of the rows with these codes; undefined if no row has a value.
/// Reads every row of the page, not its cube.
export function keptBests(data) {
  const { kept } = data, tables = new Map();
  const codes = new Map(kept.axes.map(axis => [axis.name, column(axis.codes, axis.bytes === 2 ? Uint16Array : Uint8Array)]));
  const table = (name, axes) => {
    const sign = data.metrics.find(each => each.name === name).better === "max" ? -1 : 1, best = new Map();
    column(kept.metrics.find(each => each.name === name).f32, Float32Array).forEach((value, row) => {
      const key = axes.map(axis => codes.get(axis)[row]).join();
      if (!Number.isNaN(value) && !(sign * best.get(key) <= sign * value)) best.set(key, value);
    });
    return best;
  };
  return (metric, wanted) => {
    const axes = wanted.map(([axis]) => axis), key = `${metric} ${axes.join()}`;
    if (!tables.has(key)) tables.set(key, table(metric, axes));
    return tables.get(key).get(wanted.map(([, code]) => code).join());
  };
}
