"""The figures of serving under load on points with errors computed by hand: usage: serving_load_score_test.py."""
import sys

from serving_load_score import Point, Score, is_core

ROW = {"curve": "a", "repeat": "no", "disaggregated": "no", "degrees_known": "yes", "consistent": "yes",
       "speculation": "not stated", "model": "llama3-70b", "source": "inferencex"}


def point(users, measured, predicted, **cells):
    row = {**ROW, "concurrency": str(users), "time_per_output_token_s": str(measured), "time_to_first_token_s": "1", **cells}
    return Point(row, {"time_per_output_token": predicted, "time_to_first_token": 1.0})


def check(what, found, expected):
    if abs(found - expected) > 1e-12:
        sys.exit(f"{what} is {found}, not {expected}")


def main():
    points = [
        point(16, 1.0, 1.5),  # the ratio 1.5 over that of the anchor, 1.2: a shape of 0.25
        point(4, 1.0, 1.2),  # the anchor
        point(4, 1.0, 9.0, repeat="yes"),  # no part of the shape
        point(64, 1.0, 0.6),  # 0.6 / 1.2 - 1: 0.5
        point(8, 1.0, 2.0, curve="alone"),  # a curve of one point has no shape
        point(8, 1.0, float("nan"), curve="lost"),  # not predicted
    ]
    score = Score(points)
    check("error", score.error["TPOT"], (0.5 + 0.2 + 8.0 + 0.4 + 1.0) / 5)
    check("shape", score.shape["TPOT"], (0.25 + 0.5) / 2)
    check("share", score.share, 5 / 6)
    check("error of first tokens", score.error["TTFT"], 0.0)
    for cells, core in (({}, True), ({"consistent": "doubtful"}, False), ({"degrees_known": "no"}, False),
                        ({"degrees_known": "approximate"}, True), ({"speculation": "suspected"}, False),
                        ({"disaggregated": "yes"}, False), ({"model": "deepseek-v3"}, False),
                        ({"model": "deepseek-v3", "speculation": "none (as the source selects)"}, True)):
        check(f"core of {cells}", is_core({**ROW, **cells}), core)


if __name__ == "__main__":
    main()
