#!/bin/bash
# mpirun binds one or two ranks to a core each: a rank that could use more cores says so, and which option mends it.
# Usage: binding_check.sh TOY_RUN SCRATCH_FOLDER
. "$(dirname "$0")/../support/checks.bash"
toy_run=$1
work_in "$2"
skip() { echo "skipped: $*"; exit 77; }
[ "$(nproc)" -ge 2 ] || skip "this needs two cores"
unset OMPI_MCA_hwloc_base_binding_policy OMPI_MCA_rmaps_base_oversubscribe
bound_cores() { mpirun -n 1 --bind-to core nproc 2> /dev/null; }
[ "$(bound_cores)" = 1 ] || skip "mpirun cannot bind here"
toy_sweep small <<< 'seed = { from = 1, to = 100, step = 1 }'
idle="the others stay idle: start it with --map-by slot:PE="

expect 0 mpirun -n 1 --bind-to core "$toy_run" small.toml bound
grep -qF "$idle" output.txt || { cat output.txt; fail "no word about idle cores"; }
for way in "--bind-to none" "--map-by slot:PE=$(nproc)"; do
  rm -rf bound
  # shellcheck disable=SC2086
  expect 0 mpirun -n 1 $way "$toy_run" small.toml bound
  if grep -qF "stay idle" output.txt; then cat output.txt; fail "a warning with $way"; fi
done
rm -rf bound
expect 0 mpirun -n 1 --bind-to core "$toy_run" small.toml bound --threads 1
if grep -qF "stay idle" output.txt; then cat output.txt; fail "a warning although one thread was asked for"; fi
expect 0 "$toy_run" small.toml alone
if grep -qF "stay idle" output.txt; then cat output.txt; fail "a warning without mpirun"; fi
