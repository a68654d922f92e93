"""The seal: the first bytes of a published file, with the places and checksums of the rest (docs/dataset.md)."""
import collections
import struct

from .checksum import xxh3_128
from .errors import DamagedFile

SEAL_BYTES = 8192
MAGIC = b"DFSWSEAL"
NEWEST_FORMAT = 3

Place = collections.namedtuple("Place", "offset count element_bytes extent")
Seal = collections.namedtuple("Seal", "file_size frame table places")

_HEADER = struct.Struct("<8sIIQ4Q")
_PLACE = struct.Struct("<QQII")
_CHECKSUM = struct.Struct("<QQ")
_COVERED = SEAL_BYTES - _CHECKSUM.size


def decode_seal(data, path):
    """The seal in the first bytes of a file; None where there is no seal. Raises DamagedFile, ValueError."""
    if not data.startswith(MAGIC):
        return None
    if len(data) < SEAL_BYTES or _CHECKSUM.unpack_from(data, _COVERED) != xxh3_128(data[:_COVERED]):
        raise DamagedFile(f"{path} is damaged: its seal does not have its checksum")
    _, version, count, file_size, *halves = _HEADER.unpack_from(data)
    if version > NEWEST_FORMAT:
        raise ValueError(f"{path} has format version {version}, this package reads up to {NEWEST_FORMAT}")
    places = [Place(*_PLACE.unpack_from(data, _HEADER.size + i * _PLACE.size)) for i in range(count)]
    if count < 2 or any(each.offset < SEAL_BYTES or end_of(each) > file_size for each in places):
        raise DamagedFile(f"{path} is damaged: its seal names places outside of it")
    return Seal(file_size, tuple(halves[:2]), tuple(halves[2:]), places)


def end_of(place):
    """The first byte after a place."""
    return place.offset + place.count * place.element_bytes
