/// Elements of the page. Every text goes in as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat()) if (child !== null && child !== undefined) element.append(child);
  return element;
}

/// h("p", { class: "note" }, "text")
function h(tag, properties = {}, ...children) {
  return fill(document.createElement(tag), properties, children);
}

function svg(tag, properties = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), properties, children);
}

function svgText(x, y, text, properties = {}) {
  return svg("text", { x, y, ...properties }, text);
}

/// A drawing that keeps its proportions where the page is narrower, as on paper.
function drawing(width, height, properties, ...children) {
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, ...properties }, ...children);
}

/// A labelled list of choices: { value, text }.
function chooser(id, label, choices, current, choose = value => setOption(id, value)) {
  const list = h(
    "select",
    { name: id, onchange: event => choose(event.target.value) },
    choices.map(({ value, text }) => h("option", { value, selected: value === current }, text))
  );
  return h("label", { class: "choice" }, label + " ", list);
}

/// Choices for a chooser: metrics or axes by name.
function choicesOf(list) {
  return list.map(each => ({ value: each.name, text: each.title }));
}

/// A sentence in place of the drawings of a section.
function say(section, text) {
  section.files.hidden = true;
  section.body.replaceChildren(h("p", { class: "sentence" }, text));
}

/// A button that is on or off and keeps that as an option.
function toggle(id, label, on) {
  return h(
    "button",
    { type: "button", name: id, "aria-pressed": String(on), onclick: () => setOption(id, on ? "off" : "on") },
    label
  );
}

function button(label, action, properties = {}) {
  return h("button", { type: "button", onclick: action, ...properties }, label);
}

/// A part of the page: heading, badge, options, note, body. `update` fills it; a section that has nothing to say hides.
function makeSection(id, title, { badge = "exact", uses = [] }, update) {
  const parts = {
    options: h("div", { class: "options" }),
    note: h("p", { class: "note", id: `${id}-note` }),
    body: h("div", { class: "body" }),
    badge: h("span", { class: "badge" }, badge),
    files: h("div", { class: "files" })
  };
  const element = h(
    "section",
    { id, "aria-labelledby": `${id}-title` },
    h("div", { class: "head" }, h("h2", { id: `${id}-title` }, title), parts.badge, parts.files),
    parts.options,
    parts.note,
    parts.body
  );
  const section = { id, title, element, uses, ...parts };
  section.update = () => keepFocus(element, () => drawSafely(section, update));
  sections.push(section);
  return section;
}

/// A defect in one section leaves the others readable.
function drawSafely(section, update) {
  try {
    update(section);
  } catch (error) {
    console.error(section.id, error);
    section.body.replaceChildren(h("p", { class: "sentence" }, `This part cannot be drawn (${error.message}).`));
  }
}

/// What is drawn anew keeps the focus where the element with the same name is drawn again.
function keepFocus(element, draw) {
  const active = document.activeElement;
  const key = active && element.contains(active) ? focusKey(active) : null;
  draw();
  if (!key || element.contains(document.activeElement)) return;
  const again = [...element.querySelectorAll("button, select, input, [data-key]")].find(each => focusKey(each) === key);
  if (again) again.focus({ preventScroll: true });
}

function focusKey(element) {
  return element.dataset.key || element.name || element.textContent;
}

/// Tells readers of the screen what has changed.
function announce(text) {
  document.getElementById("live").textContent = text;
}

/// Width in pixels that drawings of a section have. It is measured once for a width of the window: all sections are
/// equally wide, and to measure is to lay the page out.
const PAPER = 690; // A4 upright with usual margins
const room = { window: 0, pixels: 0 };
function roomOf(section) {
  if (matchMedia("print").matches) return PAPER;
  if (room.window !== innerWidth || room.pixels === 0) {
    room.window = innerWidth;
    room.pixels = section.body.clientWidth;
  }
  return Math.max(280, Math.floor(room.pixels || 1100));
}
