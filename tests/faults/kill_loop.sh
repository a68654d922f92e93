#!/bin/bash
# Kills random ranks of running sweeps with SIGKILL at random moments until every sweep is complete, and compares the
# result with that of an undisturbed run. Between kills nothing that is complete may be damaged, and no complete block
# may be lost. Usage: kill_loop.sh TOY_RUN DFSWEEP SCRATCH_FOLDER [ROUNDS [SEED]]
here=$(cd "$(dirname "$0")" && pwd)
dfsweep=$(realpath "$2") rounds=${4:-20} seed=${5:-$RANDOM}
. "$here/../support/toy_check.bash" "$(realpath "$1")" "$3"
echo "seed $seed"
RANDOM=$seed

# About half a second of work on one core: blocks that every rank writes, and blocks that rank 0 alone writes.
toy_sweep ranks <<'TOML'
seed = { from = 1, to = 400, step = 1 }
size = { from = "1 B", to = "500 B", step = "1 B" }
work = 2000
TOML
toy_sweep first <<'TOML'
seed = { from = 1, to = 2000, step = 1 }
work = 200000
TOML
for sweep in ranks first; do reference $sweep; done

complete() { "$dfsweep" status run --json 2> /dev/null | sed -n 's/.*"blocks_complete": \([0-9]*\).*/\1/p'; }

kills=0 between=0 impatient=
for round in $(seq "$rounds"); do
  sweep=$([ $((round % 2)) -eq 0 ] && echo ranks || echo first)
  rm -rf run
  before=0 attempt=0
  while :; do
    attempt=$((attempt + 1))
    ranks=$((1 + RANDOM % 3))
    if [ $ranks -eq 1 ]; then start=(); else start=(mpirun -n $ranks); fi
    "${start[@]}" "$toy_run" $sweep.toml run --threads 1 > output.txt 2>&1 &
    launcher=$!
    # One attempt in four lives, so that every round ends on any machine.
    if [ $((attempt % 4)) -ne 0 ]; then
      sleep "$(printf '0.%03d' $((150 + RANDOM % 600)))"
      victims=($(pgrep -P $launcher))
      [ ${#victims[@]} -gt 0 ] && victim=${victims[$((RANDOM % ${#victims[@]}))]} || victim=$launcher
      kill -KILL "$victim" 2> /dev/null
      # mpirun may wait forever for a rank that died while it connected.
      (sleep 20 && kill -KILL $launcher) 2> /dev/null &
      impatient=$!
    fi
    wait $launcher 2> /dev/null
    status=$?
    [ -z "$impatient" ] || { pkill -P $impatient; kill $impatient; wait $impatient; } 2> /dev/null
    impatient=
    # The ranks of a killed run end a moment later; their locks end with them.
    for _ in $(seq 100); do pgrep -P $launcher > /dev/null || break; sleep 0.02; done
    [ $status -eq 0 ] && break
    kills=$((kills + 1))
    [ -e run/plan.json ] && [ -e run/result.partial.h5 ] || continue
    now=$(complete)
    [ "${now:-0}" -ge "$before" ] || fail "round $round seed $seed: $before blocks were complete, then $now"
    before=${now:-0}
    "$dfsweep" verify run --quiet > output.txt 2>&1
    [ $? -eq 75 ] || { cat output.txt; fail "round $round seed $seed: damaged"; }
    python3 "$here/unrecorded_blocks.py" run $sweep.h5 && between=$((between + 1))
  done
  same run/result.h5 $sweep.h5
done
echo "$rounds rounds, $kills kills, $between of them between a block's data and its journal record"
[ $kills -ge "$rounds" ] || fail "only $kills kills in $rounds rounds: the sweeps are too short for this machine"
[ $between -ge 1 ] || fail "no kill hit between data and record"
