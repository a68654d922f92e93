/// What is around the sections: the bar that stays in sight, fixed parameters, the line below everything.

function makeBar() {
  const status = h("output", { id: "matched" }),
    clear = button("Clear selection", clearSelection, { id: "clear" });
  const bar = h(
    "div",
    { class: "status" },
    status,
    clear,
    button("Reset all", resetAll, { id: "reset" }),
    themeButton()
  );
  sections.push({
    id: "bar",
    update: () => {
      const text = rowsText() + (state.selection.size > 0 ? `; selected: ${selectionText()}` : "");
      if (status.textContent !== text) status.textContent = text;
      clear.hidden = state.selection.size === 0 && !state.box;
    }
  });
  return bar;
}

/// How many rows pass the filters.
function rowsText() {
  const counts = countBy([]),
    rows = counts.reduce((sum, each) => sum + each.rows[0], 0),
    ok = counts.find(each => each.status === 0),
    feasible = `${grouped(ok ? ok.rows[0] : 0)} feasible`;
  if (counts.length === 0) return countText(model.total, "row");
  if (state.allowed.size === 0) return `All ${countText(rows, "row")}, ${feasible}`;
  return `${grouped(rows)} of ${countText(model.total, "row")} pass the filters, ${feasible}`;
}

/// Buttons that go to a section; the address is taken by the reader's choices.
function makeContents(made) {
  return h(
    "nav",
    { class: "contents", "aria-label": "Sections" },
    made
      .filter(section => section.id !== "answer" && section.element && !section.element.hidden)
      .map(section =>
        button(
          section.title,
          () => {
            section.element.scrollIntoView({ block: "start" });
            const title = section.element.querySelector("h2");
            title.tabIndex = -1;
            title.focus({ preventScroll: true });
          },
          { class: "small", name: `go.${section.id}` }
        )
      )
  );
}

function showFixed() {
  const fixed = model.raw.fixed || [],
    place = document.getElementById("fixed");
  if (!place || fixed.length === 0) return;
  place.querySelector(".fixed").textContent = fixed.map(([name, text]) => `${words(name)} ${text}`).join(" \u00b7 ");
  place.hidden = false;
}

function makeFooter() {
  const { rows, sampleRows, sampleOf } = model;
  const kept = `${grouped(rows.kept)} exact rows and a sample of ${grouped(sampleRows)} of ${grouped(sampleOf)}`;
  return h(
    "footer",
    {},
    "Keys: Tab goes from part to part; arrow keys, Home and End move in the heat maps and along the front; " +
      "Enter selects; Escape clears selection and box. The address holds all choices, so it can be copied. " +
      "Numbers on this page have seven digits; the result file has all. ",
    model.complete ? "Every feasible row is in this page." : `This page holds ${kept} feasible rows.`
  );
}
