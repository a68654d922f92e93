#!/bin/bash
# A build with MPICH: two ranks give the same bytes as this build, and the launcher of another MPI is refused.
# Compiles the program, so it waits for DFSWEEP_NIGHTLY. Usage: mpich_check.sh SOURCE_FOLDER DFSWEEP SCRATCH_FOLDER
. "$(dirname "$0")/other_build.bash"
for program in mpicc.mpich mpiexec.mpich; do
  command -v $program > /dev/null || { echo "skipped: $program is missing (packages mpich and libmpich-dev)"; exit 77; }
done
make_build mpich
ldd "$other" | grep -q libmpich || { ldd "$other"; fail "MPICH is not linked"; }
if ldd "$other" | grep -E 'openmpi|open-rte|libmpi\.so'; then fail "another MPI is linked, too"; fi

# Cheap points, which every rank writes itself, and few expensive ones, which rank 0 writes.
expect 0 "$dfsweep" run "$sweep" --out reference
for ranks in 1 2 3; do
  expect 0 mpiexec.mpich -n $ranks "$other" run "$sweep" --out "ranks-$ranks" --threads 1
  same reference/result.h5 "ranks-$ranks/result.h5"
done
grep -q '"ranks": *3' ranks-3/log.jsonl || fail "three ranks did not run together"

# An error on all ranks ends them all with its status, and an early stop keeps what is complete.
expect 75 mpiexec.mpich -n 2 "$other" run "$sweep" --out stopped --time-limit 0:00
expect 0 mpiexec.mpich -n 2 "$other" run "$sweep" --out stopped
same reference/result.h5 stopped/result.h5

# The launcher of the other MPI starts processes that do not see each other.
expect_refused() {
  timeout 60 "$@" > output.txt 2>&1 && fail "not refused: $*"
  grep -q "the launcher belongs to another MPI" output.txt || { cat output.txt; fail "the message does not say why: $*"; }
}
if command -v mpirun.openmpi > /dev/null; then
  expect_refused mpirun.openmpi -n 2 "$other" run "$sweep" --out refused
  expect_refused mpiexec.mpich -n 2 "$dfsweep" run "$sweep" --out refused
  [ ! -e refused ] || fail "a refused run wrote something"
fi
echo "1, 2 and 3 ranks of MPICH give the bytes of this build; $(shared_libraries "$other") shared libraries"
