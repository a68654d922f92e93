/// The drawing of the trade-offs: points on a canvas, everything else above it as SVG.

const MOST_SHAPES = 2500; // more points than that are drawn as small squares

function drawPlot(section) {
  const width = roomOf(section),
    height = Math.round(Math.min(460, Math.max(300, 0.48 * width)));
  const { x, y, rows } = scatter;
  section.plot.style.height = height + "px";
  if (rows.length === 0) {
    section.plot.replaceChildren(h("p", { class: "sentence" }, "No feasible row passes the filters."));
    section.plot.setAttribute("aria-label", "No feasible row passes the filters.");
    return;
  }
  const area = { left: 58, right: width - 12, top: 24, bottom: height - 46 },
    [xs, ys] = [extentOf(x.values, rows), extentOf(y.values, rows)];
  scatter.area = area;
  scatter.scaleX = makeScale(xs, area.left, area.right, wantsLog(...xs, 8));
  scatter.scaleY = makeScale(ys, area.bottom, area.top, wantsLog(...ys, 8));
  const canvas = section.plot.querySelector("canvas") || h("canvas", {}),
    axes = axesLayer(area, [scatter.scaleX, x], [scatter.scaleY, y]),
    front = [frontLayer(), boxLayer(), svg("g", { id: "scatter-ring" })];
  drawPoints(canvas, width, height);
  section.plot.replaceChildren(
    drawing(width, height, { class: "over" }, axes),
    canvas,
    drawing(width, height, { class: "over" }, front)
  );
  section.plot.setAttribute(
    "aria-label",
    `${capitalized(y.title)} over ${x.title}: ${countText(rows.length, "row")}` +
      (scatter.hasFront ? `, ${scatter.front.length} on the front` : "")
  );
}

/// A canvas keeps its memory where its size stays.
function sizeCanvas(canvas, width, height, ratio) {
  const across = Math.round(width * ratio),
    down = Math.round(height * ratio);
  if (canvas.width === across && canvas.height === down) {
    const context = canvas.getContext("2d");
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, across, down);
    return;
  }
  canvas.width = across;
  canvas.height = down;
  canvas.style.width = width + "px";
  canvas.style.height = height + "px";
}

/// Pixels of the rows on an axis, in memory that is used again.
const placeBuffers = { x: {}, y: {} };
function placesOf(metric, rows, scale, buffer) {
  if (!buffer.places || buffer.places.length < rows.length) buffer.places = new Float32Array(rows.length);
  const places = buffer.places,
    values = scale.log ? logsOf(metric) : metric.values,
    { first, slope, from } = scale;
  for (let i = 0; i < rows.length; ++i) places[i] = from + (values[rows[i]] - first) * slope;
  return places;
}

/// Logarithms of a metric's values, computed once.
function logsOf(metric) {
  return (metric.logs ||= Float32Array.from(metric.values, Math.log));
}

/// Places of all points, and the points themselves: shapes where they are few, squares written as pixels where many.
function drawPoints(canvas, width, height) {
  const ratio = Math.min(2, devicePixelRatio || 1),
    { x, y, rows, scaleX, scaleY } = scatter;
  sizeCanvas(canvas, width, height, ratio);
  scatter.px = placesOf(x, rows, scaleX, placeBuffers.x);
  scatter.py = placesOf(y, rows, scaleY, placeBuffers.y);
  const context = canvas.getContext("2d");
  if (rows.length <= MOST_SHAPES) drawShapes(context, ratio);
  else drawPixels(context, canvas, ratio);
}

function drawShapes(context, ratio) {
  const { rows, px, py, series, selected } = scatter,
    radius = scatter.rows.length > 600 ? 2.6 : 3.6;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  for (const faded of selected ? [true, false] : [false])
    for (let i = 0; i < rows.length; ++i) {
      if (selected && !selected[rows[i]] !== faded) continue;
      const of = series.of(rows[i]);
      context.fillStyle = faded ? palette.faded : series.colour(of);
      context.fill(new Path2D(markerPath(series.ramp ? 0 : of, px[i], py[i], radius)));
    }
}

/// A colour as the four bytes of a pixel, in the order of the machine.
function pixelOf(colour) {
  const [red, green, blue] = colour.startsWith("#") ? channels(colour) : colour.match(/\d+/g).map(Number);
  return new Uint32Array(new Uint8Array([red, green, blue, 255]).buffer)[0];
}

