#!/bin/bash
# Small blocks of many ranks do not become many files: rank 0 alone writes them and their journal.
# Usage: many_ranks_check.sh TOY_RUN SCRATCH_FOLDER
. "$(dirname "$0")/../support/toy_check.bash"
ranks=16
[ -z "${DFSWEEP_LONG_TESTS:-}" ] || ranks=64

# plan.json, the result, log.jsonl, one journal, and the locks of the folder and of the run.
few_files() {
  local files
  files=$(find run -type f 2> /dev/null | wc -l)
  [ "$files" -le 6 ] || { find run -type f; fail "$ranks ranks leave $files files"; }
}
reference small
expect 75 mpirun -n $ranks "$toy_run" small.toml run --threads 1 --time-limit 0.5s
few_files
expect 0 mpirun -n $ranks "$toy_run" small.toml run --threads 1
few_files
same run/result.h5 small.h5
echo "$ranks ranks leave $(find run -type f | wc -l) files"
