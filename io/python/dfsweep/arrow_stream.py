"""Rows of a result as a stream of Arrow, without a library of it: the C stream interface in a PyCapsule.

What takes such streams (pyarrow, polars, DuckDB) reads them: polars.DataFrame(dfsweep.arrow(path)).
"""
from __future__ import annotations

import ctypes
import itertools
import struct
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from .argument_types import Array, Names, Path, Rows, Where
from .parts import Parts, size_of
from .result import Result
from .rows import Request

CHUNK_ROWS = 1 << 20
EIO = 5
_NULLABLE, _NO_FLAGS = 2, 0
_FORMATS = {"float64": b"g", "float32": b"f", "int64": b"l", "int32": b"i", "int16": b"s", "int8": b"c", "uint64": b"L",
            "uint32": b"I", "uint16": b"S", "uint8": b"C"}


class _Schema(ctypes.Structure):
    pass


class _Array(ctypes.Structure):
    pass


class _Stream(ctypes.Structure):
    pass


def _release_type(structure: type[ctypes.Structure]) -> Any:
    return ctypes.CFUNCTYPE(None, ctypes.POINTER(structure))


_Schema._fields_ = [("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_char_p),
                    ("flags", ctypes.c_int64), ("n_children", ctypes.c_int64),
                    ("children", ctypes.POINTER(ctypes.POINTER(_Schema))), ("dictionary", ctypes.POINTER(_Schema)),
                    ("release", _release_type(_Schema)), ("private_data", ctypes.c_void_p)]
_Array._fields_ = [("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64),
                   ("n_buffers", ctypes.c_int64), ("n_children", ctypes.c_int64), ("buffers", ctypes.POINTER(ctypes.c_void_p)),
                   ("children", ctypes.POINTER(ctypes.POINTER(_Array))), ("dictionary", ctypes.POINTER(_Array)),
                   ("release", _release_type(_Array)), ("private_data", ctypes.c_void_p)]
_GetSchema = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Stream), ctypes.POINTER(_Schema))
_GetNext = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Stream), ctypes.POINTER(_Array))
_GetLastError = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(_Stream))
_Stream._fields_ = [("get_schema", _GetSchema), ("get_next", _GetNext), ("get_last_error", _GetLastError),
                    ("release", _release_type(_Stream)), ("private_data", ctypes.c_void_p)]

_alive: dict[int, Any] = {}  # what a structure points to, until it is released
_numbers = itertools.count(1)


def _keep(*objects: object) -> int:
    number = next(_numbers)
    _alive[number] = objects
    return number


def _released(structure: type[ctypes.Structure]) -> Any:
    """Releases a structure, and the parts of it that were not moved elsewhere."""
    def release(pointer: Any) -> None:
        it = pointer.contents
        for i in range(it.n_children):
            if it.children[i].contents.release:
                it.children[i].contents.release(it.children[i])
        if it.dictionary and it.dictionary.contents.release:
            it.dictionary.contents.release(it.dictionary)
        number, it.release = it.private_data, _release_type(structure)()
        _alive.pop(number, None)
    return _release_type(structure)(release)


_release_schema, _release_array = _released(_Schema), _released(_Array)


def _pointers(structure: type[ctypes.Structure], parts: Sequence[ctypes.Structure]) -> Any:
    return (ctypes.POINTER(structure) * len(parts))(*(ctypes.pointer(part) for part in parts))


def _metadata(pairs: Mapping[str, str]) -> bytes:
    data = struct.pack("=i", len(pairs))
    for word in itertools.chain.from_iterable(pairs.items()):
        data += struct.pack("=i", len(word.encode())) + word.encode()
    return data


def _set_schema(schema: Any, kind: bytes, name: str, children: Sequence[ctypes.Structure] = (),
                dictionary: ctypes.Structure | None = None, metadata: Mapping[str, str] | None = None,
                flags: int = _NULLABLE) -> Any:
    words = kind, name.encode(), _metadata(metadata) if metadata else None
    pointers = _pointers(_Schema, children)
    schema.format, schema.name, schema.metadata = words
    schema.flags, schema.n_children, schema.children = flags, len(children), pointers
    if dictionary is not None:
        schema.dictionary = ctypes.pointer(dictionary)
    schema.release, schema.private_data = _release_schema, _keep(words, pointers, children, dictionary)
    return schema


def _set_array(array: Any, length: int, buffers: Sequence[Array | None], null_count: int = 0,
               children: Sequence[ctypes.Structure] = (), dictionary: ctypes.Structure | None = None) -> Any:
    addresses = (ctypes.c_void_p * len(buffers))(*(None if each is None else each.ctypes.data for each in buffers))
    pointers = _pointers(_Array, children)
    array.length, array.null_count, array.offset = length, null_count, 0
    array.n_buffers, array.buffers = len(buffers), addresses
    array.n_children, array.children = len(children), pointers
    if dictionary is not None:
        array.dictionary = ctypes.pointer(dictionary)
    array.release, array.private_data = _release_array, _keep(buffers, addresses, pointers, children, dictionary)
    return array


def _texts(words: Sequence[str]) -> Any:
    """An array of texts."""
    encoded = [word.encode() for word in words]
    offsets = np.concatenate([[0], np.cumsum([len(word) for word in encoded])]).astype(np.int32)
    return _set_array(_Array(), len(words), [None, offsets, np.frombuffer(b"".join(encoded) or b"\0", np.uint8)])


