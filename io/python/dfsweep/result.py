"""Result: an opened result file whose bytes are verified before they are returned."""
import os
import warnings

import h5py
import numpy as np
import pandas as pd

from .checksum import xxh3_128
from .columns import Hdf5Source, PlainSource, VerifiedSource
from .errors import DamagedFile, UnfinishedRun, UnverifiedWarning
from .frame import read_frame
from .probe import probe
from .seal import SEAL_BYTES, decode_seal

PIECE = 1 << 18  # rows that are read at once where not all are kept
SMALL_PIECE = 1 << 17  # where nothing of them is kept: often a block
FIRST_SEALED_FORMAT = 2


def result_path(path):
    """The result file of a file or run directory. Raises UnfinishedRun, FileNotFoundError."""
    path = os.fspath(path)
    if os.path.isdir(path):
        folder, path = path, os.path.join(path, "result.h5")
        if not os.path.exists(path):
            raise UnfinishedRun(f"{folder} has no result.h5. {_advice(folder)}")
    elif os.path.basename(path) == "result.partial.h5":
        folder = os.path.dirname(path) or "."
        raise UnfinishedRun(f"{path} is the file of an unfinished run. {_advice(folder)}")
    if os.path.exists(path) and not os.path.isfile(path):
        raise ValueError(f"{path} is not a regular file")
    return path


def _advice(folder):
    return (f"Finish it with 'dfsweep run' and load {folder}, or write what is there with 'dfsweep publish {folder} "
            f"--partial' and load {os.path.join(folder, 'result.incomplete.h5')}")


