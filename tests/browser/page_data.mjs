/// What a page should show, from its data alone and in a way of its own.

/// The first number of a text.
export function numberFrom(text) {
  return Number((text.match(/-?\d+(\.\d+)?(e-?\d+)?/) || [NaN])[0]);
}

function column(base64, Type) {
  const bytes = Buffer.from(base64, "base64");
  return new Type(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

/// The best value of each metric for each combination of axes: "metric/value, value" -> number. Every row of the page is
/// looked at; the cube is not.
export function keptValues(data, metrics, axes) {
  const { kept } = data, used = axes.filter(name => name !== "none"), best = new Map();
  const labels = used.map(name => {
    const axis = data.axes.find(each => each.name === name), stored = kept.axes.find(each => each.name === name);
    const codes = column(stored.codes, stored.bytes === 2 ? Uint16Array : Uint8Array);
    return row => (axis.kind === "number" ? `${name.replaceAll("_", " ")} ${axis.values[codes[row]]}` : axis.values[codes[row]]);
  });
  for (const name of metrics) {
    const sign = data.metrics.find(each => each.name === name).better === "max" ? -1 : 1;
    const values = column(kept.metrics.find(each => each.name === name).f32, Float32Array);
    values.forEach((value, row) => {
      const key = `${name}/${labels.map(label => label(row)).join(", ")}`;
      if (!Number.isNaN(value) && !(sign * best.get(key) <= sign * value)) best.set(key, value);
    });
  }
  return best;
}
