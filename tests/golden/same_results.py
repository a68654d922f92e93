"""Do two programs give the same results? usage: same_results.py OLD NEW FOLDER SWEEP...

Runs every sweep with both programs in FOLDER and compares all datasets and attributes bit by bit, but for those that name
the build or depend on it: /provenance and the fingerprint. Statuses, and the counts of /rejections, are compared by their
names: an estimator may number them anew. What an estimator is called, and fixed parameters that NEW does not have any more,
may differ: a convention may become an estimator of its own. So may the words in which the tables of estimators explain
themselves.
"""
import pathlib
import subprocess
import sys

import h5py
import numpy

OF_THE_BUILD = {"plan_fingerprint", "format_version", "history"}
OF_HDF5 = {"DIMENSION_LIST", "REFERENCE_LIST"}
WORDS = {"long_name", "title", "status_meanings"}
# Codes of statuses and what follows from them.
OF_STATUSES = {"status@flag_values", "status@flag_meanings", "status@labels", "status_label"}


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


def by_name(name, values, labels):
    """Rows of statuses as names; of /rejections the columns that count any point, by names."""
    if name == "status":
        return "\n".join(labels[code] for code in values)
    return repr(sorted((label, values[:, code].tolist()) for code, label in enumerate(labels[:values.shape[1]])
                       if values[:, code].any()))


def items(path):
    """Name -> bits of every dataset and attribute."""
    found = {}
    with h5py.File(path) as file:
        labels = str(file["status"].attrs["flag_meanings"]).split()

        def visit(name, node):
            if name.startswith("provenance"):
                return
            for key, value in node.attrs.items():
                if key not in OF_THE_BUILD | OF_HDF5 | WORDS:
                    found[f"{name}@{key}"] = bits(value)
            if isinstance(node, h5py.Dataset):
                if name in ("status", "rejections"):
                    found[name] = by_name(name, node[()], labels)
                else:
                    found[name] = bits(node.asstr()[()] if h5py.check_string_dtype(node.dtype) else node[()])

        visit("", file)
        file.visititems(visit)
    return {name: value for name, value in found.items() if name not in OF_STATUSES and name != "@estimator"}


def differences(left, right):
    """Names of the items of two results that are not the same."""
    gone = {name for name in left.keys() - right.keys() if name.startswith("fixed/")}
    return sorted(name for name in (left.keys() | right.keys()) - gone if left.get(name) != right.get(name))


def main(old, new, folder, sweeps):
    different = 0
    for sweep in map(pathlib.Path, sweeps):
        (a, why_a), (b, why_b) = result_of(old, sweep, folder), result_of(new, sweep, folder)
        if a is None or b is None:
            print(f"{sweep}: {'both refuse' if a is b is None else 'one refuses'}: {why_a or why_b}")
            different += (a is None) != (b is None)
            continue
        left, right = items(a), items(b)
        names = differences(left, right)
        print(f"{sweep}: {len(left)} items, {'identical' if not names else 'different: ' + ', '.join(names[:8])}")
        different += bool(names)
    print(f"{different} of {len(sweeps)} sweeps differ")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), sys.argv[4:]))
