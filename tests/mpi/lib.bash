# Shared by the checks: sweeps of the toy that take about a second, and words for what is expected.
# A check is called as: check.sh TOY_RUN SCRATCH_FOLDER
set -u
# Any number of ranks on any number of cores, also as root.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
toy_run=$1
scratch=$2
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch" || exit 1

# Many cheap points: blocks that every rank writes itself.
cat > aligned.toml <<'TOML'
[sweep]
name = "aligned"
estimator = "toy"
[parameters]
seed = { from = 1, to = 3000, step = 1 }
size = { from = "1 B", to = "100 B", step = "1 B" }
capacity = ["50 B", "1000 B"]
TOML
# Few dear points, some of them 10 000 times as dear: small blocks, written by rank 0.
cat > small.toml <<'TOML'
[sweep]
name = "small"
estimator = "toy"
[parameters]
seed = { from = 1, to = 1200, step = 1 }
work = 2000
skew = 100
outcome = ["normal", "infeasible"]
TOML
# A search space of one reported point that spans several blocks.
cat > search.toml <<'TOML'
[sweep]
name = "search"
estimator = "toy"
[parameters]
flavour = ["plain", "rich", "odd"]
seed = { from = 1, to = 400, step = 1 }
size = { from = "1 B", to = "500 B", step = "1 B" }
work = 1000
skew = 0
[search]
over = ["seed", "size"]
minimize = "noise"
top = 3
TOML

fail() { echo "FAILED: $*"; exit 1; }
# expect STATUS COMMAND...: runs a command and compares its exit status.
expect() {
  local wanted=$1 status=0
  shift
  "$@" > output.txt 2>&1 || status=$?
  [ "$status" -eq "$wanted" ] || { cat output.txt; fail "status $status instead of $wanted: $*"; }
}
same() { cmp "$1" "$2" || fail "$1 and $2 differ"; }
# The result of one uninterrupted run on one rank and thread, as NAME.h5.
reference() {
  expect 0 "$toy_run" "$1.toml" "reference-$1" --threads 1
  cp "reference-$1/result.h5" "$1.h5"
}
