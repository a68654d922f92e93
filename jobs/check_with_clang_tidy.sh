#!/usr/bin/env bash
# The checks of .clang-tidy on sources of ours: jobs/check_with_clang_tidy.sh BUILD [FOLDER...]. Without folders all but the tests are
# checked. BUILD gives the generated headers. Exits with 77 where clang-tidy is missing.
set -euo pipefail
build=$(cd "$1" && pwd)
shift
cd "$(dirname "${BASH_SOURCE[0]}")/.."
folders=("$@")
[ $# -gt 0 ] || folders=(models io engine)
tidy=$(command -v clang-tidy-14 || command -v clang-tidy) || { echo "skipped: clang-tidy is missing"; exit 77; }
read -r -a mpi <<<"$(pkg-config --cflags-only-I ompi-cxx 2>/dev/null | sed 's/-I/-isystem /g' || true)"
flags=(-std=c++20 -I . -I "$build/generated" -isystem /usr/include/eigen3 -isystem /usr/include/hdf5/serial "${mpi[@]}"
       -DDFSWEEP_VERSION=\"0\" -DDFSWEEP_SOURCE_DATA_DIR=\"\" -DDFSWEEP_COMPILER=\"\" -DDFSWEEP_BUILD_TYPE=\"\" -DDFSWEEP_FLAGS=\"\")
# The sources of a folder are checked as one, so that their headers are parsed once.
units=$(mktemp -d)
trap 'rm -rf "$units"' EXIT
for folder in $(find "${folders[@]}" -name '*.cpp' -printf '%h\n' | sort -u); do
  printf '#include "%s"\n' "$folder"/*.cpp >"$units/${folder//\//_}.cpp"
done
find "$units" -name '*.cpp' -printf '%s %p\n' | sort -rn | cut -d' ' -f2- |
  xargs -P "$(nproc)" -I UNIT "$tidy" --quiet --config-file=.clang-tidy UNIT -- "${flags[@]}"
