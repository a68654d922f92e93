#!/bin/bash
# What happens to jobs of `dfsweep slurm` on a cluster: chains, signals, preemption, a node marked down, cancellation. Each run
# continues to the bytes of a run without Slurm. Takes some minutes: a nightly test (DFSWEEP_NIGHTLY).
. "$(dirname "$0")/cluster.bash"
[ "${DFSWEEP_NIGHTLY:-0}" = 1 ] || skip "set DFSWEEP_NIGHTLY=1 for the long form"
start_cluster n1 n2

toy_sweep campaign <<'TOML'
seed = { from = 1, to = 8000, step = 1 }
work = 3000
skew = 100
TOML
expect 0 "$toy_run" campaign.toml reference

submitted() { "$toy_run" slurm campaign.toml "$@" --submit || fail "the submission: $*"; }
requeued() { within 40 job_says "$1" 'Restarts=[1-9]' || fail "job $1 is not requeued"; }
ends_alike() { finished 120 "$1"; same_result "$2"; echo "$3"; }

# A chain: the steps wait for the run, also while it is requeued, and get its result.
mapfile -t chain < <("$toy_run" slurm campaign.toml chain --ranks 1 --threads 1 --submit --then status\ "$PWD/chain" --then \
  'status "$(dirname "$result")"')
[ "${#chain[@]}" -eq 3 ] || fail "a chain of three has the jobs ${chain[*]}"
begun "${chain[0]}" chain
job_says "${chain[2]}" JobState=PENDING || fail "a step does not wait"
scancel --signal=USR1 --batch "${chain[0]}"
requeued "${chain[0]}"
job_says "${chain[1]}" JobState=PENDING || fail "a step does not wait for the requeued run"
finished 120 "${chain[2]}"
same_result chain
grep -q "published" campaign-then-2-*.log || fail "the second step found no result"
echo "a chain completes"

# SIGUSR1 to a job of two ranks.
job=$(submitted ranks --ranks 2 --threads 1)
begun "$job" ranks
scancel --signal=USR1 --batch "$job"
requeued "$job"
! grep -q "mpirun noticed\|non-zero status" campaign-"$job".log || fail "mpirun adds to the message of an early stop"
ends_alike "$job" ranks "a job of two ranks stops at SIGUSR1 and continues"

# Two ranks on two nodes.
job=$(submitted hosts --ranks 4 --threads 1)
begun "$job" hosts
ends_alike "$job" hosts "ranks on two nodes complete"

# Preempted: a job of higher priority takes the nodes, then Slurm starts the run again.
job=$(submitted preempted --ranks 4 --threads 1)
begun "$job" preempted
urgent=$(sbatch --parsable --partition=urgent --nodes=2 --exclusive --time=1 --output=urgent.log --wrap 'sleep 3')
requeued "$job"
finished 60 "$urgent"
ends_alike "$job" preempted "a job that was preempted continues"

# A node is marked down under the job.
job=$(submitted down --ranks 1 --threads 2)
begun "$job" down
node=$(squeue -h -j "$job" -o %N)
scontrol update nodename="$node" state=down reason=test
requeued "$job"
scontrol update nodename="$node" state=resume 2> /dev/null  # refused where the node has come back by itself
ends_alike "$job" down "a job whose node was marked down continues"

# A task of an array asked to stop, another one cancelled: the first continues by itself, the second when it is submitted again.
"$toy_run" slurm campaign.toml parts --array 4 --threads 1 -o parts.sbatch > output.txt || fail "the script of parts"
job=$(sbatch --parsable parts.sbatch)
within 40 process_of "--part 1/4" > /dev/null || fail "part 1 does not start"
within 40 process_of "--part 2/4" > /dev/null || fail "part 2 does not start"
sleep 1
scancel --signal=USR1 --batch "${job}_1"
scancel "${job}_2"
finished 120 "$job"
if [ -e parts/result.h5 ]; then fail "published without the part that was cancelled"; fi
expect 75 "$toy_run" status parts
grep -q "3 of 4 complete; missing: 2" output.txt || fail "the state of the parts: $(cat output.txt)"
job=$(sbatch --parsable --array=2 parts.sbatch)
ends_alike "$job" parts "a part that was cancelled completes when it is submitted again"

# A cancelled job is not requeued.
job=$(submitted cancelled --ranks 2 --threads 1)
begun "$job" cancelled
scancel "$job"
finished 30 "$job"
sleep 5
job_is_over "$job" || fail "a cancelled job starts again"
job=$(submitted cancelled --ranks 2 --threads 1)
ends_alike "$job" cancelled "a cancelled job stays so, and the next one continues"
