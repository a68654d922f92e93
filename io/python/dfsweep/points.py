"""Points as a caller gives them, as columns of distinct values and codes, and what the engine says about them."""
from __future__ import annotations

import ctypes
import numbers
import re
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from .argument_types import Array
from .library import Column
from .quantities import parse_quantity

SOURCE = "points"  # the file of problems of points: their line is a value, their column a parameter


class Points:
    """Parameters of points: name -> one value for all, or a list of values. `index`: of the frame that answers."""

    def __init__(self, values: Any, given: Mapping[str, Any]) -> None:
        if isinstance(values, pd.DataFrame):
            columns, self.index = {name: values[name] for name in values}, values.index
        elif isinstance(values, (list, tuple)):
            frame = pd.DataFrame(list(values))
            columns, self.index = {name: frame[name] for name in frame}, frame.index
        else:
            table: Mapping[str, Any] = values or {}
            columns, self.index = dict(table), None
        both = sorted(set(columns) & set(given))
        if both:
            raise ValueError(f"{', '.join(both)}: given twice")
        columns.update(given)
        self.lists = {name: each for name, each in columns.items() if _is_list(each)}
        self.single = {name: each for name, each in columns.items() if name not in self.lists}
        lengths = {name: len(each) for name, each in self.lists.items()}
        if self.index is not None:
            lengths["values"] = len(self.index)
        if len(set(lengths.values())) > 1:
            raise ValueError(f"lists of different lengths: {', '.join(f'{name} {size}' for name, size in lengths.items())}")
        self.count = next(iter(lengths.values()), 1)
        if self.count == 0 or not columns:
            raise ValueError("there is no point to evaluate")
        self.is_one = not lengths and values is None
        self._coded = {name: _coded(each) for name, each in self.lists.items()}
        self._keep_alive: list[Any] = []

    def varying(self) -> dict[str, tuple[Array, Array]]:
        """Parameters with more than one value: name -> (distinct values, code of each point)."""
        return {name: (values, codes) for name, (values, codes) in self._coded.items() if len(values) > 1}

    def fixed(self) -> dict[str, Any]:
        """Parameters with one value."""
        return {**self.single, **{name: values[0] for name, (values, _) in self._coded.items() if len(values) == 1}}

    def columns(self) -> list[Column]:
        """As the engine reads them."""
        self.names: list[str] = []
        columns = []
        for name, value in self.fixed().items():
            columns.append(self._column(name, [value], None))
        for name, (values, codes) in self.varying().items():
            columns.append(self._column(name, values, codes))
        return columns

    def _column(self, name: str, values: Any, codes: Array | None) -> Column:
        self.names.append(name)
        figures, texts = _figures_and_texts(values)
        text_array = None if texts is None else (ctypes.c_char_p * len(texts))(*texts)
        self._keep_alive += [figures, text_array, codes]
        return Column(str(name).encode(), figures.ctypes.data, None if text_array is None else ctypes.addressof(text_array),
                      None if codes is None else codes.ctypes.data, len(figures))

    def message(self, problem: Mapping[str, Any]) -> str:
        """A problem of the engine with the name of the argument, and the row, instead of a place in a file."""
        text = problem["problem"] + (f" ({problem['reason']})" if problem["reason"] else "")
        hint = problem["hint"].replace("--catalogue FOLDER", "catalogue=FOLDER")
        hint = re.sub(r"in \[data\], with --data (\w+)=PATH", r'with data={"\1": PATH}', hint)
        text += f". {hint}" if hint else ""
        if problem["file"] == SOURCE and 0 < problem["column"] <= len(self.names):
            name = self.names[problem["column"] - 1]
            return f"{name}{self._row(name, problem['line'] - 1)}: {text.removeprefix(f'{name}: ')}"
        if problem["file"] in (SOURCE, "sweep"):
            return text
        places = [problem["file"], *(str(problem[each]) for each in ("line", "column") if problem[each])]
        return f"{':'.join(places)}: {text}"

    def _row(self, name: str, value: int) -> str:
        """ "[17]" for the first row with a value."""
        if name not in self.varying() or value < 0:
            return ""
        row = int(np.argmax(self._coded[name][1] == value))
        return f"[{row if self.index is None else self.index[row]!r}]"

    def frame_columns(self, units: Mapping[str, str]) -> dict[str, Any]:
        """Varying parameters as columns of a frame, in base SI units; texts as categories."""
        return {name: _frame_column(values, codes, units.get(name, "1")) for name, (values, codes) in self.varying().items()}


def _is_list(value: object) -> bool:
    return isinstance(value, (list, tuple, range, pd.Series, pd.Index, pd.api.extensions.ExtensionArray)) or (
        isinstance(value, np.ndarray) and value.ndim > 0)


def _coded(values: Any) -> tuple[Array, Array]:
    """Distinct values, in the order in which they occur, and the code of each point."""
    if isinstance(values, (list, tuple)):
        kinds = {type(each) for each in values}
        values = pd.Series(list(values), dtype=object if len(kinds) > 1 and str in kinds else None)
    codes, distinct = pd.factorize(pd.Series(values))
    distinct = np.asarray(distinct)
    if distinct.dtype.kind not in "iufb":
        distinct = distinct.astype(object)
    if (codes < 0).any():
        distinct = np.append(distinct.astype(object), np.array([None]))
        codes = np.where(codes < 0, len(distinct) - 1, codes)
    return distinct, codes.astype(np.uint32)


def _figures_and_texts(values: Any) -> tuple[Array, list[bytes | None] | None]:
    """Numbers, with NaN for texts, and the texts; None instead of the texts if no value is a text."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "iufb":
        return np.ascontiguousarray(values, np.float64), None
    figures = np.full(len(values), np.nan)
    texts: list[bytes | None] = [None] * len(values)
    for i, value in enumerate(values):
        if isinstance(value, (numbers.Real, np.bool_)):
            figures[i] = value
        elif value is not None and value is not pd.NA and value is not pd.NaT:
            texts[i] = str(value).encode()
    return figures, texts if any(texts) else None


def _of_one_kind(values: Array, figures: Array) -> Array:
    """Booleans or whole numbers as such where all values are; else the figures."""
    if values.dtype.kind in "iufb":
        return values
    for kind, dtype in (((bool, np.bool_), bool), ((int, np.integer), np.int64)):
        if all(isinstance(each, kind) for each in values) and abs(figures).max() < 2**63:
            return values.astype(dtype)
    return figures


def _frame_column(values: Array, codes: Array, unit: str) -> Any:
    figures, texts = _figures_and_texts(values)
    if texts is None:
        return _of_one_kind(values, figures)[codes]
    quantities = [parse_quantity(text.decode()) if text else None for text in texts]
    if unit != "1" and all(quantity or not text for text, quantity in zip(texts, quantities)):
        return np.array([quantity[0] if quantity else figure for figure, quantity in zip(figures, quantities)])[codes]
    names = [None if value is None else str(value) for value in values]
    known = list(dict.fromkeys(name for name in names if name is not None))
    place = np.array([-1 if name is None else known.index(name) for name in names])
    return pd.Categorical.from_codes(place[codes], known)
