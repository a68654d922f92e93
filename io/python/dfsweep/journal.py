"""The progress of an unfinished run: its complete blocks and their checksums, from plan.json and the journals."""
from __future__ import annotations

import collections
import json
import os
import re
import struct
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from .argument_types import Array
from .checksum import Halves, xxh3_128
from .errors import DamagedFile, UnfinishedRun
from .seal import Place

NEWEST_RUN_FORMAT = 3
ROWS, DAMAGE = 1, 3  # kinds of records
_MAGIC = b"DFSWREC1"
_HEADER = struct.Struct("<8sIIIIQQQ")  # magic, kind, block, generation, reserved, plan (high, low), bytes of the payload
_CHECKSUM_BYTES = 16
_OWN_CHECKSUM = re.compile(rb',\n  "checksum": "([0-9a-f]{32})"(?=\n}\n?$)')  # of all other bytes of plan.json

Layout = collections.namedtuple("Layout", "file_size frame places")
Progress = collections.namedtuple("Progress", "layout first_rows counts checksums")
_Record = collections.namedtuple("_Record", "kind block generation plan payload")


def _halves(digits: str) -> Halves:
    return int(digits[:16], 16), int(digits[16:], 16)


def read_progress(folder: str) -> Progress:
    """The complete blocks of a run: first row, rows and [2 x column] checksums of each, in the order of rows. Raises
    UnfinishedRun where there is nothing to read, DamagedFile."""
    plan = _read_plan(os.path.join(folder, "plan.json"))
    if plan["cut"]["kind"] == "candidates":
        raise UnfinishedRun(f"{folder} is a search whose rows are only known at its end")
    extents = {"rows": 0, "groups": 1, "file": 2}
    places = [Place(each["offset"], each["count"], each["element_bytes"], extents.get(each["extent"], 2))
              for each in plan["columns"]]
    filled = sum("missing" in each for each in plan["columns"])
    blocks, checksums = _complete_blocks(os.path.join(folder, "journal"), _halves(plan["fingerprint"]), filled,
                                         plan["cut"]["blocks"])
    return Progress(Layout(plan["file_size"], _halves(plan["frame_checksum"]), places), *_rows_of(plan["cut"], blocks), checksums)


def _read_plan(path: str) -> dict[str, Any]:
    try:
        with open(path, "rb") as file:
            text = file.read()
    except FileNotFoundError:
        raise UnfinishedRun(f"there is no {path}: the run was stopped before it wrote one") from None
    found = _OWN_CHECKSUM.search(text)
    if not found or xxh3_128(text[:found.start()] + text[found.end():]) != _halves(found[1].decode()):
        raise DamagedFile(f"{path} is damaged: its checksum is wrong")
    plan = json.loads(text)
    if plan.get("program") != "dfsweep" or plan.get("format_version", 0) > NEWEST_RUN_FORMAT:
        raise ValueError(f"{path} is of no format that this package reads (up to {NEWEST_RUN_FORMAT})")
    return plan


def _records(data: bytes) -> Iterator[_Record]:
    """The valid records of a journal; a torn or damaged one is skipped."""
    at = data.find(_MAGIC)
    while at >= 0 and at + _HEADER.size + _CHECKSUM_BYTES <= len(data):
        _, kind, block, generation, _, high, low, size = _HEADER.unpack_from(data, at)
        end = at + _HEADER.size + size
        if end + _CHECKSUM_BYTES <= len(data) and _stored(data, end) == xxh3_128(data[at:end]):
            yield _Record(kind, block, generation, (high, low), data[at + _HEADER.size:end])
            at = data.find(_MAGIC, end + _CHECKSUM_BYTES)
        else:
            at = data.find(_MAGIC, at + 1)


def _stored(data: bytes, at: int) -> Halves:
    """A checksum as it lies in memory of the program."""
    high, low = struct.unpack_from("<QQ", data, at)
    return high, low


def _journals(folder: str) -> Iterator[tuple[str, bytes]]:
    for name in sorted(os.listdir(folder)):
        if name.endswith(".journal"):
            with open(os.path.join(folder, name), "rb") as file:
                yield name, file.read()


def _complete_blocks(folder: str, plan: Halves, filled: int, count: int) -> tuple[Array, Array]:
    """The complete blocks, and the checksums of each in its newest record that no damage record voids. count: of all blocks."""
    least, newest = np.zeros(count, np.int64), np.full(count, -1, np.int64)  # generations
    checksums = np.zeros((count, 2 * filled), np.uint64)
    for name, data in _journals(folder):
        for record in _records(data):
            block = record.block
            if record.plan != plan or block >= count:
                continue
            if name == "damage.journal":
                if record.kind == DAMAGE:
                    least[block] = max(least[block], record.generation + 1)
            elif record.kind == ROWS and len(record.payload) == filled * _CHECKSUM_BYTES and record.generation >= newest[block]:
                newest[block], checksums[block] = record.generation, np.frombuffer(record.payload, np.uint64)
    complete = np.flatnonzero(newest >= least)
    return complete, checksums if len(complete) == count else checksums[complete]


def _rows_of(cut: Mapping[str, Any], blocks: Array) -> tuple[Array, Array]:
    """First rows and numbers of rows of blocks."""
    rows = cut["groups_per_block"] * cut["rows_per_group"]
    return blocks * rows, np.minimum((blocks + 1) * rows, cut["rows"]) - blocks * rows
