"""Conditions on rows in the language of `dfsweep show --where`, evaluated on arrays: device == 'h100' && step_time < '2 s'.

A text in quotes is a label or a quantity. A row is kept where the value is neither 0 nor NaN. `and`, `or` and `not` may
be written for `&&`, `||` and `!`.
"""
from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from typing import Any, Callable, Mapping, NoReturn, Optional, Sequence, Tuple

import numpy as np

from .argument_types import Array
from .quantities import exponents_of_column, parse_quantity

Columns = Mapping[str, Tuple[Optional[Sequence[str]], str]]  # name -> labels, units
Evaluator = Callable[[Mapping[str, Any]], Any]  # of the values of columns

NO_LABEL = -2.0  # the number of a missing label; differs from those of all labels
_TOKEN = re.compile(r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[A-Za-z_]\w*)|"
                    r"(?P<text>'[^']*'|\"[^\"]*\")|"
                    r"(?P<sign>\|\||&&|[<>=!]=|[-+*/%^<>!?:(),]))")
_WORDS = {"and": "&&", "or": "||", "not": "!"}
# Precedence as in muParser: signs and `!` bind like products, and less than powers.
_BINDING = {"||": 1, "&&": 2, "<": 4, ">": 4, "<=": 4, ">=": 4, "==": 4, "!=": 4, "+": 5, "-": 5, "*": 6, "/": 6, "%": 6,
            "^": 7}
_PREFIX = 6


def _number(value: Any) -> Any:
    """Truth as 0 and 1, so that sums of it are numbers."""
    return value.astype(float) if getattr(value, "dtype", None) == bool else value


def _truth(value: Any) -> Any:
    return value if getattr(value, "dtype", None) == bool else value != 0


_BINARY = {
    "||": lambda a, b: _truth(a) | _truth(b), "&&": lambda a, b: _truth(a) & _truth(b),
    "<": lambda a, b: _number(a) < _number(b), ">": lambda a, b: _number(a) > _number(b),
    "<=": lambda a, b: _number(a) <= _number(b), ">=": lambda a, b: _number(a) >= _number(b),
    "==": lambda a, b: _number(a) == _number(b), "!=": lambda a, b: _number(a) != _number(b),
    "+": lambda a, b: _number(a) + _number(b), "-": lambda a, b: _number(a) - _number(b),
    "*": lambda a, b: _number(a) * _number(b), "/": lambda a, b: np.divide(_number(a), _number(b)),
    "%": lambda a, b: np.fmod(_number(a), _number(b)), "^": lambda a, b: np.power(_number(a), _number(b))}
_FUNCTIONS = {name: getattr(np, name) for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "log2", "log10", "log", "exp",
                                                   "sqrt", "abs", "sign")}
_FUNCTIONS.update(asin=np.arcsin, acos=np.arccos, atan=np.arctan, asinh=np.arcsinh, acosh=np.arccosh, atanh=np.arctanh,
                  atan2=np.arctan2, ln=np.log, rint=lambda a: np.floor(a + 0.5))
_OF_MANY: dict[str, Callable[[Any, Any], Any]] = {"min": np.minimum, "max": np.maximum, "sum": np.add, "avg": np.add}
_CONSTANTS = {"_pi": np.pi, "_e": np.e}


