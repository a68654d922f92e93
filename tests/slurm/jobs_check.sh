#!/bin/bash
# Jobs of `dfsweep slurm` on a real Slurm of three nodes: one completes; one is stopped before its time limit and requeues itself
# until it is complete; an array completes after one of its tasks was killed. Each ends with the bytes of a run without Slurm.
. "$(dirname "$0")/cluster.bash"
start_cluster n1 n2 n3

toy_sweep short <<'TOML'
seed = { from = 1, to = 2500, step = 1 }
work = 2000
skew = 100
TOML
expect 0 "$toy_run" short.toml reference --threads 1

# Before its time limit a job stops, requeues itself and continues. Its process sleeps until Slurm has sent the signal, which is
# when the limit is near to half a minute, so that the test needs no work of that length.
limited=$("$toy_run" slurm short.toml limited --ranks 1 --threads 1 --time 1m --submit) || fail "the submission"
begun "$limited" limited
sleeper=$(process_of "short.toml --out $PWD/limited") || fail "no process of the job"
kill -STOP "$sleeper"

# Meanwhile other jobs: ranks of MPI, and parts.
ranks=$("$toy_run" slurm short.toml ranks --ranks 2 --threads 1 --submit) || fail "the submission of ranks"
"$toy_run" slurm short.toml "parts's \$HOME" --array 3 --threads 1 -o parts.sbatch > output.txt || fail "the script of parts"
parts=$(sbatch --parsable --array=3,2 parts.sbatch)
for _ in $(seq 400); do
  victim=$(process_of "--part 2/3") && break
  sleep 0.05
done
kill -KILL "$victim" || fail "part 2 cannot be killed"
finished 30 "$parts"
finished 30 "$ranks"
same_result ranks
echo "a job of two ranks completes"

expect 75 "$toy_run" status "parts's \$HOME"
grep -q "1 of 3 complete; missing: 1,2" output.txt || fail "status does not say which parts are missing: $(cat output.txt)"
expect 2 "$toy_run" short.toml "parts's \$HOME" --part 1/2
grep -q "Use --part i/3" output.txt || fail "another number of parts is not refused: $(cat output.txt)"
parts=$(sbatch --parsable --array=2,1 parts.sbatch)
finished 30 "$parts"
same_result "parts's \$HOME"
echo "parts complete in any order, also after one was killed"

has_signal() { [ $((0x$(awk '/^ShdPnd/ { print $2 }' "/proc/$sleeper/status") & 0x200)) -ne 0 ]; }  # bit of SIGUSR1
within 50 has_signal || fail "no signal before the time limit"
expect 75 "$toy_run" status limited
grep -q "part 1/1 on n[123]" output.txt || fail "status does not say which host works: $(cat output.txt)"
kill -CONT "$sleeper"
within 20 job_says "$limited" Restarts=1 || fail "the job is not requeued"
finished 40 "$limited"
same_result limited
echo "a job requeues itself before its time limit and completes"
