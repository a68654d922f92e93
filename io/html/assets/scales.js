/// Scales and ticks of axes.

/// Log scales pay where numbers differ by more than `ratio`, and exist for positive numbers only.
function wantsLog(low, high, ratio) {
  return low > 0 && high / low > ratio;
}

function extentOf(values, rows = null) {
  let low = Infinity,
    high = -Infinity;
  const count = rows ? rows.length : values.length;
  for (let i = 0; i < count; ++i) {
    const value = values[rows ? rows[i] : i];
    if (!Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : null;
}

/// Maps [low, high] to [from, to] pixels, with some room at both ends.
function makeScale([low, high], from, to, log, room = 0.03) {
  let first = log ? Math.log(low) : low,
    last = log ? Math.log(high) : high;
  if (first === last) {
    const half = log ? 0.5 : Math.abs(first) / 2 || 1;
    first -= half;
    last += half;
  }
  const margin = (last - first) * room;
  first -= margin;
  last += margin;
  const slope = (to - from) / (last - first);
  const scale = value => from + ((log ? Math.log(value) : value) - first) * slope;
  scale.invert = pixel => (log ? Math.exp(first + (pixel - from) / slope) : first + (pixel - from) / slope);
  Object.assign(scale, { log, first, slope, from });
  scale.low = log ? Math.exp(first) : first;
  scale.high = log ? Math.exp(last) : last;
  return scale;
}

/// About `wanted` round values inside a scale.
function ticksOf(scale, wanted = 6) {
  return scale.log ? logTicks(scale, wanted) : linearTicks(scale.low, scale.high, wanted);
}

function linearTicks(low, high, wanted) {
  const raw = (high - low) / wanted,
    power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map(each => each * power).find(each => each >= raw) || 10 * power;
  const ticks = [];
  for (let i = Math.ceil(low / step); i * step <= high; ++i) ticks.push(Number((i * step).toPrecision(12)));
  return ticks;
}

function logTicks(scale, wanted) {
  const first = Math.floor(Math.log10(scale.low)),
    last = Math.ceil(Math.log10(scale.high));
  const inside = factors => {
    const ticks = [];
    const every = Math.max(1, Math.ceil((last - first) / (2 * wanted)));
    for (let power = first; power <= last; power += every)
      for (const factor of factors) {
        const value = Number(`${factor}e${power}`);
        if (value >= scale.low && value <= scale.high) ticks.push(value);
      }
    return ticks;
  };
  for (const factors of [[1], [1, 3], [1, 2, 5], [1, 1.5, 2, 3, 5, 7]]) {
    const ticks = inside(factors);
    if (ticks.length >= Math.min(4, wanted) || ticks.length >= wanted) return ticks;
  }
  return linearTicks(scale.low, scale.high, wanted);
}

/// Texts of ticks, and the unit with its prefix for the title of the axis. Where ticks differ by more than 100, each
/// has a prefix of its own.
function tickFormat(ticks, unit) {
  const trim = text => text.replace(/(\.\d*?)0+(?=\D|$)/, "$1").replace(/\.(?=\D|$)/, "");
  const shown = shownUnit(unit),
    extent = extentOf(ticks.filter(each => each !== 0).map(Math.abs));
  const format = columnFormat(ticks, unit, 6);
  if (!shown || (format.unit && extent && extent[1] <= 1e2 * extent[0]))
    return { unit: format.unit, texts: ticks.map(each => trim(format.cell(each))) };
  return { unit: shown, texts: ticks.map(each => withoutUnit(trim(withUnit(each, unit, 6)), shown)) };
}

/// "10 MUSD" is "10M" where the unit stands elsewhere.
function withoutUnit(text, shown) {
  return text.endsWith(shown) ? text.slice(0, -shown.length).replace(" ", "") : text;
}

/// Grid lines, texts and title of the lower (`horizontal`) or left axis of a plot.
function axisLayer(scale, { horizontal, from, to, at, title, unit, better = "none", wanted }) {
  const ticks = ticksOf(scale, wanted || (horizontal ? 7 : 6)),
    format = tickFormat(ticks, unit);
  const layer = svg("g", { class: "axis" });
  ticks.forEach((value, i) => {
    const place = Math.round(scale(value)) + 0.5;
    layer.append(
      horizontal
        ? svg("line", { class: "grid", x1: place, x2: place, y1: from, y2: to })
        : svg("line", { class: "grid", x1: from, x2: to, y1: place, y2: place })
    );
    layer.append(
      horizontal
        ? svgText(place, at + 16, format.texts[i], { class: "m", "text-anchor": "middle" })
        : svgText(at - 7, place + 4, format.texts[i], { class: "m", "text-anchor": "end" })
    );
  });
  const direction = better === "min" ? ", less is better" : better === "max" ? ", more is better" : "";
  const text = titled(title, format.unit) + (scale.log ? ", log" : "") + direction;
  layer.append(
    horizontal
      ? svgText(scale(scale.high), at + 36, text, { "text-anchor": "end" })
      : svgText(from - 4, Math.min(from, to) === from ? 14 : 14, text, { class: "title" })
  );
  return layer;
}

/// Both axes of a plot: `x` and `y` have title, unit and, if there is one, the better direction.
function axesLayer(area, [scaleX, x], [scaleY, y], wanted) {
  const { left, right, top, bottom } = area;
  return svg(
    "g",
    {},
    axisLayer(scaleX, { ...named(x), horizontal: true, from: top, to: bottom, at: bottom, wanted }),
    axisLayer(scaleY, { ...named(y), horizontal: false, from: left, to: right, at: left, wanted })
  );
}

function named({ title, unit, better }) {
  return { title, unit, better };
}
