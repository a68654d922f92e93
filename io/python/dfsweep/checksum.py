"""XXH3-128 of bytes, by the library that dfsweep installs, the module xxhash, or the library of the system."""
from __future__ import annotations

import ctypes
import ctypes.util
import functools
import os
from collections.abc import Iterable
from typing import Any, Callable, Tuple

import numpy as np

from .argument_types import Array
from .errors import CannotVerify

Halves = Tuple[int, int]  # of a checksum: high and low
Checksum = Callable[[Any], Halves]
PiecesChecksum = Callable[[Iterable[Any]], Halves]


class _Halves(ctypes.Structure):
    _fields_ = [("low", ctypes.c_uint64), ("high", ctypes.c_uint64)]


def _address(data: Any) -> int:
    return np.frombuffer(data, np.uint8).ctypes.data


def _of_library(name: str, function: str) -> tuple[Checksum, ctypes.CDLL] | None:
    """The checksum function of a shared library, and the library; None where there is no such library."""
    try:
        library = ctypes.CDLL(name)
        call = getattr(library, function)
    except (OSError, AttributeError):
        return None
    call.argtypes, call.restype = [ctypes.c_void_p, ctypes.c_size_t], _Halves

    def checksum(data: Any) -> Halves:
        halves = call(_address(data), memoryview(data).nbytes)
        return halves.high, halves.low

    return checksum, library


def _pieces_of_own(library: ctypes.CDLL) -> PiecesChecksum:
    """The checksum of bytes in pieces, by the library of the package."""
    begin, update, end = library.dfsweep_stream_begin, library.dfsweep_stream_update, library.dfsweep_stream_end
    begin.restype, update.restype, end.restype = ctypes.c_void_p, None, _Halves
    update.argtypes, end.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t], [ctypes.c_void_p]

    def checksum(pieces: Iterable[Any]) -> Halves:
        stream = begin()
        if not stream:
            raise MemoryError
        try:
            for piece in pieces:
                update(stream, _address(piece), memoryview(piece).nbytes)
        finally:
            halves = end(stream)
        return halves.high, halves.low

    return checksum


def _pieces_of_system(library: ctypes.CDLL) -> PiecesChecksum:
    """The same by the library of the system."""
    library.XXH3_createState.restype, library.XXH3_128bits_digest.restype = ctypes.c_void_p, _Halves
    for call in (library.XXH3_freeState, library.XXH3_128bits_reset, library.XXH3_128bits_digest):
        call.argtypes = [ctypes.c_void_p]
    library.XXH3_128bits_update.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]

    def checksum(pieces: Iterable[Any]) -> Halves:
        state = library.XXH3_createState()
        if not state:
            raise MemoryError
        try:
            library.XXH3_128bits_reset(state)
            for piece in pieces:
                library.XXH3_128bits_update(state, _address(piece), memoryview(piece).nbytes)
            halves = library.XXH3_128bits_digest(state)
        finally:
            library.XXH3_freeState(state)
        return halves.high, halves.low

    return checksum


def _pieces_of_module(pieces: Iterable[Any]) -> Halves:
    """The same by the module xxhash."""
    import xxhash
    stream = xxhash.xxh3_128()
    for piece in pieces:
        stream.update(piece)
    number = stream.intdigest()
    return number >> 64, number & (1 << 64) - 1


def _of_module() -> tuple[Checksum, None] | None:
    try:
        import xxhash
    except ImportError:
        return None

    def checksum(data: Any) -> Halves:
        number = xxhash.xxh3_128_intdigest(data)
        return number >> 64, number & (1 << 64) - 1

    return checksum, None


@functools.lru_cache(maxsize=None)
def _functions() -> tuple[Checksum, Any, Any, Any, PiecesChecksum]:
    """The function for one checksum; those for many, for reading blocks, and for elements of blocks, or None; and that for
    bytes in pieces."""
    own = _of_library(os.path.join(os.path.dirname(__file__), "libdfsweep_checksum.so"), "dfsweep_xxh3_128")
    if own is not None:
        size, number, pointer = ctypes.c_size_t, ctypes.c_uint64, ctypes.c_void_p
        many, read, gather = own[1].dfsweep_first_damaged, own[1].dfsweep_read_verified, own[1].dfsweep_gather_verified
        blocks = [ctypes.c_int, number, pointer, pointer, pointer, size]
        many.argtypes, many.restype = [pointer, pointer, pointer, size], size
        read.argtypes, read.restype = [*blocks, number, pointer, size], size
        gather.argtypes, gather.restype = [*blocks, size, pointer, size, pointer], size
        return own[0], many, read, gather, _pieces_of_own(own[1])
    system = ctypes.util.find_library("xxhash") or "libxxhash.so.0"
    found = _of_module() or _of_library(system, "XXH3_128bits")
    if found is None:
        raise CannotVerify("there is no library of XXH3 to verify results with. 'pip install xxhash' installs one; "
                           "check=False reads without verifying")
    return found[0], None, None, None, _pieces_of_module if found[1] is None else _pieces_of_system(found[1])


def has_library() -> bool:
    """Whether the library that reads and compares at once is there."""
    return _functions()[2] is not None


def xxh3_128(data: Any) -> Halves:
    """High and low half of the checksum of a contiguous buffer."""
    return _functions()[0](data)


def xxh3_128_of_pieces(pieces: Iterable[Any]) -> Halves:
    """The same of several buffers, as if they were one."""
    return _functions()[4](pieces)


def first_damaged(data: Any, ends: Array, expected: Array) -> int:
    """The first of adjacent blocks without its checksum, or their number. `ends`: bytes to the end of each block, from the
    first on; `expected`: [block][high, low]; both uint64."""
    one, many = _functions()[:2]
    if many is not None:
        ends, expected = np.ascontiguousarray(ends, np.uint64), np.ascontiguousarray(expected, np.uint64)
        return many(_address(data), ends.ctypes.data, expected.ctypes.data, len(ends))
    view, begin = memoryview(data).cast("B"), 0
    for i, end in enumerate(int(each) for each in ends):
        if one(view[begin:end]) != (int(expected[i][0]), int(expected[i][1])):
            return i
        begin = end
    return len(ends)


class FileBlocks:
    """Adjacent blocks of a file, from `offset` on. ends: bytes from there to the end of each block; expected: [block][high, low];
    both uint64. known: a byte for each block, which is 1 where the block was compared before, and set where it is now."""

    def __init__(self, descriptor: int, offset: int, ends: Array, expected: Array, known: Array) -> None:
        self._kept = np.ascontiguousarray(ends, np.uint64), np.ascontiguousarray(expected, np.uint64), known
        self._count = len(ends)
        self._arguments = descriptor, offset, *(each.ctypes.data for each in self._kept), self._count

    def read(self, begin: int, values: Array) -> int | None:
        """Fills an array with bytes from `begin` on, and compares the blocks that they are of. Returns the first damaged block,
        or their number. None where the library that does both at once is missing, or the file cannot be read."""
        read = _functions()[2]
        return None if read is None else self._damaged(read(*self._arguments, begin, values.ctypes.data, values.nbytes))

    def gather(self, rows: Array, values: Array) -> int | None:
        """The same for elements: rows are their ascending numbers, from the first block on, as uint32."""
        gather = _functions()[3]
        return None if gather is None else self._damaged(
            gather(*self._arguments, values.itemsize, rows.ctypes.data, len(rows), values.ctypes.data))

    def _damaged(self, found: int) -> int | None:
        return found if found <= self._count else None
