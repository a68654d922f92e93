"""Functions of sources for AVX2: usage: lanes_avx2_test.py NM OBJECT...

The linker keeps one of several functions of a name, so that one compiled for AVX2 could be called by code for all
processors. Those that others may have too are therefore inline: what is left has lanes of four in its name.
"""
import subprocess
import sys

PUBLIC = {"dfsweep::serving::write_neighbours_avx2"}
LANES = "Lanes<4ul, 4ul>"


def functions(nm, path):
    """[(kind, name)] of the functions that an object defines."""
    lines = subprocess.run([nm, "--demangle", "--defined-only", path], check=True, capture_output=True, text=True).stdout
    parts = [line.split(maxsplit=2) for line in lines.splitlines()]
    return [(kind, name) for _, kind, name in parts if kind in "TWVu"]


def main():
    nm, *objects = sys.argv[1:]
    problems = []
    for path in objects:
        found = functions(nm, path)
        if not any(LANES in name for _, name in found):
            problems.append(f"{path}: no function has {LANES} in its name")
        for kind, name in found:
            if LANES not in name and not (kind == "T" and name.split("(")[0] in PUBLIC):
                problems.append(f"{path}: {name} may be called on processors without AVX2")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
