#!/bin/bash
# Compares numbers of threads, and ranks with threads; measures the engine's cost per block. Best of three, in turn.
#
#     scaling_bench.sh TOY_RUN FOLDER
. "$(dirname "$0")/../support/checks.bash"
set -e
toy_run=$1
folder=$2
mkdir -p "$folder"
toy_sweep "$folder/scaling" <<'TOML'
seed = { from = 1, to = 200000, step = 1 }
work = 4000
TOML
# These points declare a high cost but are cheap: the plan gives each its own block, so that only the engine is timed.
toy_sweep "$folder/blocks" <<'TOML'
seed = { from = 1, to = 20000, step = 1 }
work = [0, 1000000000]
[filter]
keep = ["work == 0"]
TOML
evaluated() { sed -n "s/.*\"event\":\"evaluated\".*\"$1\":\([0-9.e-]*\).*/\1/p" "$folder/run/log.jsonl"; }
least() { sort -g | head -n 1 | xargs printf "%.3f"; }
ratio() { awk "BEGIN { printf \"%.3f\", $1 / $2 }"; }
take() {  # FILE COMMAND...: appends the seconds of the evaluation
  local file=$1
  shift
  rm -rf "$folder/run"
  "$@" > /dev/null 2>&1
  evaluated seconds >> "$folder/$file"
}
rm -f "$folder"/{one,two,ranks,single}
for _ in 1 2 3; do
  take one "$toy_run" "$folder/scaling.toml" "$folder/run" --threads 1
  take two "$toy_run" "$folder/scaling.toml" "$folder/run" --threads 2
  take ranks mpirun -n 2 "$toy_run" "$folder/scaling.toml" "$folder/run" --threads 1
  take single "$toy_run" "$folder/blocks.toml" "$folder/run" --threads 1
done
one=$(least < "$folder/one") two=$(least < "$folder/two") ranks=$(least < "$folder/ranks") single=$(least < "$folder/single")
blocks=$(evaluated blocks)
echo "scaling: 1 thread $one s, 2 threads $two s: $(ratio "$one" "$two") x"
echo "scaling: 2 ranks of 1 thread $ranks s: $(ratio "$ranks" "$two") of the time of 2 threads"
echo "block overhead: $blocks blocks in $single s: $(awk "BEGIN { printf \"%.3f\", 1e3 * $single / $blocks }") ms each, writing and committing included"
rm -rf "$folder/run"