class Condition:
    """An expression over columns and fixed parameters. Raises ValueError where it is malformed, KeyError for unknown names.

    columns: name -> (labels, units) of each column; labels is None for numbers. fixed: parameters that do not vary.
    """

    def __init__(self, text: str, columns: Columns, fixed: Mapping[str, Any],
                 units_of_fixed: Mapping[str, str] | Iterable[tuple[str, str]] = ()) -> None:
        self.text, self._columns, self._fixed = text, columns, fixed
        self._units = {name: units for name, (_, units) in columns.items()}
        self._units.update(units_of_fixed)
        self._tokens, self._at = list(self._split()), 0
        self._labels: dict[str, float] = {}
        self.columns: list[str] = []
        names = list(dict.fromkeys(value for kind, value, _ in self._tokens if kind == "name"))
        self._used = [name for name in names if name in columns or name in fixed]
        if not self._tokens:
            raise ValueError("where is empty")
        self._expression = self._parse(0)
        if self._at < len(self._tokens):
            self._fail("an operator is missing")
        self._number_labels()

    def _split(self) -> Iterator[tuple[str, str, int]]:
        at = 0
        while at < len(self.text.rstrip()):
            found = _TOKEN.match(self.text, at)
            if not found:
                rest = self.text[at:].strip()
                hint = ("write == to compare" if rest.startswith("=") else
                        "there are no lists, write x == 1 || x == 2" if rest.startswith("[") else
                        "quotes, names, numbers and && || ! == != < <= > >= + - * / ^ % ( ) are understood")
                raise ValueError(f"where = {self.text!r} cannot be read from character {at + 1} on: {hint}")
            kind = str(found.lastgroup)
            value = found[kind]
            yield ("sign", _WORDS[value], at) if kind == "name" and value in _WORDS else (kind, value, at)
            at = found.end()

    def _fail(self, why: str) -> NoReturn:
        place = self._tokens[self._at][2] + 1 if self._at < len(self._tokens) else len(self.text) + 1
        raise ValueError(f"where = {self.text!r} cannot be evaluated: {why} at character {place}")

    def _next(self, *signs: str) -> str | None:
        """Whether one of these signs is next; it is then passed."""
        if self._at < len(self._tokens) and self._tokens[self._at][:2] in [("sign", sign) for sign in signs]:
            self._at += 1
            return self._tokens[self._at - 1][1]
        return None

    def _parse(self, binding: int) -> Evaluator:
        left = self._operand()
        while True:
            sign = self._tokens[self._at][1] if self._at < len(self._tokens) and self._tokens[self._at][0] == "sign" else ""
            strength = _BINDING.get(sign, -1)
            if strength <= binding:
                break
            self._at += 1
            right = self._parse(strength - 1 if sign == "^" else strength)
            left = self._joined(_BINARY[sign], left, right)
        if binding == 0 and self._next("?"):
            yes = self._parse(0)
            if not self._next(":"):
                self._fail("':' is missing")
            left = self._joined(lambda a, b, c: np.where(_truth(a), _number(b), _number(c)), left, yes, self._parse(0))
        return left

    @staticmethod
    def _joined(function: Callable[..., Any], *parts: Evaluator) -> Evaluator:
        return lambda values: function(*(part(values) for part in parts))

    def _operand(self) -> Evaluator:
        sign = self._next("-", "+", "!", "(")
        if sign == "(":
            inner = self._parse(0)
            if not self._next(")"):
                self._fail("')' is missing")
            return inner
        if sign:
            operand = self._parse(_PREFIX)
            function = {"-": lambda a: -_number(a), "+": _number, "!": lambda a: ~_truth(np.asarray(a))}[sign]
            return self._joined(function, operand)
        if self._at == len(self._tokens) or self._tokens[self._at][0] == "sign":
            self._fail("a value is missing")
        kind, value, _ = self._tokens[self._at]
        self._at += 1
        if kind == "number":
            constant = np.float64(value)
            return lambda values: constant
        return self._quoted(value[1:-1]) if kind == "text" else self._named(value)

    def _quoted(self, text: str) -> Evaluator:
        quantity = parse_quantity(text)
        if quantity is not None:
            value, exponents = quantity
            if not any(exponents_of_column(self._units.get(name, "1")) == exponents for name in self._used):
                raise ValueError(f"where = {self.text!r}: {text!r} has a unit that no name in it has")
            return lambda values: np.float64(value)
        known = [label for name in self._used if name in self._columns for label in self._columns[name][0] or ()]
        takes_any = any(isinstance(self._fixed.get(name), str) for name in self._used)
        if not takes_any and text not in known:
            near = difflib.get_close_matches(text, known, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(known)}" if known else "numbers only"
            raise ValueError(f"where = {self.text!r}: no label {text!r}; {hint}")
        number = np.float64(self._number_of(text))
        return lambda values: number

    def _number_of(self, label: str) -> float:
        return self._labels.setdefault(label, float(len(self._labels)))

    def _named(self, name: str) -> Evaluator:
        if self._next("("):
            return self._call(name)
        if name in self._columns:
            if name not in self.columns:
                self.columns.append(name)
            return lambda values: values[name]
        if name in self._fixed:
            value = self._fixed[name]
            number = np.float64(self._number_of(value) if isinstance(value, str) else value)
            return lambda values: number
        if name in _CONSTANTS:
            return lambda values: np.float64(_CONSTANTS[name])
        near = difflib.get_close_matches(name, [*self._columns, *self._fixed], 1)
        hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(self._columns)}"
        raise KeyError(f"no column {name!r}; {hint}; labels are in quotes")

    def _call(self, name: str) -> Evaluator:
        if name not in _FUNCTIONS and name not in _OF_MANY:
            self._at -= 2
            self._fail(f"there is no function {name!r}")
        parts = [self._parse(0)]
        while self._next(","):
            parts.append(self._parse(0))
        if not self._next(")"):
            self._fail("')' is missing")
        if name in _OF_MANY:
            return lambda values: _reduced(name, [_number(part(values)) for part in parts])
        if len(parts) != (2 if name == "atan2" else 1):
            self._fail(f"{name} takes {'two values' if name == 'atan2' else 'one value'}")
        return self._joined(lambda *each: _FUNCTIONS[name](*(_number(value) for value in each)), *parts)

    def _number_labels(self) -> None:
        """For each column of names that occurs, the number of each code; codes without a label, -1 and 255, have NO_LABEL."""
        self._tables = {}
        for name in self.columns:
            labels = self._columns[name][0]
            if labels is not None:
                self._tables[name] = np.full(max(len(labels) + 1, 256), NO_LABEL)
                self._tables[name][:len(labels)] = [self._number_of(label) for label in labels]

    def keeps(self, stored: Mapping[str, Array], count: int) -> Array:
        """Which of `count` rows are kept. stored: name -> codes as they are stored, or numbers with NaN where missing."""
        values = {name: self._tables[name][stored[name]] if name in self._tables else stored[name] for name in self.columns}
        with np.errstate(all="ignore"):
            value = np.asarray(self._expression(values))
        kept = value if value.dtype == bool else (value != 0) & ~np.isnan(value)
        return np.broadcast_to(kept, (count,))


def _reduced(name: str, values: Sequence[Any]) -> Any:
    whole = values[0]
    for value in values[1:]:
        whole = _OF_MANY[name](whole, value)
    return whole / len(values) if name == "avg" else whole
