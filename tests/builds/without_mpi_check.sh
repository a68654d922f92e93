#!/bin/bash
# A build without MPI: few shared libraries, the same bytes, parts instead of ranks, and a message under a launcher.
# Compiles the program, so it waits for DFSWEEP_NIGHTLY. Usage: without_mpi_check.sh SOURCE_FOLDER DFSWEEP SCRATCH_FOLDER
. "$(dirname "$0")/other_build.bash"
make_build no-mpi

# libc, libm, libstdc++, libgcc, TBB, fmt, muParser, OpenMP, zlib, Zstandard, libsz, libaec, the loader and the kernel's; with MPI and a shared HDF5
# there are about fifty. A login node has few of those.
libraries=$(shared_libraries "$other")
[ "$libraries" -le 14 ] || { ldd "$other"; fail "$libraries shared libraries"; }
if ldd "$other" | grep -iE 'libmpi|mpich|pmix|open-rte'; then fail "an MPI library is linked"; fi

expect 0 "$dfsweep" run "$sweep" --out with-mpi
expect 0 "$other" plan "$sweep"
expect 0 "$other" run "$sweep" --out without-mpi
same with-mpi/result.h5 without-mpi/result.h5
expect 0 "$other" verify without-mpi
expect 0 "$other" show without-mpi/result.h5
expect 0 "$other" report without-mpi/result.h5 -o report.html

# Parts need no MPI, and each build goes on with what the other has begun.
expect 0 "$other" run "$sweep" --out parts --part 2/2
expect 0 "$dfsweep" run "$sweep" --out parts --part 1/2
same with-mpi/result.h5 parts/result.h5

# Two processes that cannot see each other would do the same work twice.
expect 2 env OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=0 "$other" run "$sweep" --out refused
grep -q "built without MPI" output.txt || { cat output.txt; fail "the message does not say why"; }
expect 2 env PMI_RANK=0 PMI_SIZE=2 "$other" run "$sweep" --out refused
expect 0 env PMI_RANK=0 PMI_SIZE=2 "$other" plan "$sweep"
[ ! -e refused ] || fail "a refused run wrote something"
echo "$libraries shared libraries without MPI, $(shared_libraries "$dfsweep") with it"
