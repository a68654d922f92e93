/// Numbers as the terminal prints them: significant digits, engineering prefixes, one prefix for a column.

const PREFIXES = ["y", "z", "a", "f", "p", "n", "u", "m", "", "k", "M", "G", "T", "P", "E", "Z", "Y"];
const PREFIXED_UNITS = ["B", "FLOP", "W", "J", "s", "Hz"];
const MISSING = "n/a";

/// "byte s-1" is "B/s", "1" is "".
function shownUnit(unit) {
  if (!unit || unit === "1") return "";
  let shown = "",
    below = "";
  for (const word of unit.split(" ")) {
    const name = word.replace(/-1$/, "").replace(/^byte/, "B");
    if (word.endsWith("-1")) below += "/" + name;
    else shown += (shown ? " " : "") + name;
  }
  return shown + below;
}

function prefixing(shown) {
  if (shown === "s") return "down";
  const head = shown.split(/[/ ]/)[0];
  if (head === "USD") return shown === "USD/kWh" ? "none" : "money";
  return PREFIXED_UNITS.includes(head) ? "both" : "none";
}

/// Decimal exponent after rounding to `digits`. Pre: finite, not 0.
function roundedExponent(value, digits) {
  return Number(value.toExponential(digits - 1).split("e")[1]);
}

/// The power of ten that the prefix of a number means.
function prefixShift(exponent, allowed) {
  if (allowed === "none") return 0;
  const shift = Math.min(24, Math.max(-24, Math.floor(exponent / 3) * 3));
  if (allowed === "money" && shift === -3) return 0; // "0.9893 USD", since people do not count in mUSD
  return allowed === "down" ? Math.min(shift, 0) : shift;
}

/// Without a prefix: whole numbers written out, the rest with significant digits.
function plainNumber(value, digits) {
  if (value === 0) return "0";
  if (Number.isInteger(value) && Math.abs(value) < 1e9) return String(value);
  const exponent = roundedExponent(value, digits);
  if (exponent < -3 || exponent > 8) return shortPower(value.toExponential(digits - 1));
  return value.toFixed(Math.max(0, digits - 1 - exponent));
}

/// "1.200e+9" is "1.2e9".
function shortPower(text) {
  return text.includes("e") ? text.replace(/\.?0*e\+?/, "e") : text;
}

/// A number with its unit: "3.812 s", "21.40 TFLOP/s".
function withUnit(value, unit, digits = 4) {
  const shown = shownUnit(unit);
  if (!Number.isFinite(value)) return MISSING;
  const allowed = prefixing(shown);
  const exponent = value === 0 ? 0 : roundedExponent(value, digits);
  const shift = value === 0 ? 0 : prefixShift(exponent, allowed);
  const number =
    shift === 0 && (value === 0 || allowed === "none" || exponent >= digits)
      ? plainNumber(value, digits)
      : (value / 10 ** shift).toFixed(Math.max(0, digits - 1 - (exponent - shift)));
  return shown ? number + " " + PREFIXES[shift / 3 + 8] + shown : number;
}

/// A number that somebody wrote into a sweep file: six digits, of whole numbers all nine; no zeros at the end.
function inputNumber(value, unit) {
  if (!Number.isFinite(value)) return MISSING;
  if (shownUnit(unit))
    return withUnit(value, unit, 6)
      .replace(/(\.\d*?)0+(?= |$)/, "$1")
      .replace(/\.(?= |$)/, "");
  const whole = Number.isInteger(value) && Math.abs(value) < 1e9;
  if (whole && (Math.abs(value) < 1e6 || Number(value.toPrecision(6)) !== value)) return String(value);
  const rounded = Number(value.toPrecision(6)),
    plain = String(rounded),
    power = shortPower(rounded.toExponential());
  return power.length + 2 < plain.length ? power : shortPower(plain);
}

/// How to print the numbers of a column: one prefix for all where they differ by less than 10^4, else one for each.
function columnFormat(values, unit, digits = 4) {
  let least = Infinity,
    most = 0,
    whole = true;
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    whole = whole && Number.isInteger(value);
    if (value === 0) continue;
    least = Math.min(least, Math.abs(value));
    most = Math.max(most, Math.abs(value));
  }
  const shown = shownUnit(unit),
    allowed = prefixing(shown);
  const shift = most === 0 ? 0 : prefixShift(roundedExponent(most, digits), allowed);
  const plain = allowed !== "none" || (least >= 1e-3 && most < 1e9);
  if (most > 0 && !(most <= 1e4 * least && plain) && !(whole && shift === 0 && most < 1e9))
    return { unit: "", cell: value => withUnit(value, unit, digits) };
  return { unit: shown ? PREFIXES[shift / 3 + 8] + shown : "", cell: value => cellNumber(value, shift, digits, whole) };
}

function cellNumber(value, shift, digits, whole) {
  if (!Number.isFinite(value)) return MISSING;
  if (value === 0 || (whole && shift === 0)) return String(value);
  const exponent = roundedExponent(value, digits) - shift;
  return (value / 10 ** shift).toFixed(Math.max(0, digits - 1 - exponent));
}

/// 10000 is "10 000": groups of three, as the terminal counts rows.
function grouped(count) {
  return String(count).replace(/\B(?=(\d{3})+$)/g, "\u2009");
}

/// The ratio of two numbers: "1.52x".
function ratioText(ratio) {
  return Number.isFinite(ratio) ? (ratio >= 100 ? grouped(Math.round(ratio)) : ratio.toFixed(2)) + "\u00d7" : MISSING;
}

/// All digits of a 32-bit number, for files.
function exactText(value) {
  return Number.isFinite(value) ? String(Number(value.toPrecision(7))) : "";
}
