#!/bin/bash
# The same bytes for any number of ranks and threads, from another folder and under another host name.
. "$(dirname "$0")/../support/toy_check.bash"

for sweep in aligned small search bounded sampled; do reference $sweep; done
for ranks in 1 2 3 7; do
  for threads in 1 2; do
    expect 0 mpirun -n $ranks "$toy_run" aligned.toml run --threads $threads
    same run/result.h5 aligned.h5
    rm -rf run
  done
done
for shape in "2 2" "3 1" "4 1" "7 1"; do
  set -- $shape
  for sweep in small search bounded sampled; do
    expect 0 mpirun -n "$1" "$toy_run" $sweep.toml run --threads "$2"
    same run/result.h5 $sweep.h5
    rm -rf run
  done
done
# Compressed results: all ranks and threads compress.
{ cat aligned.toml && printf '[output]\ncompression = "deflate"\n'; } > compressed.toml
reference compressed
for shape in "1 4" "2 1" "4 1" "3 2"; do
  set -- $shape
  expect 0 mpirun -n "$1" "$toy_run" compressed.toml run --threads "$2"
  same run/result.h5 compressed.h5
  rm -rf run
done
mkdir elsewhere
cp aligned.toml "elsewhere/renamed sweep.toml"
(cd elsewhere && expect 0 env TZ=Asia/Tokyo LC_ALL=C "$toy_run" "renamed sweep.toml" "run here") || exit 1
same "elsewhere/run here/result.h5" aligned.h5
if unshare --uts true 2> /dev/null; then
  expect 0 unshare --uts bash -c 'hostname another-host && exec "$@"' - "$toy_run" aligned.toml other-host
  same other-host/result.h5 aligned.h5
else
  echo "not tried: another host name (unshare --uts is not permitted)"
fi