def _column(result: Result, name: str, parts: Parts) -> Any:
    values, categories = result.gathered_codes(name, parts)
    fill = result.fill_value(name)
    if categories is not None:
        absent = values < 0
    elif fill is not None:
        absent = values == fill
    else:
        absent = np.isnan(values) if values.dtype.kind == "f" else np.zeros(1, bool)
    count = int(absent.sum())
    there = np.packbits(~absent, bitorder="little") if count else None
    dictionary = None if categories is None else _texts(categories)
    return _set_array(_Array(), len(values), [there, values], count, dictionary=dictionary)


def _schema_of(result: Result, columns: Sequence[str], attrs: Mapping[str, Any]) -> tuple[list[Any], dict[str, str]]:
    fields = []
    for name in columns:
        place, categories = result.gathered_codes(name, [])
        units = {"units": attrs["units"][name]}
        dictionary = None if categories is None else _set_schema(_Schema(), b"u", "", flags=_NO_FLAGS)
        fields.append(_set_schema(_Schema(), _FORMATS[place.dtype.name], name, dictionary=dictionary, metadata=units))
    return fields, {f"fixed.{name}": str(value) for name, value in attrs["fixed"].items()}


class _Source:
    """What the functions of a stream read from."""

    def __init__(self, table: ArrowTable) -> None:
        self._result = Result(table.path, table.check, table.partial)
        self._request = Request(self._result, table.columns, table.where, table.rows, table.seed)
        self._columns = self._request.columns
        self._chunks = (parts for parts in self._request.chunks(table.chunks) if parts)
        self.error = ctypes.create_string_buffer(b"")
        self.functions = [_GetSchema(self._get_schema), _GetNext(self._get_next), _GetLastError(self._get_last_error)]

    def _guarded(self, action: Callable[[], None]) -> int:
        try:
            action()
            return 0
        except Exception as error:  # the consumer shows it
            self.error = ctypes.create_string_buffer(str(error).encode())
            return EIO

    def _get_schema(self, _: Any, out: Any) -> int:
        def fill() -> None:
            fields, metadata = _schema_of(self._result, self._columns, self._request.attrs)
            _set_schema(out.contents, b"+s", "", fields, metadata=metadata, flags=_NO_FLAGS)
        return self._guarded(fill)

    def _get_next(self, _: Any, out: Any) -> int:
        def fill() -> None:
            parts = next(self._chunks, None)
            if parts is None:
                out.contents.release = _release_type(_Array)()  # the end
                return
            columns = [_column(self._result, name, parts) for name in self._columns]
            rows = sum(map(size_of, parts))
            _set_array(out.contents, rows, [None], children=columns)
        return self._guarded(fill)

    def _get_last_error(self, _: Any) -> int:
        return ctypes.addressof(self.error)

    def close(self) -> None:
        self._result.close()


def _release_source(pointer: Any) -> None:
    number, pointer.contents.release = pointer.contents.private_data, _release_type(_Stream)()
    source, _ = _alive.pop(number)
    source.close()


def _destroy(capsule: Any) -> None:
    """Of a capsule: releases the stream where nothing has taken it."""
    stream = ctypes.cast(_get_pointer(capsule, _CAPSULE), ctypes.POINTER(_Stream))
    if stream.contents.release:
        stream.contents.release(stream)
    _streams.pop(ctypes.addressof(stream.contents), None)


_CAPSULE = b"arrow_array_stream"
_release_stream, _destructor = _release_type(_Stream)(_release_source), ctypes.CFUNCTYPE(None, ctypes.c_void_p)(_destroy)
_streams: dict[int, _Stream] = {}  # address -> structure that a capsule points to
_get_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))
_new_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(
    ("PyCapsule_New", ctypes.pythonapi))


class ArrowTable:
    """Rows of a result for programs that take streams of Arrow. Each of them reads the file anew, chunk by chunk."""

    def __init__(self, path: Path, columns: Names | None, where: Where | None, rows: Rows | None, chunks: int, check: bool,
                 seed: int, partial: bool) -> None:
        self.path, self.columns, self.where, self.rows, self.chunks = path, columns, where, rows, chunks
        self.check, self.seed, self.partial = check, seed, partial

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """A PyCapsule of an ArrowArrayStream; a requested schema is not looked at, which the interface permits."""
        source, stream = _Source(self), _Stream()
        stream.get_schema, stream.get_next, stream.get_last_error = source.functions
        stream.release, stream.private_data = _release_stream, _keep(source, source.functions)
        _streams[ctypes.addressof(stream)] = stream
        return _new_capsule(ctypes.addressof(stream), _CAPSULE, ctypes.cast(_destructor, ctypes.c_void_p))


def arrow(path: Path, columns: Names | None = None, where: Where | None = None, rows: Rows | None = None,
          chunks: int = CHUNK_ROWS, check: bool = True, *, seed: int = 0, partial: bool = False) -> ArrowTable:
    """Rows of a result as an object that pyarrow, polars and DuckDB read: `polars.DataFrame(dfsweep.arrow(path))`.

    Arguments are those of `load`; `chunks` is the number of rows of a batch. Names are dictionary-encoded, missing values are
    null, units are in the metadata of the fields and fixed parameters in that of the schema. Nothing is read before it is
    asked for. Errors of `load` are raised where the stream is made, or by what reads it.
    """
    return ArrowTable(path, columns, where, rows, chunks, check, seed, partial)
