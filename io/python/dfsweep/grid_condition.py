"""Conditions on the axes of a whole grid: which rows they keep follows from the values of the axes, without reading the rows."""
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from .argument_types import Array
from .cubes import Axis, grid_of
from .parts import Part, is_adjacent, numbers_of

if TYPE_CHECKING:
    from .condition import Condition
    from .result import Result

MOST_CELLS = 1 << 20


def grid_condition(result: Result, condition: Condition) -> GridCondition | None:
    """A GridCondition where a condition is one on axes of a whole grid and does not need many cells; else None."""
    if not result.is_whole_grid:
        return None
    axis_of = {parameter: axis for axis in grid_of(result).values() for parameter in axis[2]}
    if not condition.columns or not all(name in axis_of for name in condition.columns):
        return None
    stride = min(axis_of[name][1] for name in condition.columns)
    if result.row_count // stride > MOST_CELLS:
        return None
    return GridCondition(result, condition, {name: axis_of[name] for name in condition.columns}, stride)


class GridCondition:
    """axes: name -> (size, stride, ...) of each column of the condition; stride: the least of these. A cell is that many rows."""

    def __init__(self, result: Result, condition: Condition, axes: Mapping[str, Axis], stride: int) -> None:
        cells, self._stride = np.arange(result.row_count // stride), stride
        values = {}
        for name, (size, step, _) in axes.items():
            of_axis = result.operand(name, result.stored_at(name, np.arange(size) * step))
            values[name] = of_axis[cells // (step // stride) % size]
        self._keeps = condition.keeps(values, len(cells))

    def keeps(self, part: Part) -> Array:
        """Which rows of a part are kept."""
        first, count, _ = part
        if not is_adjacent(part):
            return self._keeps[(numbers_of(part).astype(np.int64) + first) // self._stride]
        low, high = first // self._stride, -(-(first + count) // self._stride)
        kept = self._keeps[low:high]
        if kept.all() or not kept.any():
            return np.broadcast_to(kept[0], (count,))
        edges = np.clip(np.arange(low, high + 1) * self._stride, first, first + count)
        return np.repeat(kept, np.diff(edges))
