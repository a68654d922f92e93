"""Which folder may include which: the table behind docs/architecture.md, and the circles that nobody may form."""
import re

# What lies open to everybody of a leaf: the seam of the models, and the formats.
SEAM = "models"
FORMATS = {"io", "io/hdf5", "io/html"}
MUTUAL = {"io", "io/hdf5"}  # the one pair of folders that include each other

DATAFLOW = ["estimator", "explain", "points", "mapping", "cost", "parallelism", "workload"]
INFERENCE = ["estimator", "points", "times", "tables", "workload"]
SERVING = ["estimator", "points", "measured", "batching", "step", "speculation", "study", "workload"]
TASKGRAPH = ["estimator", "points", "strategies", "layerwise", "work", "graph"]
TRAINING = ["estimator", "points", "measured", "explain", "step", "memory", "pipeline", "communication", "kernels", "workload"]


def chain(subject, floors):
    """Each folder may include those to its right; the first one is the door, at the subject's root."""
    names = [f"models/{subject}" if floor == "estimator" else f"models/{subject}/{floor}" for floor in floors]
    return {name: set(names[place + 1:]) for place, name in enumerate(names)}


def engine(*folders):
    return {f"engine/{folder}" for folder in folders}


def hyperparameters(*folders):
    return {f"models/hyperparameters/{folder}" for folder in folders}


# Folder -> folders that its files may include, besides itself, the seam, and (in engine) the formats.
MAY_INCLUDE = {
    "models": set(),
    "models/prepared": set(),
    "models/hardware": set(),
    "models/network": {"models/hardware"},
    **chain("dataflow", DATAFLOW),
    "models/dataflow/search": {"models/dataflow/workload"},
    **chain("inference", INFERENCE),
    "models/inference/predictors": set(),
    **chain("inference/serving", SERVING),
    **chain("taskgraph", TASKGRAPH),
    **chain("training", TRAINING),
    "models/training/calculon": set(),
    "models/training/operators": {"models/training/communication", "models/training/kernels", "models/training/workload",
                                  "models/inference/tables", "models/inference/workload"},
    "models/calibration": hyperparameters("statistics"),
    "models/hyperparameters": hyperparameters("points", "surfaces", "statistics", "law") | {"models/prepared"},
    "models/hyperparameters/points": hyperparameters("surfaces", "statistics", "law"),
    "models/hyperparameters/intervals": hyperparameters("fits", "surfaces", "runs", "law", "statistics"),
    "models/hyperparameters/fits": hyperparameters("surfaces", "runs", "law", "statistics"),
    "models/hyperparameters/surfaces": hyperparameters("runs", "law", "statistics"),
    "models/hyperparameters/runs": hyperparameters("law", "statistics"),
    "models/hyperparameters/law": hyperparameters("statistics"),
    "models/hyperparameters/statistics": set(),
    "io": {"io/hdf5"},
    "io/hdf5": {"io"},
    "io/html": {"io"},
    "engine": engine("cli", "console"),
    "engine/cli": engine("commands", "sweep", "console"),
    "engine/commands": engine("fit/output", "fit/report", "fit/runs", "report", "report/reduction", "run", "results", "store",
                              "dataset", "evaluation", "plan", "profiles", "foreign", "calibration", "measurements", "sweep", "catalogue",
                              "rendering", "parallel", "console")
    | {"models/inference/tables", "models/hyperparameters/runs"},
    "engine/fit/output": engine("fit/tables", "fit/report", "rendering", "console") | hyperparameters("points"),
    "engine/fit/tables": engine("fit/report"),
    "engine/fit/report": engine("fit/runs", "parallel", "console")
    | hyperparameters("fits", "intervals", "surfaces", "runs", "law", "statistics"),
    "engine/fit/runs": engine("results", "parallel", "console") | hyperparameters("runs"),
    "engine/report": engine("report/reduction", "measurements", "results", "sweep", "console"),
    "engine/report/reduction": engine("results", "sweep", "parallel", "console"),
    "engine/run": engine("store", "dataset", "evaluation", "plan", "parallel", "console"),
    "engine/measurements": engine("results") | {"models/calibration"},
    "engine/results": engine("store", "sweep", "console"),
    "engine/store": engine("dataset", "plan", "sweep", "parallel", "console"),
    "engine/dataset": engine("evaluation", "plan", "sweep", "parallel", "console"),
    "engine/evaluation": engine("plan", "sweep", "parallel"),
    "engine/plan": engine("sweep", "parallel", "console"),
    "engine/profiles": engine("sweep", "catalogue", "parallel")
    | {"models/inference/tables", "models/inference/predictors"},
    "engine/sweep": engine("catalogue", "parallel", "console"),
    "engine/calibration": engine("measurements", "evaluation", "plan", "profiles", "sweep", "catalogue", "parallel", "console")
    | {"models/calibration", "models/training/operators", "models/training/points", "models/inference/tables"} | hyperparameters("statistics"),
    "engine/foreign": engine("catalogue")
    | {"models/training/measured", "models/training/points", "models/inference/serving/measured"},
    "engine/rendering": hyperparameters("law"),
    "engine/parallel": engine("console"),
    "engine/catalogue": engine("console"),
    "engine/console": set(),
}
for floor in DATAFLOW:
    folder = "models/dataflow" if floor == "estimator" else f"models/dataflow/{floor}"
    MAY_INCLUDE[folder] |= {"models/hardware", "models/network"}
