"""Time of a filter click on a page of many points: usage: filter_bench.py PROGRAM SOURCE [POINTS].

Prints milliseconds; asserts nothing. Skipped where Chromium, Node.js or the modules are missing.
"""
import pathlib
import subprocess
import sys
import tempfile

import browser
import pages


def main(program, source, points=100000):
    chromium, modules = browser.chromium(), browser.driver_modules()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        run, page = folder / "run", folder / "page.html"
        pages.call(program, "run", source / "sweeps" / "studies" / "llm.toml", "--out", run, "--quiet")
        pages.call(program, "report", run, "-o", page, "--quiet", "--facet", "device")
        text = page.read_text()
        page.write_text(pages.with_data(text, pages.crowded(pages.data_of(text), points)))
        script = pathlib.Path(__file__).with_name("filter_bench.mjs")
        return subprocess.run(["node", script, modules, chromium, page]).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], pathlib.Path(sys.argv[2]), *map(int, sys.argv[3:4])))
