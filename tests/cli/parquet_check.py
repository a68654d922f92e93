"""Parquet files against the HDF5 files they were exported from, read by a reader that follows the format specification.

Usage: parquet_check.py PROGRAM
"""

import ctypes
import json
import math
import pathlib
import struct
import subprocess
import sys
import tempfile

SKIPPED = 77
try:
    import h5py
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(SKIPPED)

SAMPLE = """
[sweep]
name = "sampled"
estimator = "training"
[parameters]
model = ["gpt3-175b", "llama3-8b", "llama3-70b"]
system = ["dgx-a100-80g", "dgx-h100"]
device_count = 64
global_batch = { powers_of = 2, from = 16, to = 1024 }
tensor_parallel = { powers_of = 2, from = 1, to = 16 }
pipeline_parallel = { powers_of = 2, from = 1, to = 8 }
data_parallel = { divisors_of = "device_count" }
dram_bandwidth = { from = "1 TB/s", to = "4 TB/s", scale = "log" }
[sample]
count = 140000
split = { train = 0.9, test = 0.1 }
[output]
metrics = ["step_time", "memory_used", "evidence"]
"""
SEARCH = """
[sweep]
name = "search"
estimator = "training"
[parameters]
model = ["gpt3-175b", "llama3-8b", "megatron-1t"]
system = ["dgx-a100-80g", "dgx-h100"]
device_count = [8, 64]
global_batch = 64
tensor_parallel = { powers_of = 2, from = 1, to = 16 }
pipeline_parallel = { powers_of = 2, from = 1, to = 8 }
data_parallel = { divisors_of = "device_count" }
[search]
over = ["tensor_parallel", "pipeline_parallel", "data_parallel"]
minimize = "step_time"
top = 2
[output]
precision = "float32"
"""

try:
    ZSTD = ctypes.CDLL("libzstd.so.1")
except OSError as missing:
    print(f"skipped: {missing}")
    sys.exit(SKIPPED)
ZSTD.ZSTD_decompress.restype = ctypes.c_size_t
ZSTD.ZSTD_decompress.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]


def expand(frame, size):
    """The `size` bytes of a frame of Zstandard."""
    out = ctypes.create_string_buffer(size)
    assert ZSTD.ZSTD_decompress(out, size, bytes(frame), len(frame)) == size, "not a frame of this size"
    return out.raw


TYPES = {1: "<i4", 2: "<i8", 4: "<f4", 5: "<f8"}


class Thrift:
    """Structures in the compact protocol, as dictionaries by field number."""

    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def varint(self):
        number = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            number |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return number

    def zigzag(self):
        number = self.varint()
        return (number >> 1) ^ -(number & 1)

    def value(self, kind):
        if kind in (1, 2):
            return kind == 1
        if kind == 3:
            self.at += 1
            return struct.unpack_from("b", self.data, self.at - 1)[0]
        if kind in (4, 5, 6):
            return self.zigzag()
        if kind == 8:
            size = self.varint()
            self.at += size
            return self.data[self.at - size:self.at]
        if kind == 9:
            head = self.data[self.at]
            self.at += 1
            size = head >> 4 if head >> 4 < 15 else self.varint()
            return [self.value(head & 15) for _ in range(size)]
        assert kind == 12, kind
        return self.struct()

    def struct(self):
        fields, field = {}, 0
        while True:
            head = self.data[self.at]
            self.at += 1
            if head == 0:
                return fields
            field = field + (head >> 4) if head >> 4 else self.zigzag()
            fields[field] = self.value(head & 15)


def hybrid(data, count, width):
    """`count` codes of `width` bits from runs and packed groups of eight."""
    reader, codes = Thrift(data), []
    while len(codes) < count:
        head = reader.varint()
        if head & 1:
            size = (head >> 1) * width
            bits = np.unpackbits(np.frombuffer(data, "u1", size, reader.at), bitorder="little").reshape(-1, width)
            codes.extend((bits.astype(np.int64) << np.arange(width)).sum(axis=1))
            reader.at += size
        else:
            size = (width + 7) // 8
            codes.extend([int.from_bytes(data[reader.at:reader.at + size], "little")] * (head >> 1))
            reader.at += size
    return np.array(codes[:count], dtype=np.int64)