for floor in ("estimator", "explain", "points", "mapping"):
    MAY_INCLUDE["models/dataflow" if floor == "estimator" else f"models/dataflow/{floor}"].add("models/dataflow/search")
for floor in ("dataflow", "dataflow/explain", "dataflow/points", "inference", "inference/points", "inference/times",
              "taskgraph", "taskgraph/points", "training", "training/points"):
    MAY_INCLUDE[f"models/{floor}"].add("models/prepared")
for floor in ("inference", "inference/points", "inference/times"):
    MAY_INCLUDE[f"models/{floor}"].add("models/inference/predictors")
for folder in ("training", "inference/serving"):  # the numbers that measurements may correct
    MAY_INCLUDE[f"models/{folder}"].add("models/training/kernels" if folder == "training" else "models/inference/serving/points")
MAY_INCLUDE["models/taskgraph/points"] |= {"models/hardware", "models/inference/tables"}
MAY_INCLUDE["models/taskgraph/work"] |= {"models/inference/times", "models/inference/tables"}
MAY_INCLUDE["models/training/points"] |= {"models/hardware", "models/network"}
MAY_INCLUDE["models/training/communication"].add("models/network")
MAY_INCLUDE["models/training/explain"].add("models/network")
for floor in ("training", "training/points"):
    MAY_INCLUDE[f"models/{floor}"] |= {"models/training/calculon"} | hyperparameters("points", "surfaces", "law")

# Serving sees a model, an accelerator and its network as training does, and a chip's cycles as dataflow does.
for floor in ("inference/serving/points", "inference/serving/measured", "inference/serving/batching", "inference/serving/step",
              "inference/serving/workload"):
    MAY_INCLUDE[f"models/{floor}"] |= {f"models/training/{part}" for part in ("communication", "kernels", "workload")}
for floor in ("inference/serving", "inference/serving/points"):
    MAY_INCLUDE[f"models/{floor}"] |= {"models/prepared", "models/hardware", "models/network"}
MAY_INCLUDE["models/inference/serving/points"] |= {"models/training/points", "models/inference/points"}
MAY_INCLUDE["models/inference/serving/measured"] |= {"models/training/measured", "models/training/points"}
MAY_INCLUDE["models/inference/serving/study"] |= {"models/dataflow/cost", "models/dataflow/workload",
                                                  "models/hardware", "models/network"}

# Single files that may include more than their folder: the registration of estimators sees their doors.
ALSO = {"engine/sweep/estimators.cpp": {"models/dataflow", "models/inference", "models/inference/serving",
                                        "models/hyperparameters", "models/taskgraph", "models/training"}}

GENERATED = {"build_commit.hpp", "html_assets.hpp"}
MOST_FILES = 30  # in a folder, sources and headers together; more needs a reason here
FULLER_FOLDERS = {
    "io": "formats do not depend on one another much; each is one noun with a header and a source",
    "engine/commands": "one pair of files for each subcommand",
}


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


def may_include(name, target):
    here, there = folder_of(name), folder_of(target)
    if here == there or there in MAY_INCLUDE.get(here, set()) or there in ALSO.get(name, set()):
        return True
    if there == SEAM and here.split("/")[0] in ("models", "engine"):
        return True
    return there in FORMATS and here.split("/")[0] == "engine"


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
            if folder_of(name) != folder_of(target) and {folder_of(name), folder_of(target)} != MUTUAL:
                folders.setdefault(folder_of(name), set()).add(folder_of(target))
    for group in circles(units):
        yield f"circle of units: {', '.join(group)}"
    for group in circles(folders):
        yield f"circle of folders: {', '.join(group)}"


def folder_problems(files):
    counts = {}
    for name in files:
        counts[folder_of(name)] = counts.get(folder_of(name), 0) + 1
    for folder, count in sorted(counts.items()):
        if folder not in MAY_INCLUDE:
            yield f"{folder}/ is not in the table of tests/rules/include_rules.py"
        if count > MOST_FILES and folder not in FULLER_FOLDERS:
            yield f"{folder}/ holds {count} files, more than {MOST_FILES}, without a written reason"