class Result:
    """A result file. `check`: whether to verify it. Raises DamagedFile, UnfinishedRun, CannotVerify, ValueError."""

    def __init__(self, path, check=True):
        self.path = result_path(path)
        self._descriptor = os.open(self.path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
        self.file = None
        try:
            self._open(check)
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        if self.file is not None:
            self._datasets = {}
            self.file.close()
        if self._descriptor is not None:
            os.close(self._descriptor)
        self.file = self._descriptor = None

    def _open(self, check):
        seal = None
        start = os.pread(self._descriptor, SEAL_BYTES, 0)
        is_sealed = start.startswith(b"DFSWSEAL")
        if check:
            seal = decode_seal(start, self.path)
            if seal is not None and seal.file_size == os.fstat(self._descriptor).st_size:
                return self._open_sealed(seal)
            probe(self.path)
        self.file = h5py.File(self.path, "r")
        self._read_attributes()
        if not is_sealed and int(self.file.attrs.get("format_version", 1)) >= FIRST_SEALED_FORMAT:
            raise UnfinishedRun(f"{self.path} has no seal: its run was never published, or its first bytes are "
                                f"damaged. {_advice(os.path.dirname(self.path) or '.')}")
        self._source = Hdf5Source([self._dataset(name) for name in self.filled])
        if not check:
            return None
        if seal is None:
            warnings.warn(f"{self.path} is of an old format without checksums: it cannot be verified",
                          UnverifiedWarning, stacklevel=4)
            return None
        return self._verify_repacked(seal)

    def _open_sealed(self, seal):
        self.file = h5py.File(read_frame(self._descriptor, seal, self.path), "r")
        self._read_attributes()
        for name, place in zip(self.filled, seal.places):
            dataset = self._dataset(name)
            if dataset.id.get_offset() != place.offset or len(dataset) != place.count:
                raise DamagedFile(f"{self.path} is damaged: column {name} is not at the offset that its seal gives")
        plain = PlainSource(self._descriptor, seal.places, self.path)
        tables = []
        for index in (len(seal.places) - 2, len(seal.places) - 1):
            place = seal.places[index]
            tables.append(np.empty((place.count, place.element_bytes // 8), np.uint64))
            plain.read_into(index, 0, tables[-1].reshape(-1))
        self._verify_with(plain, tables, seal)

    def _verify_repacked(self, seal):
        if any(self._dataset(name).id.get_offset() is not None for name in self.filled):
            raise DamagedFile(f"{self.path} is damaged: its size differs from that in its seal, and it was not repacked")
        warnings.warn(f"another tool has rewritten {self.path}: its columns are verified, its labels and attributes "
                      "cannot be", UnverifiedWarning, stacklevel=5)
        tables = [self.file["provenance/block"][:], self.file["provenance/checksums"][:]]
        self._verify_with(self._source, tables, seal)

    def _verify_with(self, source, tables, seal):
        if xxh3_128(b"".join(table.tobytes() for table in tables)) != seal.table:
            raise DamagedFile(f"{self.path} is damaged: its checksum table has a wrong checksum")
        self._source = VerifiedSource(source, self.filled, self.row_count, tables[0].reshape(-1), tables[1], self.path)

    def _read_attributes(self):
        self.attrs = dict(self.file.attrs)
        if self.attrs.get("format") != "dfsweep":
            raise ValueError(f"{self.path} is not a result of dfsweep")
        self.columns = self.attrs["columns"].split()
        self.filled = self.columns + self.attrs.get("group_columns", "").split()
        self._labels, self._datasets = {}, {}
        self.row_count = len(self._dataset(self.columns[0]))

    def _dataset(self, name):
        """A dataset of the file, which is opened once."""
        if name not in self._datasets:
            self._datasets[name] = self.file[name]
        return self._datasets[name]

    def expect_columns(self, names):
        """Raises KeyError unless all names are columns."""
        unknown = [name for name in names if name not in self.columns]
        if unknown:
            raise KeyError(f"no column {', '.join(map(repr, unknown))}; there are: {', '.join(self.columns)}")

    def units(self, name):
        return self._dataset(name).attrs.get("units", "1")

    def fixed(self):
        """Parameters that do not vary: name -> value."""
        return {name: value.asstr()[()] if h5py.check_string_dtype(value.dtype) else value[()]
                for name, value in self.file.get("fixed", {}).items()}

    def stored(self, name, first=0, count=None):
        """Elements [first, first + count) of a column as they are stored, verified."""
        count = self.row_count - first if count is None else count
        values = np.empty(count, self._dataset(name).dtype)
        if count:
            self._source.read_into(self.filled.index(name), first, values)
        return values

    def stored_at(self, name, rows):
        """Elements of a column at some rows, in ascending order; only their blocks are read."""
        values = np.empty(len(rows), self._dataset(name).dtype)
        for begin in range(0, self.row_count, PIECE):
            low, high = np.searchsorted(rows, (begin, begin + PIECE))
            if high > low:
                first, last = int(rows[low]), int(rows[high - 1])
                values[low:high] = self.stored(name, first, last - first + 1)[rows[low:high] - first]
        return values

    def consecutive_from(self, first, count):
        """The point of row `first` if each of the `count` rows is the point after the one before, else None."""
        start = 0
        for begin in range(0, count, SMALL_PIECE):
            points = self.stored("point", first + begin, min(SMALL_PIECE, count - begin))
            start = start if begin else int(points[0])
            if int(points[0]) != start + begin or (points[1:] - points[:-1] != 1).any():
                return None
        return start

    def decoded(self, name, stored, is_one_of_many=False):
        """Stored elements with labels as categories and fill values as missing. Whole numbers with missing ones are
        floats; with `is_one_of_many` also where these elements lack none, so that all parts of a column are alike."""
        dataset = self._dataset(name)
        fill = dataset.attrs.get("_FillValue")
        if "labels" in dataset.attrs:
            return pd.Categorical.from_codes(*self._codes(name, dataset, fill, stored))
        if fill is None or np.issubdtype(stored.dtype, np.floating):
            return stored
        absent = stored == np.ravel(fill)[0]
        return np.where(absent, np.nan, stored) if is_one_of_many or absent.any() else stored

    def _codes(self, name, dataset, fill, stored):
        """Codes of categories, one for each name in the order of the sweep; -1 for none."""
        if name not in self._labels:
            names = self.file[dataset.attrs["labels"]].asstr()[:]
            categories = list(dict.fromkeys(names))
            number = {each: i for i, each in enumerate(categories)}
            size = max(len(names) + 1, 256 if stored.dtype.itemsize == 1 else 0)
            place = np.full(size, -1, np.min_scalar_type(-len(names) - 1))
            place[:len(names)] = [number[each] for each in names]
            if fill is not None:
                place[int(np.ravel(fill)[0])] = -1
            self._labels[name] = place, pd.Index(categories, dtype=object)
        place, categories = self._labels[name]
        return place[stored], categories
