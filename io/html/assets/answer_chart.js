/// The picture of the answer: how far the values of the axis that matters most are apart.

const CHART_ROW = 26,
  MOST_CHART_ROWS = 8;

function answerPicture(metric, task, shown, rankings, width) {
  const compute = model.byName.axis.get(model.views.compute),
    choice = compute && compute.inCube && freeAxes().includes(compute) ? compute : choiceAxis();
  if (rankings.length > 1)
    return (task.inCube && choice && choicePicture(metric, task, choice, shown, width)) || taskPicture(metric, task, shown, width);
  const rows = choice ? bestRows(metric, choice).filter(each => each.row >= 0) : [];
  if (rows.length > 1) {
    rows.sort((p, q) => metric.sign * (p.value - q.value));
    const bars = rows.slice(0, MOST_CHART_ROWS).map(each => ({ ...each, label: choice.labels[each.code] }));
    const rest = rows.length > bars.length ? `, the best ${bars.length} of ${rows.length}` : "";
    return figure(`Best ${metric.title} of each ${choice.title}${rest}`, barsChart(metric, bars, width));
  }
  const [{ rows: ranked }] = rankings,
    parts = partsPicture(ranked[0], width);
  if (parts) return parts;
  const bars = ranked.slice(0, MOST_CHART_ROWS).map((row, i) => ({ row, value: metric.values[row], label: `row ${i + 1}` }));
  return bars.length > 1 ? figure(`The best ${bars.length} rows`, barsChart(metric, bars, width)) : null;
}

/// Where no axis competes: the parts of the winner's time, the largest ones.
function partsPicture(row, width) {
  const { parts = [], total } = model.views.breakdown || {},
    bars = parts
      .map(name => model.byName.metric.get(name))
      .filter(part => part && part.values[row] > 0)
      .map(part => ({ row, value: part.values[row], label: part.title, unit: part.unit }));
  if (bars.length < 2) return null;
  const shown = bars.sort((p, q) => q.value - p.value).slice(0, MOST_CHART_ROWS),
    whole = total ? words(total) : "time";
  return figure(`The largest parts of the winner's ${whole}`, barsChart({ unit: shown[0].unit }, shown, width, -1));
}

/// Where no axis competes in every task: the winners' numbers.
function taskPicture(metric, task, shown, width) {
  const bars = shown.map(ranking => {
    const [row] = ranking.rows;
    return { row, value: metric.values[row], label: taskName(task, ranking).replace(`${task.title} `, "") };
  });
  return figure(`${superlative(metric)} of each ${task.title}`, barsChart(metric, bars, width, -1));
}

function figure(caption, chart, legend = null) {
  return h("figure", { class: "answer-picture" }, h("figcaption", {}, caption), chart, legend);
}

/// Horizontal bars from zero. `winner`: the place of the bar that stands out; -1: no bar does.
function barsChart(metric, bars, width, winner = 0) {
  const format = columnFormat(bars.map(bar => bar.value), metric.unit, 4),
    texts = bars.map(bar => `${format.cell(bar.value)}${format.unit ? " " + format.unit : ""}`),
    left = Math.min(210, 16 + 7.4 * Math.max(...bars.map(bar => bar.label.length))),
    right = 14 + 7.2 * Math.max(...texts.map(text => text.length)),
    most = Math.max(...bars.map(bar => Math.abs(bar.value)), 0) || 1,
    spoken = bars.map((bar, i) => `${bar.label} ${texts[i]}`).join(", "),
    chart = drawing(width, bars.length * CHART_ROW + 4, { role: "img", "aria-label": spoken });
  readPalette();
  bars.forEach((bar, i) => {
    const y = i * CHART_ROW + 4,
      size = Math.max(1, (Math.abs(bar.value) / most) * (width - left - right)),
      shape = { x: left, y, width: size, height: CHART_ROW - 9, rx: 2, fill: i === winner || winner < 0 ? palette.accent : palette.other };
    chart.append(
      svgText(left - 8, y + 13, fitted(bar.label, left - 8), { "text-anchor": "end", class: i === winner ? "strong" : null }),
      svg("rect", { ...shape, ...telling(bar.label, () => rowLines(bar.row, metric.name ? [metric] : [])) }),
      svgText(left + size + 7, y + 13, texts[i], { class: i === winner ? "strong" : "m" })
    );
  });
  return chart;
}

/// A text that is wider than its place loses its middle; the tooltip has all of it.
function fitted(text, width) {
  const most = Math.floor(width / 7.2);
  if (text.length <= most) return text;
  const half = Math.floor((most - 1) / 2);
  return `${text.slice(0, half)}\u2026${text.slice(text.length - half)}`;
}

/// A line for each task: how many times as good its best row is as the best one of each value of the choice.
function choicePicture(metric, task, choice, shown, width) {
  const best = bestBy(metric, [task, choice]),
    series = seriesOf(choice.labels.length <= SHAPES ? choice : null),
    size = choice.values.length,
    lines = shown.filter(each => each.task < task.labels.length).map(({ task: code }) => {
      const rows = [...best.slice(code * size, (code + 1) * size)],
        values = rows.map(row => (row >= 0 ? metric.values[row] : NaN)),
        lead = Math.min(...values.filter(Number.isFinite).map(value => metric.sign * value)) * metric.sign;
      return { code, rows, ratios: values.map(value => Math.max(value / lead, lead / value)) };
    });
  const most = Math.max(1.05, ...lines.flatMap(line => line.ratios.filter(Number.isFinite)));
  if (!Number.isFinite(most) || lines.length === 0 || size > SHAPES) return null;
  const left = Math.min(190, 14 + 6.9 * Math.max(...lines.map(line => task.labels[line.code].length))),
    scale = makeScale([1, most], left, width - 14, true),
    foot = lines.length * CHART_ROW + 4,
    spoken = `${choice.title} by ${task.title}, times behind the best`,
    chart = drawing(width, foot + 22, { role: "img", "aria-label": spoken });
  readPalette();
  for (const tick of ticksOf(scale, 4).filter(each => each >= 1))
    chart.append(
      svg("line", { class: "grid", x1: scale(tick), x2: scale(tick), y1: 2, y2: foot }),
      svgText(scale(tick), foot + 15, `${Number(tick.toPrecision(3))}\u00d7`, { class: "m", "text-anchor": "middle" })
    );
  lines.forEach(({ code, rows, ratios }, i) => {
    const y = i * CHART_ROW + 16;
    chart.append(svgText(left - 8, y + 4, fitted(task.labels[code], left - 10), { "text-anchor": "end" }));
    ratios.forEach((ratio, place) => {
      if (!Number.isFinite(ratio)) return;
      const tell = telling(`${task.labels[code]}, ${choice.labels[place]}`, () => rowLines(rows[place], [metric]));
      chart.append(
        svg("path", { d: markerPath(place, scale(ratio), y, 5.4), fill: series.colour(place), "fill-opacity": 0.9, ...tell })
      );
    });
  });
  const keys = choice.labels.map((label, i) => h("span", { class: "key" }, legendMark(i, series.colour(i)), label));
  return figure(
    `How far the best of each ${choice.title} is behind the winner`,
    chart,
    h("div", { class: "legend" }, keys)
  );
}
