"""Published DFModel rows through the public command line: usage: dfmodel_cli_test.py PROGRAM REFERENCE.

Each table becomes a point list and a sweep file; `dfsweep run` evaluates it, and every row of grade A or B has to agree
in time, utilization, cost and power. Rows of grade C are printed only.
"""
import math
import pathlib
import sys
import tempfile
from dataclasses import dataclass

from dfmodel_rows import QUANTITIES, TOLERANCE, all_tables
from program import Result, run, write_mappings, write_points


@dataclass
class Verdict:
    row: object
    status: str
    ours: tuple
    differences: tuple  # relative, in the order of QUANTITIES; NaN where the log has no value or we have no estimate

    @property
    def text(self):
        if self.row.grade not in TOLERANCE:
            return "reported"
        compared = [d for d, logged in zip(self.differences, self.row.expected) if not math.isnan(logged)]
        within = self.status == "ok" and all(d <= TOLERANCE[self.row.grade] for d in compared)
        return "agrees" if within else "DIFFERS"


def compare(program, reference):
    """Table name -> verdicts of its rows."""
    verdicts = {}
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for table, rows in all_tables(reference).items():
            write_mappings(rows, folder)
            result = Result(run(program, write_points(rows, folder, table), folder / "runs" / table))
            assert result.count == len(rows), f"{table}: {result.count} rows of {len(rows)} lines"
            columns = [result[name] for name in QUANTITIES]
            verdicts[table] = []
            for i, (row, status) in enumerate(zip(rows, result["status"])):
                ours = tuple(float(column[i]) for column in columns)
                differences = tuple(abs(a / b - 1) for a, b in zip(ours, row.expected))
                verdicts[table].append(Verdict(row, status, ours, differences))
    return verdicts


def main(program, reference):
    failures = 0
    for table, rows in compare(program, reference).items():
        print(f"{table}: {len(rows)} rows")
        for verdict in rows:
            failures += verdict.text == "DIFFERS"
            if verdict.text != "agrees":
                differences = ", ".join(f"{name} {d:.1e}" for name, d in zip(QUANTITIES, verdict.differences))
                print(f"  {verdict.row.name} (grade {verdict.row.grade}): {verdict.text}, {verdict.status}; {differences}")
    print(f"{failures} rows differ that should agree")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
