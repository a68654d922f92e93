"""A point is a function call: estimates of one point, or of the rows of a table, by the engine in this process."""
from __future__ import annotations

import ctypes
import difflib
import functools
import html
import os
import sys
import threading
import time
import typing
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from .argument_types import Array, Folders, Names, Path, Values
from .errors import InvalidSweep, SweepError
from .kept_points import KeptPoint, find_kept, note_values
from .library import Engine, EngineError, Evaluation, find_engine
from .points import Points
from .program import described_by, evaluate_by_program, find_program, installed_catalogues

POLL_SECONDS = 0.05  # between looks for Ctrl-C


def evaluate(estimator: str, values: Values | None = None, /, *, metrics: Names | None = None, catalogue: Folders = (),
             data: Mapping[str, Path] | None = None, threads: int | None = None, progress: bool = False, program: Path | None = None,
             **parameters: Any) -> Estimate | pd.DataFrame:
    """Estimates points.

        dfsweep.evaluate("training", model="llama3-70b", device="h100", device_count=64, tensor_parallel=8, ...)
        dfsweep.evaluate("training", frame, model="llama3-70b")

    estimator: a name of `dfsweep describe`. Parameters are given by name, or as `values`: a DataFrame, a list of dicts, or
    a dict. Numbers are in base SI units, texts are as in a sweep file ("80 GB"); a missing value means the default.
    metrics: names of the metrics that are wanted; by default all that apply. catalogue: folders of own entries.
    data: name -> folder or file, as in [data] of a sweep file: {"profiles": "measured"}.
    threads: how many; by default one for each core. progress: whether to print how far it is.

    Where all parameters are given by name and have one value, the answer is an Estimate. Where a parameter is a list, or
    `values` is given, it is a DataFrame with a row for each point: the parameters that vary, the status, the metrics; with the index of `values`.
    Raises InvalidSweep, which names the argument and the row; Ctrl-C ends the evaluation.
    """
    points = Points(values, parameters)
    engine = find_engine() or find_engine(_program_or_none(program))
    if engine is None:
        frame, reason = evaluate_by_program(estimator, points, metrics=metrics, catalogue=catalogue, data=data, program=program)
        return _estimate_of_row(estimator, points, frame, reason, find_program(program)) if points.is_one else frame
    catalogues = [*installed_catalogues(), *([catalogue] if isinstance(catalogue, (str, os.PathLike)) else catalogue)]
    text = f"[sweep]\nname = \"points\"\nestimator = {_text(estimator)}\n"
    if metrics:
        text += f"[output]\nmetrics = [{', '.join(map(_text, [metrics] if isinstance(metrics, str) else metrics))}]\n"
    if data:
        text += "[data]\n" + "".join(f"{_text(name)} = {_text(os.path.abspath(path))}\n" for name, path in data.items())

    prepare = functools.partial(_prepare, engine, text, catalogues)
    key = engine, text, tuple(os.fspath(each) for each in catalogues), _surroundings()
    evaluation: Evaluation | KeptPoint | None = find_kept(key, points.single, prepare) if points.is_one else None
    if evaluation is None:
        try:
            evaluation = prepare(points)
        except EngineError as error:
            raise _invalid(error, points) from None
        warning = evaluation.description["warnings"].strip()
        if warning:
            warnings.warn(warning, stacklevel=2)
        if points.is_one and not warning:
            note_values(key, points.single, [metric["name"] for metric in evaluation.description["metrics"]])
    described = evaluation.description
    status = np.empty(points.count, np.uint8)
    columns = [np.empty(points.count) for _ in described["metrics"]]
    _run(evaluation, threads or len(os.sched_getaffinity(0)), status, columns, progress)
    if points.is_one:
        values = {metric["name"]: metric["names"][int(column[0])] if metric["names"] else float(column[0])
                  for metric, column in zip(described["metrics"], columns) if not np.isnan(column[0])}
        return Estimate(estimator, points.fixed(), described["metrics"], described["statuses"][status[0]]["name"], values,
                        evaluation.reason(0) if status[0] else "")
    return _frame(points, described, status, columns)


def _estimate_of_row(estimator: str, points: Points, frame: pd.DataFrame, reason: str, program: str) -> Estimate:
    """The only row of a result."""
    metrics = [metric for metric in described_by(program, estimator)["metrics"] if metric["name"] in frame]
    row = frame.iloc[0]
    values: dict[str, float | str] = {name: row[name] if isinstance(row[name], str) else float(row[name])
                                      for name in (metric["name"] for metric in metrics) if not pd.isna(row[name])}
    return Estimate(estimator, points.fixed(), metrics, str(row["status"]), values, reason)


def _prepare(engine: Engine, text: str, catalogues: Sequence[Path], points: Points) -> Evaluation:
    return Evaluation(engine, text, catalogues, points.columns(), points.count)


def _surroundings() -> tuple[str, ...]:
    """What else a call depends on: where relative paths are, and variables that name data."""
    return os.getcwd(), *(f"{name}={value}" for name, value in os.environ.items() if name.startswith("DFSWEEP_"))


def _program_or_none(program: Path | None) -> str | None:
    try:
        return find_program(program)
    except FileNotFoundError:
        return None


