"""Result: an opened result file whose bytes are verified before they are returned."""
from __future__ import annotations

import difflib
import functools
import os
import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import h5py
import numpy as np
import pandas as pd

from .argument_types import Array, Path
from .checksum import xxh3_128_of_pieces
from .columns import (TABLE_PIECE, BlocksSource, Checksums, CompressedSource, Hdf5Source, KeptChecksums, PlainSource,
                      StoredChecksums, VerifiedSource)
from .errors import DamagedFile, PartialWarning, UnfinishedRun, UnverifiedWarning
from .frame import read_frame
from .journal import Layout, read_progress
from .parts import Part, Parts, is_adjacent, number_parts, numbers_of, pieces_of, put, size_of
from .probe import probe
from .seal import SEAL_BYTES, Seal, decode_seal

SMALL_PIECE = 1 << 17  # rows that are read at once where nothing of them is kept: often a block
FIRST_SEALED_FORMAT = 2
KEPT_TABLE = 64 << 20  # bytes of checksums that are kept in memory; a larger table stays in the file


def result_path(path: Path) -> str:
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


def _advice(folder: str) -> str:
    return (f"Finish it with 'dfsweep run' and load {folder}, load the rows that are there with partial=True, or write them "
            f"with 'dfsweep publish {folder} --partial' and load {os.path.join(folder, 'result.incomplete.h5')}")


def unfinished_folder(path: Path) -> str | None:
    """The run directory that a path names, where its result is not published yet; else None."""
    path = os.fspath(path)
    folder = path if os.path.isdir(path) else os.path.dirname(path) or "."
    if path != folder and os.path.basename(path) != "result.partial.h5":
        return None
    return None if os.path.exists(os.path.join(folder, "result.h5")) else folder


