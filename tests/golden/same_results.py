"""Do two programs give the same results? usage: same_results.py OLD NEW FOLDER SWEEP...

Runs every sweep with both programs in FOLDER and compares all datasets and attributes bit by bit, but for those that name
the build or depend on it: /provenance and the fingerprint.
"""
import pathlib
import subprocess
import sys

import h5py
import numpy

OF_THE_BUILD = {"plan_fingerprint", "format_version", "history"}


def result_of(program, sweep, folder):
    out = folder / pathlib.Path(program).parent.as_posix().replace("/", "_") / sweep.stem
    done = subprocess.run([program, "run", str(sweep), "--out", str(out), "--fresh", "--quiet"], capture_output=True, text=True)
    if done.returncode not in (0, 5):
        return None, done.stderr.strip()
    return out / "result.h5", ""


def bits(value):
    """Something that is equal where all bits are equal; texts are compared as texts."""
    if isinstance(value, str):
        return value
    array = numpy.asarray(value)
    return repr(array.tolist()) if array.dtype == object else array.tobytes()


def items(path):
    """Name -> bits of every dataset and attribute."""
    found = {}
    with h5py.File(path) as file:

        def visit(name, node):
            if name.startswith("provenance"):
                return
            for key, value in node.attrs.items():
                if key not in OF_THE_BUILD and key not in ("DIMENSION_LIST", "REFERENCE_LIST"):
                    found[f"{name}@{key}"] = bits(value)
            if isinstance(node, h5py.Dataset):
                found[name] = bits(node.asstr()[()] if h5py.check_string_dtype(node.dtype) else node[()])

        visit("", file)
        file.visititems(visit)
    return found


def main(old, new, folder, sweeps):
    different = 0
    for sweep in map(pathlib.Path, sweeps):
        (a, why_a), (b, why_b) = result_of(old, sweep, folder), result_of(new, sweep, folder)
        if a is None or b is None:
            print(f"{sweep}: {'both refuse' if a is b is None else 'one refuses'}: {why_a or why_b}")
            different += (a is None) != (b is None)
            continue
        left, right = items(a), items(b)
        names = sorted(name for name in left.keys() | right.keys() if left.get(name) != right.get(name))
        print(f"{sweep}: {len(left)} items, {'identical' if not names else 'different: ' + ', '.join(names[:8])}")
        different += bool(names)
    print(f"{different} of {len(sweeps)} sweeps differ")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), sys.argv[4:]))
