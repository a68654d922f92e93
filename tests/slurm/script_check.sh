#!/bin/bash
# Job scripts of `dfsweep slurm`, run by a shell with stand-ins for the commands of Slurm: when they requeue the job, and that paths
# may have any characters.
. "$(dirname "$0")/../support/checks.bash"
toy_run=$1
scratch=$2
rm -rf "$scratch"
work_in "$scratch/it's \$HOME \"x\"
\\y"
folder=$PWD

# Stand-ins: sbatch and scontrol note how they were called, squeue says how much time is left.
mkdir "$scratch/bin" "$scratch/calls"
cat > "$scratch/bin/sbatch" <<'STANDIN'
#!/bin/bash
printf '%s\n' "$*" >> "$CALLS/sbatch"
cat > "$CALLS/script-$(wc -l < "$CALLS/sbatch")"
[ ! -e "$CALLS/refuse" ] || { echo "sbatch: error: no such partition" >&2; exit 1; }
echo "$((4710 + $(wc -l < "$CALLS/sbatch")));cluster"
STANDIN
printf '#!/bin/bash\nprintf "%%s\\n" "$*" >> "$CALLS/scontrol"\n' > "$scratch/bin/scontrol"
printf '#!/bin/bash\ncat "$CALLS/left"\n' > "$scratch/bin/squeue"
chmod +x "$scratch"/bin/*
export CALLS=$scratch/calls PATH=$scratch/bin:$PATH
export SLURM_JOB_ID=7 SLURM_ARRAY_JOB_ID=8 SLURM_CPUS_PER_TASK=1
echo 1:00:00 > "$CALLS/left"
says() { grep -qF -- "$1" output.txt || { cat output.txt; fail "the output does not say: $1"; }; }
requeues() { [ "$(cat "$CALLS/scontrol" 2> /dev/null)" = "$1" ] || fail "scontrol was called as '$(cat "$CALLS/scontrol")', not '$1'"; }

toy_sweep short <<'TOML'
seed = { from = 1, to = 4000, step = 1 }
work = 2000
skew = 100
TOML
expect 0 "$toy_run" short.toml reference --threads 1

# A job that completes is not requeued, and can be submitted from any folder.
expect 0 "$toy_run" slurm short.toml run --ranks 1 --threads 1 -o job.sbatch
says "Next: sbatch job.sbatch"
(cd / && bash "$folder/job.sbatch") > output.txt 2>&1 || fail "the job does not complete"
same run/result.h5 reference/result.h5
requeues ""
rm -r run

# interrupted SIGNAL: sends a signal to a job once it has completed blocks; its status.
interrupted() {
  bash job.sbatch > output.txt 2>&1 &
  local job=$! status=0
  within 20 has_blocks || fail "no block is completed"
  kill -"$1" $job
  wait $job || status=$?
  echo $status
}
has_blocks() { [ "$(cat run/journal/*.journal 2> /dev/null | wc -c)" -gt 0 ]; }
[ "$(interrupted USR1)" -eq 75 ] || fail "the status after SIGUSR1"
requeues "requeue 7"
rm "$CALLS/scontrol"
expect 0 bash job.sbatch
same run/result.h5 reference/result.h5
rm -r run

# After SIGTERM it was cancelled, or Slurm starts it again.
status=$(interrupted TERM)
[ "$status" -eq 75 ] || fail "status $status after SIGTERM"
requeues ""

# Without a complete block it would be requeued for ever.
rm -r run
echo 0:00 > "$CALLS/left"
expect 75 bash job.sbatch
says "not one block was completed"
requeues ""

# A part of an array has its name from the script. A job without a time limit is one, too.
echo UNLIMITED > "$CALLS/left"
expect 0 "$toy_run" slurm short.toml run --array 2 --threads 1 -o parts.sbatch
for task in 2 1; do
  [ ! -e run/result.h5 ] || fail "published before all parts were complete"
  SLURM_ARRAY_TASK_ID=$task expect 0 bash parts.sbatch
done
same run/result.h5 reference/result.h5

# Submission: one identifier on each line, and each step waits for the job before it.
expect 0 "$toy_run" slurm short.toml run --ranks 1 --submit --after 12 --then report --then 'show "$result"'
[ "$(grep -c '^471[123]$' output.txt)" -eq 3 ] || fail "the identifiers: $(cat output.txt)"
[ "$(cat "$CALLS/sbatch")" = "--parsable
--parsable --dependency=afterok:4711 --kill-on-invalid-dep=yes
--parsable --dependency=afterok:4712 --kill-on-invalid-dep=yes" ] || fail "sbatch was called as $(cat "$CALLS/sbatch")"
grep -qx '#SBATCH --dependency=afterok:12' "$CALLS/script-1" || fail "the run does not wait"
grep -qx '"$dfsweep" report "$result"' "$CALLS/script-2" || fail "the script of a step"
touch "$CALLS/refuse"
expect 2 "$toy_run" slurm short.toml run --submit
says "sbatch refused the job (status 1)"
rm "$CALLS/sbatch"
PATH=/nonexistent expect 74 "$toy_run" slurm short.toml run --submit
says "-o job.sbatch writes the script"
