"""The functions of libdfsweep_engine.so (engine/python/library.cpp), loaded when they are first used."""
from __future__ import annotations

import ctypes
import functools
import json
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .errors import SweepError

if TYPE_CHECKING:
    from .argument_types import Array, Path

NAME = "libdfsweep_engine.so"


class Column(ctypes.Structure):
    """A parameter of points: its distinct values as numbers, or as texts where the number is NaN, and the index of the value
    of each point. Null texts are empty; without codes all points have the first value."""

    _fields_ = [("name", ctypes.c_char_p), ("numbers", ctypes.c_void_p), ("texts", ctypes.c_void_p),
                ("codes", ctypes.c_void_p), ("values", ctypes.c_uint64)]


class Engine:
    """The engine in this process, and the data that its evaluations share: measured tables are read and fitted once, and again
    when a file changes."""

    def __init__(self, path: str) -> None:
        self.library = _functions(path)
        self.kept_data = ctypes.c_void_p(self.library.dfsweep_keep_data())

    def __del__(self) -> None:
        if getattr(self, "kept_data", None):
            self.library.dfsweep_discard_data(self.kept_data)

    def data_reads(self) -> int:
        """How often data was read."""
        return self.library.dfsweep_data_reads(self.kept_data)


_open = functools.lru_cache(maxsize=None)(Engine)


def _functions(path: str) -> ctypes.CDLL:
    library = ctypes.CDLL(path)
    handle, text = ctypes.c_void_p, ctypes.c_char_p
    for name, answer, arguments in (
            ("version", text, []),
            ("keep_data", handle, []), ("discard_data", None, [handle]), ("data_reads", ctypes.c_uint64, [handle]),
            ("prepare", text, [handle, text, ctypes.POINTER(text), ctypes.POINTER(Column), ctypes.c_size_t, ctypes.c_uint64,
                               ctypes.POINTER(handle)]),
            ("evaluate", text, [handle, ctypes.c_uint, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)]),
            ("evaluate_at", text, [handle, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_void_p]),
            ("is_current", ctypes.c_bool, [handle]), ("reason_at", text, [handle, ctypes.c_void_p, ctypes.c_size_t]),
            ("stop", None, [handle]), ("done", ctypes.c_uint64, [handle]), ("reason", text, [handle, ctypes.c_uint64]),
            ("failures", text, [handle]), ("close", None, [handle])):
        try:
            function = getattr(library, f"dfsweep_{name}")
        except AttributeError:
            raise SweepError(f"{path} is of another version of dfsweep than this package") from None
        function.restype, function.argtypes = answer, arguments
    return library


def find_engine(program: str | None = None) -> Engine | None:
    """The engine beside this package, or else beside the program; None if neither has one."""
    folders = [os.path.dirname(os.path.abspath(__file__)), *([os.path.dirname(os.path.abspath(program))] if program else [])]
    for folder in folders:
        path = os.path.join(folder, NAME)
        if os.path.isfile(path):
            return _open(path)
    return None


class Evaluation:
    """Prepared points of the engine. The answer of each function is decoded; what the engine refuses is an EngineError."""

    def __init__(self, engine: Engine, text: str, catalogues: Sequence[Path], columns: Sequence[Column],
                 count: int) -> None:
        folders = (ctypes.c_char_p * (len(catalogues) + 1))(*(os.fsencode(each) for each in catalogues), None)
        self._library, self._handle = engine.library, ctypes.c_void_p()
        array = (Column * len(columns))(*columns)
        answer = self._library.dfsweep_prepare(engine.kept_data, text.encode(), folders, array, len(columns), count,
                                               ctypes.byref(self._handle))
        answer = json.loads(answer)
        if not self._handle:
            raise EngineError(answer)
        self.description = answer

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            self._library.dfsweep_close(self._handle)

    def evaluate(self, threads: int, status: Array, metrics: Sequence[Array]) -> None:
        """Fills arrays: uint8 statuses, and float64 for each metric of the description. Other threads of Python go on."""
        pointers = (ctypes.c_void_p * len(metrics))(*(each.ctypes.data for each in metrics))
        answer = self._library.dfsweep_evaluate(self._handle, threads, status.ctypes.data, pointers)
        if answer is not None:
            raise EngineError(json.loads(answer))

    def evaluate_at(self, values: Array, status: Array, metrics: Array) -> None:
        """The same for one point that has, of each column, the value with this number, as uint32."""
        answer = self._library.dfsweep_evaluate_at(self._handle, values.ctypes.data, len(values), status.ctypes.data,
                                                   metrics.ctypes.data)
        if answer is not None:
            raise EngineError(json.loads(answer))

    def is_current(self) -> bool:
        """Whether the files that were read are as they were."""
        return self._library.dfsweep_is_current(self._handle)

    def reason_at(self, values: Array) -> str:
        return self._library.dfsweep_reason_at(self._handle, values.ctypes.data, len(values)).decode()

    def stop(self) -> None:
        self._library.dfsweep_stop(self._handle)

    def done(self) -> int:
        """How many points are evaluated."""
        return self._library.dfsweep_done(self._handle)

    def reason(self, point: int) -> str:
        return self._library.dfsweep_reason(self._handle, point).decode()

    def failures(self) -> str:
        return self._library.dfsweep_failures(self._handle).decode()


class EngineError(SweepError):
    """What the engine answers instead of estimates: `problems` with places, or a text."""

    def __init__(self, answer: Mapping[str, Any]) -> None:
        super().__init__(answer["text"].strip())
        self.problems = answer["problems"]
