#!/bin/bash
# A sweep grown by values and by axes takes the rows of the published result: on one and on four ranks, after a stop and
# after a kill it leaves the bytes of a fresh run, and the former result stays until the new one is published.
. "$(dirname "$0")/../support/checks.bash"
dfsweep=$1
work_in grow

# sweep FILE DEVICES [LINE]: a sweep of training steps; LINE is one more parameter.
sweep() {
  cat > "$1" <<END
[sweep]
name = "grown"
estimator = "training"
[parameters]
model = "gpt3-175b"
memory = "hbm3"
interconnect = "nvlink4"
device = [$2]
device_count = [64, 128, 256, 512]
tensor_parallel = [1, 2, 4, 8]
pipeline_parallel = [1, 2, 4, 8]
global_batch = [512, 1024]
micro_batch = [1, 2, 4]
${3:-}
[filter]
keep = ["4 * tensor_parallel * pipeline_parallel <= device_count"]
END
}
four='"a100-80g", "h100-80g", "a100", "h100"'
five='"a100-80g", "h100-80g", "tpu-v4", "a100", "h100"'
sweep four.toml "$four"
sweep five.toml "$five"
sweep axis.toml "$four" 'recompute = ["none", "full"]'
for name in five axis; do expect 0 "$dfsweep" run $name.toml --out fresh-$name; done
expect 0 "$dfsweep" run four.toml --out four

# member NAME: the number that the JSON in output.txt has under that name.
member() { grep -o "\"$1\": *[0-9]*" output.txt | grep -o '[0-9]*$'; }
# counts EVALUATED TAKEN: the points and rows of the last run.
counts() {
  [ "$(member points_evaluated) $(member rows_taken)" = "$1 $2" ] || fail "not $1 points and $2 rows: $(cat output.txt)"
}
expect 0 "$dfsweep" run four.toml --out four --json
rows=$(member rows)

# grown NAME OUT: the result in OUT is that of a fresh run, and nothing is left of the former one.
grown() {
  same "$2/result.h5" "fresh-$1/result.h5"
  [ ! -e "$2/result.former.h5" ] || fail "the former result is left in $2"
  expect 0 "$dfsweep" verify "$2"
}
start() { rm -rf run && cp -r four run; }

# One of five devices is new: a fifth of the points is evaluated.
start
expect 0 "$dfsweep" plan five.toml --out run
grep -q "^taken *$rows of $((rows / 4 * 5)) rows are taken from run/result.h5" output.txt || fail "plan: $(cat output.txt)"
expect 0 "$dfsweep" run five.toml --out run --json
counts $((rows / 4)) "$rows"
grown five run

# An axis whose first value is the default that the former sweep used.
start
expect 0 "$dfsweep" run axis.toml --out run
grown axis run

# Four ranks.
start
expect 0 mpirun -n 4 "$dfsweep" run five.toml --out run --threads 1
grown five run

# A stop in the middle: the former result is whole, and the same command goes on.
start
expect 0 "$dfsweep" run five.toml --out run --part 1/2
same run/result.former.h5 four/result.h5
expect 0 "$dfsweep" verify run/result.former.h5
expect 0 "$dfsweep" run five.toml --out run
grown five run

# A power cut after the former result was set aside, before the plan was written: either sweep goes on.
start
mv run/result.h5 run/result.former.h5
expect 0 "$dfsweep" run five.toml --out run
grown five run
start
mv run/result.h5 run/result.former.h5
expect 0 "$dfsweep" run four.toml --out run --json
[ "$(member points_evaluated)" = 0 ] || fail "the former result was not restored: $(cat output.txt)"
same run/result.h5 four/result.h5

# A kill, wherever it meets the run.
for delay in 0.02 0.05 0.1 0.2; do
  start
  "$dfsweep" run five.toml --out run --threads 1 > killed.txt 2>&1 &
  sleep $delay
  kill -9 $! 2> /dev/null
  wait $! 2> /dev/null
  if [ -e run/result.former.h5 ]; then
    same run/result.former.h5 four/result.h5
  elif ! cmp -s run/result.h5 four/result.h5; then
    same run/result.h5 fresh-five/result.h5
  fi
  expect 0 "$dfsweep" run five.toml --out run
  grown five run
done

# A damaged block of the former result is evaluated again.
start
size=$(stat -c %s run/result.h5)
printf '\377' | dd of=run/result.h5 bs=1 seek=$((size / 2)) conv=notrunc 2> /dev/null
expect 0 "$dfsweep" run five.toml --out run
grown five run

# Rows of another folder, where the sweep has fewer of them, too; in their own folder they would be lost.
sweep two.toml '"h100-80g", "tpu-v4"'
expect 0 "$dfsweep" run two.toml --out fresh-two
expect 0 "$dfsweep" run two.toml --from four --out two --json
counts $((rows / 4)) $((rows / 4))
same two/result.h5 fresh-two/result.h5
start
expect 4 "$dfsweep" run two.toml --out run
grep -q "would be lost" output.txt || fail "no reason: $(cat output.txt)"
same run/result.h5 four/result.h5

# Two parts of a grid become one result without evaluation.
sweep rest.toml '"tpu-v4", "h100"'
expect 0 "$dfsweep" run rest.toml --out rest
expect 0 "$dfsweep" run five.toml --from four --from rest --out joined --json
counts 0 $((rows / 4 * 5))
same joined/result.h5 fresh-five/result.h5

# Linked axes, filters that name the new value, numbers in single precision: the study of the first page.
sed 's/, "wse-2"//; s/"hpl-5m", //' "$2/sweeps/quickstart.toml" > small.toml
expect 0 "$dfsweep" run "$2/sweeps/quickstart.toml" --out fresh-quick
expect 0 "$dfsweep" run small.toml --out quick
expect 0 "$dfsweep" run "$2/sweeps/quickstart.toml" --out quick --json
[ "$(member rows_taken)" -gt 200 ] || fail "too few rows are taken: $(cat output.txt)"
same quick/result.h5 fresh-quick/result.h5

# A search is refused.
cat >> five.toml <<END
[search]
over = ["tensor_parallel"]
minimize = "step_time"
END
start
expect 4 "$dfsweep" run five.toml --out run
grep -q "rows of a search are not reused" output.txt || fail "no reason: $(cat output.txt)"
same run/result.h5 four/result.h5
sweep five.toml "$five"

# What is not a growth keeps its error, with the reason.
sed -i 's/gpt3-175b/gpt3-1t/' five.toml
expect 4 "$dfsweep" run five.toml --out run
grep -q "its model is gpt3-175b, not gpt3-1t" output.txt || fail "no reason: $(cat output.txt)"
expect 2 "$dfsweep" run five.toml --from four --out other
same run/result.h5 four/result.h5
