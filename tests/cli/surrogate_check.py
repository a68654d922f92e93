"""The surrogate of docs/surrogate.md: the script runs, and the page shows what it prints.

Usage: surrogate_check.py PROGRAM SOURCE_DIR [--update]. A short form learns from few points; DFSWEEP_LONG_TESTS=1 repeats the page,
which --update writes. Skipped where scikit-learn is missing.
"""
import os
import pathlib
import re
import subprocess
import sys

from python_package import require

require("pandas", "sklearn")

START, END = "<!-- prints -->\n```text\n", "```\n"


def printed(program, source, *options):
    """What the script prints."""
    # Threads of scikit-learn that spin at each barrier take minutes where other tests run beside them.
    environment = dict(os.environ, DFSWEEP_PROGRAM=program, PYTHONPATH=str(source / "io" / "python"), OMP_WAIT_POLICY="passive")
    return subprocess.run([sys.executable, "-B", str(source / "docs" / "examples" / "surrogate.py"), *options], env=environment, text=True,
                          stdout=subprocess.PIPE, check=True).stdout


def median_of(text, label):
    """The median error of a line, in per cent."""
    found = re.search(rf"^{re.escape(label)} +\d+ +([\d.]+)", text, re.MULTILINE)
    assert found, f"no line '{label}' in\n{text}"
    return float(found[1])


def check_short(program, source):
    text = printed(program, source, "--rows", "12000", "--trees", "100")
    seen, unseen = median_of(text, "points of seen models"), median_of(text, "models that are not seen")
    assert 0 < seen < 15, text
    assert seen < unseen < 60, text
    assert median_of(text, "drawn at random") < median_of(text, "none"), text


def check_page(program, source, update):
    page = source / "docs" / "surrogate.md"
    text = page.read_text(encoding="utf-8")
    first = text.index(START) + len(START)
    last = text.index(END, first)
    new = text[:first] + printed(program, source) + text[last:]
    if update:
        page.write_text(new, encoding="utf-8")
    assert new == page.read_text(encoding="utf-8"), "docs/surrogate.md is stale: run this with --update"


def main():
    program, source = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    update = sys.argv[3:] == ["--update"]
    check_short(program, source)
    if update or os.environ.get("DFSWEEP_LONG_TESTS"):
        check_page(program, source, update)
    return 0


if __name__ == "__main__":
    sys.exit(main())
