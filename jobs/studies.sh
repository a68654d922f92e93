#!/usr/bin/env bash
# Runs every study of sweeps/studies into runs/studies, writes a page for each, and those that are made of them: docs/measured.md,
# docs/measured-serving.md, docs/measured-calibrated.md, tables of docs/models/taskgraph.md, and docs/validation.md. Minutes
# on two cores; running it again continues.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source jobs/prepare.sh

program=${DFSWEEP:-build/release/dfsweep}
if [ ! -x "$program" ]; then
  install_packages run
  say "Building"
  configure release -DDFSWEEP_UNITY=ON -DDFSWEEP_TESTS=OFF -DDFSWEEP_BENCH=OFF
  build release dfsweep
fi
program=$(realpath "$program")

# Tables that the studies of profiled operators need, made from rooflines.
tables=runs/studies/tables
if [ ! -d "$tables" ]; then
  "$program" profiles "$tables" --generate --devices a100,h100 \
    --models llama2-7b-padded,llama3-8b >/dev/null
  "$program" profiles "$tables" --generate --networks a100-dgx,h100-dgx --interconnect nvlink3 >/dev/null
fi

for study in sweeps/studies/*.toml; do
  name=$(basename "$study" .toml)
  say "$name"
  command=("$program" run "$study" --out "runs/studies/$name" --quiet)
  case $name in profiled*) command+=(--profiles "$tables") ;; esac
  status=0
  "${command[@]}" || status=$?
  if [ "$status" -eq 4 ]; then  # made by another version or catalogue
    status=0
    "${command[@]}" --fresh || status=$?
  fi
  [ "$status" -eq 0 ] || exit "$status"
  "$program" report "runs/studies/$name" -o "runs/studies/$name.html" --quiet
done

python=/usr/bin/python3
[ -x "$python" ] || python=python3
say "Writing docs/measured.md and docs/measured-serving.md"
"$python" tests/golden/measured.py "$program" --update
"$python" tests/golden/measured_serving.py "$program" --update
say "Writing docs/measured-calibrated.md"
golden=$PWD/runs/golden  # published tables and golden rows
cmake -D INTO="$golden" -P tests/golden/data/unpack.cmake
"$python" tests/golden/calibration_page.py "$program" "$golden" --update
say "Writing the tables of docs/models/taskgraph.md"
"$python" tests/golden/taskgraph_page.py "$program" --update
say "Writing docs/validation.md"
"$python" tests/golden/validation.py "$program" "$golden" --update
say "Results are in runs/studies: dfsweep show runs/studies/NAME, and a page for each, runs/studies/NAME.html"
