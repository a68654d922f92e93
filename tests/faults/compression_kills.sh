#!/bin/bash
# Kills runs while their publication compresses: the complete blocks stay, no unfinished file is taken for a result,
# and the next run ends with the same bytes. Usage: compression_kills.sh TOY_RUN DFSWEEP SCRATCH_FOLDER [ROUNDS [SEED]]
dfsweep=$(realpath "$2") toy_run=$(realpath "$1") rounds=${4:-8} seed=${5:-$RANDOM}
[ -z "${DFSWEEP_LONG_TESTS:-}" ] || rounds=200
. "$(dirname "$0")/../support/checks.bash"
work_in "$3"
echo "seed $seed"
RANDOM=$seed

toy_sweep packed <<'TOML'
seed = { from = 1, to = 3000, step = 1 }
size = { from = "1 B", to = "200 B", step = "1 B" }
[output]
compression = "deflate"
compression_level = 9
TOML
expect 0 "$toy_run" packed.toml reference --threads 1
cp reference/result.h5 packed.h5

kills=0 during=0
for round in $(seq "$rounds"); do
  rm -rf run
  "$toy_run" packed.toml run --threads 1 > output.txt 2>&1 &
  runner=$!
  until [ -e run/result.compressing.h5 ] || [ -e run/result.h5 ]; do
    kill -0 $runner 2> /dev/null || break
    sleep 0.01
  done
  sleep "$(printf '0.%03d' $((RANDOM % 400)))"
  kill -KILL $runner 2> /dev/null && kills=$((kills + 1))
  wait $runner 2> /dev/null
  if [ ! -e run/result.h5 ]; then
    during=$((during + 1))
    expect 75 "$dfsweep" verify run
  elif [ -e run/result.partial.h5 ]; then
    expect 75 "$dfsweep" verify run
  else
    expect 0 "$dfsweep" verify run
  fi
  expect 0 "$toy_run" packed.toml run --threads 1
  same run/result.h5 packed.h5
  [ ! -e run/result.compressing.h5 ] || fail "a file that was being compressed is left over"
  [ ! -e run/result.partial.h5 ] || fail "the file that was compressed is left over"
done
echo "$rounds rounds, $kills kills, $during of them before the compressed file had its name"
[ $during -ge 1 ] || fail "no kill hit the compression"
