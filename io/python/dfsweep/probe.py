"""Parses a file whose frame cannot be verified, in a process of its own that may crash or hang: python -m dfsweep.probe."""
from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import h5py

from .errors import DamagedFile

SECONDS = 20  # and one for each MB


def _read_all(path: str) -> None:
    """Everything that the package reads of a file, once."""
    with h5py.File(path, "r") as file:
        for value in file.attrs.values():
            str(value)

        def visit(_: str, node: Any) -> None:
            dict(node.attrs)
            if isinstance(node, h5py.Dataset) and node.ndim:
                for first in range(0, len(node), 1 << 20):
                    node[first:first + (1 << 20)]

        file.visititems(visit)


def probe(path: str) -> None:
    """Raises DamagedFile if HDF5 crashes on a file, finds it malformed, or does not come back."""
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join([folder, os.environ.get("PYTHONPATH", "")]))
    try:
        done = subprocess.run([sys.executable, "-m", "dfsweep.probe", path], env=environment, capture_output=True,
                              text=True, errors="replace", stdin=subprocess.DEVNULL,
                              timeout=SECONDS + os.path.getsize(path) / 1e6)
    except subprocess.TimeoutExpired:
        raise DamagedFile(f"{path} cannot be parsed: HDF5 does not come back from it") from None
    if done.returncode < 0:
        raise DamagedFile(f"{path} cannot be parsed: HDF5 crashes on it")
    if done.returncode:
        reason = done.stderr.strip().splitlines()
        raise DamagedFile(f"{path} cannot be parsed ({reason[-1] if reason else 'no reason given'})")


if __name__ == "__main__":
    try:
        _read_all(sys.argv[1])
    except Exception as error:  # the parent reports it
        sys.exit(f"{type(error).__name__}: {error}")
