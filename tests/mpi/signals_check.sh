#!/bin/bash
# A run that is asked to stop ends with 75 and continues to the same bytes; urgently asked, it is gone within a second.
. "$(dirname "$0")/../support/toy_check.bash"

milliseconds() { date +%s%3N; }

# Longer sweeps: a few seconds on one core.
sed -e 's/to = 1200/to = 3000/' small.toml > longer.toml
sed -e 's/work = 1000/work = 4000/' -e 's/to = 400/to = 200/' search.toml > deeper.toml
for sweep in longer deeper; do reference $sweep; done

stops=0
# interrupt SIGNAL SWEEP COMMAND...: sends a signal after a moment; the run must end with 75 or, under mpirun's own
# clean-up after SIGTERM, with 1, 143 or 137, unless it was faster.
interrupt() {
  local signal=$1 sweep=$2 status=0 start
  shift 2
  "$@" > output.txt 2>&1 &
  local pid=$!
  sleep 0.5
  # On a busy machine the program may take longer to begin.
  for _ in $(seq 100); do [ -e run ] && break; sleep 0.1; done
  start=$(milliseconds)
  kill -"$signal" $pid 2> /dev/null
  wait $pid || status=$?
  local took=$(($(milliseconds) - start))
  case "$signal:$status" in
    *:0) return ;;
    USR1:75 | USR2:75 | INT:75 | TERM:75) ;;
    TERM:1 | TERM:137 | TERM:143) [ "$1" = mpirun ] || fail "status $status after $signal: $*" ;;
    *) cat output.txt; fail "status $status after $signal: $*" ;;
  esac
  [ "$signal" = USR1 ] || [ $took -lt 4000 ] || fail "$took ms to end after $signal"
  stops=$((stops + 1))
}

for sweep in longer deeper; do
  interrupt USR1 $sweep "$toy_run" $sweep.toml run --threads 1
  interrupt USR2 $sweep mpirun -n 3 "$toy_run" $sweep.toml run --threads 1
  interrupt TERM $sweep "$toy_run" $sweep.toml run --threads 1
  interrupt TERM $sweep mpirun -n 2 "$toy_run" $sweep.toml run --threads 1
  expect 0 mpirun -n 2 "$toy_run" $sweep.toml run --threads 1
  same run/result.h5 $sweep.h5
  rm -rf run
done
[ $stops -ge 3 ] || fail "only $stops of 8 runs were interrupted: the sweeps are too short for this machine"

# A time limit: stopped early, continued, the same bytes.
expect 75 "$toy_run" longer.toml run --threads 1 --time-limit 0.3s
until "$toy_run" longer.toml run --threads 1 --time-limit 2s > output.txt 2>&1; do
  [ $? -eq 75 ] || fail "a run with a time limit failed"
done
same run/result.h5 longer.h5
echo "$stops of 8 runs were interrupted"
