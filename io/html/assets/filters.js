/// Chips: one for each value of each axis of the cube.

function makeFilters() {
  const axes = freeAxes().filter(axis => axis.values.length > 1);
  if (axes.length === 0) return null;
  const groups = axes.map(axis => ({ axis, element: h("fieldset", {}) }));
  const element = h(
    "details",
    { id: "filters", open: true },
    h("summary", {}, "Filters"),
    h(
      "div",
      { class: "filters" },
      groups.map(group => group.element)
    )
  );
  const update = () => keepFocus(element, () => groups.forEach(({ axis, element: set }) => fillChips(axis, set)));
  sections.push({ id: "filters", update });
  return element;
}

function fillChips(axis, set) {
  const mask = state.allowed.get(axis.name);
  const chips = axis.labels.map((label, code) => {
    const name = `only.${axis.name}.${label}`;
    const box = h("input", {
      type: "checkbox",
      name,
      checked: !mask || mask[code] === 1,
      onchange: event => setAllowed(axis, code, event.target.checked),
      onkeydown: event => {
        if (event.key === "Enter") allowOnly(axis, code);
      }
    });
    box.checked = !mask || mask[code] === 1;
    return h(
      "label",
      {
        class: "chip",
        ondblclick: event => {
          event.preventDefault();
          allowOnly(axis, code);
        },
        title: "Double click or Enter: only this one"
      },
      box,
      h("span", {}, label)
    );
  });
  const all = button("all", () => allowAll(axis), {
    class: "small",
    name: `all.${axis.name}`,
    "aria-label": `All values of ${axis.title}`
  });
  all.hidden = !mask;
  set.replaceChildren(h("legend", {}, axis.title, " ", all), h("div", { class: "chips" }, chips));
}
