"""What is prepared for points of former calls, for calls that have the same values in other combinations.

A call with a value that was not seen is read and prepared alone, as ever. Once all values of a call were seen, what they have in
common is prepared for all values that were seen, and serves every combination of them.
"""
from __future__ import annotations

import collections
import numbers
import threading
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from .argument_types import Array
from .library import EngineError, Evaluation
from .points import Points

MOST_SETS, MOST_VALUES = 8, 64  # sets of calls that are kept, values of a parameter of one of them


class KeptPoint:
    """A point of a prepared set: as an Evaluation of this point alone."""

    def __init__(self, evaluation: Evaluation, values: Array) -> None:
        self._evaluation, self._values = evaluation, values
        self.description, self.stop, self.done = evaluation.description, evaluation.stop, evaluation.done
        self.failures = evaluation.failures

    def evaluate(self, threads: int, status: Array, metrics: Sequence[Array]) -> None:
        found = np.empty(len(metrics))
        self._evaluation.evaluate_at(self._values, status, found)
        for column, value in zip(metrics, found):
            column[0] = value

    def reason(self, point: int) -> str:
        return self._evaluation.reason_at(self._values)


class _Set:
    """Calls that differ in values alone. values: name -> number of each value that was seen."""

    def __init__(self, metrics: list[str], names: list[str]) -> None:
        self.metrics = metrics
        self.values: dict[str, dict[Hashable, int]] = {name: {} for name in names}
        self.evaluation: Evaluation | None = None
        self.order: list[str] = []  # of the columns of the evaluation
        self.sizes: dict[str, int] = {}  # how many of the values it has

    def add(self, parameters: Mapping[str, Hashable]) -> bool:
        """Whether there was room for the values."""
        for name, value in parameters.items():
            self.values[name].setdefault(value, len(self.values[name]))
        return all(len(values) <= MOST_VALUES for values in self.values.values())

    def prepare(self, prepare: Callable[[Points], Evaluation]) -> None:
        """Point i has value i of each parameter, or its last one."""
        count = max(map(len, self.values.values()))
        lists = {name: [*values, *[next(reversed(values))] * (count - len(values))] for name, values in self.values.items()}
        points = Points(None, lists)
        self.evaluation = prepare(points)
        self.order, self.sizes = points.names, {name: len(values) for name, values in self.values.items()}
        if [metric["name"] for metric in self.evaluation.description["metrics"]] != self.metrics:
            self.evaluation = None


_sets: collections.OrderedDict[Hashable, _Set] = collections.OrderedDict()
_lock = threading.Lock()


def _comparable(parameters: Mapping[str, Any]) -> dict[str, Hashable] | None:
    """Values as they are compared: whole numbers as floats; None where one of them is missing or no number or text."""
    plain: dict[str, Hashable] = {}
    for name, value in parameters.items():
        if isinstance(value, str):
            plain[name] = value
        elif isinstance(value, (numbers.Real, np.bool_)) and value == value:
            plain[name] = float(value)
        else:
            return None
    return plain


def find_kept(key: Hashable, parameters: Mapping[str, Any], prepare: Callable[[Points], Evaluation]) -> KeptPoint | None:
    """The point with these parameters where all of their values were seen in calls with this key; else None."""
    plain = _comparable(parameters)
    with _lock:
        kept = _sets.get((key, tuple(sorted(parameters)))) if plain else None
        if kept is None or plain is None or any(value not in kept.values[name] for name, value in plain.items()):
            return None
        if kept.evaluation is not None and not kept.evaluation.is_current():
            kept.evaluation = None
        places = {name: kept.values[name][value] for name, value in plain.items()}
        if kept.evaluation is None or any(place >= kept.sizes[name] for name, place in places.items()):
            try:
                kept.prepare(prepare)
            except EngineError:  # the call alone says what is wrong with it
                kept.evaluation = None
        if kept.evaluation is None:
            return None
        return KeptPoint(kept.evaluation, np.array([places[name] for name in kept.order], np.uint32))


def note_values(key: Hashable, parameters: Mapping[str, Any], metrics: list[str]) -> None:
    """Keeps the values of a call, which was answered with these metrics."""
    plain = _comparable(parameters)
    if plain is None:
        return
    place = key, tuple(sorted(parameters))
    with _lock:
        kept = _sets.pop(place, None)
        if kept is None or kept.metrics != metrics:
            kept = _Set(metrics, list(parameters))
        if kept.add(plain):
            _sets[place] = kept  # the newest is the last
        while len(_sets) > MOST_SETS:
            _sets.popitem(last=False)
