"""Which folder may include which: layers from bottom to top, and a short list of exceptions with their reasons.

A folder may include the folders of lower layers, and in its own layer those that are listed before it. A folder below
another one (models/dataflow/search) has the place of the one above; among themselves they must not form a circle.
"""
import re

# The interface of estimators and the ground: each room may include those before it.
GROUND = ["models", "models/prepared", "models/statistics", "models/machine", "models/cost", "models/transformer", "models/laws",
          "models/whole_run", "models/measured_tables", "models/operators", "models/kernels", "models/queueing"]
# Siblings: each may include the ground, and none of the others.
FITS = ["models/law_fits", "models/calibration"]
ESTIMATORS = ["models/dataflow", "models/training", "models/calculon", "models/profiled", "models/serving",
              "models/serving_study", "models/taskgraph", "models/hyperparameters"]
FORMATS = ["io", "io/html", "io/hdf5", "io/parquet", "io/arrow", "io/python"]
# Layers of the engine, lowest first; in a layer, each folder may include those before it.
ENGINE = {
    "base": ["engine/console", "engine/tables", "engine/rendering", "engine/parallel", "engine/cluster"],
    "sweeps": ["engine/catalogue", "engine/operators", "engine/sweep", "engine/foreign", "engine/profiles", "engine/plan"],
    "runs": ["engine/evaluation", "engine/dataset", "engine/store", "engine/run"],
    "studies": ["engine/results", "engine/exports", "engine/growth", "engine/merging", "engine/scores", "engine/measurements", "engine/report/reduction", "engine/calibration",
                "engine/report", "engine/fit/runs", "engine/fit/report", "engine/fit/tables", "engine/fit/output"],
    "program": ["engine/commands", "engine/cli", "engine/python", "engine"],
}
# What single files and folders may include besides, and why.
EXCEPTIONS = {
    "engine/sweep/estimators.cpp": (ESTIMATORS, "estimator.hpp", "the list of all estimators"),
    "engine/foreign": (["models/training", "models/serving"], "measured/", "rows of measurements become points"),
}

GENERATED = {"build_commit.hpp", "html_assets.hpp"}


def folder_of(name):
    return name.rsplit("/", 1)[0]


def unit_of(name):
    """A header and the source of the same name are one unit."""
    return name.rsplit(".", 1)[0]


def includes_of(lines):
    for number, line in enumerate(lines, 1):
        found = re.match(r'#include "([^"]+)"', line)
        if found and found[1] not in GENERATED:
            yield number, found[1]


def room_of(folder, rooms):
    """The room that a folder is, or lies below; nothing where it is in none of them."""
    inside = [room for room in rooms if folder == room or folder.startswith(room + "/") and room not in ("models", "io", "engine")]
    return max(inside, key=len, default=None)


ENGINE_ORDER = [folder for layer in ENGINE.values() for folder in layer]


def is_exception(name, target):
    return any((name == place or folder_of(name) == place) and room_of(folder_of(target), rooms) and part in target
               for place, (rooms, part, _) in EXCEPTIONS.items())


def may_include(name, target):
    here, there = folder_of(name), folder_of(target)
    if here == there or is_exception(name, target):
        return True
    if here.split("/")[0] == "io":
        return here in FORMATS and there in FORMATS[:FORMATS.index(here)]
    room = room_of(there, GROUND + FITS + ESTIMATORS)
    if here.split("/")[0] == "models":
        mine = room_of(here, GROUND + FITS + ESTIMATORS)
        if room is None or mine is None:
            return False
        return room == mine or room in (GROUND[:GROUND.index(mine)] if mine in GROUND else GROUND)
    if there.split("/")[0] in ("io", "models"):
        return there in FORMATS or room in GROUND + FITS
    return here in ENGINE_ORDER and there in ENGINE_ORDER[:ENGINE_ORDER.index(here)]


def circles(arrows):
    """Groups of nodes that reach one another, largest first; `arrows`: node -> set of nodes."""
    order, low, on_stack, stack, found = {}, {}, set(), [], []

    def visit(node):
        order[node] = low[node] = len(order)
        stack.append(node)
        on_stack.add(node)
        for other in sorted(arrows.get(node, ())):
            if other not in order:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in on_stack:
                low[node] = min(low[node], order[other])
        if low[node] == order[node]:
            group = []
            while not group or group[-1] != node:
                group.append(stack.pop())
                on_stack.discard(group[-1])
            if len(group) > 1:
                found.append(sorted(group))

    for node in sorted(arrows):
        if node not in order:
            visit(node)
    return sorted(found, key=len, reverse=True)


def include_problems(files):
    """`files`: name -> lines, for the sources of models, io and engine."""
    units, folders = {}, {}
    for name, lines in files.items():
        for number, target in includes_of(lines):
            if target.split("/")[0] not in ("models", "io", "engine"):
                yield f"{name}:{number}: include '{target}' is not a file of models, io or engine, written from the root"
                continue
            if target not in files:
                yield f"{name}:{number}: '{target}' does not exist"
                continue
            if not may_include(name, target):
                yield f"{name}:{number}: {folder_of(name)}/ may not include {folder_of(target)}/ ('{target}')"
            if unit_of(name) != unit_of(target):
                units.setdefault(unit_of(name), set()).add(unit_of(target))
            if folder_of(name) != folder_of(target):
                folders.setdefault(folder_of(name), set()).add(folder_of(target))
    for group in circles(units):
        yield f"circle of units: {', '.join(group)}"
    for group in circles(folders):
        yield f"circle of folders: {', '.join(group)}"


def folder_problems(files):
    known = GROUND + FITS + ESTIMATORS
    for folder in sorted({folder_of(name) for name in files}):
        room = room_of(folder, known) if folder.split("/")[0] == "models" else folder
        if room not in known + FORMATS + ENGINE_ORDER:
            yield f"{folder}/ is in no layer of tests/rules/include_rules.py"
