#!/usr/bin/env bash
# All unit tests and fuzz tests under the address and undefined-behaviour sanitizers: jobs/check_with_sanitizers.sh BUILD, a folder
# for a build of its own. Without optimisation, which compiles three times as fast as -O1.
set -euo pipefail
mkdir -p "$1"
build=$(cd "$1" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source jobs/prepare.sh
configure asan -B "$build" -DDFSWEEP_UNITY=ON "-DCMAKE_CXX_FLAGS_DEBUG=-O0 -g1 -D_GLIBCXX_ASSERTIONS"
cmake --build "$build" --parallel "$(compilers)"
tests() { ctest --test-dir "$build" "$@" -LE nightly --output-on-failure --parallel "$(nproc)" </dev/null; }
# Without the test whose child processes crash.
tests -R '^(models|io|engine|fuzz)\.|^faults\..*_test$' -E '^io\.unchecked_allocations_test$'
export ASAN_OPTIONS=detect_leaks=0  # the others start runs under Open MPI, which leaves memory behind when it ends
tests -R '^faults\.' -E '_test$'
