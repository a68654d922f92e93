/// What matters most at the best point: by how many per cent a metric changes with 1 % more of each number.

function makeSensitivity() {
  const raw = model.raw.sensitivity;
  if (!raw || raw.numbers.length === 0) return null;
  const made = section => updateSensitivity(section, raw);
  return makeSection("sensitivity", "What matters most at the best point", {}, made).element;
}

function updateSensitivity(section, raw) {
  const names = raw.metrics.map(metric => metric.name),
    chosen = option("sensitivity.metric", names, names[0]),
    place = names.indexOf(chosen);
  const choices = names.map(name => ({ value: name, text: words(name) }));
  section.options.replaceChildren(
    ...(names.length > 1 ? [chooser("sensitivity.metric", "change of", choices, chosen)] : [])
  );
  section.note.textContent =
    `Point ${raw.point}, ${raw.named}. A bar is the change of ${words(chosen)} with 1 % more of the number.`;
  const most = 16,
    list = raw.numbers
      .map(number => ({ name: number.name, value: number.value, change: number.of[place] }))
      .filter(each => each.change)
      .sort((a, b) => Math.abs(b.change) - Math.abs(a.change))
      .slice(0, most);
  section.files.hidden = false;
  if (list.length === 0) return say(section, "No number of the point changes this metric.");
  section.body.replaceChildren(sensitivityBars(list, raw.metrics[place], roomOf(section)));
  offerFiles(section);
}

/// Bars to the left make the metric smaller, bars to the right greater. Those that make it better have the first colour.
function sensitivityBars(list, metric, room) {
  const colours = readPalette(),
    left = Math.min(290, 18 + 7.2 * Math.max(...list.map(each => each.name.length))),
    step = 24,
    most = Math.max(...list.map(each => Math.abs(each.change))),
    half = Math.max(40, (room - left - 150) / 2),
    middle = left + 75 + half;
  const text = each => `${each.change > 0 ? "+" : "\u2212"}${Math.abs(each.change).toPrecision(2)} %`;
  const chart = drawing(room, list.length * step + 4, {
    role: "img",
    "aria-label": list.map(each => `1 % more ${each.name}: ${text(each)}`).join("; ")
  });
  list.forEach((each, i) => {
    const width = Math.max(1, (half * Math.abs(each.change)) / most),
      x = each.change > 0 ? middle : middle - width,
      better = metric.better === "min" ? each.change < 0 : metric.better === "max" && each.change > 0;
    const tell = telling(each.name, () => [
      ["now", each.value],
      [`${words(metric.name)} with 1 % more`, text(each)]
    ]);
    const label = each.change > 0 ? { x: x + width + 6, anchor: "start" } : { x: x - 6, anchor: "end" };
    chart.append(
      svgText(left - 8, i * step + 16, shortened(each.name, 38), { "text-anchor": "end" }),
      svg("rect", {
        x,
        y: i * step + 4,
        width,
        height: step - 8,
        fill: better ? colours.parts[0] : colours.reasons[0],
        ...tell
      }),
      svgText(label.x, i * step + 16, text(each), { class: "m", "text-anchor": label.anchor })
    );
  });
  chart.append(svg("line", { x1: middle, x2: middle, y1: 0, y2: list.length * step + 4, stroke: colours.ink }));
  return chart;
}
