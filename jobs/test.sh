#!/usr/bin/env bash
# Everything that is tested but for what runs at night: installs what is missing, builds with g++, then runs the tests while
# clang checks the program for its warnings. Ends with the tests that were skipped, each with its reason, the summary of
# ctest and its exit status.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source jobs/prepare.sh

# Passes on what ctest says; before its summary comes a line for each test that was skipped, with the reason it printed.
with_reasons_of_skipped() {
  local log=$1 line='' summary
  while IFS= read -r line; do
    if [[ $line =~ ^[0-9]+%\ tests\ passed ]]; then break; fi
    printf '%s\n' "$line"
  done
  summary=$(printf '%s\n' "$line" && cat)  # all of it: then ctest has ended and its log is complete
  awk 'FNR == NR { if (/ \(Skipped\)$/) skipped[$3] = 1; next }
       /^[0-9]+\/[0-9]+ Test: / { test = $3; reason = "it gave no reason" }
       test in skipped && /^skipped: / { reason = substr($0, 10) }
       test in skipped && /^<end of output>/ { print "skipped: " test ": " reason }' <(echo "$summary") "$log"
  printf '\n%s\n' "$summary"
}

install_packages tests
say "Building"
# No test runs a benchmark. That they compile is seen by clang, and by g++ where there is no clang.
benchmarks=ON
if command -v clang++-14 >/dev/null; then benchmarks=OFF; fi
configure release -DDFSWEEP_UNITY=ON -DDFSWEEP_TESTS=ON -DDFSWEEP_BENCH=$benchmarks
build release all
# Tests leave a third of the cores' time idle. The sources of tests have the same warnings with g++.
checking=
if command -v clang++-14 >/dev/null; then
  nice -n 19 bash jobs/check_with_clang.sh build/release models io engine tests/bench >build/release/clang.log 2>&1 &
  checking=$!
fi
say "Testing"
# Open MPI refuses to start as root, and more ranks than cores, unless told that both are meant.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
# Tests that take minutes or hours run at night: ctest -L nightly, or all with DFSWEEP_NIGHTLY=1.
left_out=(-LE nightly)
[ "${DFSWEEP_NIGHTLY:-0}" != 1 ] || left_out=()
tests=0
ctest --test-dir build/release "${left_out[@]}" --output-on-failure --parallel "$(nproc)" </dev/null |
  with_reasons_of_skipped build/release/Testing/Temporary/LastTest.log || tests=$?
clang=0
if [ -n "$checking" ] && ! wait "$checking"; then
  clang=1
  say "clang complains:"
  cat build/release/clang.log >&2
fi
exit $((tests > 0 ? tests : clang))
