#!/bin/bash
# A search of 10^7 executions for one reported point: every rank evaluates some of them, and the bytes are the same.
#
#     one_point_check.sh TOY_RUN FOLDER
. "$(dirname "$0")/../support/checks.bash"
toy_run=$1
work_in "$2"

toy_sweep one <<'TOML'
seed = { from = 1, to = 5000, step = 1 }
size = { from = "1 B", to = "2000 B", step = "1 B" }
work = 25
[search]
over = ["seed", "size"]
minimize = "noise"
top = 3
TOML
for ranks in 1 2 4; do
  expect 0 mpirun -n $ranks "$toy_run" one.toml run-$ranks --threads 1
  same run-$ranks/result.h5 run-1/result.h5
  # Whoever evaluates a part of the search journals its candidates.
  journals=$(find run-$ranks/journal -name '*.rank-*.journal' -size +0 | wc -l)
  [ "$journals" -eq $ranks ] || fail "$journals of $ranks ranks have evaluated something"
done
expect 0 "$toy_run" one.toml threads --threads 2
same threads/result.h5 run-1/result.h5
