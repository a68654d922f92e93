/// Charts as SVG and PNG, tables as CSV.

const FONT = "system-ui, sans-serif";
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

/// The drawings of a section as one SVG, below its title and the keys of its colours; a canvas becomes an image.
function joinedDrawing(section) {
  const room = section.body.getBoundingClientRect(),
    keys = [...section.element.querySelectorAll(".key")],
    top = keys.length > 0 ? 64 : 40,
    width = Math.ceil(room.width) + 24,
    height = Math.ceil(room.height) + top + 8,
    title = `${model.raw.sweep ? model.raw.sweep.name + ": " : ""}${section.title}`;
  const joined = drawing(width, height, { xmlns: SVG }, svg("rect", { width, height, fill: palette.card }));
  joined.append(
    svgText(12, 26, title, { fill: palette.ink, "font-size": 17, "font-weight": 600, "font-family": FONT })
  );
  joined.append(joinedKeys(keys));
  const drawings = [...section.body.querySelectorAll("svg, canvas")].filter(each => !each.closest(".key"));
  for (const each of drawings) {
    const box = each.getBoundingClientRect(),
      size = { width: box.width, height: box.height };
    const copy = each.tagName === "CANVAS" ? svg("image", { ...size, href: each.toDataURL() }) : standAlone(each);
    copy.setAttribute("x", box.left - room.left + 12);
    copy.setAttribute("y", box.top - room.top + top);
    joined.append(copy);
  }
  return joined;
}

/// Marks and texts of a legend side by side.
function joinedKeys(keys) {
  const line = svg("g", {});
  let x = 12;
  for (const key of keys) {
    const mark = key.querySelector("svg"),
      text = key.textContent.trim();
    if (mark) {
      const copy = standAlone(mark);
      copy.setAttribute("x", x);
      copy.setAttribute("y", 41);
      line.append(copy);
    }
    line.append(svgText(x + 20, 52, text, { fill: palette.muted, "font-size": 12.5, "font-family": FONT }));
    x += 36 + 7.2 * text.length;
  }
  return line;
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
