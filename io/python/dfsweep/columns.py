"""Elements of columns, each block compared with its checksum before the first byte of it is returned."""
from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import NoReturn, Union

import h5py
import numpy as np

from .argument_types import Array
from .checksum import FileBlocks, first_damaged, xxh3_128
from .errors import DamagedFile
from .frame import read_exactly
from .seal import Column, Place

TABLE_PIECE = 1 << 20  # bytes of a table that are read at once


class PlainSource:
    """Reads columns of a sealed file at the offsets that its seal gives."""

    def __init__(self, descriptor: int, places: Sequence[Place], path: str) -> None:
        self._descriptor, self._places, self._path = descriptor, places, path

    def read_into(self, index: int, first: int, values: Array) -> None:
        place = self._places[index]
        read_exactly(self._descriptor, place.offset + first * place.element_bytes, values.view(np.uint8), self._path)

    def blocks(self, index: int, bounds: Array, expected: Array, known: Array) -> FileBlocks | None:
        """Adjacent blocks of a column, which can be read and compared at once. bounds: their first rows, and the end."""
        place = self._places[index]
        ends = (bounds[1:] - bounds[0]) * place.element_bytes
        return FileBlocks(self._descriptor, place.offset + int(bounds[0]) * place.element_bytes, ends, expected, known)

    def element(self, index: int, row: int) -> int:
        """One element, which is a whole number."""
        value = np.empty(1, np.uint64)
        self.read_into(index, int(row), value)
        return int(value[0])


