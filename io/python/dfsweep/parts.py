"""Parts of the rows of a result: (first row, rows, which of them), the last as a slice, as ascending numbers, or as a mask."""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import List, Tuple, Union

import numpy as np

from .argument_types import Array

PIECE = 1 << 18  # rows that are looked at at once where not all are kept
ALL = slice(None)


class Mask:
    """Which of some rows are kept, in a bit for each."""

    def __init__(self, kept: Array) -> None:
        self._bits, self._rows, self._count = np.packbits(kept), len(kept), int(np.count_nonzero(kept))

    def __len__(self) -> int:
        return self._count

    def numbers(self) -> Array:
        """The numbers of the kept rows."""
        return np.flatnonzero(np.unpackbits(self._bits, count=self._rows).view(bool)).astype(np.uint32)


Part = Tuple[int, int, Union[slice, Array, Mask]]
Parts = List[Part]


def size_of(part: Part) -> int:
    """How many rows are in a part."""
    _, count, pick = part
    return len(range(count)[pick]) if isinstance(pick, slice) else len(pick)


def is_adjacent(part: Part) -> bool:
    """Whether the rows of a part are all from its first to its last."""
    return isinstance(part[2], slice) and (part[2].step or 1) == 1


def numbers_of(part: Part) -> Array:
    """Numbers of the rows of a part, from its first row on."""
    _, count, pick = part
    if isinstance(pick, Mask):
        return pick.numbers()
    return np.arange(0, count, pick.step or 1, np.int64) if isinstance(pick, slice) else pick


def kept_part(first: int, kept: Array) -> Part:
    """The rows that are kept of those from `first` on, in little memory. Pre: there are some."""
    count = int(np.count_nonzero(kept))
    begin, end = int(kept.argmax()), len(kept) - int(kept[::-1].argmax())
    if end - begin == count:
        return first + begin, count, ALL
    return first, len(kept), Mask(kept) if 32 * count > len(kept) else np.flatnonzero(kept).astype(np.uint32)


def joined(parts: Iterable[Part]) -> Parts:
    """The same rows in parts that are as long as they can be."""
    answer: Parts = []
    for part in parts:
        if answer and is_adjacent(part) and is_adjacent(answer[-1]) and sum(answer[-1][:2]) == part[0]:
            answer[-1] = (answer[-1][0], answer[-1][1] + part[1], ALL)
        else:
            answer.append(part)
    return answer


def range_parts(rows: range) -> Parts:
    """The rows of a range."""
    return [(rows[0], rows[-1] - rows[0] + 1, slice(None, None, rows.step) if rows.step > 1 else ALL)] if len(rows) else []


def number_parts(numbers: Array) -> Parts:
    """Rows by ascending numbers."""
    if len(numbers) == 0:
        return []
    first, count = int(numbers[0]), int(numbers[-1] - numbers[0]) + 1
    return [(first, count, (numbers - first).astype(np.min_scalar_type(count)))]


def pieces_of(part: Part) -> Iterator[Part]:
    """A part in pieces that lie within PIECE rows of the file, from a multiple of PIECE on."""
    first, count, pick = part
    offset = first % PIECE
    if offset + count <= PIECE:
        yield part
        return
    bounds = [0, *range(PIECE - offset, count, PIECE), count]
    if isinstance(pick, slice):
        for begin, end in zip(bounds, bounds[1:]):
            begin += -begin % (pick.step or 1)
            if begin < end:
                yield first + begin, end - begin, pick
        return
    numbers = numbers_of(part)
    cuts = np.searchsorted(numbers, np.array(bounds, numbers.dtype))  # of another type they would be converted
    for begin, end, low, high in zip(bounds, bounds[1:], cuts, cuts[1:]):
        if high > low:
            yield first + begin, end - begin, (numbers[low:high] - begin).astype(np.uint32, copy=False)


def cut(parts: Parts, size: int) -> Iterator[Parts]:
    """Lists of parts with `size` rows each, the last one with fewer."""
    chunk: Parts = []
    room = size
    for each in parts:
        part: Part | None = each
        while part is not None:
            first, count, pick = part
            taken = min(size_of(part), room)
            if taken == size_of(part):
                chunk, room, part = chunk + [part], room - taken, None
            elif isinstance(pick, slice):
                step = pick.step or 1
                chunk.append((first, (taken - 1) * step + 1, pick))
                room, part = 0, (first + taken * step, count - taken * step, pick)
            else:
                numbers = numbers_of(part)
                chunk.append((first, count, numbers[:taken]))
                room, part = 0, (first, count, numbers[taken:])
            if room == 0:
                yield chunk
                chunk, room = [], size
    if chunk:
        yield chunk


def sampled(parts: Parts, size: int, seed: int) -> Parts:
    """A random sample of the rows of parts, piece by piece: how many of each piece, then which of them."""
    pieces = [piece for part in parts for piece in pieces_of(part)]
    sizes = np.array([size_of(piece) for piece in pieces], np.int64)
    random = np.random.Generator(np.random.PCG64(seed))
    left, wanted = int(sizes.sum()), min(size, int(sizes.sum()))
    sample: Parts = []
    for (first, count, pick), rows in zip(pieces, sizes.tolist()):
        left -= rows
        taken = int(random.hypergeometric(rows, left, wanted)) if left and wanted else wanted
        wanted -= taken
        if taken:
            chosen = np.sort(random.choice(rows, taken, replace=False, shuffle=False)).astype(np.uint32)
            sample.append((first, count, chosen * np.uint32(pick.step or 1) if isinstance(pick, slice)
                           else numbers_of((first, count, pick))[chosen]))
    return sample


def numbers_within(parts: Parts, places: Array | None = None) -> Array:
    """Numbers of the rows of parts in the file. places: where in the answer each of them belongs."""
    numbers, at = np.empty(sum(map(size_of, parts)), np.int64), 0
    for part in parts:
        for piece in pieces_of(part):
            some = numbers_of(piece) + np.int64(piece[0])
            put(numbers, at, some, places)
            at += len(some)
    return numbers


def put(values: Array, at: int, some: Array, places: Array | None) -> None:
    """Puts elements where they belong: from `at` on, or at the places that are listed there."""
    if places is None:
        values[at:at + len(some)] = some
    else:
        values[places[at:at + len(some)]] = some
