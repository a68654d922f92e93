#!/usr/bin/env bash
# From a bare Debian 12 machine to the 320-point study: installs what is missing, builds, runs, prints the best systems.
# Running it again costs seconds. Afterwards: build/release/dfsweep --help
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source jobs/prepare.sh

install_packages run
say "Building"
configure release -DDFSWEEP_UNITY=ON -DDFSWEEP_TESTS=OFF -DDFSWEEP_BENCH=OFF
build release dfsweep
say "Running sweeps/quickstart.toml into runs/quickstart"
status=0
build/release/dfsweep run sweeps/quickstart.toml || status=$?
if [ "$status" -eq 4 ]; then
  say "runs/quickstart was made by another version or catalogue; starting it afresh"
  build/release/dfsweep run sweeps/quickstart.toml --fresh
elif [ "$status" -ne 0 ]; then
  exit "$status"
fi
say "The most cost-efficient system of each workload and accelerator"
build/release/dfsweep show runs/quickstart/result.h5 --best cost_efficiency --by model,device \
  --columns model,device,topology,memory,interconnect,step_time,utilization,system_cost,system_power,cost_efficiency