class CompressedSource:
    """Reads columns whose chunks are shuffled and deflated. Each chunk is compared with its checksum before it is expanded; the
    last one of each column is kept."""

    def __init__(self, descriptor: int, columns: Sequence[Column], chunks: Array, path: str) -> None:
        self._descriptor, self._columns, self._chunks, self._path = descriptor, columns, chunks, path
        counts = [-(-each.count // each.chunk_elements) for each in columns]
        self._first_chunks = [sum(counts[:i]) for i in range(len(counts))]
        self._kept: dict[int, tuple[int, Array]] = {}
        if sum(counts) != len(chunks):
            raise DamagedFile(f"{path} is damaged: its table of chunks does not match its columns")

    def read_into(self, index: int, first: int, values: Array) -> None:
        column, data = self._columns[index], values.view(np.uint8).reshape(-1)
        size = column.chunk_elements * column.element_bytes
        at, done = first * column.element_bytes, 0
        while done < len(data):
            chunk = self._expanded(index, (at + done) // size, size)
            part = chunk[(at + done) % size:][:len(data) - done]
            data[done:done + len(part)] = part
            done += len(part)

    def _expanded(self, index: int, number: int, size: int) -> Array:
        kept = self._kept.get(index)
        if kept is not None and kept[0] == number:
            return kept[1]
        offset, count, *checksum = self._chunks[self._first_chunks[index] + number].tolist()
        stored = bytearray(count)
        read_exactly(self._descriptor, offset, stored, self._path)
        if xxh3_128(stored) != tuple(checksum):
            raise DamagedFile(f"{self._path} is damaged: the chunk at byte {offset} has a wrong checksum. 'dfsweep run' of the "
                              "same sweep repairs it")
        width = min(self._columns[index].element_bytes, 8)  # elements of more than one number have numbers of 64 bits
        shuffled = np.frombuffer(zlib.decompress(stored, bufsize=size), np.uint8)
        chunk = shuffled.reshape(width, size // width).T.reshape(-1)
        self._kept[index] = number, chunk
        return chunk

    def blocks(self, *_: object) -> FileBlocks | None:
        return None

    def element(self, index: int, row: int) -> int:
        """One element, which is a whole number."""
        value = np.empty(1, np.uint64)
        self.read_into(index, int(row), value)
        return int(value[0])


class BlocksSource:
    """The rows of some blocks of another source as if there were no others: first row and rows of each of them."""

    def __init__(self, source: PlainSource, first_rows: Array, counts: Array) -> None:
        self._source, self._first_rows = source, first_rows
        ends = np.cumsum(counts, dtype=np.int64)
        self.starts, self._ends = ends - counts, ends

    def read_into(self, index: int, first: int, values: Array) -> None:
        end, block = first + len(values), int(np.searchsorted(self.starts, first, "right")) - 1
        while first < end:
            part = values[:min(int(self._ends[block]), end) - first]
            self._source.read_into(index, int(self._first_rows[block] - self.starts[block]) + first, part)
            first, values, block = first + len(part), values[len(part):], block + 1

    def blocks(self, index: int, bounds: Array, expected: Array, known: Array) -> FileBlocks | None:
        """Those of the other source where they are adjacent there; else None."""
        low = int(np.searchsorted(self.starts, bounds[0]))
        first_rows = self._first_rows[low:low + len(bounds) - 1]
        if not np.array_equal(np.diff(first_rows), np.diff(bounds)[:-1]):
            return None
        return self._source.blocks(index, bounds + (first_rows[0] - bounds[0]), expected, known)


class Hdf5Source:
    """Reads columns by HDF5: of a repacked file, or one without a seal."""

    def __init__(self, datasets: Sequence[h5py.Dataset]) -> None:
        self._datasets = datasets

    def read_into(self, index: int, first: int, values: Array) -> None:
        if len(values):
            self._datasets[index].read_direct(values, np.s_[first:first + len(values)])

    def gather_into(self, index: int, first: int, numbers: Array, values: Array) -> None:
        """Fills an array with elements at some rows: ascending numbers, from `first` on."""
        whole = np.empty(int(numbers[-1] - numbers[0]) + 1, values.dtype)
        self.read_into(index, first + int(numbers[0]), whole)
        np.take(whole, numbers - numbers[0], out=values)

    def blocks(self, *_: object) -> FileBlocks | None:
        return None


Source = Union[PlainSource, CompressedSource, BlocksSource, Hdf5Source]


class KeptChecksums:
    """The checksum table in memory: [block][high and low half of each column]."""

    def __init__(self, table: Array) -> None:
        self._table = table

    def of(self, index: int, low: int, high: int) -> Array:
        """[block][high, low] of a column, of the blocks [low, high)."""
        return self._table[low:high, 2 * index:2 * index + 2]


class StoredChecksums:
    """The same where the table stays in the file, because it is large: it has 16 bytes for each block and column."""

    def __init__(self, source: PlainSource, index: int, row_bytes: int) -> None:
        self._source, self._index, self._numbers = source, index, row_bytes // 8

    def of(self, index: int, low: int, high: int) -> Array:
        found, at_once = np.empty((high - low, 2), np.uint64), max(TABLE_PIECE // (8 * self._numbers), 1)
        for first in range(low, high, at_once):
            rows = np.empty((min(at_once, high - first), self._numbers), np.uint64)
            self._source.read_into(self._index, first, rows.reshape(-1))
            found[first - low:first - low + len(rows)] = rows[:, 2 * index:2 * index + 2]
        return found


Checksums = Union[KeptChecksums, StoredChecksums]


class VerifiedSource:
    """Compares blocks of another source with the checksum table: first row of each block, checksums."""

    def __init__(self, source: Source, names: Sequence[str], rows: int, first_rows: Array, checksums: Checksums,
                 path: str) -> None:
        self._source, self._names, self._path = source, names, path
        self._bounds = np.append(np.asarray(first_rows, np.int64), rows)
        self._checksums = checksums
        self._is_verified = np.zeros((len(names), len(first_rows)), np.uint8)
        if (np.diff(self._bounds) <= 0).any() or (len(first_rows) and self._bounds[0] != 0):
            raise DamagedFile(f"{path} is damaged: its checksum table does not match its columns")

    @property
    def first_rows(self) -> Array:
        """The first row of each block."""
        return self._bounds[:-1]

    def read_into(self, index: int, first: int, values: Array) -> None:
        """Fills an array with elements of a column."""
        low, high = self._blocks_of(first, first + len(values))
        blocks = self._blocks(index, low, high)
        begin = (first - int(self._bounds[low])) * values.itemsize
        if blocks is None or not self._is_sound(index, low, high, blocks.read(begin, values)):
            self._read_by_block(index, first, values)

    def gather_into(self, index: int, first: int, numbers: Array, values: Array) -> None:
        """Fills an array with elements at some rows: ascending numbers, from `first` on."""
        first, numbers = first + int(numbers[0]), numbers - numbers[0]
        low, high = self._blocks_of(first, first + int(numbers[-1]) + 1)
        blocks = self._blocks(index, low, high)
        rows = (numbers + (first - int(self._bounds[low]))).astype(np.uint32, copy=False)
        if blocks is None or not self._is_sound(index, low, high, blocks.gather(rows, values)):
            cuts = np.searchsorted(numbers, self._bounds[low:high + 1] - first)
            for begin, end in zip(cuts, cuts[1:]):
                if begin < end:  # blocks without any of the rows are not read
                    some = numbers[begin:end]
                    whole = np.empty(int(some[-1] - some[0]) + 1, values.dtype)
                    self.read_into(index, first + int(some[0]), whole)
                    np.take(whole, some - some[0], out=values[begin:end])

    def _blocks_of(self, first: int, end: int) -> tuple[int, int]:
        """The blocks of rows [first, end)."""
        return (int(np.searchsorted(self._bounds, first, "right")) - 1, int(np.searchsorted(self._bounds, end)))

    def _blocks(self, index: int, low: int, high: int) -> FileBlocks | None:
        return self._source.blocks(index, self._bounds[low:high + 1], self._checksums.of(index, low, high),
                                   self._is_verified[index, low:high])

    def _is_sound(self, index: int, low: int, high: int, damaged: int | None) -> bool:
        """Whether blocks were read; `damaged` is the first of them with a wrong checksum, or their number, or None."""
        if damaged is not None and low + damaged < high:
            self._refuse(index, low + damaged)
        return damaged is not None

    def _refuse(self, index: int, block: int) -> NoReturn:
        first, end = self._bounds[block], self._bounds[block + 1]
        raise DamagedFile(f"{self._path} is damaged: block {block} (rows {first} to {end - 1}) of column "
                          f"{self._names[index]} has a wrong checksum. 'dfsweep run' of the same sweep repairs it")

    def _read_by_block(self, index: int, first: int, values: Array) -> None:
        end, block = first + len(values), self._blocks_of(first, first + 1)[0]
        while first < end:
            last = self._last_of_whole_blocks(index, block, first, end)
            if last > block:
                part = values[:int(self._bounds[last]) - first]
                self._read_whole(index, block, last, part)
            else:
                last = block + 1
                part = values[:min(int(self._bounds[last]), end) - first]
                self._read_within(index, block, first, part)
            first, values, block = first + len(part), values[len(part):], last

    def _last_of_whole_blocks(self, index: int, block: int, first: int, end: int) -> int:
        """The end of the blocks from `block` on that lie in [first, end) as a whole and were not compared before."""
        if first != self._bounds[block]:
            return block
        last = int(np.searchsorted(self._bounds, end, "right")) - 1
        known = np.flatnonzero(self._is_verified[index, block:last])
        return block + int(known[0]) if len(known) else last

    def _read_whole(self, index: int, block: int, last: int, values: Array) -> None:
        """Reads the adjacent blocks [block, last) and compares them with their checksums."""
        ends = (self._bounds[block + 1:last + 1] - self._bounds[block]) * values.itemsize
        self._source.read_into(index, int(self._bounds[block]), values)
        damaged = first_damaged(values, ends, self._checksums.of(index, block, last))
        if block + damaged < last:
            self._refuse(index, block + damaged)
        self._is_verified[index, block:last] = 1

    def _read_within(self, index: int, block: int, first: int, part: Array) -> None:
        """Reads rows of one block, all of which is compared where it was not before."""
        if self._is_verified[index, block]:
            return self._source.read_into(index, first, part)
        begin = int(self._bounds[block])
        whole = np.empty(int(self._bounds[block + 1]) - begin, part.dtype)
        self._read_whole(index, block, block + 1, whole)
        part[:] = whole[first - begin:first - begin + len(part)]
