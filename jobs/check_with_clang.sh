#!/usr/bin/env bash
# Warnings of clang 14 for every source of ours, as errors and without building: jobs/check_with_clang.sh BUILD.
# A source is checked again only when it, or a header of ours, changed since it last passed.
set -euo pipefail
build=$(cd "$1" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/.."
flags=(-std=c++20 -fsyntax-only -Wall -Wextra -Wconversion -Wshadow -Werror -ffp-contract=off -I . -I "$build/generated"
       -isystem /usr/include/eigen3 -isystem /usr/include/hdf5/serial
       -DDFSWEEP_VERSION=\"0\" -DDFSWEEP_SOURCE_DATA_DIR=\"\" -DDFSWEEP_COMPILER=\"\" -DDFSWEEP_BUILD_TYPE=\"\" -DDFSWEEP_FLAGS=\"\"
       -DDFSWEEP_REFERENCE_DIR=\"\" -DDFSWEEP_SOURCE_DIR=\"\" -DDFSWEEP_PROGRAM=\"\"
       -DBOOST_TEST_DYN_LINK)
read -r -a mpi <<<"$(pkg-config --cflags-only-I ompi-cxx 2>/dev/null | sed 's/-I/-isystem /g' || true)"
passed="$build/clang-passed"
newest_header=$(find models io engine tests -name '*.hpp' -newer "$passed" -print -quit 2>/dev/null || echo all)
sources=$(find models io engine tests -name '*.cpp' | sort)
if [ -e "$passed" ] && [ -z "$newest_header" ]; then
  sources=$(find models io engine tests -name '*.cpp' -newer "$passed" | sort)
fi
touch "$passed.started"
printf '%s\n' $sources | sed '/^$/d' |
  xargs --no-run-if-empty -P "$(nproc)" -n 4 clang++-14 "${flags[@]}" "${mpi[@]}"
mv "$passed.started" "$passed"
