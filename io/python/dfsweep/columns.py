"""Elements of columns, each block compared with its checksum before the first byte of it is returned."""
import numpy as np

from .checksum import first_damaged
from .errors import DamagedFile
from .frame import read_exactly

BYTES_AT_ONCE = 1 << 19  # of a column, between its reading and its checksums: what a processor's cache holds


class PlainSource:
    """Reads columns of a sealed file at the offsets that its seal gives."""

    def __init__(self, descriptor, places, path):
        self._descriptor, self._places, self._path = descriptor, places, path

    def read_into(self, index, first, values):
        place = self._places[index]
        read_exactly(self._descriptor, place.offset + first * place.element_bytes, values.view(np.uint8), self._path)


class Hdf5Source:
    """Reads columns by HDF5: of a repacked file, or one without a seal."""

    def __init__(self, datasets):
        self._datasets = datasets

    def read_into(self, index, first, values):
        if len(values):
            self._datasets[index].read_direct(values, np.s_[first:first + len(values)])


class VerifiedSource:
    """Compares blocks of another source with the checksum table: first row of each block, [block][column] checksums."""

    def __init__(self, source, names, rows, first_rows, checksums, path):
        self._source, self._names, self._path = source, names, path
        self._bounds = np.append(np.asarray(first_rows, np.int64), rows)
        self._checksums = checksums
        self._is_verified = [bytearray(len(first_rows)) for _ in names]
        if (np.diff(self._bounds) <= 0).any() or (len(first_rows) and self._bounds[0] != 0):
            raise DamagedFile(f"{path} is damaged: its checksum table does not match its columns")

    def read_into(self, index, first, values):
        end, rows_at_once = first + len(values), max(BYTES_AT_ONCE // values.itemsize, 1)
        block, verified = int(np.searchsorted(self._bounds, first, "right")) - 1, self._is_verified[index]
        while first < end:
            last = int(np.searchsorted(self._bounds, min(end, first + rows_at_once), "right")) - 1
            stop = int(self._bounds[block + 1])
            if first == self._bounds[block] and stop <= end and not verified[block]:
                last = max(last, block + 1)
                part = values[:int(self._bounds[last]) - first]
                self._source.read_into(index, first, part)
                self._compare(index, block, last, part)
            else:
                last = block + 1
                part = values[:min(stop, end) - first]
                self._read_within(index, block, first, part)
            first, values, block = first + len(part), values[len(part):], last

    def _read_within(self, index, block, first, part):
        """Reads rows of one block, all of which is compared where it was not before."""
        if self._is_verified[index][block]:
            return self._source.read_into(index, first, part)
        begin = int(self._bounds[block])
        whole = np.empty(int(self._bounds[block + 1]) - begin, part.dtype)
        self._source.read_into(index, begin, whole)
        self._compare(index, block, block + 1, whole)
        part[:] = whole[first - begin:first - begin + len(part)]

    def _compare(self, index, block, last, values):
        """Compares the adjacent blocks [block, last) with their checksums."""
        ends = (self._bounds[block + 1:last + 1] - self._bounds[block]) * values.itemsize
        damaged = block + first_damaged(values, ends, self._checksums[block:last, 2 * index:2 * index + 2])
        if damaged < last:
            raise DamagedFile(f"{self._path} is damaged: block {damaged} (rows {self._bounds[damaged]} to "
                              f"{self._bounds[damaged + 1] - 1}) of column {self._names[index]} has a wrong checksum. "
                              "'dfsweep run' of the same sweep repairs it")
        self._is_verified[index][block:last] = b"\1" * (last - block)
