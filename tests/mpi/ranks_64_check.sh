#!/bin/bash
# 64 ranks on whatever cores there are: small blocks for all of them, the same bytes as of one rank, and few files,
# because rank 0 alone writes small blocks and their journal.
#
#     ranks_64_check.sh TOY_RUN FOLDER
. "$(dirname "$0")/../support/checks.bash"
toy_run=$1
work_in "$2"

toy_sweep many <<'TOML'
seed = { from = 1, to = 2000, step = 1 }
work = 100000
TOML
expect 0 "$toy_run" many.toml alone --threads 1
expect 0 timeout 300 mpirun -n 64 --mca mpi_yield_when_idle 1 "$toy_run" many.toml many --threads 1
# plan.json, the result, log.jsonl, one journal, and the locks of the folder and of the run.
files=$(find many -type f | wc -l)
[ "$files" -le 6 ] || { find many -type f; fail "64 ranks leave $files files"; }
same many/result.h5 alone/result.h5
grep -q '"ranks":64' many/log.jsonl || fail "the log does not name 64 ranks"
