"""The frame of a file, verified and in memory: HDF5 parses it and never sees the file itself."""
from __future__ import annotations

import bisect
import io
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .checksum import xxh3_128
from .errors import DamagedFile
from .seal import SEAL_BYTES, Seal, end_of

if TYPE_CHECKING:
    from .journal import Layout

MAX_FRAME_BYTES = 1 << 30  # dfsweep never writes more


def read_exactly(descriptor: int, offset: int, buffer: Any, path: str) -> None:
    """Fills a buffer from a file. Raises DamagedFile where the file ends."""
    view, done = memoryview(buffer).cast("B"), 0
    while done < len(view):
        count = os.preadv(descriptor, [view[done:]], offset + done)
        if count == 0:
            raise DamagedFile(f"{path} is damaged: it ends at byte {offset + done}")
        done += count


class Frame(io.RawIOBase):
    """A file that holds the bytes of its pieces, and zeros between them."""

    def __init__(self, pieces: Sequence[tuple[int, memoryview]], size: int) -> None:
        super().__init__()
        self._starts = [offset for offset, _ in pieces]
        self._pieces = [data for _, data in pieces]
        self._size, self._at = size, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._at = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}[whence]
        return self._at

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer).cast("B")
        count = max(min(len(view), self._size - self._at), 0)
        view[:count] = bytes(count)
        end = self._at + count
        i = max(bisect.bisect_right(self._starts, self._at) - 1, 0)
        while i < len(self._starts) and self._starts[i] < end:
            start, data = self._starts[i], self._pieces[i]
            low, high = max(start, self._at), min(start + len(data), end)
            if low < high:
                view[low - self._at:high - self._at] = data[low - start:high - start]
            i += 1
        self._at = end
        return count


def read_frame(descriptor: int, seal: Seal | Layout, path: str) -> Frame:
    """All bytes that belong to neither the seal nor a place. Raises DamagedFile if they do not have their checksum."""
    pieces, at = [], SEAL_BYTES
    for place in sorted(seal.places) + [None]:
        end = seal.file_size if place is None else place.offset
        if end > at:
            pieces.append((at, end - at))
        at = max(at, seal.file_size if place is None else end_of(place))
    damaged = DamagedFile(f"{path} is damaged outside its columns: those bytes have a wrong checksum")
    if sum(size for _, size in pieces) > MAX_FRAME_BYTES:
        raise damaged
    whole, read, done = bytearray(sum(size for _, size in pieces)), [], 0
    for offset, size in pieces:
        data = memoryview(whole)[done:done + size]
        read_exactly(descriptor, offset, data, path)
        read.append((offset, data))
        done += size
    if xxh3_128(whole) != seal.frame:
        raise damaged
    return Frame(read, seal.file_size)
