"""Arrow files against the HDF5 files they were exported from, read by a reader that follows the format specification.

Usage: arrow_check.py PROGRAM
"""

import json
import pathlib
import struct
import subprocess
import sys
import tempfile

import parquet_check
from parquet_check import as_text, expected, np, h5py


class Flat:
    """A table of a FlatBuffer."""

    def __init__(self, data, at):
        self.data, self.at = data, at
        self.places = at - struct.unpack_from("<i", data, at)[0]

    @classmethod
    def root(cls, data):
        return cls(data, struct.unpack_from("<I", data, 0)[0])

    def place(self, field):
        size = struct.unpack_from("<H", self.data, self.places)[0]
        at = 4 + 2 * field
        offset = struct.unpack_from("<H", self.data, self.places + at)[0] if at < size else 0
        return self.at + offset if offset else None

    def number(self, field, kind, otherwise=0):
        at = self.place(field)
        if at is None:
            return otherwise
        assert (at % struct.calcsize(kind)) == 0, "a number at an odd place"
        return struct.unpack_from("<" + kind, self.data, at)[0]

    def target(self, field):
        at = self.place(field)
        return None if at is None else at + struct.unpack_from("<I", self.data, at)[0]

    def table(self, field):
        at = self.target(field)
        return None if at is None else Flat(self.data, at)

    def text(self, field):
        at = self.target(field)
        size = struct.unpack_from("<I", self.data, at)[0]
        assert self.data[at + 4 + size] == 0, "a text without its zero"
        return bytes(self.data[at + 4:at + 4 + size]).decode()

    def tables(self, field):
        at = self.target(field)
        count = struct.unpack_from("<I", self.data, at)[0]
        places = range(at + 4, at + 4 + 4 * count, 4)
        return [Flat(self.data, place + struct.unpack_from("<I", self.data, place)[0]) for place in places]

    def structs(self, field, form):
        at = self.target(field)
        count = struct.unpack_from("<I", self.data, at)[0]
        assert (at + 4) % 8 == 0, "structures at an odd place"
        return [struct.unpack_from("<" + form, self.data, at + 4 + i * struct.calcsize("<" + form)) for i in range(count)]


def number_type(kind, table):
    if kind == 2:
        return f"<{'i' if table.number(1, 'B') else 'u'}{table.number(0, 'i') // 8}"
    assert kind == 3, kind
    return {1: "<f4", 2: "<f8"}[table.number(0, "h")]


def message(data, at):
    """The header's kind, the header, and the bytes of the body of the message at a place; where the next one begins."""
    mark, size = struct.unpack_from("<iI", data, at)
    assert mark == -1 and at % 8 == 0 and size % 8 == 0
    table = Flat.root(data[at + 8:at + 8 + size])
    assert table.number(0, "h") == 4, "version"
    body = at + 8 + size
    return table.number(1, "B"), table.table(2), data[body:body + table.number(3, "q")], body + table.number(3, "q")


def present(buffer, rows):
    if len(buffer) == 0:
        return np.ones(rows, dtype=bool)
    return np.unpackbits(np.frombuffer(buffer, "u1"), bitorder="little")[:rows].astype(bool)


def buffers_of(batch, body):
    places = batch.structs(2, "qq")
    assert all(offset % 64 == 0 and offset + size <= len(body) for offset, size in places)
    buffers = [body[offset:offset + size] for offset, size in places]
    compression = batch.table(3)
    if compression is None:
        return buffers
    assert compression.number(0, "b") == 1 and compression.number(1, "b") == 0, "Zstandard, buffer by buffer"
    return [expanded(buffer) for buffer in buffers]


def expanded(buffer):
    if len(buffer) == 0:
        return buffer
    size = struct.unpack_from("<q", buffer)[0]
    if size >= 0:
        return parquet_check.expand(buffer[8:], size)
    assert size == -1
    return bytes(buffer[8:])


