"""Published tables with exchanged or missing rows do not compile; the table in order does.

Arguments: the compiler and the root of the sources. Ends with 77 where there is no such compiler.
"""
import pathlib
import shutil
import subprocess
import sys

CASES = [  # TABLE of published_rows_exchanged.cpp, whether it compiles, why
    (0, True, "rows in order"),
    (1, False, "two exchanged rows"),
    (2, False, "a missing row"),
]


def main(compiler, root):
    if shutil.which(compiler) is None:
        print(f"skipped: no compiler '{compiler}'")
        return 77
    source = pathlib.Path(root) / "tests/models/published_rows_exchanged.cpp"
    failures = 0
    for table, compiles, why in CASES:
        command = [compiler, "-std=c++20", "-fsyntax-only", f"-DTABLE={table}", "-I", root, str(source)]
        result = subprocess.run(command, capture_output=True, text=True)
        refused_by_the_check = "static" in result.stderr and "is_in_order(rows)" in result.stderr
        as_expected = result.returncode == 0 if compiles else result.returncode != 0 and refused_by_the_check
        failures += not as_expected
        print(f"{'ok' if as_expected else 'FAILED'}: {why}")
        if not as_expected:
            print(result.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
