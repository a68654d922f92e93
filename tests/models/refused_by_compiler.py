"""What must not compile does not: tables with exchanged or missing rows, and fields that no table declares.

Arguments: the compiler and the root of the sources. Ends with 77 where there is no such compiler.
"""
import pathlib
import shutil
import subprocess
import sys

CASES = [  # source, CASE that it is compiled with, words of the refusal or None where it compiles, why
    ("refused_tables.cpp", 0, None, "rows in order"),
    ("refused_tables.cpp", 1, "is_in_order(rows)", "two exchanged rows"),
    ("refused_tables.cpp", 2, "is_in_order(rows)", "a missing row"),
    ("refused_fields.cpp", 0, None, "a field of a device"),
    ("refused_fields.cpp", 1, "no such field is declared", "a misspelt field"),
    ("refused_fields.cpp", 2, "no such field is declared", "a field of a memory, asked of a device"),
]


def main(compiler, root):
    if shutil.which(compiler) is None:
        print(f"skipped: no compiler '{compiler}'")
        return 77
    failures = 0
    for name, case, refusal, why in CASES:
        source = pathlib.Path(root) / "tests/models" / name
        command = [compiler, "-std=c++20", "-fsyntax-only", f"-DCASE={case}", "-I", root, str(source)]
        result = subprocess.run(command, capture_output=True, text=True)
        if refusal is None:
            as_expected = result.returncode == 0
        else:
            as_expected = result.returncode != 0 and refusal in result.stderr
        failures += not as_expected
        print(f"{'ok' if as_expected else 'FAILED'}: {name}: {why}")
        if not as_expected:
            print(result.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