def differences(data):
    """Whole numbers in blocks of packed differences, modulo 2^64."""
    reader = Thrift(data)
    block, parts, count, number = reader.varint(), reader.varint(), reader.varint(), reader.zigzag()
    steps = [np.array([number], dtype=np.int64)]
    while sum(map(len, steps)) < count:
        least = reader.zigzag()
        widths = data[reader.at:reader.at + parts]
        reader.at += parts
        for width in widths:
            size = block // parts * width // 8
            bits = np.unpackbits(np.frombuffer(data[reader.at:reader.at + size], "u1"), bitorder="little")
            bits = bits.reshape(block // parts, width).astype(np.uint64)
            reader.at += size
            step = (bits << np.arange(width, dtype=np.uint64)).sum(axis=1, dtype=np.uint64)
            steps.append(step.astype(np.int64) + np.int64(least))
    return np.cumsum(np.concatenate(steps)[:count], dtype=np.int64).astype(np.uint64), reader.at


def numbers(body, encoding, count, kind):
    if encoding == 5:
        found, end = differences(body)
        assert end == len(body) and len(found) == count and kind == "<u8"
        return found.tolist()
    size = int(kind[2:])
    assert len(body) == count * size, "bytes of the values"
    if encoding == 9:
        body = np.frombuffer(body, "u1").reshape(size, count).T.tobytes()
    return np.frombuffer(body, kind).tolist()


def check_bounds(statistics, values, kind):
    """Compares the least and the greatest value with those of the values; texts are in the order of their bytes."""
    present = [value for value in values if value is not None]
    assert statistics[3] == len(values) - len(present), "number of nulls"
    assert (5 in statistics, 6 in statistics) == (bool(present), bool(present)), "bounds where there are values"
    if not present:
        return
    decode = bytes if kind is None else lambda raw: np.frombuffer(raw, kind)[0]
    order = [value.encode() for value in present] if kind is None else present
    bounds = decode(statistics[6]), decode(statistics[5])
    assert bounds == (min(order), max(order)), (bounds, min(order), max(order))


def column(data, meta, element):
    """Values of a column chunk: an object array with None where there is no value."""
    dictionary = None
    at = meta.get(11, meta[9])
    values, expanded, begin = [], 0, at
    while len(values) < meta[5]:
        reader, start = Thrift(data, at), at
        header = reader.struct()
        body = data[reader.at:reader.at + header[3]]
        at = reader.at + header[3]
        expanded += reader.at - start + header[2]
        if meta[4] == 6:
            body = expand(body, header[2])
        assert len(body) == header[2]
        if header[1] == 2:
            dictionary, place = [], 0
            for _ in range(header[7][1]):
                size = int.from_bytes(body[place:place + 4], "little")
                dictionary.append(body[place + 4:place + 4 + size].decode())
                place += 4 + size
            assert place == len(body)
            continue
        page = header[5]
        size = int.from_bytes(body[:4], "little")
        levels = hybrid(body[4:4 + size], page[1], 1)
        body, present = body[4 + size:], int(levels.sum())
        if page[2] == 8:
            found = [dictionary[code] for code in hybrid(body[1:], present, body[0])]
        else:
            found = numbers(body, page[2], present, "<u8" if element.get(6) == 14 else TYPES[meta[1]])
        found = iter(found)
        values.extend(next(found) if level else None for level in levels)
    check_bounds(meta[12], values, None if meta[1] == 6 else "<u8" if element.get(6) == 14 else TYPES[meta[1]])
    assert meta[7] == at - begin and meta[6] == expanded, "bytes of the chunk"
    assert set(meta[2]) == {page[2], 3}, "encodings"
    return values


def read(path, codec):
    """Columns by name, the notes, and the number of rows in each row group. `codec`: that of all pages."""
    data = path.read_bytes()
    assert data[:4] == data[-4:] == b"PAR1"
    size = int.from_bytes(data[-8:-4], "little")
    footer = Thrift(data[-8 - size:-8]).struct()
    elements = footer[2][1:]
    assert footer[2][0][5] == len(elements)
    assert footer[7] == [{1: {}}] * len(elements), "bounds are in the order of the types"
    columns = {element[4].decode(): [] for element in elements}
    for group in footer[4]:
        for element, chunk in zip(elements, group[1]):
            assert chunk[3][3] == [element[4]] and chunk[3][4] == codec
            columns[element[4].decode()].extend(column(data, chunk[3], element))
    assert all(len(values) == footer[3] for values in columns.values())
    notes = {note[1].decode(): note[2].decode() for note in footer[5]}
    return columns, notes, [group[3] for group in footer[4]]


def expected(file, name):
    """Values of a column of the HDF5 file, with None where there is no value."""
    dataset = file[name]
    values = dataset[...].tolist()
    fill = dataset.attrs.get("_FillValue")
    if "labels" in dataset.attrs:
        labels = file[as_text(dataset.attrs["labels"])].asstr()[...]
        return [labels[code] if 0 <= code < len(labels) else None for code in values]
    none = (lambda value: math.isnan(value)) if dataset.dtype.kind == "f" else (
        lambda value: fill is not None and value == np.ravel(fill)[0])
    return [None if none(value) else value for value in values]


def as_text(value):
    return value.decode() if isinstance(value, bytes) else str(value)


def check(program, name, sweep, folder):
    """Exports a result whole and in part, and compares both; returns the number of row groups."""
    source, run, path = folder / f"{name}.toml", folder / name, folder / f"{name}.parquet"
    source.write_text(sweep)
    subprocess.run([program, "run", source, "--out", run, "-q"], check=True, stdout=subprocess.DEVNULL)
    export = [program, "export", run, "--format", "parquet", "-o", path, "-q"]
    subprocess.run([*export, "--compression", "none", "--threads", "1"], check=True)
    plain, size = read(path, 0), path.stat().st_size
    subprocess.run([*export, "--threads", "1"], check=True)
    one_thread = path.read_bytes()
    subprocess.run([*export, "--compression", "zstd", "--threads", "3"], check=True)
    assert path.read_bytes() == one_thread, "bytes depend on the number of threads"
    columns, notes, groups = read(path, 6)
    assert (columns, notes, groups) == plain, "compression changes values"
    assert len(one_thread) < size, (len(one_thread), size)
    with h5py.File(run / "result.h5") as file:
        names = as_text(file.attrs["columns"]).split()
        assert list(columns) == names, (list(columns), names)
        whole = {column: expected(file, column) for column in names}
        for column in names:
            assert columns[column] == whole[column], column
        meanings = json.loads(notes["dfsweep"])
        for column in names:
            assert meanings["columns"][column]["units"] == as_text(file[column].attrs["units"]), column
        assert meanings["estimator"] == as_text(file.attrs["estimator"])
    subprocess.run([*export, "--columns", "step_time,model", "--where", "status == 'ok'"], check=True)
    columns, _, _ = read(path, 6)
    kept = [row for row, status in enumerate(whole["status"]) if status == "ok"]
    assert 0 < len(kept) < len(whole["status"])
    assert columns == {column: [whole[column][row] for row in kept] for column in ("step_time", "model")}
    print(f"{name}: {sum(groups)} rows in {len(groups)} row groups, {len(names)} columns")
    return len(groups)


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        assert check(program, "sampled", SAMPLE, pathlib.Path(folder)) == 2
        assert check(program, "search", SEARCH, pathlib.Path(folder)) == 1
    done = subprocess.run([program, "export", "result.h5", "--format", "parquet"], capture_output=True, text=True)
    assert done.returncode == 2 and "parquet needs a file" in done.stderr, done
    done = subprocess.run([program, "export", "result.h5", "--compression", "zstd"], capture_output=True, text=True)
    assert done.returncode == 2 and "is for --format parquet and arrow" in done.stderr, done


if __name__ == "__main__":
    main()
