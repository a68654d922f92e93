#!/bin/bash
# Processor time and peak memory of simulating the requests of a trace that is streamed from its file, 1 and 10 million
# of them: memory must not grow with their number.
#
#     trace_bench.sh PROGRAM FOLDER       (FOLDER needs 200 MB)
set -eu
program=$(realpath "$1")
mkdir -p "$2"
cd "$2"
cat >trace.toml <<'SWEEP'
[sweep]
name      = "trace"
estimator = "serving"

[parameters]
model           = "llama3-70b"
system          = "dgx-b200"
software        = "vllm"
precision       = "fp8"
tensor_parallel = 4
queueing        = "simulated"

[data]
trace = "trace.csv"
SWEEP
# Four requests a second, of which about ten are there at once; the periods of both lengths have no common divisor.
for requests in 1000000 10000000; do
  awk -v requests=$requests 'BEGIN {
    print "arrival,prompt,output"
    for (i = 0; i < requests; ++i) printf "%.2f,%d,%d\n", i / 4, 300 + (37 * i) % 3001, 50 + (13 * i) % 401
  }' >trace.csv
  /usr/bin/python3 - "$program" run trace.toml --out run --fresh --quiet --threads 1 <<'PY'
import os, resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(f"trace of {os.path.getsize('trace.csv') / 1e6:.0f} MB: {used.ru_utime + used.ru_stime:.1f} s of processor time, "
      f"{used.ru_maxrss // 1024} MB peak")
PY
done
rm -rf run trace.csv trace.toml
