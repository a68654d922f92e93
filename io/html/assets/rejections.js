/// Why rows were rejected: rows by status for each value of an axis; after a search, what the searched points met.

function makeRejections() {
  const rejected = model.cube.count.some(each => each.status !== 0 && each.rows.some(count => count > 0));
  const searched = (model.raw.rejections || []).length > 0;
  if (!rejected && !searched) return null;
  const title = rejected ? "Why rows were rejected" : "Why searched points were rejected";
  return makeSection("rejections", title, {}, section => updateRejections(section, rejected)).element;
}

function statusColour(code, place) {
  const colours = readPalette();
  if (code === 0) return colours.parts[0];
  return statusName(code) === "failed" ? colours.ink : colours.reasons[place % colours.reasons.length];
}

function updateRejections(section, rejected) {
  section.body.replaceChildren();
  if (rejected) updateStatuses(section);
  const searched = model.raw.rejections || [];
  if (searched.length > 0)
    section.body.append(
      h("h3", {}, "Points of the searched space, all together"),
      searchedBars(searched, roomOf(section))
    );
  offerFiles(section);
}

function updateStatuses(section) {
  const axes = freeAxes().filter(axis => axis.values.length > 1),
    names = axes.map(axis => axis.name);
  const axis = model.byName.axis.get(option("rejections.by", names, names[0])),
    shares = option("rejections.shares", ["off", "on"]) === "on";
  const all = countBy([])
    .filter(each => each.rows[0] > 0)
    .sort((a, b) => (a.status !== 0) - (b.status !== 0) || b.rows[0] - a.rows[0]);
  let place = 0;
  const statuses = all.map(({ status, rows }) => ({
    status,
    count: rows[0],
    colour: statusColour(status, status === 0 ? 0 : place++)
  }));
  section.options.replaceChildren(
    ...(axis
      ? [
          chooser(
            "rejections.by",
            "for each",
            axes.map(each => ({ value: each.name, text: each.title })),
            axis.name
          )
        ]
      : []),
    toggle("rejections.shares", "As shares", shares),
    h(
      "span",
      { class: "legend" },
      statuses.map(({ status, count, colour }) => {
        const found = model.statuses.find(each => each.code === status);
        return h(
          "span",
          { class: "key", title: found ? found.meaning : "" },
          swatch(colour),
          `${words(statusName(status))} ${grouped(count)}`
        );
      })
    )
  );
  const counts = countBy(axis ? [axis] : []),
    lines = (axis ? [...axis.values.keys()] : [0]).map(code => ({
      label: axis ? axis.labels[code] : "all rows",
      parts: statuses.map(({ status, colour }) => ({
        name: words(statusName(status)),
        colour,
        count: counts.find(each => each.status === status).rows[code],
        ok: status === 0
      }))
    }));
  const shown = lines.filter(line => line.parts.some(part => part.count > 0));
  section.body.replaceChildren(
    shown.length > 0
      ? statusBars(shown, shares, roomOf(section))
      : h("p", { class: "sentence" }, "No row passes the filters.")
  );
  const failed = all.find(each => statusName(each.status) === "failed");
  if (failed)
    section.body.append(
      h(
        "p",
        { class: "notice" },
        `${countText(failed.rows[0], "row")} failed: a defect of the program, not of the design. dfsweep explain shows them.`
      )
    );
  section.note.textContent = statusMeanings(statuses);
}

function statusMeanings(statuses) {
  const told = statuses
    .filter(each => each.status !== 0)
    .slice(0, 4)
    .map(each => model.statuses.find(status => status.code === each.status))
    .filter(status => status && status.meaning)
    .map(status => `${words(status.name)}: ${status.meaning}`);
  return told.length > 0 ? capitalized(told.join(". ")) + "." : "";
}

function statusBars(lines, shares, room) {
  const left = Math.min(160, 14 + 6.6 * Math.max(...lines.map(line => line.label.length))),
    right = 90,
    step = 26;
  const totals = lines.map(line => line.parts.reduce((sum, part) => sum + part.count, 0)),
    most = Math.max(...totals);
  const chart = drawing(room, lines.length * step + 4, {
    role: "img",
    "aria-label": lines
      .map(
        (line, i) =>
          `${line.label}: ` +
          line.parts
            .filter(part => part.count > 0)
            .map(part => `${part.name} ${part.count}`)
            .join(", ")
      )
      .join("; ")
  });
  lines.forEach((line, i) => {
    const scale = (room - left - right) / (shares ? totals[i] : most);
    let x = left;
    chart.append(svgText(left - 8, i * step + 17, shortened(line.label, 24), { "text-anchor": "end" }));
    for (const part of line.parts) {
      if (part.count === 0) continue;
      const width = part.count * scale;
      chart.append(
        svg("rect", {
          x,
          y: i * step + 4,
          width: Math.max(1, width - 0.7),
          height: step - 8,
          fill: part.colour,
          onmouseleave: hideTooltip,
          onmousemove: event =>
            showTooltip(
              line.label,
              [[part.name, `${grouped(part.count)}, ${((100 * part.count) / totals[i]).toFixed(1)} %`]],
              event.clientX,
              event.clientY
            )
        })
      );
      x += width;
    }
    const ok = line.parts.find(part => part.ok);
    chart.append(
      svgText(x + 7, i * step + 17, `${((100 * (ok ? ok.count : 0)) / totals[i]).toFixed(0)} % ok`, { class: "m" })
    );
  });
  return chart;
}

function searchedBars(entries, room) {
  readPalette();
  const list = [...entries].sort((a, b) => b.count - a.count),
    left = Math.min(230, 14 + 6.6 * Math.max(...list.map(each => each.reason.length))),
    step = 24;
  const most = list[0].count,
    width = Math.max(40, room - left - 110);
  const chart = drawing(room, list.length * step + 4, {
    role: "img",
    "aria-label": list.map(each => `${each.reason} ${each.count}`).join("; ")
  });
  list.forEach((each, i) => {
    chart.append(
      svgText(left - 8, i * step + 16, shortened(words(each.reason), 34), { "text-anchor": "end" }),
      svg("rect", {
        x: left,
        y: i * step + 4,
        width: Math.max(1, (width * each.count) / most),
        height: step - 8,
        fill: each.reason === "ok" ? palette.parts[0] : palette.reasons[0],
        onmouseleave: hideTooltip,
        onmousemove: event =>
          showTooltip(
            words(each.reason),
            [
              ["points", grouped(each.count)],
              ["", each.meaning || ""]
            ],
            event.clientX,
            event.clientY
          )
      }),
      svgText(left + (width * each.count) / most + 7, i * step + 16, grouped(each.count), { class: "m" })
    );
  });
  return chart;
}
