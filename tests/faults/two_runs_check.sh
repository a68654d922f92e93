#!/bin/bash
# Two runs of one sweep started together in one new directory: one evaluates, the other finds the result or is refused with
# status 75 and a message that names the other process; the result is complete.
# Usage: two_runs_check.sh TOY_RUN SCRATCH_FOLDER
. "$(dirname "$0")/../support/toy_check.bash"

reference small
refused=0
for round in 1 2 3 4 5; do
  rm -rf run
  "$toy_run" small.toml run --threads 1 > first.txt 2>&1 &
  first=$!
  "$toy_run" small.toml run --threads 1 > second.txt 2>&1 &
  second=$!
  wait $first; a=$?
  wait $second; b=$?
  case "$a $b" in
    "0 75" | "75 0")
      grep -q "process [0-9]* on host" first.txt second.txt || fail "neither message names the other process: $(cat first.txt second.txt)"
      refused=$((refused + 1)) ;;
    "0 0") ;;
    *) cat first.txt second.txt; fail "round $round: status $a and $b" ;;
  esac
  same run/result.h5 small.h5
done
[ $refused -ge 1 ] || fail "no second run was refused"
echo "$refused of 5 second runs were refused"