function drawPixels(context, canvas, ratio) {
  const { rows, px, py, series, selected } = scatter,
    { width, height } = canvas;
  const image = context.createImageData(width, height),
    pixels = new Uint32Array(image.data.buffer);
  const colours = series.names.map((name, i) => pixelOf(series.colour(i))),
    faded = pixelOf(palette.faded);
  const side = Math.max(1, Math.round((rows.length > 20000 ? 1.5 : 2.5) * ratio)),
    half = side >> 1;
  const draw = (i, colour) => {
    const left = ((px[i] * ratio + 0.5) | 0) - half,
      top = ((py[i] * ratio + 0.5) | 0) - half;
    if (left < 0 || top < 0 || left + side > width || top + side > height) return;
    for (let line = 0, at = top * width + left; line < side; ++line, at += width)
      for (let k = 0; k < side; ++k) pixels[at + k] = colour;
  };
  if (selected) for (let i = 0; i < rows.length; ++i) if (!selected[rows[i]]) draw(i, faded);
  for (let i = 0; i < rows.length; ++i) if (!selected || selected[rows[i]]) draw(i, colours[series.of(rows[i])]);
  context.putImageData(image, 0, 0);
}

/// Fronts as lines of steps with markers: that of all rows, and that of the selected system before it.
function frontLayer() {
  const layer = svg("g", {}),
    { front, fronts, selectedFront } = scatter;
  for (const each of fronts)
    if (each.rows.length > 0)
      layer.append(frontLine(each.rows, selectedFront ? "front other" : each.name ? "front thin" : "front"));
  if (selectedFront && selectedFront.length > 0) layer.append(frontLine(selectedFront, "front"));
  (selectedFront || front).forEach(row => {
    const of = scatter.series.of(row);
    layer.append(
      svg("path", {
        class: "front-mark",
        fill: scatter.series.colour(of),
        d: markerPath(
          scatter.series.ramp ? 0 : of,
          scatter.scaleX(scatter.x.values[row]),
          scatter.scaleY(scatter.y.values[row]),
          4.8
        )
      })
    );
  });
  for (const { name, rows } of selectedFront ? [] : fronts) if (name) layer.append(frontName(name, rows));
  return layer;
}

/// The name of a front, above its last row where there is room to the left, else to the right.
function frontName(name, rows) {
  const row = rows[rows.length - 1],
    x = scatter.scaleX(scatter.x.values[row]),
    right = x > (scatter.area.left + scatter.area.right) / 2;
  return svgText(right ? x - 9 : x + 9, scatter.scaleY(scatter.y.values[row]) - 7, name, {
    class: "halo",
    "text-anchor": right ? "end" : "start"
  });
}

function frontLine(front, name) {
  const { x, y, scaleX, scaleY } = scatter;
  const path = front
    .map((row, i) =>
      i === 0
        ? `M${scaleX(x.values[row])},${scaleY(y.values[row])}`
        : `H${scaleX(x.values[row])}V${scaleY(y.values[row])}`
    )
    .join("");
  return svg("path", { class: name, d: path });
}

function boxLayer() {
  const { box } = state,
    layer = svg("g", { id: "scatter-box" });
  if (!box || box.x !== scatter.x.name || box.y !== scatter.y.name) return layer;
  const { area } = scatter,
    inX = at => Math.min(area.right, Math.max(area.left, at)),
    inY = at => Math.min(area.bottom, Math.max(area.top, at));
  const place = (scale, value, fallback) => {
    const at = scale(value);
    return Number.isFinite(at) ? at : fallback;
  };
  const left = inX(place(scatter.scaleX, box.x0, area.left)),
    right = inX(place(scatter.scaleX, box.x1, area.right));
  const top = inY(place(scatter.scaleY, box.y1, area.top)),
    bottom = inY(place(scatter.scaleY, box.y0, area.bottom));
  layer.append(
    svg("rect", { class: "box", x: left, y: top, width: Math.max(0, right - left), height: Math.max(0, bottom - top) })
  );
  return layer;
}

/// Rings a row here and strengthens its line among the dimensions; -1: none.
function highlight(row) {
  if (!scatter || !scatter.scaleX) return;
  const ring = document.getElementById("scatter-ring"),
    { x, y, scaleX, scaleY } = scatter;
  const places = row >= 0 ? [scaleX(x.values[row]), scaleY(y.values[row])] : [NaN, NaN];
  if (ring)
    ring.replaceChildren(
      ...(places.every(Number.isFinite) ? [svg("circle", { class: "ring", cx: places[0], cy: places[1], r: 9 })] : [])
    );
  for (const line of document.querySelectorAll("#parallel path[data-row]"))
    line.classList.toggle("strong", Number(line.dataset.row) === row);
}