def _text(value: object) -> str:
    return '"' + str(value).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def _invalid(error: EngineError, points: Points) -> SweepError:
    if not error.problems:
        return error
    return InvalidSweep("\n".join(points.message(problem) for problem in error.problems))


def _run(evaluation: Evaluation | KeptPoint, threads: int, status: Array, columns: Sequence[Array], progress: bool) -> None:
    """Evaluates in a thread of its own, so that Ctrl-C is heard."""
    failure = []

    def work() -> None:
        try:
            evaluation.evaluate(threads, status, columns)
        except BaseException as error:  # raised again below
            failure.append(error)

    worker = threading.Thread(target=work, daemon=True)
    start = time.monotonic()
    worker.start()
    try:
        while worker.is_alive():
            worker.join(POLL_SECONDS)
            if progress and worker.is_alive():
                _print_progress(evaluation.done(), len(status), time.monotonic() - start)
    except BaseException:
        evaluation.stop()
        worker.join(1.0)
        raise
    if progress:
        _print_progress(evaluation.done(), len(status), time.monotonic() - start)
        print(file=sys.stderr)
    if failure:
        raise failure[0]
    if (status == 1).any():
        warnings.warn(evaluation.failures().strip(), stacklevel=4)


def _print_progress(done: int, count: int, seconds: float) -> None:
    print(f"\r{done / count:4.0%}  {done} of {count} points  {done / max(seconds, 1e-9):.3g} points/s", end="", file=sys.stderr,
          flush=True)


def _frame(points: Points, described: Mapping[str, Any], status: Array, columns: Sequence[Array]) -> pd.DataFrame:
    data = points.frame_columns(described["units"])
    data["status"] = pd.Categorical.from_codes(status.astype(np.int8), [each["name"] for each in described["statuses"]])
    for metric, values in zip(described["metrics"], columns):
        name = metric["name"] + "_result" if metric["name"] in data else metric["name"]
        data[name] = _named(values, metric["names"]) if metric["names"] else values
    frame = pd.DataFrame(data, index=points.index, copy=False)
    frame.attrs = {"units": {**{name: described["units"][name] for name in points.varying()},
                             **{metric["name"]: metric["unit"] for metric in described["metrics"]}},
                   "fixed": points.fixed(), "better": {metric["name"]: metric["better"] for metric in described["metrics"]}}
    return frame


def _named(values: Array, names: Sequence[str]) -> pd.Categorical:
    """Flags as categories; NaN is no value."""
    return pd.Categorical.from_codes(np.where(np.isnan(values), -1, values).astype(np.int16), names)


class Estimate(typing.Mapping[str, Any]):
    """The estimate of one point: `estimate.step_time` or `estimate["step_time"]`; prints as a table. It maps names of metrics to
    values, so that `pd.Series(estimate)` and `pd.DataFrame([estimate, ...])` take it.

    status: "ok", or why there is no estimate; reason: the same in words. parameters: what was given. metrics: name -> value
    of those that have one. units: name -> unit.
    """

    def __init__(self, estimator: str, parameters: dict[str, Any], metrics: Sequence[Mapping[str, Any]], status: str,
                 values: dict[str, float | str], reason: str) -> None:
        self.estimator, self.parameters, self.status, self.reason = estimator, parameters, status, reason
        self.metrics, self.units = values, {metric["name"]: metric["unit"] for metric in metrics}
        self._meanings = {metric["name"]: metric["meaning"] for metric in metrics}

    def __getitem__(self, name: str) -> Any:
        if name not in self.units:
            raise KeyError(self._no_metric(name))
        return self.metrics.get(name, float("nan"))

    def __contains__(self, name: object) -> bool:
        return name in self.metrics

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self.__dict__.get("units", {}):
            raise AttributeError(self._no_metric(name))
        return self[name]

    def _no_metric(self, name: str) -> str:
        units = self.__dict__.get("units", {})
        near = difflib.get_close_matches(name, units, 1)
        return f"no metric {name!r}; " + (f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(units)}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.units]

    def __iter__(self) -> Iterator[str]:
        return iter(self.metrics)

    def __len__(self) -> int:
        return len(self.metrics)

    def _rows(self) -> Iterator[tuple[str, str, str]]:
        for name, value in self.metrics.items():
            unit = "" if self.units[name] == "1" else self.units[name]
            yield name, value if isinstance(value, str) else f"{value:.6g}", unit

    def __repr__(self) -> str:
        head = f"{self.estimator}: {self.status}" + (f" ({self.reason})" if self.reason else "")
        width = max((len(name) for name in self.metrics), default=0)
        return "\n".join([head, *(f"  {name:{width}}  {value} {unit}".rstrip() for name, value, unit in self._rows())])

    def _repr_html_(self) -> str:
        head = f"{self.estimator}: {self.status}" + (f" ({self.reason})" if self.reason else "")
        rows = "".join(f"<tr title='{html.escape(self._meanings[name], quote=True)}'><th>{html.escape(name)}</th>"
                       f"<td>{html.escape(value)}</td><td>{html.escape(unit)}</td></tr>" for name, value, unit in self._rows())
        return f"<table><caption>{html.escape(head)}</caption>{rows}</table>"
