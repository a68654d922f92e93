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
    names = axes.map(axis => axis.name),
    axis = model.byName.axis.get(option("rejections.by", names, names[0])),
    shares = option("rejections.shares", ["off", "on"]) === "on",
    statuses = presentStatuses();
  const keys = statuses.map(({ name, meaning, count, colour }) =>
    h("span", { class: "key", title: meaning }, swatch(colour), `${name} ${grouped(count)}`)
  );
  section.options.replaceChildren(
    ...(axis ? [chooser("rejections.by", "for each", choicesOf(axes), axis.name)] : []),
    toggle("rejections.shares", "As shares", shares),
    h("span", { class: "legend" }, keys)
  );
  const lines = statusLines(axis, statuses);
  section.files.hidden = false;
  if (lines.length === 0) say(section, "No row passes the filters.");
  else section.body.replaceChildren(statusBars(lines, shares, roomOf(section)));
  const failed = statuses.find(each => each.name === "failed");
  if (failed) {
    const warning = " failed: a defect of the program, not of the design. dfsweep explain shows them.";
    section.body.append(h("p", { class: "notice" }, countText(failed.count, "row") + warning));
  }
  section.note.textContent = statusMeanings(statuses);
}

/// Statuses of the rows that pass the filters: feasible rows first, then the most frequent ones.
function presentStatuses() {
  const all = countBy([]).filter(each => each.rows[0] > 0);
  all.sort((a, b) => (a.status !== 0) - (b.status !== 0) || b.rows[0] - a.rows[0]);
  let place = 0;
  return all.map(({ status, rows }) => {
    const found = model.statuses.find(each => each.code === status);
    const colour = statusColour(status, status === 0 ? 0 : place++);
    return { status, name: words(statusName(status)), meaning: found ? found.meaning : "", count: rows[0], colour };
  });
}

/// For each value of an axis its rows by status; values without rows are left out.
function statusLines(axis, statuses) {
  const counts = countBy(axis ? [axis] : []);
  const lines = (axis ? [...axis.values.keys()] : [0]).map(code => ({
    label: axis ? axis.labels[code] : "all rows",
    parts: statuses.map(({ status, name, colour }) => ({
      name,
      colour,
      count: counts.find(each => each.status === status).rows[code],
      ok: status === 0
    }))
  }));
  return lines.filter(line => line.parts.some(part => part.count > 0));
}

function statusMeanings(statuses) {
  const spoken = statuses
    .filter(each => each.status !== 0)
    .slice(0, 4)
    .map(each => model.statuses.find(status => status.code === each.status))
    .filter(status => status && status.meaning)
    .map(status => `${words(status.name)}: ${status.meaning}`);
  return spoken.length > 0 ? capitalized(spoken.join(". ")) + "." : "";
}

function statusBars(lines, shares, room) {
  const left = Math.min(160, 14 + 6.6 * Math.max(...lines.map(line => line.label.length))),
    right = 90,
    step = 26,
    totals = lines.map(line => line.parts.reduce((sum, part) => sum + part.count, 0)),
    most = Math.max(...totals);
  const spoken = line => line.parts.filter(part => part.count > 0).map(part => `${part.name} ${part.count}`);
  const chart = drawing(room, lines.length * step + 4, {
    role: "img",
    "aria-label": lines.map(line => `${line.label}: ${spoken(line).join(", ")}`).join("; ")
  });
  lines.forEach((line, i) => {
    const scale = (room - left - right) / (shares ? totals[i] : most),
      share = count => (100 * count) / totals[i];
    let x = left;
    chart.append(svgText(left - 8, i * step + 17, shortened(line.label, 24), { "text-anchor": "end" }));
    for (const { name, count, colour } of line.parts) {
      if (count === 0) continue;
      const size = { x, y: i * step + 4, width: Math.max(1, count * scale - 0.7), height: step - 8 };
      const tell = telling(line.label, () => [[name, `${grouped(count)}, ${share(count).toFixed(1)} %`]]);
      chart.append(svg("rect", { ...size, fill: colour, ...tell }));
      x += count * scale;
    }
    const ok = line.parts.find(part => part.ok);
    chart.append(svgText(x + 7, i * step + 17, `${share(ok ? ok.count : 0).toFixed(0)} % ok`, { class: "m" }));
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
