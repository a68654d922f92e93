"""Errors of predicted serving under load: means of relative errors, and errors of the shape of curves over users.

The mean of x is that of |predicted / measured - 1| over all points. The shape of x compares each point of a curve with its
point of fewest users, the anchor: |(predicted / predicted at the anchor) / (measured / measured at the anchor) - 1|, over all
points but anchors of all curves together. docs/measured-serving-load.md has the definitions.
"""
import collections
import math

TIMES = {"TPOT": "time_per_output_token", "TTFT": "time_to_first_token"}  # measured columns end in _s


def is_known(row):
    return row["degrees_known"] != "no"


def has_pools(row):
    return row["disaggregated"] == "yes"


def is_core(row):
    """One pool, sound figures, known degrees, and surely without speculation."""
    return (not has_pools(row) and is_known(row) and row["consistent"] == "yes" and row["speculation"] != "suspected" and
            (row["model"] != "deepseek-v3" or row["speculation"].startswith("none")))


def is_sound_pool(row):
    return (has_pools(row) and is_known(row) and row["consistent"] == "yes" and row["speculation"] != "suspected" and
            is_client_known(row))


def is_client_known(row):
    return row["source"] == "inferencex"


class Point:
    """A measured row and its predicted times; NaN where a time is not predicted."""

    def __init__(self, row, predicted):
        self.row = row
        self.predicted = {name: predicted.get(column, math.nan) for name, column in TIMES.items()}
        self.measured = {name: float(row[f"{column}_s"] or "nan") for name, column in TIMES.items()}

    def ratio(self, name):
        return self.predicted[name] / self.measured[name]

    def is_predicted(self, name):
        return math.isfinite(self.ratio(name)) and self.ratio(name) > 0


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else math.nan


def errors(points, name):
    return [abs(point.ratio(name) - 1) for point in points if point.is_predicted(name)]


def shape_errors(points, name):
    curves = collections.defaultdict(list)
    for point in points:
        if point.is_predicted(name) and point.row["repeat"] != "yes":
            curves[point.row["curve"]].append(point)
    found = []
    for curve in curves.values():
        anchor, *others = sorted(curve, key=lambda point: float(point.row["concurrency"]))
        found += [abs(point.ratio(name) / anchor.ratio(name) - 1) for point in others]
    return found


class Score:
    """The figures of a group of points."""

    def __init__(self, points):
        self.count = len(points)
        self.share = mean(all(point.is_predicted(name) for name in TIMES) for point in points)
        self.error = {name: mean(errors(points, name)) for name in TIMES}
        self.shape = {name: mean(shape_errors(points, name)) for name in TIMES}

    def cells(self):
        figures = [self.error["TPOT"], self.shape["TPOT"], self.error["TTFT"], self.shape["TTFT"]]
        shown = ["" if math.isnan(figure) else f"{100 * figure:.1f}" for figure in figures]
        return [str(self.count), "" if math.isnan(self.share) else f"{self.share:.0%}", *shown]


HEADINGS = "rows | predicted | TPOT | TPOT shape | TTFT | TTFT shape |\n"


def table(first, groups):
    """`groups`: pairs of a name and its points."""
    text = f"\n| {first} | {HEADINGS}|{'---|' * 7}\n"
    for name, points in groups:
        text += f"| {name} | " + " | ".join(Score(points).cells()) + " |\n"
    return text


def grouped(points, column):
    groups = collections.defaultdict(list)
    for point in points:
        groups[point.row[column]].append(point)
    return sorted(groups.items())
