#!/bin/bash
# Growing a sweep by one of five devices: points evaluated, and processor time, as shares of a run of the whole sweep.
# Each device is the new one once, because devices differ in the time of their points. First rows, then a search.
# grow_rate.sh PROGRAM
dfsweep=$1
folder=$(mktemp -d) && cd "$folder" || exit 1
trap 'rm -rf "$folder"' EXIT
TIMEFORMAT='%U %S'

# sweep NAME DEVICES: mappings that a solver finds, tens of milliseconds each.
sweep() {
  cat > "$1.toml" <<END
[sweep]
name = "grown"
estimator = "dataflow"
[parameters]
model = "gpt3-1t"
topology = "2d-torus"
shape = ["8x128", "16x64"]
memory = ["ddr4", "hbm3"]
interconnect = ["pcie4", "nvlink4"]
outer_interconnect = "pcie4"
mapping = "best"
partitions = [0, 4, 6, 8]
device = [$2]
overlap = "perfect"
compute_utilization = 0.9
$search
END
}
# seconds NAME DIRECTORY: processor seconds of a run; its summary is in summary.json.
seconds() {
  { time "$dfsweep" run "$1.toml" --out "$2" --threads 1 -q --json > summary.json 2> errors.txt; } 2> time.txt || exit 1
  awk '{ print $1 + $2 }' time.txt
}
# run NAME DIRECTORY: adds to `spent` what evaluation costs: a run, without what a second run of the same costs, which
# only verifies and explains.
run() {
  local first second
  first=$(seconds "$1" "$2")
  evaluated_now=$(points)
  second=$(seconds "$1" "$2")
  spent=$(awk -v spent="$spent" -v a="$first" -v b="$second" 'BEGIN { print spent + a - b }')
}
points() { grep -o '"points_evaluated": *[0-9]*' summary.json | grep -o '[0-9]*$'; }

devices='"h100", "tpu-v4", "sn30", "wse-2", "sn10"'
# shares NAME: of all devices together.
shares() {
  sweep five "$devices"
  spent=0
  for round in 1 2 3; do run five $1-whole-$round; done
  whole=$spent all=$evaluated_now
  grown=0 evaluated=0
  for device in h100 tpu-v4 sn30 wse-2 sn10; do
    sweep four "$(echo "$devices" | sed "s/\"$device\",* *//; s/, $//")"
    spent=0
    run four "$1-$device"
    spent=0
    run five "$1-$device"
    cmp "$1-$device/result.h5" "$1-whole-1/result.h5" || exit 1
    grown=$(awk -v a="$grown" -v b="$spent" 'BEGIN { print a + b }')
    evaluated=$((evaluated + evaluated_now))
  done
  awk -v name="$1" -v e=$evaluated -v n=$((5 * all)) -v g="$grown" -v w="$(awk -v w="$whole" 'BEGIN { print w * 5 / 3 }')" \
    'BEGIN { printf "%s: %d of %d points evaluated, %.3f; processor time %.2f s of %.2f s, %.3f\n", name, e, n, e / n, g, w, g / w }'
}

search=""
shares rows
search='[search]
over = ["shape", "partitions"]
minimize = "step_time"
top = 2'
shares search
