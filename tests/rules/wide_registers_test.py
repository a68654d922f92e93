"""Functions of sources for processors with wide registers: usage: wide_registers_test.py NM OBJECT...

The linker keeps one of several functions of a name, so that one with instructions that few processors have could be
called on all. Functions that other sources may have too are therefore inline there: what is left has lanes of that
width in its name.
"""
import re
import subprocess
import sys

PUBLIC = re.compile(r"dfsweep::serving::write_\w+_avx(2|512)\(")
WIDE = re.compile(r"Lanes<(4ul, 4ul|8ul, 8ul)>")


def functions(nm, path):
    """Names of the functions that an object defines."""
    lines = subprocess.run([nm, "--demangle", "--defined-only", path], check=True, capture_output=True, text=True).stdout
    parts = [line.split(maxsplit=2) for line in lines.splitlines()]
    return [name for _, kind, name in parts if kind in "TWVu"]


def main():
    nm, *objects = sys.argv[1:]
    problems = []
    for path in objects:
        names = functions(nm, path)
        if not any(WIDE.search(name) for name in names):
            problems.append(f"{path}: no function has wide lanes in its name")
        problems += [f"{path}: {name} may be called on every processor" for name in names
                     if not WIDE.search(name) and not PUBLIC.match(name)]
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
