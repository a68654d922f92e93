#!/bin/bash
# Runs on the file system of a server, seen by two hosts, each with its own cache: no space is reserved, calls fail with
# ESTALE, EIO and EDQUOT, the server is away, a quota is exhausted. A run completes, or ends with status 74 or 75 or, where
# the failed call was the first of all, another message; the next run completes, with the same bytes. The server and its
# clients are processes on this machine (remote_file_system.cpp).
# The long form (DFSWEEP_LONG_TESTS) injects more. Usage: remote_files_check.sh TOY_RUN REMOTE_FILE_SYSTEM SCRATCH_FOLDER
toy_run=$(realpath "$1") remote=$(realpath "$2") rounds=6 away=2000 patience=60
[ -z "${DFSWEEP_LONG_TESTS:-}" ] || { rounds=60; away=10000; patience=600; }
. "$(dirname "$0")/../support/checks.bash"
work_in "$3"
[ -w /dev/fuse ] || { echo "skipped: no /dev/fuse"; exit 77; }

toy_sweep ranks <<'TOML'
seed = { from = 1, to = 400, step = 1 }
size = { from = "1 B", to = "100 B", step = "1 B" }
work = 2000
TOML
toy_sweep first <<'TOML'
seed = { from = 1, to = 400, step = 1 }
work = 200000
TOML
for sweep in ranks first; do
  expect 0 "$toy_run" $sweep.toml reference-$sweep --threads 1
  cp reference-$sweep/result.h5 $sweep.h5
done

mkdir server left right
mkfifo left.pipe right.pipe
end_clients() {
  for host in left right; do umount "$PWD/$host" 2> /dev/null || umount -l "$PWD/$host" 2> /dev/null; done
  kill $clients 2> /dev/null
}
folder=$PWD clients=
trap 'cd "$folder" && end_clients' EXIT
for host in left right; do
  "$remote" "$PWD/$host" "$PWD/server" "$PWD/$host.pipe" 2> $host.txt &
  clients="$clients $!"
done
for host in left right; do
  within 5 mountpoint -q "$PWD/$host" || { cat $host.txt; echo "skipped: no file system in user space can be mounted"; exit 77; }
done
tell() { for host in left right; do echo "$*" > $host.pipe; done; sleep 0.05; }

# Two parts at once, each on its own host: neither sees what the other has not closed or synced, nor its locks. Where both
# create the run at the same moment, one may end with status 74; the next run of that part completes.
clashes=0
for sweep in ranks first; do
  "$toy_run" $sweep.toml left/$sweep --part 1/2 --threads 1 > part-1.txt 2>&1 &
  part=$!
  statuses=()
  "$toy_run" $sweep.toml right/$sweep --part 2/2 --threads 1 > part-2.txt 2>&1
  statuses+=($?)
  wait $part
  statuses+=($?)
  for status in "${statuses[@]}"; do
    case $status in
      0) ;;
      74) clashes=$((clashes + 1)) ;;
      *) cat part-1.txt part-2.txt; fail "a part of $sweep ends with status $status" ;;
    esac
  done
  expect 0 "$toy_run" $sweep.toml right/$sweep --part 2/2 --threads 1
  expect 0 "$toy_run" $sweep.toml left/$sweep --part 1/2 --threads 1
  expect 0 "$toy_run" $sweep.toml right/$sweep --part 2/2 --threads 1
  same left/$sweep/result.h5 $sweep.h5
  same right/$sweep/result.h5 $sweep.h5
done
grep -q "cannot reserve space" part-1.txt part-2.txt output.txt || fail "nothing says that no space could be reserved"

# Two ranks, each on its own host: no page is written by both.
if command -v mpirun > /dev/null; then
  for sweep in ranks first; do
    rm -rf server/run
    expect 0 timeout $patience mpirun -n 1 "$toy_run" $sweep.toml left/run --threads 1 : -n 1 "$toy_run" $sweep.toml right/run --threads 1
    same right/run/result.h5 $sweep.h5
  done
fi

# run_faulty: runs until complete while calls fail; what was complete may not be lost.
attempts=0 ended=0
run_faulty() {
  local attempt status
  for attempt in 1 2 3; do
    attempts=$((attempts + 1)) status=0
    timeout $patience "$toy_run" $sweep.toml left/run --threads 1 > output.txt 2>&1 || status=$?
    case $status in
      0) return ;;
      74 | 75) ended=$((ended + 1)) ;;
      4) grep -q "damaged" output.txt || { cat output.txt; fail "status 4 after $1"; } ;;
      *) cat output.txt; fail "status $status after $1" ;;
    esac
  done
}
errors=(ESTALE EIO EDQUOT)
for round in $(seq "$rounds"); do
  sweep=$([ $((round % 2)) -eq 0 ] && echo ranks || echo first)
  rm -rf server/run
  tell fail "${errors[$((round % 3))]}" $((20 + 17 * (round % 11)))
  run_faulty "${errors[$((round % 3))]}"
  tell fail EIO 0
  expect 0 timeout $patience "$toy_run" $sweep.toml left/run --threads 1
  same left/run/result.h5 $sweep.h5
done

# The server is away: calls wait, and the run goes on.
rm -rf server/run
(sleep 0.3 && tell away $away) &
expect 0 timeout 120 "$toy_run" ranks.toml left/run --threads 1
same left/run/result.h5 ranks.h5
wait $!

# A quota that ends in the middle.
rm -rf server/*
tell quota $((2 * $(stat -c %s ranks.h5) / 3))
expect 74 timeout $patience "$toy_run" ranks.toml left/run --threads 1
grep -q "Disk quota exceeded" output.txt || { cat output.txt; fail "the message does not name the quota"; }
tell quota 0
expect 0 timeout $patience "$toy_run" ranks.toml left/run --threads 1
same left/run/result.h5 ranks.h5

echo "count $PWD/counts-left.txt" > left.pipe
within 5 test -e counts-left.txt
echo "$clashes clashes of two hosts; $rounds rounds, $attempts runs under faults, $ended of them ended early; $(cat counts-left.txt)"
