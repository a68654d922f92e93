"""The picture in docs/architecture.md: one line for every room of models, every folder of io and engine, in their order."""
import re

import include_rules

PAGE = "docs/architecture.md"
ROW = re.compile(r"^ *([a-z0-9_]+(?:/[a-z0-9_]+)*)/ {2,}(\S.*)$", re.M)
MOST_LINES = 60  # a screen


def picture_of(text):
    """The text of the first block that begins with the line of models/; empty if there is no such block."""
    found = re.search(r"^```text\n(models/ .*?)^```$", text, re.M | re.S)
    return found[1] if found else ""


def page_problems(text):
    picture = picture_of(text)
    if not picture:
        yield f"{PAGE}: no picture of the folders"
        return
    if picture.count("\n") > MOST_LINES:
        yield f"{PAGE}: the picture has {picture.count(chr(10))} lines, more than a screen of {MOST_LINES}"
    shown = [folder for folder, _ in ROW.findall(picture)]
    known = [*include_rules.GROUND, *include_rules.FITS, *include_rules.ESTIMATORS, *include_rules.FORMATS,
             *(folder for layer in include_rules.ENGINE.values() for folder in layer)]
    for folder in known:
        if folder not in shown:
            yield f"{PAGE}: no sentence says what {folder}/ is"
    for folder in shown:
        if folder not in known:
            yield f"{PAGE}: {folder}/ is no folder of a layer"
    # The ground is drawn from the bottom, the engine from the top.
    for rooms in (include_rules.GROUND, *(layer[::-1] for layer in include_rules.ENGINE.values())):
        order = [folder for folder in shown if folder in rooms]
        if order != [folder for folder in rooms if folder in shown]:
            yield f"{PAGE}: {', '.join(order)} are in another order than in tests/rules/include_rules.py"
