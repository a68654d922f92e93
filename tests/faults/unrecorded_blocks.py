"""Exit status 0 where a run holds the data of a block that no journal record vouches for: a kill came between the two.

Usage: unrecorded_blocks.py RUN RESULT, where RESULT is the finished file of the same sweep.
"""
import json
import pathlib
import struct
import sys


def recorded(folder):
    """Blocks that a record of kind `rows` names (docs/dataset.md; checksums are not verified here)."""
    blocks = set()
    for path in folder.glob("journal/part-*.journal"):
        data = path.read_bytes()
        at = data.find(b"DFSWREC1")
        while at >= 0 and at + 48 <= len(data):
            kind, block = struct.unpack_from("<II", data, at + 8)
            if kind == 1:
                blocks.add(block)
            at = data.find(b"DFSWREC1", at + 8)
    return blocks


def main(folder, result):
    plan = json.loads((folder / "plan.json").read_text())
    cut = plan["cut"]
    column = next(c for c in plan["columns"] if c["path"] == "noise")  # no two blocks have the same, and none is zero
    known = recorded(folder)
    count = 0
    with open(folder / "result.partial.h5", "rb") as partial, open(result, "rb") as whole:
        for block in range(cut["blocks"]):
            first = block * cut["groups_per_block"]
            rows = min(cut["groups_per_block"], cut["rows"] - first)
            offset, size = column["offset"] + first * column["element_bytes"], rows * column["element_bytes"]
            partial.seek(offset)
            whole.seek(offset)
            data = partial.read(size)
            count += any(data) and data == whole.read(size) and block not in known
    return 0 if count else 1


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), sys.argv[2]))
