/// Tables that sort by their headings; rows without a value come last.

const FIRST_ROWS = 25;

function sortableTable(id, columns, rows, { caption, initial, onrow, redraw }) {
  const names = columns.flatMap(column => [`${column.name} up`, `${column.name} down`]),
    order = option(`${id}.sort`, names, initial) || "",
    long = option(`${id}.length`, ["first", "all"]) === "all",
    by = columns.find(column => order.startsWith(column.name + " ")),
    down = order.endsWith(" down");
  const sorted = by ? sortedRows(rows, by, down) : rows,
    shown = long ? sorted : sorted.slice(0, FIRST_ROWS);
  const choose = (name, value) => {
    state.options.set(`${id}.${name}`, value);
    writeAddress();
    redraw();
  };
  const head = columns.map(column => {
    const direction = column !== by ? "none" : down ? "descending" : "ascending";
    return headCell(id, column, direction, () =>
      choose("sort", `${column.name} ${direction === "ascending" ? "down" : "up"}`)
    );
  });
  const body = shown.map(row => {
    const line = tableLine(columns, row);
    if (onrow) onrow(line, row);
    return line;
  });
  const parts = [h("thead", {}, h("tr", {}, head)), h("tbody", {}, body)],
    table = h("table", {}, h("caption", { class: "unseen" }, caption), parts),
    region = { class: "scroll", tabindex: 0, role: "region", "aria-label": caption, "data-key": `${id}.scroll` };
  const more = button(`Show all ${grouped(rows.length)} rows`, () => choose("length", "all"), { name: `${id}.length` });
  return { element: h("div", {}, h("div", region, table), rows.length > shown.length ? more : null), rows: sorted };
}

function headCell(id, column, direction, sort) {
  const arrow = { none: "", ascending: " \u25b2", descending: " \u25bc" }[direction],
    control = button(column.title + arrow, sort, { name: `${id}.sort.${column.name}`, title: column.help });
  return h("th", { scope: "col", class: column.numeric ? "n" : null, "aria-sort": direction }, control);
}

function tableLine(columns, row) {
  const cells = columns.map((column, i) => {
    const content = column.cell ? column.cell(row) : column.shown(row),
      attributes = { scope: i === 0 ? "row" : null, class: column.numeric ? "n" : null };
    return h(i === 0 ? "th" : "td", attributes, content);
  });
  return h("tr", {}, cells);
}

function sortedRows(rows, column, down) {
  const keyed = rows.map((row, place) => ({ row, place, key: column.value(row) }));
  const missing = key => key === null || key === undefined || key !== key;
  keyed.sort((a, b) => {
    if (missing(a.key) || missing(b.key)) return missing(a.key) - missing(b.key) || a.place - b.place;
    const order = typeof a.key === "string" ? (a.key < b.key ? -1 : a.key > b.key ? 1 : 0) : a.key - b.key;
    return (down ? -order : order) || a.place - b.place;
  });
  return keyed.map(each => each.row);
}

/// A column of a metric over rows of the page.
function metricColumn(metric, rows) {
  const format = columnFormat(
    rows.map(row => metric.values[row]),
    metric.unit
  );
  const { labels, values } = metric;
  return {
    name: metric.name,
    title: titled(metric.title, labels ? "" : format.unit),
    help: metric.longName,
    numeric: !labels,
    value: row => (labels ? (labels[values[row]] ?? null) : values[row]),
    shown: row => (labels ? metricText(metric, values[row]) : format.cell(values[row])),
    text: row => (labels ? (labels[values[row]] ?? "") : exactText(values[row]))
  };
}

function axisColumn(axis) {
  const value = row =>
    axis.codes[row] === axis.missing ? null : axis.number ? axis.values[axis.codes[row]] : axis.labels[axis.codes[row]];
  return {
    name: axis.name,
    title: axis.title,
    help: axis.longName,
    numeric: axis.number,
    value,
    shown: row => axisText(axis, row),
    text: row => (axis.codes[row] === axis.missing ? "" : String(axis.values[axis.codes[row]]))
  };
}

function pointColumn() {
  return {
    name: "point",
    title: "point",
    help: "index of the row's point; dfsweep explain takes it",
    numeric: true,
    value: row => Number(model.rows.point[row]),
    shown: row => String(model.rows.point[row]),
    text: row => String(model.rows.point[row])
  };
}

/// The table below the trade-offs: rows of the box or of the front.
function makeRowTable() {
  if (!hasScatter()) return null;
  return makeSection(
    "rows",
    "Rows of the box or the front",
    { badge: "", uses: ["scatter", "systems"] },
    updateRowTable
  ).element;
}

function updateRowTable(section) {
  const { rows, title } = tableRows(),
    all = option("rows.metrics", ["some", "all"]) === "all";
  const metrics = all ? model.metrics : [...new Set([scatter.x, scatter.y, ...viewMetrics()])].slice(0, 6);
  const columns = [...metrics.map(metric => metricColumn(metric, rows)), ...model.axes.map(axisColumn), pointColumn()];
  const made = sortableTable("rows", columns, rows, {
    caption: title,
    initial: `${scatter.x.name} ${scatter.x.better === "max" ? "down" : "up"}`,
    redraw: section.update,
    onrow: (line, row) => {
      line.addEventListener("mouseenter", () => highlight(row));
      line.addEventListener("mouseleave", () => highlight(-1));
    }
  });
  section.options.replaceChildren(
    h("strong", {}, title),
    button(all ? "Main metrics" : "All metrics", () => setOption("rows.metrics", all ? "some" : "all"), {
      name: "rows.metrics"
    }),
    button("Save as CSV", () => saveTable("rows", columns, made.rows), { name: "rows.csv" }),
    button("Copy as CSV", () => copyText(csvText(columns, made.rows)), { name: "rows.copy" }),
    ...(state.box
      ? [
          button(
            "Clear box",
            () => {
              state.box = null;
              refresh();
            },
            { name: "rows.clear" }
          )
        ]
      : [])
  );
  section.note.textContent = "Numbers have seven digits in files. The point is what dfsweep explain takes.";
  section.body.replaceChildren(rows.length > 0 ? made.element : h("p", { class: "sentence" }, "No row."));
}

/// Where the clipboard is out of reach, as in files of some browsers, a text field offers the text.
function copyText(text) {
  const done = () => announce("Copied.");
  if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, () => offerText(text));
  else offerText(text);
}

function offerText(text) {
  const field = h("textarea", { rows: 12, "aria-label": "Text to copy" });
  field.value = text;
  const dialog = h(
    "dialog",
    { class: "offer" },
    field,
    button("Close", () => dialog.remove())
  );
  document.body.append(dialog);
  dialog.showModal();
  field.select();
}