class Result:
    """A result file. `check`: whether to verify it. `partial`: whether to read an unfinished run, of which only the rows of
    complete blocks are there. Raises DamagedFile, UnfinishedRun, CannotVerify, ValueError."""

    def __init__(self, path: Path, check: bool = True, partial: bool = False) -> None:
        self._arguments = path, check, partial
        self.row_count = self.missing_rows = 0
        self.file: h5py.File = None
        self._descriptor = -1
        self._plain: PlainSource | CompressedSource | None = None
        self._source: Hdf5Source | VerifiedSource
        self._labels: dict[str, tuple[Array | None, pd.Index | None]] = {}
        self._datasets: dict[str, h5py.Dataset] = {}
        folder = unfinished_folder(path) if partial else None
        if folder is not None:
            path = self._find_partial(folder)
        try:
            if folder is None or self._descriptor < 0:
                self.path = result_path(path)
                self._descriptor = os.open(self.path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
                self._open(check)
            else:
                self._open_partial(folder)
        except BaseException:
            self.close()
            raise

    def __reduce__(self) -> tuple[type, tuple[Path, bool, bool]]:
        """Other processes, such as workers of dask, open the file again."""
        return Result, self._arguments

    def __enter__(self) -> Result:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self.file is not None:
            self._datasets = {}
            self.file.close()
        if self._descriptor >= 0:
            os.close(self._descriptor)
        self.file, self._descriptor = None, -1

    def _open(self, check: bool) -> None:
        seal = None
        start = os.pread(self._descriptor, SEAL_BYTES, 0)
        is_sealed = start.startswith(b"DFSWSEAL")
        if check:
            seal = decode_seal(start, self.path)
            if seal is not None and seal.file_size == os.fstat(self._descriptor).st_size:
                return self._open_sealed(seal)
            if not h5py.is_hdf5(self.path):
                raise DamagedFile(f"{self.path} is no result, or its first bytes are damaged: it has no signature of HDF5")
            probe(self.path)
        self.file = h5py.File(self.path, "r")
        self._read_attributes()
        if not is_sealed and int(self.file.attrs.get("format_version", 1)) >= FIRST_SEALED_FORMAT:
            raise UnfinishedRun(f"{self.path} has no seal: its run was never published, or its first bytes are "
                                f"damaged. {_advice(os.path.dirname(self.path) or '.')}")
        self._source = source = Hdf5Source([self._dataset(name) for name in self.filled])
        if not check:
            return None
        if seal is None:
            warnings.warn(f"{self.path} is of an old format without checksums: it cannot be verified",
                          UnverifiedWarning, stacklevel=4)
            return None
        return self._verify_repacked(source, seal)

    def _find_partial(self, folder: str) -> str:
        """Opens the file of an unfinished run. If the run is published since it was looked for, returns the path of its result;
        a file that is renamed after it was opened stays readable."""
        self.path, published = os.path.join(folder, "result.partial.h5"), os.path.join(folder, "result.h5")
        try:
            self._descriptor = os.open(self.path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
        except FileNotFoundError:
            if not os.path.exists(published):
                raise UnfinishedRun(f"{folder} has neither result.h5 nor result.partial.h5") from None
        return published

    def _open_partial(self, folder: str) -> None:
        """Reads the blocks that the journals of an unfinished run list, and says how much is missing."""
        progress = read_progress(folder)
        plain = self._open_frame(progress.layout)
        total, self.row_count = self.row_count, int(progress.counts.sum())
        self.missing_rows = total - self.row_count
        source = BlocksSource(plain, progress.first_rows, progress.counts)
        self._source = VerifiedSource(source, self.filled, self.row_count, source.starts, KeptChecksums(progress.checksums),
                                      self.path)
        if self.missing_rows:
            warnings.warn(f"{folder} is not finished: {self.missing_rows} of {total} rows "
                          f"({self.missing_rows / total:.1%}) are missing", PartialWarning, stacklevel=5)

    def _open_frame(self, layout: Seal | Layout) -> PlainSource:
        """layout: places and checksum of the frame, as of a seal."""
        self.file = h5py.File(read_frame(self._descriptor, layout, self.path), "r")
        self._read_attributes()
        columns = getattr(layout, "columns", ()) or layout.places
        for name, column in zip(self.filled, columns):
            dataset = self._dataset(name)
            if dataset.id.get_offset() != getattr(column, "offset", None) or len(dataset) != column.count:
                raise DamagedFile(f"{self.path} is damaged: column {name} is not at the offset that its seal gives")
        self._plain = PlainSource(self._descriptor, layout.places, self.path)
        return self._plain

    def _open_sealed(self, seal: Seal) -> None:
        columns: PlainSource | CompressedSource = self._open_frame(seal)
        source = PlainSource(self._descriptor, seal.tables, self.path)
        kept: list[list[Array]] = [[] for _ in seal.tables]
        large = {index for index, place in enumerate(seal.tables) if index == 1 and place.count * place.element_bytes > KEPT_TABLE}
        self._expect_sealed(self._pieces(source, seal, kept, large), seal)
        tables = [np.concatenate(pieces or [np.empty(0, np.uint64)]) for pieces in kept]
        if seal.columns:
            self._plain = columns = CompressedSource(self._descriptor, seal.columns, tables[2].reshape(-1, 4), self.path)
        row_bytes = seal.tables[1].element_bytes
        checksums: Checksums = KeptChecksums(tables[1].reshape(-1, row_bytes // 8))
        if large:
            checksums = StoredChecksums(source, 1, row_bytes)
        self._source = VerifiedSource(columns, self.filled, self.row_count, tables[0], checksums, self.path)

    @staticmethod
    def _pieces(source: PlainSource, seal: Seal, kept: list[list[Array]], large: set[int]) -> Iterator[Array]:
        """All tables in pieces; those of tables that are not large are also appended to the lists of `kept`."""
        for index, place in enumerate(seal.tables):
            at_once = max(TABLE_PIECE // place.element_bytes, 1)
            for first in range(0, place.count, at_once):
                piece = np.empty(min(at_once, place.count - first) * place.element_bytes // 8, np.uint64)
                source.read_into(index, first, piece)
                if index not in large:
                    kept[index].append(piece)
                yield piece

    def _verify_repacked(self, source: Hdf5Source, seal: Seal) -> None:
        if not seal.columns and any(self._dataset(name).id.get_offset() is not None for name in self.filled):
            raise DamagedFile(f"{self.path} is damaged: its size differs from that in its seal, and it was not repacked")
        warnings.warn(f"another tool has rewritten {self.path}: its columns are verified, its labels and attributes "
                      "cannot be", UnverifiedWarning, stacklevel=5)
        names = ("block", "checksums", "chunks") if seal.columns else ("block", "checksums")
        tables = [self.file[f"provenance/{name}"][:] for name in names]
        self._expect_sealed(map(np.ascontiguousarray, tables), seal)
        self._source = VerifiedSource(source, self.filled, self.row_count, tables[0].reshape(-1), KeptChecksums(tables[1]),
                                      self.path)

    def _expect_sealed(self, pieces: Iterable[Array], seal: Seal) -> None:
        if xxh3_128_of_pieces(pieces) != seal.table:
            raise DamagedFile(f"{self.path} is damaged: its checksum table has a wrong checksum")

    def _read_attributes(self) -> None:
        self.attrs = dict(self.file.attrs)
        if self.attrs.get("format") != "dfsweep":
            raise ValueError(f"{self.path} is not a result of dfsweep")
        self.columns = self.attrs["columns"].split()
        self.filled = self.columns + self.attrs.get("group_columns", "").split()
        self._labels, self._datasets = {}, {}
        self.row_count = len(self._dataset(self.columns[0]))

    def _dataset(self, name: str) -> h5py.Dataset:
        """A dataset of the file, which is opened once."""
        if name not in self._datasets:
            self._datasets[name] = self.file[name]
        return self._datasets[name]

    def expect_columns(self, names: Sequence[str]) -> None:
        """Raises KeyError unless all names are columns."""
        unknown = [name for name in names if name not in self.columns]
        if unknown:
            near = difflib.get_close_matches(unknown[0], self.columns, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(self.columns)}"
            raise KeyError(f"no column {', '.join(map(repr, unknown))}; {hint}")

    def units(self, name: str) -> str:
        return self._dataset(name).attrs.get("units", "1")

    def better(self, name: str) -> str:
        """Which values of a metric are better: "lower", "higher" or "neither"."""
        return self._dataset(name).attrs.get("better", "neither")

    def fixed(self) -> dict[str, Any]:
        """Parameters that do not vary: name -> value."""
        return {name: value.asstr()[()] if h5py.check_string_dtype(value.dtype) else value[()]
                for name, value in self.file.get("fixed", {}).items()}

    def stored(self, name: str, first: int = 0, count: int | None = None) -> Array:
        """Elements [first, first + count) of a column as they are stored, verified."""
        count = self.row_count - first if count is None else count
        values = np.empty(count, self._dataset(name).dtype)
        self._read_into(name, first, values)
        return values

    def _read_into(self, name: str, first: int, values: Array) -> None:
        if len(values):
            self._source.read_into(self.filled.index(name), first, values)

    @functools.cached_property
    def is_whole_grid(self) -> bool:
        """Whether row i is point i. Kept points ascend, so a grid with as many rows as points has every point, unless blocks
        were never evaluated: the first point of each block, which is not verified here, tells those."""
        points = int(np.prod([int(size) for size in self.attrs["grid_shape"]], dtype=object))
        if "search_over" in self.attrs or points != self.row_count or self.missing_rows:
            return False
        if not isinstance(self._source, VerifiedSource) or self._plain is None:
            return self.consecutive_from(0, points) == 0
        index = self.filled.index("point")
        return all(self._plain.element(index, first) == first for first in self._source.first_rows)

    def gathered(self, name: str, parts: Parts, is_one_of_many: bool = False, places: Array | None = None) -> Any:
        """A column at parts of the rows, decoded. parts: those of parts.py; places: where in the answer each row belongs."""
        values, categories = self.gathered_codes(name, parts, places)
        if categories is not None:
            return pd.Categorical.from_codes(values, categories)
        return self.decoded(name, values, is_one_of_many)

    def gathered_codes(self, name: str, parts: Parts, places: Array | None = None) -> tuple[Array, pd.Index | None]:
        """The same as codes of categories, and the categories; or numbers as they are stored, and None."""
        code, categories = self._codes(name)
        values, at = np.empty(sum(map(size_of, parts)), self._dataset(name).dtype if code is None else code.dtype), 0
        for part in parts:
            if code is None and places is None and is_adjacent(part):
                self._read_into(name, part[0], values[at:at + part[1]])
                at += part[1]
                continue
            for piece in pieces_of(part):
                size = size_of(piece)
                if code is None and places is None:
                    self._gather_into(name, piece, values[at:at + size])
                else:
                    stored = self.stored_of(name, piece)
                    put(values, at, stored if code is None else code[stored], places)
                at += size
        return values, categories

    def stored_of(self, name: str, part: Part) -> Array:
        """Elements of a column as they are stored, at a part of the rows."""
        if is_adjacent(part):
            return self.stored(name, *part[:2])
        values = np.empty(size_of(part), self._dataset(name).dtype)
        self._gather_into(name, part, values)
        return values

    def _gather_into(self, name: str, part: Part, values: Array) -> None:
        if len(values):
            self._source.gather_into(self.filled.index(name), part[0], numbers_of(part), values)

    def stored_at(self, name: str, rows: Array) -> Array:
        """Elements of a column as they are stored, at ascending rows; only their blocks are read."""
        pieces = [piece for part in number_parts(rows) for piece in pieces_of(part)]
        return np.concatenate([self.stored_of(name, piece) for piece in pieces])

    def consecutive_from(self, first: int, count: int) -> int | None:
        """The point of row `first` if each of the `count` rows is the point after the one before, else None."""
        start = 0
        for begin in range(0, count, SMALL_PIECE):
            points = self.stored("point", first + begin, min(SMALL_PIECE, count - begin))
            start = start if begin else int(points[0])
            if int(points[0]) != start + begin or (points[1:] - points[:-1] != 1).any():
                return None
        return start

    def decoded(self, name: str, stored: Array, is_one_of_many: bool = False) -> Any:
        """Stored elements with labels as categories and fill values as missing. Whole numbers with missing ones are
        floats; with `is_one_of_many` also where these elements lack none, so that all parts of a column are alike."""
        place, categories = self._codes(name)
        if place is not None:
            return pd.Categorical.from_codes(place[stored], categories)
        fill = self.fill_value(name)
        if fill is None:
            return stored
        absent = stored == fill
        return np.where(absent, np.nan, stored) if is_one_of_many or absent.any() else stored

    def operand(self, name: str, stored: Array) -> Array:
        """Stored elements for a condition: numbers with NaN where they are missing; codes as they are."""
        if self._codes(name)[0] is not None:
            return stored
        fill = self.fill_value(name)
        values = stored.astype(np.float64, copy=False)
        if fill is not None:
            values[stored == fill] = np.nan
        return values

    def fill_value(self, name: str) -> Any:
        """What a column of whole numbers holds where a value is missing; None for other columns."""
        dataset = self._dataset(name)
        fill = dataset.attrs.get("_FillValue")
        is_whole = "labels" not in dataset.attrs and not np.issubdtype(dataset.dtype, np.floating)
        return np.ravel(fill)[0] if is_whole and fill is not None else None

    def labels(self, name: str) -> list[str] | None:
        """The names of the codes of a column, in their order; None for a column of numbers."""
        labels = self._dataset(name).attrs.get("labels")
        return None if labels is None else self.file[labels].asstr()[:].tolist()

    def _codes(self, name: str) -> tuple[Array | None, pd.Index | None]:
        """For a column of names: the code of its category for each stored code, and the categories, one for each name in the
        order of the sweep. None for a column of numbers."""
        if name not in self._labels:
            names = self.labels(name)
            self._labels[name] = (None, None) if names is None else self._places_of(names, self._dataset(name))
        return self._labels[name]

    @staticmethod
    def _places_of(names: Sequence[str], dataset: h5py.Dataset) -> tuple[Array, pd.Index]:
        categories = list(dict.fromkeys(names))
        number = {each: i for i, each in enumerate(categories)}
        place = np.full(max(len(names) + 1, 256 if dataset.dtype.itemsize == 1 else 0), -1,
                        np.min_scalar_type(-len(names) - 1))
        place[:len(names)] = [number[each] for each in names]
        if "_FillValue" in dataset.attrs:
            place[int(np.ravel(dataset.attrs["_FillValue"])[0])] = -1
        return place, pd.Index(categories, dtype=object)
