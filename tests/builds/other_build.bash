# Begins a check of another build: makes it, by a preset, and runs the quick start with this one. To be sourced.
# A check is called as: check.sh SOURCE_FOLDER DFSWEEP SCRATCH_FOLDER
set -u
source_folder=$1 dfsweep=$(realpath "$2") scratch=$3
. "$source_folder/tests/support/checks.bash"
if [ "${DFSWEEP_NIGHTLY:-}" != 1 ]; then
  echo "skipped: it compiles the program again; DFSWEEP_NIGHTLY=1 asks for that"
  exit 77
fi
work_in "$scratch"
sweep=$source_folder/sweeps/quickstart.toml

# make_build PRESET: configures, builds and installs it into $scratch/prefix; the program is $other. It is built beside
# the folder of this build: at the same depth a compiler cache has most of its files already.
make_build() {
  local folder
  folder=$(dirname "$(dirname "$dfsweep")")/checked-$1
  (
    cd "$source_folder" && . jobs/prepare.sh
    configure "$1" -B "$folder" -DCMAKE_INSTALL_PREFIX="$scratch/prefix" &&
      cmake --build "$folder" --parallel "$(compilers)"
  ) > build.txt 2>&1 || { tail -n 30 build.txt; fail "the preset $1 does not build"; }
  cmake --install "$folder" --prefix "$scratch/prefix" > install.txt 2>&1 || fail "cannot install without root"
  other=$scratch/prefix/bin/dfsweep
}

# shared_libraries PROGRAM: their number, the loader and the kernel's included.
shared_libraries() { ldd "$1" | wc -l; }
