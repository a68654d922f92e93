#!/bin/bash
# Every figure of docs/performance.md, one after the other. Run it on a machine that does nothing else.
#
#     run_all.sh BUILD_FOLDER [SCRATCH_FOLDER]       (SCRATCH_FOLDER is on the disk that is meant; it needs 22 GB)
set -eu
build=$(realpath "$1")
scratch=${2:-$build/bench-scratch}
here=$(realpath "$(dirname "$0")")
mkdir -p "$scratch"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_hwloc_base_binding_policy=none
# timed NAME OPTION...: time on the clock of running a sweep of that name into a new file, best of 5.
timed() {
  local name=$1 sweep best=1000000 start took
  sweep=$(find "$here/sweeps" "$here/../../sweeps" -name "$name.toml" -print -quit)
  shift
  for _ in 1 2 3 4 5; do
    start=$(date +%s%N)
    "$build/dfsweep" run "$sweep" --out "$scratch/$name" --fresh --quiet "$@"
    took=$((($(date +%s%N) - start) / 1000000))
    [ $took -lt $best ] && best=$took
  done
  rm -rf "${scratch:?}/$name"
  echo "$name: $best ms from process start to published, best of 5"
}
# reported NAME: time on the clock, best of 5, peak memory and size of the page of a sweep of that name.
reported() {
  local name=$1 best=1000000 start took
  "$build/dfsweep" run "$here/sweeps/$name.toml" --out "$scratch/$name" --fresh --quiet
  for _ in 1 2 3 4 5; do
    start=$(date +%s%N)
    "$build/dfsweep" report "$scratch/$name" -o "$scratch/$name.html" --quiet
    took=$((($(date +%s%N) - start) / 1000000))
    [ $took -lt $best ] && best=$took
  done
  echo "$name: page of $(stat -c %s "$scratch/$name.html") B in $best ms, best of 5," \
    "$(bash "$here/peak_memory.sh" "$build/dfsweep" report "$scratch/$name" -o "$scratch/$name.html" --quiet) MB peak"
  rm -rf "${scratch:?}/$name" "$scratch/$name.html"
}
# Time on the clock of fitting 8 numbers to 300 measured rows: 10 starts, rows left out in every way, 1 000 resamples.
calibrated() {
  local start
  "$build/dfsweep" import measured "$here/../../sweeps/measured/training.csv" -o "$scratch/rows.csv" --quiet
  head -n 301 "$scratch/rows.measured.csv" >"$scratch/rows300.csv"
  start=$(date +%s%N)
  "$build/dfsweep" calibrate "$scratch/rows300.csv" --starts 10 --replicates 1000 --json \
    --fit matrix_share,attention_share,inside_share,across_share,gradient_hidden,gather_hidden,host_layer_time,fixed_time \
    >"$scratch/calibrated.json"
  echo "calibrate 300 rows: $((($(date +%s%N) - start) / 1000000)) ms"
}
echo "load before: $(cut -d ' ' -f 1-3 /proc/loadavg); $(nproc) cores; $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1)"

"$build/tests/bench/throughput_bench" "$here/sweeps/throughput.toml" "$scratch/throughput"
bash "$here/scaling_bench.sh" "$build/tests/mpi/toy_run" "$scratch/scaling"
"${DFSWEEP_PYTHON:-/usr/bin/python3}" -B "$here/gain_bench.py" "$build/dfsweep" "$build/tests/mpi/toy_run" "$scratch/gain"
"${DFSWEEP_PYTHON:-/usr/bin/python3}" -B "$here/compression_bench.py" "$build/dfsweep" "$scratch/compression"
"$build/tests/bench/restart_bench" "$scratch/restart"
mpirun --oversubscribe -n 8 "$build/tests/bench/dispatch_bench"
for bench in plan_bench sample_bench stage_bench steplaw_bench solve_bench profiles_bench operators_bench predictors_bench batch_bench training_bench serving_bench taskgraph_bench report_bench queueing_bench vidur_bench; do
  [ -x "$build/tests/bench/$bench" ] && "$build/tests/bench/$bench"
done
"$build/tests/bench/mapping_bench"
"${DFSWEEP_PYTHON:-/usr/bin/python3}" -B "$here/../models/dataflow/mapping_milp.py" --cases "$build/tests/models/mapping_cases" --family training

timed quickstart
timed best-execution
timed best-degrees --threads 1
timed hyperparameters
timed training-search
timed megatron-search
timed training-rows
timed training-systems
reported report-rows
calibrated
"$build/dfsweep" profiles "$scratch/profiles" --generate --devices a100,h100 \
  --models meta-llama/Llama-2-7b-hf,meta-llama/Llama-2-70b-hf,meta-llama/Meta-Llama-3-8B,internlm/internlm-20b \
  --networks a100_dgx,h100_dgx --interconnect nvlink3
timed profiled --profiles "$scratch/profiles"
"$build/tests/bench/steplaw_read_bench" "$scratch/steplaw"
bash "$here/grow_rate.sh" "$build/dfsweep"
bash "$here/parquet_rate.sh" "$build/dfsweep" "$scratch/parquet"
"${DFSWEEP_PYTHON:-/usr/bin/python3}" -B "$here/python_points.py" "$build/dfsweep" "$here/../.."
bash "$here/trace_bench.sh" "$build/dfsweep" "$scratch/trace"
bash "$here/memory_bench.sh" "$build/tests/mpi/toy_run" "$scratch/memory"
echo "load after: $(cut -d ' ' -f 1-3 /proc/loadavg)"
