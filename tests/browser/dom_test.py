"""Pages in Chromium without a driver: usage: dom_test.py PROGRAM SOURCE.

Every page draws, with as many cells as its systems and metrics make, and shows no NaN; data that cannot be drawn are
refused with a sentence. Skipped where Chromium is missing.
"""
import html
import pathlib
import re
import subprocess
import sys
import tempfile

import browser
import special_sweeps

REFUSED = {"version": "version 2", "damaged": "damaged"}
SYSTEMS = "#systems.facet=device&systems.y=topology&systems.x=memory&systems.x2=interconnect"
GRIDCELLS = {"llm": 240, "missing": 240, "infeasible": 240}  # 80 systems and three metrics


def dom_of(program, page, profile):
    done = subprocess.run([program, *browser.FLAGS, f"--user-data-dir={profile}", "--virtual-time-budget=5000", "--dump-dom",
                           page.as_uri() + SYSTEMS], capture_output=True, text=True, timeout=120)
    return done.stdout


def visible_text(dom):
    body = dom[dom.index("<body"):]
    without_scripts = re.sub(r"<script.*?</script>|<noscript.*?</noscript>", "", body, flags=re.S)
    attributes = " ".join(re.findall(r'(?:aria-label|title|d|x|y|width|height|data-value)="([^"]*)"', without_scripts))
    return html.unescape(re.sub(r"<[^>]*>", " ", without_scripts)) + " " + html.unescape(attributes)


def problems_of(name, dom):
    ready = re.search(r'<html[^>]* data-ready="(\w+)"', dom)
    state = ready[1] if ready else "not ready"
    if state != ("refused" if name in REFUSED else "1"):
        yield f"data-ready is {state}"
    text = visible_text(dom)
    for word in re.findall(r".{0,30}\b(?:NaN|Infinity|undefined)\b.{0,30}", text)[:3]:
        yield f"shows '{word}'"
    if name in REFUSED and REFUSED[name] not in text:
        yield "does not say why it is refused"
    if name not in REFUSED and "<table" not in dom:
        yield "has no table"
    cells = len(re.findall(r'role="gridcell"', dom))
    if name in GRIDCELLS and cells != GRIDCELLS[name]:
        yield f"has {cells} cells, not {GRIDCELLS[name]}"
    if name == "infeasible" and "no feasible row: out_of_memory" not in text:
        yield "does not give the reason of cells without a feasible row"
    if name == "failed" and "1 row failed" not in text:
        yield "does not warn of the failed row"
    if re.search(r"<b onclick|<img src=", dom):
        yield "a label became markup"


def main(program, source):
    chromium = browser.chromium()
    failures = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        made = special_sweeps.all_pages(program, source, folder)
        for name, page in made.items():
            found = list(problems_of(name, dom_of(chromium, page, folder / "profile")))
            print(f"{name}: {'; '.join(found) if found else 'ok'}")
            failures += bool(found)
    print(f"{len(made)} pages, {failures} with problems")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], pathlib.Path(sys.argv[2])))
