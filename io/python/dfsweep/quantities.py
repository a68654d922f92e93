"""Quantities as sweep files write them: "80 GB", "2 TB/s"; the Python side of io/quantity.hpp."""
from __future__ import annotations

import collections
import fractions
import re
from collections.abc import Sequence
from typing import Tuple

_NAMES = ("s", "byte", "FLOP", "J", "USD", "kg")  # base units, in the order of the exponents below
_UNITS = {  # name: exponents, power of ten, hours
    "s": ((1, 0, 0, 0, 0, 0), 0, 0), "B": ((0, 1, 0, 0, 0, 0), 0, 0), "FLOP": ((0, 0, 1, 0, 0, 0), 0, 0),
    "J": ((0, 0, 0, 1, 0, 0), 0, 0), "W": ((-1, 0, 0, 1, 0, 0), 0, 0), "Wh": ((0, 0, 0, 1, 0, 0), 0, 1),
    "Hz": ((-1, 0, 0, 0, 0, 0), 0, 0), "USD": ((0, 0, 0, 0, 1, 0), 0, 0), "g": ((0, 0, 0, 0, 0, 1), -3, 0)}
_BINARY = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40}
_DECIMAL = {"n": -9, "u": -6, "m": -3, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15}
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")

Exponents = Tuple[int, ...]
Unit = collections.namedtuple("Unit", "exponents decimal binary hours")
ONE = Unit((0,) * len(_NAMES), 0, 0, 0)


def _times(left: Unit, right: Unit, sign: int) -> Unit:
    return Unit(tuple(a + sign * b for a, b in zip(left.exponents, right.exponents)), left.decimal + sign * right.decimal,
                left.binary + sign * right.binary, left.hours + sign * right.hours)


def _named(name: str) -> Unit:
    if name == "1":
        return ONE
    for prefix, decimal, binary in [("", 0, 0), *((each, 0, power) for each, power in _BINARY.items()),
                                    *((each, power, 0) for each, power in _DECIMAL.items())]:
        rest = name[len(prefix):]
        if name.startswith(prefix) and rest in _UNITS and (not binary or rest == "B"):
            exponents, ten, hours = _UNITS[rest]
            return Unit(exponents, ten + decimal, binary, hours)
    raise ValueError(f"unknown unit '{name}'")


def parse_unit(text: str) -> Unit:
    """unit = factor {("*" | "/") factor}; factor = "1" | [prefix] name | "(" unit ")", read from left to right; "/s" is
    "1/s"."""
    words = re.findall(r"[*/()]|[^*/()]+", "1" + text if text.startswith("/") else text)
    unit, rest = _product(words)
    if rest:
        raise ValueError(f"'{text}' is not a unit")
    return unit


def _product(words: Sequence[str]) -> tuple[Unit, Sequence[str]]:
    unit, words = _factor(words)
    while words and words[0] in "*/":
        factor, after = _factor(words[1:])
        unit, words = _times(unit, factor, 1 if words[0] == "*" else -1), after
    return unit, words


def _factor(words: Sequence[str]) -> tuple[Unit, Sequence[str]]:
    if not words:
        raise ValueError("the unit is incomplete")
    if words[0] != "(":
        return _named(words[0]), words[1:]
    unit, rest = _product(words[1:])
    if not rest or rest[0] != ")":
        raise ValueError("the unit has no closing ')'")
    return unit, rest[1:]


def exponents_of_column(units: str) -> Exponents | None:
    """The base units of a column by its attribute `units`: "byte s-1"; None where it has others."""
    exponents = [0] * len(_NAMES)
    for word in [] if units == "1" else units.split():
        sign, name = (-1, word[:-2]) if word.endswith("-1") else (1, word)
        for known, power in (("W", ((3, 1), (0, -1))), ("Hz", ((0, -1),))):
            if name == known:
                for place, count in power:
                    exponents[place] += sign * count
                break
        else:
            if name not in _NAMES:
                return None
            exponents[_NAMES.index(name)] += sign
    return tuple(exponents)


def parse_quantity(text: str) -> tuple[float, Exponents] | None:
    """The value in base units, correctly rounded but for hours, and the exponents of its base units; None where the text is
    no number with a unit."""
    found = _NUMBER.match(text)
    if not found or not text[found.end():].strip() or text[found.end()] != " ":
        return None
    try:
        unit = parse_unit(text[found.end():].strip())
    except ValueError:
        return None
    value = float(fractions.Fraction(found[0]) * fractions.Fraction(10) ** unit.decimal * fractions.Fraction(2) ** unit.binary)
    for _ in range(abs(unit.hours)):
        value = value * 3600.0 if unit.hours > 0 else value / 3600.0
    return value, unit.exponents
