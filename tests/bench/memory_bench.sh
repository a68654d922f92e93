#!/bin/bash
# Peak memory of runs whose plans have 10^6 and 10^9 points: it must not grow with the number of points. Each is stopped
# by its time limit or finished, whichever comes first; both fill all their buffers.
#
#     memory_bench.sh TOY_RUN FOLDER       (FOLDER needs 22 GB, reserved for a few seconds)
. "$(dirname "$0")/../support/checks.bash"
set -e
toy_run=$1
folder=$2
mkdir -p "$folder"
for values in 1000 10000 31623; do
  toy_sweep "$folder/points" <<TOML
seed = { from = 1, to = $values, step = 1 }
size = { from = "1 B", to = "$values B", step = "1 B" }
[output]
metrics = ["time"]
precision = "float32"
TOML
  rm -rf "$folder/run"
  echo "memory: $((values * values)) points planned: $(bash "$(dirname "$0")/peak_memory.sh" "$toy_run" "$folder/points.toml" "$folder/run" --time-limit 5s) MB peak"
done
rm -rf "$folder/run"
