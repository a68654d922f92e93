# Begins a check on the toy: three sweeps that take about a second, and their reference results. To be sourced.
# A check is called as: check.sh TOY_RUN SCRATCH_FOLDER
. "$(dirname "${BASH_SOURCE[0]}")/checks.bash"
toy_run=$1
scratch=$2
work_in "$scratch"

# Many cheap points: blocks that every rank writes itself.
toy_sweep aligned <<'TOML'
seed = { from = 1, to = 3000, step = 1 }
size = { from = "1 B", to = "100 B", step = "1 B" }
capacity = ["50 B", "1000 B"]
TOML
# Few expensive points, some of which cost 10 000 times as much: small blocks, written by rank 0.
toy_sweep small <<'TOML'
seed = { from = 1, to = 1200, step = 1 }
work = 2000
skew = 100
outcome = ["normal", "infeasible"]
TOML
# A search space of one reported point that spans several blocks.
toy_sweep search <<'TOML'
flavour = ["plain", "rich", "odd"]
seed = { from = 1, to = 400, step = 1 }
size = { from = "1 B", to = "500 B", step = "1 B" }
work = 1000
skew = 0
[search]
over = ["seed", "size"]
minimize = "noise"
top = 3
where = ["time <= '900 ns'", "noise * 2 > 0.5"]
TOML
# A search in which bounds exclude points: many groups in one block, and the best sizes are not the first.
toy_sweep bounded <<'TOML'
flavour = ["plain", "rich", "odd"]
work = { from = 1, to = 40, step = 1 }
size = { from = "1 B", to = "9000 B", step = "1 B" }
[search]
over = ["size"]
minimize = "memory"
top = 2
where = ["noise > 0.98", "memory < '6 kB'"]
TOML
# A sample of a large grid, with numbers of a continuous range and a split.
toy_sweep sampled <<'TOML'
seed = { from = 1, to = 100000, step = 1 }
work = { from = 1, to = 100, step = 1 }
size = { from = "1 B", to = "100000 B", step = "1 B" }
capacity = { from = "1 B", to = "1 MB", scale = "log" }
flavour = ["plain", "rich", "odd"]
[filter]
keep = ["seed % 7 == work % 7", "size > '10 B'"]
[sample]
count = 20000
method = "latin_hypercube"
stratify = ["flavour"]
split = { train = 0.8, test = 0.2, by = ["work"] }
TOML

# The result of one uninterrupted run on one rank and thread, as NAME.h5.
reference() {
  expect 0 "$toy_run" "$1.toml" "reference-$1" --threads 1
  cp "reference-$1/result.h5" "$1.h5"
}
