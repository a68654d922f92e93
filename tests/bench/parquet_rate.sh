#!/bin/bash
# The rate of writing ten million rows as Parquet and as Arrow, with and without compression, over that of writing as many bytes of zeros as
# the file has without compression. Both sides are synced to the disk before the clock stops, unless the scratch folder is in memory. Usage: parquet_rate.sh PROGRAM SCRATCH_FOLDER [ROUNDS]
set -eu
program=$(realpath "$1")
mkdir -p "$2"
cd "$2"
rounds=${3:-5}
cat > rows.toml <<'TOML'
[sweep]
name = "rows"
estimator = "training"
[parameters]
model = ["gpt3-175b", "llama3-8b", "llama3-70b"]
system = ["dgx-a100-80g", "dgx-h100"]
device_count = 64
tensor_parallel = { powers_of = 2, from = 1, to = 8 }
pipeline_parallel = { powers_of = 2, from = 1, to = 8 }
data_parallel = { powers_of = 2, from = 1, to = 64 }
global_batch = { from = 64, to = 704, step = 64 }
dram_bandwidth = { from = "1 TB/s", to = "8 TB/s", points = 1400, scale = "log" }
[output]
metrics = ["step_time", "memory_used", "token_rate", "evidence"]
TOML
[ -e run/result.h5 ] || "$program" run rows.toml --out run -q > /dev/null
seconds() { local from=$EPOCHREALTIME; "$@"; echo "$from $EPOCHREALTIME" | awk '{ print $2 - $1 }'; }
for form in "parquet none" "parquet zstd" "arrow none" "arrow zstd"; do
  read -r format compression <<< "$form"
  export=("$program" export run --format "$format" -o "rows.$format" -q --compression)
  "${export[@]}" none
  bytes=$(stat -c %s "rows.$format")
  "${export[@]}" "$compression"
  written=$(stat -c %s "rows.$format")
  for _ in $(seq "$rounds"); do
    rm -f raw  # each side begins by freeing what it wrote before
    raw=$(seconds dd if=/dev/zero of=raw bs=1M count=$((bytes / 1048576)) conv=fsync status=none)
    rm -f "rows.$format"
    exported=$(seconds "${export[@]}" "$compression")
    echo "$exported $raw"
  done | awk -v form="$form" -v bytes="$bytes" -v written="$written" '
    { exports[NR] = $1; raws[NR] = $2; ratios[NR] = $2 / $1 }
    END { sort_by_hand(exports, NR); sort_by_hand(raws, NR); sort_by_hand(ratios, NR); middle = int((NR + 1) / 2)
      printf "%s, %.0f of %.0f MB: median of %d: %.2f s (%.0f MB/s), raw %.2f s (%.0f MB/s), ratio %.2f\n", form, written / 1e6, bytes / 1e6, NR,
             exports[middle], bytes / exports[middle] / 1e6, raws[middle], bytes / raws[middle] / 1e6, ratios[middle] }
    function sort_by_hand(values, count,    i, j, one) {
      for (i = 2; i <= count; ++i) { one = values[i]; for (j = i - 1; j > 0 && values[j] > one; --j) values[j + 1] = values[j]; values[j + 1] = one }
    }'
done
rm -f raw rows.parquet rows.arrow
