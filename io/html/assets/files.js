/// Charts as SVG and PNG, tables as CSV.

const INLINED = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-opacity",
  "fill-opacity",
  "opacity",
  "font-size",
  "font-weight",
  "font-family",
  "text-anchor"
];

function save(name, blob) {
  const address = URL.createObjectURL(blob);
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

function fileName(part, extension) {
  const base = `${model.raw.sweep ? model.raw.sweep.name : "report"}-${part}`;
  return base.replace(/[^\w.-]+/g, "-") + "." + extension;
}

/// A copy of a drawing that needs no style sheet.
function standAlone(source) {
  const copy = source.cloneNode(true),
    originals = [source, ...source.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((element, i) => {
    const style = getComputedStyle(originals[i]);
    for (const name of INLINED) {
      const value = style.getPropertyValue(name);
      if (value && !element.hasAttribute(name)) element.setAttribute(name, value);
      else if (value && originals[i].hasAttribute("class")) element.setAttribute(name, value);
    }
    for (const name of ["tabindex", "role", "class", "aria-label", "data-key"]) element.removeAttribute(name);
  });
  copy.setAttribute("xmlns", SVG);
  return copy;
}

/// The drawings of a section below one another as one SVG; a canvas becomes an image below its drawing.
function joinedDrawing(section) {
  const drawings = [...section.body.querySelectorAll("svg")],
    room = section.body.getBoundingClientRect();
  const title = `${model.raw.sweep ? model.raw.sweep.name + ": " : ""}${section.title}`;
  const height = Math.ceil(room.height) + 44,
    width = Math.ceil(room.width) + 24;
  const joined = drawing(
    width,
    height,
    { xmlns: SVG },
    svg("rect", { width, height, fill: palette.card }),
    svgText(12, 26, title, { fill: palette.ink, "font-size": 17, "font-weight": 600, "font-family": "sans-serif" })
  );
  const place = (element, copy) => {
    const box = element.getBoundingClientRect();
    copy.setAttribute("x", box.left - room.left + 12);
    copy.setAttribute("y", box.top - room.top + 40);
    joined.append(copy);
  };
  for (const canvas of section.body.querySelectorAll("canvas")) {
    const box = canvas.getBoundingClientRect();
    place(canvas, svg("image", { width: box.width, height: box.height, href: canvas.toDataURL() }));
  }
  for (const each of drawings) place(each, standAlone(each));
  for (const label of section.body.querySelectorAll(".in-drawing")) {
    const box = label.getBoundingClientRect();
    joined.append(
      svgText(box.left - room.left + 12, box.top - room.top + 53, label.textContent, {
        fill: palette.ink,
        "font-size": 12.5,
        "font-family": "sans-serif"
      })
    );
  }
  return joined;
}

function saveDrawing(section) {
  const text = new XMLSerializer().serializeToString(joinedDrawing(section));
  save(fileName(section.id, "svg"), new Blob([text], { type: "image/svg+xml" }));
}

function saveImage(section) {
  const joined = joinedDrawing(section),
    text = new XMLSerializer().serializeToString(joined);
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" })),
    image = new Image(),
    scale = 2;
  image.onload = () => {
    const canvas = h("canvas", {
      width: joined.getAttribute("width") * scale,
      height: joined.getAttribute("height") * scale
    });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    URL.revokeObjectURL(address);
    canvas.toBlob(blob => save(fileName(section.id, "png"), blob));
  };
  image.src = address;
}

/// Buttons that save the drawings of a section.
function offerFiles(section) {
  section.files.replaceChildren(
    button("SVG", () => saveDrawing(section), { "aria-label": `Save ${section.title} as SVG`, title: "Save as SVG" }),
    button("PNG", () => saveImage(section), { "aria-label": `Save ${section.title} as PNG`, title: "Save as PNG" })
  );
}

/// `columns`: { name, text(row) }; `rows`: what `text` understands.
function csvText(columns, rows) {
  return (
    [
      csvLine(columns.map(column => column.name)),
      ...rows.map(row => csvLine(columns.map(column => column.text(row))))
    ].join("\r\n") + "\r\n"
  );
}

function saveTable(name, columns, rows) {
  save(fileName(name, "csv"), new Blob([csvText(columns, rows)], { type: "text/csv" }));
}
