/// Colours that code draws with: the values of the style sheet, read once for each theme.

const SHAPES = 6,
  PARTS = 14;
const palette = { theme: "", series: [], parts: [], ramp: [], turn: [] };

function readPalette() {
  const theme = document.documentElement.dataset.theme + matchMedia("print").matches;
  if (palette.theme === theme) return palette;
  const style = getComputedStyle(document.documentElement);
  const read = name => style.getPropertyValue(name).trim();
  palette.theme = theme;
  palette.series = [0, 1, 2, 3, 4, 5].map(i => read(`--series-${i}`));
  palette.parts = Array.from({ length: PARTS }, (_, i) => i).map(i => read(`--part-${i}`));
  palette.reasons = [0, 1, 2, 3, 4, 5].map(i => read(`--reason-${i}`));
  palette.ramp = [0, 1, 2, 3, 4, 5].map(i => channels(read(`--ramp-${i}`)));
  palette.turn = [0, 1, 2].map(i => channels(read(`--turn-${i}`)));
  for (const name of ["ink", "muted", "line", "grid", "card", "faded", "other", "accent"])
    palette[name] = read(`--${name}`);
  return palette;
}

/// "#1f4e8c" as three numbers.
function channels(hex) {
  return [1, 3, 5].map(at => parseInt(hex.slice(at, at + 2), 16));
}

function rgb(colour) {
  return `rgb(${colour.map(Math.round).join(",")})`;
}

function mixed(stops, share) {
  const at = Math.min(1, Math.max(0, share)) * (stops.length - 1),
    low = Math.min(stops.length - 2, Math.floor(at));
  return stops[low].map((channel, i) => channel + (stops[low + 1][i] - channel) * (at - low));
}

/// Black or white, whichever has more contrast on a colour (WCAG 2 relative luminance).
function inkOn(colour) {
  const [red, green, blue] = colour.map(each => {
    const value = each / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return (luminance + 0.05) / 0.05 > 1.05 / (luminance + 0.05) ? "#000" : "#fff";
}

/// A marker of a series around (x, y): series differ in shape as well as in colour.
function markerPath(series, x, y, r) {
  switch (series % SHAPES) {
    case 0:
      return `M${x - r},${y}a${r},${r} 0 1 0 ${2 * r},0a${r},${r} 0 1 0 ${-2 * r},0Z`;
    case 1:
      return `M${x - r},${y - r}h${2 * r}v${2 * r}h${-2 * r}Z`;
    case 2:
      return `M${x},${y - 1.2 * r}L${x + 1.2 * r},${y + r}H${x - 1.2 * r}Z`;
    case 3:
      return `M${x},${y - 1.3 * r}L${x + 1.3 * r},${y}L${x},${y + 1.3 * r}L${x - 1.3 * r},${y}Z`;
    case 4:
      return `M${x},${y + 1.2 * r}L${x + 1.2 * r},${y - r}H${x - 1.2 * r}Z`;
    default:
      return crossPath(x, y, r);
  }
}

function crossPath(x, y, r) {
  const a = (2 * r) / 3; // the width of an arm
  return `M${x - r},${y - a / 2}h${a}v${-a}h${a}v${a}h${a}v${a}h${-a}v${a}h${-a}v${-a}h${-a}Z`;
}

/// Six most frequent values of an axis have a colour each, the rest is one more series. Numbers of many values: a ramp.
function seriesOf(axis) {
  if (!axis) return { names: [""], of: () => 0, colour: () => palette.series[0] };
  const { codes, labels, missing } = axis;
  if (labels.length <= SHAPES || !axis.number) {
    const counts = new Float64Array(labels.length);
    for (const code of codes) if (code !== missing) ++counts[code];
    const order = [...labels.keys()].sort((a, b) => counts[b] - counts[a] || a - b);
    const shown = (labels.length <= SHAPES ? order : order.slice(0, SHAPES - 1)).sort((a, b) => a - b);
    const place = new Int16Array(labels.length).fill(shown.length);
    shown.forEach((code, i) => {
      place[code] = i;
    });
    const names = shown.map(code => labels[code]);
    if (shown.length < labels.length) names.push(`${labels.length - shown.length} others`);
    return {
      names,
      of: row => (codes[row] === missing ? names.length - 1 : place[codes[row]]),
      colour: i => (i < shown.length ? palette.series[i] : palette.other)
    };
  }
  return {
    names: labels,
    ramp: true,
    of: row => (codes[row] === missing ? 0 : codes[row]),
    colour: i => rgb(mixed(palette.ramp, 0.25 + (0.75 * i) / (labels.length - 1)))
  };
}

/// The marker of a series for a legend.
function legendMark(series, colour) {
  const path = svg("path", { d: markerPath(series, 7, 7, 4.6), fill: colour });
  return svg("svg", { width: 14, height: 14, "aria-hidden": "true" }, path);
}
