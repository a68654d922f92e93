# Words of all shell checks and benches: what is expected, how long to wait for it, and sweeps of the toy. Sourced.
set -u
# Any number of ranks on any number of cores, also as root.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none

# work_in FOLDER: the check goes on in that folder, which is made afresh.
work_in() { rm -rf "$1" && mkdir -p "$1" && cd "$1" || exit 1; }

# toy_sweep NAME: writes NAME.toml, a sweep of the toy; its parameters and what follows them come on standard input.
toy_sweep() { { printf '[sweep]\nname = "%s"\nestimator = "toy"\n[parameters]\n' "$(basename "$1")" && cat; } > "$1.toml"; }

fail() { echo "FAILED: $*"; exit 1; }

# expect STATUS COMMAND...: runs a command and compares its exit status; what it says is in output.txt.
expect() {
  local wanted=$1 status=0
  shift
  "$@" > output.txt 2>&1 || status=$?
  [ "$status" -eq "$wanted" ] || { cat output.txt; fail "status $status instead of $wanted: $*"; }
}
same() { cmp "$1" "$2" || fail "$1 and $2 differ"; }

# within SECONDS COMMAND...: repeats the command until it succeeds.
within() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    [ $SECONDS -lt $end ] || return 1
    sleep 0.5
  done
}
