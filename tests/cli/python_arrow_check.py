"""Reads what `dfsweep.arrow` gives as a program in C would: structures of the Arrow C stream interface, as its specification
has them, in a reader that shares nothing with the writer. Usage: python_arrow_check.py PROGRAM SOURCE_DIR.
"""
import ctypes
import gc
import struct
import sys
import tempfile

from python_package import Runner, expect_error, package_of, require

require("h5py", "numpy", "pandas")

import h5py  # noqa: E402
import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402

SWEEP = """
[sweep]
name = "arrow"
estimator = "hyperparameters"
[parameters]
law = ["step-law", "porian"]
parameters = { from = 1e9, to = 1e12, points = 300, scale = "log" }
train_tokens = { from = 1e11, to = 1e13, points = 100, scale = "log" }
sequence_length = [1024, 2048]
"""
POINTER, SIZE = ctypes.c_void_p, ctypes.c_int64
# Offsets of members, which are eight bytes each.
SCHEMA = {"format": 0, "name": 1, "metadata": 2, "flags": 3, "n_children": 4, "children": 5, "dictionary": 6, "release": 7}
ARRAY = {"length": 0, "null_count": 1, "offset": 2, "n_buffers": 3, "n_children": 4, "buffers": 5, "children": 6, "dictionary": 7,
         "release": 8}
STREAM = {"get_schema": 0, "get_next": 1, "get_last_error": 2, "release": 3}
TYPES = {"g": np.float64, "f": np.float32, "l": np.int64, "i": np.int32, "s": np.int16, "c": np.int8, "L": np.uint64}


class Struct:
    """Nine or ten words in memory."""

    def __init__(self, members, address=None):
        self.memory = None if address else (ctypes.c_uint64 * 10)()
        self.address, self.members = address or ctypes.addressof(self.memory), members

    def __getitem__(self, name):
        return ctypes.c_uint64.from_address(self.address + 8 * self.members[name]).value

    def text(self, name):
        return ctypes.string_at(self[name]).decode()

    def part(self, name, i):
        return Struct(self.members, ctypes.c_uint64.from_address(self[name] + 8 * i).value)

    def release(self):
        ctypes.CFUNCTYPE(None, POINTER)(self["release"])(self.address)
        assert self["release"] == 0, "a released structure says so"


def pairs(address):
    """Metadata: a count, then sizes and bytes of keys and values."""
    count, at, words = struct.unpack("=i", ctypes.string_at(address, 4))[0], 4, []
    for _ in range(2 * count):
        size = struct.unpack("=i", ctypes.string_at(address + at, 4))[0]
        words.append(ctypes.string_at(address + at + 4, size).decode())
        at += 4 + size
    return dict(zip(words[::2], words[1::2]))


def buffer(array, i, kind, count):
    address = ctypes.c_uint64.from_address(array["buffers"] + 8 * i).value
    return None if address == 0 else np.frombuffer(ctypes.string_at(address, count * np.dtype(kind).itemsize), kind)


