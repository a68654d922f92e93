#!/bin/bash
# The rate of writing ten million rows as Parquet, over that of writing as many bytes of zeros. Usage: parquet_rate.sh PROGRAM SCRATCH_FOLDER
set -eu
program=$(realpath "$1")
mkdir -p "$2"
cd "$2"
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
for round in 1 2 3; do
  export_time=$(seconds "$program" export run --format parquet -o rows.parquet -q)
  bytes=$(stat -c %s rows.parquet)
  raw_time=$(seconds dd if=/dev/zero of=raw bs=1M count=$((bytes / 1048576)) status=none)
  echo "$bytes $export_time $raw_time" |
    awk '{ printf "%.0f MB: Parquet %.2f s (%.0f MB/s), raw %.2f s (%.0f MB/s), ratio %.2f\n", $1 / 1e6, $2, $1 / $2 / 1e6, $3, $1 / $3 / 1e6, $3 / $2 }'
done
rm -f raw rows.parquet
