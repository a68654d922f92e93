#!/bin/bash
# Points that fail are rows and give status 5; an error outside of a point on one rank ends all ranks; nothing hangs.
. "$(dirname "$0")/../support/toy_check.bash"

toy_sweep failing <<'TOML'
size = { from = "1 B", to = "300 B", step = "1 B" }
outcome = ["normal", "throws", "throws_alone"]
TOML
expect 5 "$toy_run" failing.toml one
grep -q "300 points failed: the toy throws" output.txt || { cat output.txt; fail "the cause is not named once"; }
grep -q "point 1 (size = 1, outcome = throws)" output.txt || { cat output.txt; fail "the first point is not named by its labels"; }
expect 5 mpirun -n 3 "$toy_run" failing.toml three
same one/result.h5 three/result.h5
expect 5 "$toy_run" failing.toml one  # complete already, and still not without failures
expect 5 "$toy_run" failing.toml limited --max-failures 10
[ ! -e limited/result.h5 ] || fail "published in spite of --max-failures"
expect 5 "$toy_run" failing.toml limited
same one/result.h5 limited/result.h5

for ranks in 1 2 3; do
  expect 1 timeout 20 mpirun -n $ranks "$toy_run" aligned.toml broken --break $((ranks - 1)) --threads 1
  grep -q "out of memory" output.txt || { cat output.txt; fail "the error is not reported"; }
done
# What was complete stays, and the run can be continued.
reference aligned
expect 0 mpirun -n 2 "$toy_run" aligned.toml broken
same broken/result.h5 aligned.h5

# An error that every rank sees is reported once.
toy_sweep wrong <<< "sise = 1"
expect 3 mpirun -n 3 "$toy_run" wrong.toml wrong
[ "$(grep -c 'wrong.toml:5:1' output.txt)" -eq 1 ] || { cat output.txt; fail "not reported exactly once"; }
[ ! -e wrong ] || fail "an invalid sweep wrote something"