def values_of(schema, array):
    """A column as an object array, None where it is null."""
    count = array["length"]
    assert array["offset"] == 0 and array["n_buffers"] == 2
    valid = buffer(array, 0, np.uint8, (count + 7) // 8)
    values = buffer(array, 1, TYPES[schema.text("format")], count)
    there = np.ones(count, bool) if valid is None else np.unpackbits(valid, count=count, bitorder="little").astype(bool)
    assert count - there.sum() == array["null_count"]
    if schema["dictionary"]:
        assert Struct(SCHEMA, schema["dictionary"]).text("format") == "u"
        words = Struct(ARRAY, array["dictionary"])
        ends = buffer(words, 1, np.int32, words["length"] + 1)
        text = buffer(words, 2, np.uint8, int(ends[-1])).tobytes()
        names = [text[a:b].decode() for a, b in zip(ends[:-1], ends[1:])]
        values = np.array([names[code] if code >= 0 else None for code in values], object)
    values = values.astype(object)
    values[~there] = None
    return values


class Consumer:
    """Takes the stream out of a capsule, as consumers do: by moving it."""

    def __init__(self, table):
        capsule = table.__arrow_c_stream__()
        get = ctypes.PYFUNCTYPE(POINTER, ctypes.py_object, ctypes.c_char_p)
        address = get(("PyCapsule_GetPointer", ctypes.pythonapi))(capsule, b"arrow_array_stream")
        self.stream = Struct(STREAM)
        ctypes.memmove(self.stream.address, address, 40)
        ctypes.c_uint64.from_address(address + 24).value = 0
        del capsule
        self.schema = Struct(SCHEMA)
        assert self.call("get_schema", self.schema) == 0

    def call(self, name, out):
        return ctypes.CFUNCTYPE(ctypes.c_int, POINTER, POINTER)(self.stream[name])(self.stream.address, out.address)

    def error(self):
        address = ctypes.CFUNCTYPE(POINTER, POINTER)(self.stream["get_last_error"])(self.stream.address)
        return ctypes.string_at(address).decode()

    def batches(self):
        while True:
            array = Struct(ARRAY)
            if self.call("get_next", array):
                raise OSError(self.error())
            if array["release"] == 0:
                return
            yield array


def frame_of(consumer):
    """All batches as a frame, released on the way; one column is moved out of each batch and outlives it."""
    fields = [consumer.schema.part("children", i) for i in range(consumer.schema["n_children"])]
    frames = []
    for array in consumer.batches():
        columns = [array.part("children", i) for i in range(array["n_children"])]
        data = {field.text("name"): values_of(field, column) for field, column in zip(fields, columns)}
        frames.append(pd.DataFrame(data))
        moved = Struct(ARRAY)
        ctypes.memmove(moved.address, columns[0].address, 80)
        ctypes.c_uint64.from_address(columns[0].address + 8 * ARRAY["release"]).value = 0
        array.release()
        assert np.array_equal(values_of(fields[0], moved), frames[-1].iloc[:, 0].to_numpy()), "a moved column stays"
        moved.release()
    return frames


def check(dfsweep, path):
    from dfsweep import arrow_stream

    for request in ({}, {"columns": ["law", "sequence_length", "extrapolation"], "where": "law == 'porian' && parameters > 5e11"},
                    {"rows": 1000}, {"rows": slice(5, None, 77)}, {"rows": [3, 5, 8], "columns": ["point", "status"]}):
        expected = dfsweep.load(path, **request)
        consumer = Consumer(dfsweep.arrow(path, chunks=7000, **request))
        assert consumer.schema.text("format") == "+s"
        frames = frame_of(consumer)
        found = pd.concat(frames, ignore_index=True)
        assert all(len(frame) <= 7000 for frame in frames) and list(found) == list(expected), request
        for name in expected:
            one = expected[name].astype(object).to_numpy()
            two = found[name].to_numpy()
            assert len(one) == len(two) and all(b is None if pd.isna(a) else a == b for a, b in zip(one, two)), (request, name)
        fields = {field.text("name"): field for field in (consumer.schema.part("children", i)
                                                          for i in range(consumer.schema["n_children"]))}
        if not request:
            assert pairs(fields["optimal_batch_tokens"]["metadata"])["units"] == expected.attrs["units"]["optimal_batch_tokens"]
            assert fields["law"].text("format") == "c" and fields["parameters"].text("format") == "g"
        consumer.schema.release()
        consumer.stream.release()
    gc.collect()
    assert not arrow_stream._alive and not arrow_stream._streams, "what is released is forgotten"
    unused = dfsweep.arrow(path).__arrow_c_stream__()
    assert arrow_stream._alive
    del unused
    gc.collect()
    assert not arrow_stream._alive and not arrow_stream._streams, "a stream that nothing took is released with its capsule"


def check_damage(dfsweep, path):
    with h5py.File(path) as file:
        offset = file["optimal_learning_rate"].id.get_offset()
    with open(path, "r+b") as file:
        file.seek(offset + 80_000)
        file.write(b"\0\1\2\3")
    consumer = Consumer(dfsweep.arrow(path))
    try:
        list(consumer.batches())
    except OSError as error:
        assert "damaged" in str(error) and "optimal_learning_rate" in str(error), error
    else:
        raise AssertionError("a damaged column was read")
    expect_error(KeyError, "no column 'nothing'", lambda: dfsweep.arrow(path, columns="nothing").__arrow_c_stream__())


def main(program, source):
    dfsweep = package_of(source)
    with tempfile.TemporaryDirectory() as folder:
        path = Runner(program, folder).run("arrow", SWEEP) / "result.h5"
        check(dfsweep, path)
        check_damage(dfsweep, path)
    print("batches, dictionaries, missing values, moves and releases: ok")


main(*sys.argv[1:])
