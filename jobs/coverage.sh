#!/usr/bin/env bash
# Share of the lines of models/, io/ and engine/ that the fast tests (models.*, io.*, engine.*) execute, by folder.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source jobs/prepare.sh

install_packages tests
say "Building"
configure coverage -DDFSWEEP_UNITY=ON
programs=$(cmake --build build/coverage --target help | grep -oE '^(models|io|engine)[a-z_.]*_tests' | sort -u)
# shellcheck disable=SC2086
build coverage $programs
find build/coverage -name '*.gcda' -delete
say "Testing"
# Only the programs of unit tests: scripts beside them need the whole program or solvers. A test that fails still counts lines.
failed=0
for program in $programs; do
  "build/coverage/tests/$program" --log_level=error >"build/coverage/$program.log" 2>&1 || { say "$program fails"; failed=1; }
done
say "Lines executed"
"$(command -v /usr/bin/python3 || command -v python3)" jobs/line_coverage.py build/coverage .
exit "$failed"
