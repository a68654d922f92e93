"""Pareto fronts of a result, or of a frame of it: as a frame, as a picture in a notebook, as a plot."""
from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from .argument_types import Array, Path, Where
from .parts import PIECE, numbers_within
from .pictures import steps_svg
from .result import Result
from .rows import Request

SHOWN_ROWS = 10


class Front:
    """A Pareto front of two metrics. frame: its rows, from the best to the worst value of the first metric; first, second:
    names of the metrics; units: name -> unit. A notebook shows it as a picture and a table."""

    def __init__(self, frame: pd.DataFrame, first: str, second: str) -> None:
        self.frame, self.first, self.second, self.units = frame, first, second, frame.attrs.get("units", {})

    def __len__(self) -> int:
        return len(self.frame)

    def __repr__(self) -> str:
        return f"front of {self.first} and {self.second}, {len(self)} rows\n{self.frame.head(SHOWN_ROWS)!r}"

    def label(self, name: str) -> str:
        """A name with its unit."""
        unit = self.units.get(name, "1")
        return name if unit == "1" else f"{name} ({unit})"

    def plot(self, axes: Any = None, **style: Any) -> Any:
        """Draws the front as steps with matplotlib, into `axes` or into a new figure, and returns the axes. style: arguments of `Axes.step`. Raises
        ImportError where matplotlib is missing; a notebook shows a front without it."""
        if axes is None:
            from matplotlib import pyplot

            axes = pyplot.subplots()[1]
        axes.step(self.frame[self.first], self.frame[self.second], **{"where": "post", "marker": "o", **style})
        axes.set_xlabel(self.label(self.first))
        axes.set_ylabel(self.label(self.second))
        return axes

    def _repr_html_(self) -> str:
        shown = self.frame.head(SHOWN_ROWS)
        more = f"<p>{len(self) - len(shown)} rows more</p>" if len(self) > len(shown) else ""
        names = [self.first, self.second, *(name for name in self.frame.columns.drop([self.first, self.second])
                                            if self.frame[name].nunique() > 1)]
        points = [", ".join(f"{name} {value:.6g}" if isinstance(value, float) else f"{name} {value}"
                            for name, value in zip(names, row)) for row in self.frame[names].itertuples(index=False)]
        svg = steps_svg(self.frame[self.first].to_numpy(float), self.frame[self.second].to_numpy(float),
                        self.label(self.first), self.label(self.second), points)
        return f"<p>{html.escape(repr(self).splitlines()[0])}</p>{svg}{shown._repr_html_()}{more}"


def front(source: Path | pd.DataFrame, first: str, second: str, where: Where | None = None, check: bool = True, *,
          partial: bool = False) -> Front:
    """The Pareto front of two metrics: rows with status ok that no other row beats in one metric without losing in the other,
    as `dfsweep show --pareto` finds them. Of rows with equal values the first is kept.

    source: a result, or a frame that `load`, `evaluate` or `Sweep.search` returned. Which direction is better is what the estimator
    declares: KeyError for names that are no metrics, ValueError for metrics without a better direction. `where`, `check`
    and `partial` are those of `load`, and of a result only. Rows are read in pieces.
    """
    if isinstance(source, pd.DataFrame):
        return _front_of_frame(source, first, second)
    with Result(source, check, partial) as result:
        result.expect_columns([first, second])
        signs = _signs({name: result.better(name) for name in (first, second)})
        rows = _Rows()
        for parts in Request(result, [first, second], where, None, 0).chunks(PIECE):
            status = np.asarray(result.gathered("status", parts) == "ok")
            values = [sign * result.gathered(name, parts, True) for name, sign in signs.items()]
            rows.add(values[0], values[1], numbers_within(parts), status)
        return Front(Request(result, None, None, rows.rows, 0).frame(), first, second)


def _front_of_frame(frame: pd.DataFrame, first: str, second: str) -> Front:
    better = frame.attrs.get("better", {})
    for name in (first, second):
        if name not in better or name not in frame:
            raise KeyError(f"{name!r} is no metric of the frame; there are: {', '.join(each for each in better if each in frame)}")
    signs, rows = _signs({name: better[name] for name in (first, second)}), _Rows()
    is_ok = (frame["status"] == "ok").to_numpy() if "status" in frame else np.ones(len(frame), bool)
    values = [sign * frame[name].to_numpy(float) for name, sign in signs.items()]
    rows.add(values[0], values[1], np.arange(len(frame)), is_ok)
    chosen = frame.iloc[rows.rows]
    chosen.attrs = frame.attrs
    return Front(chosen, first, second)


def _signs(better: Mapping[str, str]) -> dict[str, float]:
    """-1 for metrics of which more is better, 1 for those of which less is."""
    if len(better) < 2:
        raise ValueError(f"{next(iter(better))} is given twice; a front is one of two metrics")
    for name, direction in better.items():
        if direction not in ("lower", "higher"):
            raise ValueError(f"{name} has no better direction, so no row of it is best")
    return {name: -1.0 if direction == "higher" else 1.0 for name, direction in better.items()}


class _Rows:
    """The front of the rows that were added; less is better in both metrics, and the first of equal rows is kept."""

    def __init__(self) -> None:
        self.first, self.second, self.rows = np.empty(0), np.empty(0), np.empty(0, np.int64)

    def add(self, first: Array, second: Array, rows: Array, is_ok: Array) -> None:
        place = np.searchsorted(self.first, first, "right") - 1
        least = np.append(self.second, np.inf)[place]  # of the front's rows that are no worse in the first metric
        kept = is_ok & ~np.isnan(first) & (second < least)
        first, second, rows = (np.append(old, new[kept]) for old, new in (
            (self.first, first), (self.second, second), (self.rows, rows)))
        order = np.lexsort((rows, second, first))
        first, second, rows = first[order], second[order], rows[order]
        kept = second < np.append(np.inf, np.minimum.accumulate(second)[:-1])
        self.first, self.second, self.rows = first[kept], second[kept], rows[kept]
