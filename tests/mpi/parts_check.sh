#!/bin/bash
# Parts in sequence and at once give the same bytes; each ends with 0, and the part that completes the set publishes.
. "$(dirname "$0")/../support/toy_check.bash"

for sweep in aligned small search bounded; do
  reference $sweep
  for part in 1 2 3; do
    [ ! -e run/result.h5 ] || fail "published before all parts were complete"
    expect 0 "$toy_run" $sweep.toml run --part $part/3
  done
  same run/result.h5 $sweep.h5
  rm -rf run

  pids=()
  for part in 1 2 3; do
    "$toy_run" $sweep.toml run --threads 1 --part $part/3 > part-$part.txt 2>&1 &
    pids+=($!)
  done
  for part in 1 2 3; do
    wait "${pids[$((part - 1))]}" || { cat part-$part.txt; fail "part $part of $sweep ended with status $?"; }
  done
  if [ ! -e run/result.h5 ]; then fail "no part published $sweep"; fi
  same run/result.h5 $sweep.h5
  rm -rf run
done
