#!/usr/bin/env bash
# Warnings of clang 14 for sources of ours, as errors and without building: jobs/check_with_clang.sh BUILD [FOLDER...].
# Without folders all are checked, tests included.
# The sources of a folder are checked as one; a folder again only when it, or a header of ours, changed since it passed.
set -euo pipefail
build=$(cd "$1" && pwd)
shift
cd "$(dirname "${BASH_SOURCE[0]}")/.."
folders=("$@")
[ $# -gt 0 ] || folders=(models io engine tests)
flags=(-std=c++20 -Wall -Wextra -Wconversion -Wshadow -Werror -ffp-contract=off -I . -I "$build/generated"
       -isystem /usr/include/eigen3 -isystem /usr/include/hdf5/serial
       -DDFSWEEP_VERSION=\"0\" -DDFSWEEP_SOURCE_DATA_DIR=\"\" -DDFSWEEP_COMPILER=\"\" -DDFSWEEP_BUILD_TYPE=\"\" -DDFSWEEP_FLAGS=\"\"
       -DDFSWEEP_GOLDEN_DIR=\"\" -DDFSWEEP_SOURCE_DIR=\"\" -DDFSWEEP_PROGRAM=\"\"
       -DBOOST_TEST_DYN_LINK)
read -r -a mpi <<<"$(pkg-config --cflags-only-I ompi-cxx 2>/dev/null | sed 's/-I/-isystem /g' || true)"
passed="$build/clang-passed${1:+-$(echo "$@" | tr ' /' '__')}"
units="$build/clang"
rm -rf "$units"
mkdir -p "$units"
touch "$passed.started"
changed=$(find models io engine tests -name '*.hpp' -newer "$passed" -print -quit 2>/dev/null || echo all)
for folder in $(find "${folders[@]}" -name '*.cpp' -printf '%h\n' | sort -u); do
  if [ -z "$changed" ] && [ -z "$(find "$folder" -maxdepth 1 -name '*.cpp' -newer "$passed" -print -quit)" ]; then continue; fi
  # Programs, sources with definitions of their own and both kinds of builds are units of their own, as in the build.
  for source in "$folder"/*.cpp; do
    unit=$units/${folder//\//_}
    if grep -qE '^int main\(|DFSWEEP_(GOLDEN|SOURCE)_DIR|BOOST_TEST_MODULE|LLVMFuzzer|make_mpi_communicator\(\) \{' "$source"; then
      unit+=_$(basename "$source" .cpp)
    fi
    printf '#include "%s"\n' "$source" >>"$unit.cpp"
  done
done
# Headers of libraries that most units include are parsed once.
printf '#include <%s>\n' boost/test/data/test_case.hpp boost/test/unit_test.hpp fmt/format.h Eigen/Dense \
  algorithm array atomic chrono cmath filesystem fstream functional map memory mutex numeric optional span string \
  thread vector >"$units/libraries.hpp"
clang++-14 "${flags[@]}" "${mpi[@]}" -x c++-header "$units/libraries.hpp" -o "$units/libraries.pch"
# The largest first, so that no core waits for another at the end.
find "$units" -name '*.cpp' -printf '%s %p\n' | sort -rn | cut -d' ' -f2- |
  xargs --no-run-if-empty -P "$(nproc)" -n 1 clang++-14 "${flags[@]}" "${mpi[@]}" -fsyntax-only -include-pch "$units/libraries.pch"
mv "$passed.started" "$passed"
