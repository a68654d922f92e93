#!/bin/bash
# Kills random ranks of running sweeps with SIGKILL at random moments, and sends some of them signals that ask a run to
# stop, until every sweep is complete, and compares the result with that of an undisturbed run. In between nothing that
# is complete may be damaged, and no complete block may be lost. Points sleep instead of computing, so several loops can
# run at once. Usage: kill_loop.sh TOY_RUN DFSWEEP SCRATCH_FOLDER [ROUNDS [SEED]]; DFSWEEP_LONG_TESTS=1: 1000 rounds.
here=$(cd "$(dirname "$0")" && pwd)
usual=20
[ "${DFSWEEP_LONG_TESTS:-0}" != 1 ] || usual=1000
dfsweep=$(realpath "$2") rounds=${4:-$usual} seed=${5:-$RANDOM}
. "$here/../support/toy_check.bash" "$(realpath "$1")" "$3"
echo "seed $seed"
RANDOM=$seed

# A second and a half on one rank: blocks that every rank writes, and blocks that rank 0 alone writes.
toy_sweep ranks <<'TOML'
seed = { from = 1, to = 400, step = 1 }
size = { from = "1 B", to = "500 B", step = "1 B" }
TOML
toy_sweep first <<'TOML'
seed = { from = 1, to = 2000, step = 1 }
TOML
declare -A pause=([ranks]=7500 [first]=750000)
for sweep in ranks first; do
  expect 0 "$toy_run" $sweep.toml reference-$sweep --pause ${pause[$sweep]} --threads 4
  cp reference-$sweep/result.h5 $sweep.h5
done

complete() { "$dfsweep" status run --json 2> /dev/null | sed -n 's/.*"blocks_complete": \([0-9]*\).*/\1/p'; }

# disturb LAUNCHER SIGNAL: sends it to a rank, or to the launcher where there are no ranks yet.
disturb() {
  local victims
  victims=($(pgrep -P "$1"))
  [ ${#victims[@]} -gt 0 ] && victim=${victims[$((RANDOM % ${#victims[@]}))]} || victim=$1
  kill -"$2" "$victim" 2> /dev/null
}

signals=(USR1 USR2 TERM INT)
kills=0 stops=0 between=0 impatient=
for round in $(seq "$rounds"); do
  sweep=$([ $((round % 2)) -eq 0 ] && echo ranks || echo first)
  rm -rf run
  before=0 attempt=0
  while :; do
    attempt=$((attempt + 1))
    ranks=$((1 + RANDOM % 3))
    if [ $ranks -eq 1 ]; then start=(); else start=(mpirun -n $ranks); fi
    "${start[@]}" "$toy_run" $sweep.toml run --threads 1 --pause ${pause[$sweep]} > output.txt 2>&1 &
    launcher=$! signal=
    # One attempt in four lives, so that every round ends on any machine.
    if [ $((attempt % 4)) -ne 0 ]; then
      signal=KILL
      [ $((RANDOM % 4)) -ne 0 ] || signal=${signals[$((RANDOM % 4))]}
      moment=$((50 + RANDOM % 1400))
      sleep "$((moment / 1000)).$(printf '%03d' $((moment % 1000)))"
      disturb $launcher $signal
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
    [ -n "$signal" ] || { cat output.txt; fail "round $round seed $seed: status $status without a signal"; }
    if [ $signal = KILL ]; then kills=$((kills + 1)); else stops=$((stops + 1)); fi
    [ -e run/plan.json ] && [ -e run/result.partial.h5 ] || continue
    now=$(complete)
    [ "${now:-0}" -ge "$before" ] || fail "round $round seed $seed: $before blocks were complete, then $now"
    before=${now:-0}
    "$dfsweep" verify run --quiet > output.txt 2>&1
    [ $? -eq 75 ] || { cat output.txt; fail "round $round seed $seed: damaged"; }
    python3 "$here/unrecorded_blocks.py" run $sweep.h5 && between=$((between + 1))
  done
  same run/result.h5 $sweep.h5
  [ $((round % 50)) -ne 0 ] || echo "after $round rounds: $kills kills, $stops other signals, $between between data and record"
done
echo "$rounds rounds, $kills kills, $stops other signals, $between of them between a block's data and its journal record"
[ $kills -ge "$rounds" ] || fail "only $kills kills in $rounds rounds: the sweeps are too short for this machine"
[ $between -ge 1 ] || fail "no kill hit between data and record"
