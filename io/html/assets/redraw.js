/// Which sections are drawn when: those in sight at once, the others while the reader looks at these.

const SLICE = 12; // milliseconds of drawing between two chances for the browser to paint
const waiting = new Set(); // sections that are not drawn yet

function refresh() {
  writeAddress();
  const seen = new Set();
  for (const section of sections) if (isInSight(section)) addWithSources(seen, section);
  for (const section of sections) if (!seen.has(section)) waiting.add(section);
  for (const section of sections) if (seen.has(section)) drawNow(section);
  if (matchMedia("print").matches) drawWaiting();
  else drawLater();
}

/// Draws everything that waits.
function drawWaiting() {
  for (const section of sections) if (waiting.has(section)) drawNow(section);
  document.documentElement.dataset.drawn = "1";
}

function drawNow(section) {
  waiting.delete(section);
  section.update();
}

/// Parts without an element of their own are the bar and the filters.
function isInSight({ element }) {
  if (!element) return true;
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

/// A section shows what others have computed: these are drawn before it.
function addWithSources(set, section) {
  set.add(section);
  for (const other of sections) if (section.uses && section.uses.includes(other.id)) set.add(other);
}

function drawLater() {
  const done = waiting.size === 0;
  document.documentElement.dataset.drawn = done ? "1" : "0";
  if (!done) requestAnimationFrame(() => setTimeout(drawSlice));
}

function drawSlice() {
  const end = performance.now() + SLICE;
  for (const section of sections) {
    if (performance.now() > end) break;
    if (waiting.has(section)) drawNow(section);
  }
  drawLater();
}
