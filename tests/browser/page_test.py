"""Pages in Chromium under a driver: usage: page_test.py PROGRAM SOURCE [--screenshots FOLDER].

Makes the pages and hands them to page_test.mjs. Skipped where Chromium, Node.js or the modules are missing.
"""
import pathlib
import subprocess
import sys
import tempfile

import browser
import special_sweeps


def main(program, source, screenshots=""):
    chromium, modules = browser.chromium(), browser.driver_modules()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        made = special_sweeps.all_pages(program, source, folder)
        listed = [f"{name}={page}" for name, page in made.items()]
        script = pathlib.Path(__file__).with_name("page_test.mjs")
        return subprocess.run(["node", script, modules, chromium, screenshots, *listed]).returncode


if __name__ == "__main__":
    shots = sys.argv[4] if sys.argv[3:4] == ["--screenshots"] else ""
    sys.exit(main(sys.argv[1], pathlib.Path(sys.argv[2]), shots))
