"""The second reading of the DFModel equations against the published rows: usage: dfmodel_oracle_test.py REFERENCE."""
import math
import pathlib
import sys
import tempfile

from dfmodel_oracle import DEVICES, estimate_point
from dfmodel_rows import QUANTITIES, TOLERANCE, all_tables
from program import write_mappings


def main(reference):
    failures = checked = 0
    with tempfile.TemporaryDirectory() as folder:
        for table, rows in all_tables(reference).items():
            write_mappings(rows, pathlib.Path(folder))
            for row in rows:
                known = (row.point["device"] in DEVICES and row.point["compute_utilization"] not in ("0", "0.0")
                         and row.point["mapping"] != "best")
                if row.grade not in TOLERANCE or not known:
                    continue
                for name, ours, logged in zip(QUANTITIES, estimate_point(row.point, folder), row.expected):
                    if math.isnan(logged):
                        continue
                    checked += 1
                    difference = abs(ours / logged - 1)
                    if not difference <= TOLERANCE[row.grade]:
                        failures += 1
                        print(f"{table}: {row.name}: {name} is {ours!r}, logged {logged!r} ({difference:.1e})")
    print(f"{checked} figures checked, {failures} differ")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
