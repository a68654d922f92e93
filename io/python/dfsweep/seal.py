"""The seal: the first bytes of a published file, with the places and checksums of the rest (docs/dataset.md)."""
from __future__ import annotations

import collections
import struct

from .checksum import xxh3_128
from .errors import DamagedFile

SEAL_BYTES = 8192
MAGIC = b"DFSWSEAL"
COMPRESSED_FORMAT = 4
NEWEST_FORMAT = COMPRESSED_FORMAT

Place = collections.namedtuple("Place", "offset count element_bytes extent")
Column = collections.namedtuple("Column", "count element_bytes chunk_elements")
# columns: of a compressed file, else empty; the tables are the last of the places.
Seal = collections.namedtuple("Seal", "file_size frame table places columns tables", defaults=((), ()))

_HEADER = struct.Struct("<8sIIQ4Q")
_PLACE = struct.Struct("<QQII")
_CHECKSUM = struct.Struct("<QQ")
_COVERED = SEAL_BYTES - _CHECKSUM.size


def decode_seal(data: bytes, path: str) -> Seal | None:
    """The seal in the first bytes of a file; None where there is no seal. Raises DamagedFile, ValueError."""
    if not data.startswith(MAGIC):
        return None
    if len(data) < SEAL_BYTES or _CHECKSUM.unpack_from(data, _COVERED) != xxh3_128(data[:_COVERED]):
        raise DamagedFile(f"{path} is damaged: its seal does not have its checksum")
    _, version, count, file_size, *halves = _HEADER.unpack_from(data)
    if version > NEWEST_FORMAT:
        raise ValueError(f"{path} has format version {version}, this package reads up to {NEWEST_FORMAT}")
    places = [Place(*_PLACE.unpack_from(data, _HEADER.size + i * _PLACE.size)) for i in range(count)]
    # A compressed file has a place for all chunks and one table more; columns have the size of their chunks as offset.
    chunked = max(count - 4, 0) if version == COMPRESSED_FORMAT else 0
    columns = [Column(each.count, each.element_bytes, each.offset) for each in places[:chunked]]
    places = places[chunked:]
    if len(places) < 2 or any(each.offset < SEAL_BYTES or end_of(each) > file_size for each in places) or any(
            not 0 < each.chunk_elements <= each.count for each in columns):
        raise DamagedFile(f"{path} is damaged: its seal names places outside of it")
    return Seal(file_size, tuple(halves[:2]), tuple(halves[2:]), places, columns, places[-3 if columns else -2:])


def end_of(place: Place) -> int:
    """The first byte after a place."""
    return place.offset + place.count * place.element_bytes
