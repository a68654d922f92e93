#!/bin/bash
# A file-size limit and, where a small file system can be mounted, a full disk: status 74, a message that names the path,
# nothing lost, and the same command completes once there is room. Usage: full_disk_check.sh TOY_RUN DFSWEEP SCRATCH_FOLDER
here=$(cd "$(dirname "$0")" && pwd)
dfsweep=$2
. "$here/../support/toy_check.bash" "$1" "$3"

# limited STATUS LIMITS COMMAND...: like expect, under a limit that does not apply to what catches the messages.
limited() {
  local wanted=$1 limits=$2
  shift 2
  prlimit --fsize="$limits" "$@" 2>&1 | cat > output.txt
  local status=${PIPESTATUS[0]}
  [ "$status" -eq "$wanted" ] || { cat output.txt; fail "status $status instead of $wanted under --fsize=$limits: $*"; }
}

# The program itself ignores SIGXFSZ; toy_run is given that by its caller.
quickstart=$here/../../sweeps/quickstart.toml
limited 74 20000 "$dfsweep" run "$quickstart" --out quickstart
expect 0 "$dfsweep" run "$quickstart" --out quickstart
trap '' XFSZ

reference small
bytes=$(stat -c %s small.h5)

# Every limit from nothing to nearly enough.
stopped=0
for limit in 0 512 4096 $((bytes / 4)) $((bytes / 2)) $((bytes - 1)); do
  limited 74 $limit "$toy_run" small.toml run --threads 1
  grep -q "cannot .* run/" output.txt || fail "the message of limit $limit names no path: $(cat output.txt)"
  stopped=$((stopped + 1))
done
expect 0 "$toy_run" small.toml run --threads 1
same run/result.h5 small.h5

# The limit comes when the file exists and some blocks are complete: they stay complete.
expect 75 "$toy_run" small.toml later --threads 1 --time-limit 0.4s
limited 74 4096 "$toy_run" small.toml later --threads 1
expect 0 "$toy_run" small.toml later --threads 1
same later/result.h5 small.h5

mkdir disk
if mount -t tmpfs -o size=64k tmpfs disk 2> /dev/null; then
  trap 'umount "$scratch/disk"' EXIT
  expect 74 "$toy_run" small.toml disk/run --threads 1
  grep -q "No space left on device" output.txt || fail "the message does not say why: $(cat output.txt)"
  mount -o remount,size=64m disk
  expect 0 "$toy_run" small.toml disk/run --threads 1
  same disk/run/result.h5 small.h5

  # A result that is larger than the disk: plan says so, run refuses, and neither takes a byte of what is free.
  cat > large.toml <<'TOML'
[sweep]
name = "large"
estimator = "training"
[parameters]
model = "gpt3-175b"
system = "dgx-h100"
device_count = 1024
global_batch = { from = 1, to = 2000000, step = 1 }
TOML
  rm -rf disk/run
  free=$(stat -f -c %a disk)  # 67.1 MB in pages of 4096 bytes
  expect 0 "$dfsweep" plan large.toml --out disk/large
  grep -q "but only 67.1 MB are free" output.txt || { cat output.txt; fail "plan does not say that the disk is too small"; }
  expect 74 "$dfsweep" run large.toml --out disk/large
  grep -q "needs .*B, 67.1 MB are free here" output.txt || { cat output.txt; fail "run does not say what is needed and free"; }
  [ ! -e disk/large/result.partial.h5 ] || fail "a file was begun that cannot be finished"
  taken=$((free - $(stat -f -c %a disk)))
  [ "$taken" -le 16 ] || fail "$taken pages were taken for a run that cannot be done"
  # A result that takes most of the disk is said, and runs.
  mount -o remount,size=$((5 * bytes)) disk
  rm -rf disk/large
  expect 0 "$toy_run" small.toml disk/run --threads 1
  grep -q "the result takes .* that are free" output.txt || { cat output.txt; fail "run does not say that the disk will be nearly full"; }
  same disk/run/result.h5 small.h5
else
  echo "a full disk was not tried: no file system can be mounted here"
fi
echo "$stopped file-size limits gave status 74"