def read(path):
    """Columns by name, the notes of the table and of each column, and the number of rows of each batch."""
    data = memoryview(path.read_bytes())
    assert bytes(data[:8]) == b"ARROW1\0\0" and bytes(data[-6:]) == b"ARROW1"
    size = struct.unpack_from("<i", data, len(data) - 10)[0]
    footer = Flat.root(data[len(data) - 10 - size:len(data) - 10])
    schema = footer.table(1)
    fields = schema.tables(1)
    names = [field.text(0) for field in fields]
    notes = {note.text(0): note.text(1) for note in schema.tables(2)}
    meanings = {field.text(0): {note.text(0): note.text(1) for note in field.tables(6)} for field in fields}

    # The messages in their order are those of the footer.
    kind, streamed, _, at = message(data, 8)
    assert kind == 1 and [field.text(0) for field in streamed.tables(1)] == names
    blocks = [(block, 2) for block in footer.structs(2, "qiiq")] + [(block, 3) for block in footer.structs(3, "qiiq")]
    dictionaries, columns, batches = {}, {name: [] for name in names}, []
    for (offset, head, _, body_size), wanted in blocks:
        assert offset == at, "a message that is not where the footer says"
        kind, table, body, end = message(data, offset)
        assert kind == wanted and len(body) == body_size and end - body_size == offset + head
        at = end
        if kind == 2:
            batch = table.table(1)
            _, ends, text = buffers_of(batch, body)
            ends = np.frombuffer(ends, "<i4")
            dictionaries[table.number(0, "q")] = [bytes(text[a:b]).decode() for a, b in zip(ends, ends[1:])]
            assert len(dictionaries[table.number(0, "q")]) == batch.number(0, "q")
            continue
        rows, nodes, buffers = table.number(0, "q"), table.structs(1, "qq"), iter(buffers_of(table, body))
        batches.append(rows)
        for name, field, (length, missing) in zip(names, fields, nodes):
            valid, values = present(next(buffers), rows), next(buffers)
            assert length == rows and missing == rows - int(valid.sum()), name
            encoding = field.table(4)
            if encoding is None:
                found = np.frombuffer(values, number_type(field.number(2, "B"), field.table(3))).tolist()
            else:
                assert field.number(2, "B") == 5, "labels are texts"
                labels = dictionaries[encoding.number(0, "q")]
                found = [labels[code] for code in np.frombuffer(values, number_type(2, encoding.table(1)))]
            assert len(found) == rows, name
            columns[name].extend(value if is_valid else None for value, is_valid in zip(found, valid))
    assert struct.unpack_from("<iI", data, at) == (-1, 0), "no end of the batches"
    return columns, notes, meanings, batches


def check(program, name, sweep, folder):
    """Exports a result whole and in part, and compares both; returns the number of batches."""
    source, run, path = folder / f"{name}.toml", folder / name, folder / f"{name}.arrow"
    source.write_text(sweep)
    subprocess.run([program, "run", source, "--out", run, "-q"], check=True, stdout=subprocess.DEVNULL)
    export = [program, "export", run, "--format", "arrow", "-o", path, "-q"]
    subprocess.run([*export, "--threads", "3"], check=True)
    columns, notes, meanings, batches = read(path)
    several_threads = path.read_bytes()
    subprocess.run([*export, "--threads", "1"], check=True)
    assert path.read_bytes() == several_threads, "bytes depend on the number of threads"
    compressed = [*export, "--compression", "zstd"]
    subprocess.run([*compressed, "--threads", "3"], check=True)
    of_threads = path.read_bytes()
    subprocess.run([*compressed, "--threads", "1"], check=True)
    assert path.read_bytes() == of_threads, "bytes depend on the number of threads"
    assert read(path) == (columns, notes, meanings, batches), "compression changes values"
    assert len(of_threads) < len(several_threads), (len(of_threads), len(several_threads))
    with h5py.File(run / "result.h5") as file:
        names = as_text(file.attrs["columns"]).split()
        assert list(columns) == names, (list(columns), names)
        whole = {column: expected(file, column) for column in names}
        for column in names:
            assert columns[column] == whole[column], column
            assert meanings[column]["units"] == as_text(file[column].attrs["units"]), column
            assert meanings[column]["long_name"] == as_text(file[column].attrs["long_name"]), column
        assert json.loads(notes["dfsweep"])["estimator"] == as_text(file.attrs["estimator"])
    subprocess.run([*export, "--columns", "step_time,model", "--where", "status == 'ok'"], check=True)
    columns, _, _, _ = read(path)
    kept = [row for row, status in enumerate(whole["status"]) if status == "ok"]
    assert 0 < len(kept) < len(whole["status"])
    assert columns == {column: [whole[column][row] for row in kept] for column in ("step_time", "model")}
    print(f"{name}: {sum(batches)} rows in {len(batches)} batches, {len(names)} columns")
    return len(batches)


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        assert check(program, "sampled", parquet_check.SAMPLE, pathlib.Path(folder)) == 2
        assert check(program, "search", parquet_check.SEARCH, pathlib.Path(folder)) == 1
    done = subprocess.run([program, "export", "result.h5", "--format", "arrow"], capture_output=True, text=True)
    assert done.returncode == 2 and "arrow needs a file" in done.stderr, done


if __name__ == "__main__":
    main()
