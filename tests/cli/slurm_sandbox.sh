#!/bin/bash
# jobs/slurm.sbatch and jobs/slurm-array.sbatch on a real Slurm of one node, brought up for this test and taken down after.
#
#     slurm_sandbox.sh TOY_RUN SOURCE_FOLDER SCRATCH_FOLDER
#
# Takes one to two minutes and needs root, munge and slurm-wlm; where they are missing it is skipped (77).
. "$(dirname "$0")/../support/checks.bash"
toy_run=$1
source=$2
scratch=$3
skip() { echo "skipped: $*"; exit 77; }
[ "${DFSWEEP_NIGHTLY:-0}" = 1 ] || skip "set DFSWEEP_NIGHTLY=1 to bring up a Slurm"
[ "$(id -u)" -eq 0 ] || skip "needs root"
for program in munged slurmctld slurmd sbatch; do command -v $program > /dev/null || skip "$program is not installed"; done

D=$scratch/slurm
work_in "$scratch"
mkdir -p "$D"/{state,log,run,spool/n1,tmp/n1}
host=$(hostname -s)
export SLURM_CONF=$D/slurm.conf DFSWEEP=$toy_run

dd if=/dev/urandom of="$D/munge.key" bs=1024 count=1 status=none
chmod 400 "$D/munge.key"
cat > "$SLURM_CONF" <<CONF
ClusterName=sandbox
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=16917
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$D/run/munge.sock,cred_expire=5
CredType=cred/munge
StateSaveLocation=$D/state
SlurmdSpoolDir=$D/spool/%n
TmpFS=$D/tmp/%n
SlurmctldPidFile=$D/run/slurmctld.pid
SlurmdPidFile=$D/run/slurmd-%n.pid
SlurmctldLogFile=$D/log/slurmctld.log
SlurmdLogFile=$D/log/slurmd-%n.log
MailProg=/bin/true
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=pmix
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0,sched_min_interval=0
JobRequeue=1
KillWait=5
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SlurmdParameters=config_overrides
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=17101 Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=2000 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
stop_slurm() {
  scancel --user=root 2> /dev/null
  within 15 is_empty
  local pid
  for pid_file in slurmd-n1 slurmctld munged; do
    [ -s "$D/run/$pid_file.pid" ] || continue
    pid=$(cat "$D/run/$pid_file.pid")
    kill "$pid" 2> /dev/null
    within 15 is_gone "$pid" || kill -KILL "$pid" 2> /dev/null
  done
}
trap stop_slurm EXIT
fail() {
  echo "FAILED: $*"
  tail -n 20 "$scratch"/*.log "$D"/log/*.log
  exit 1
}
is_empty() { [ -z "$(squeue -h 2> /dev/null)" ]; }
is_gone() { ! kill -0 "$1" 2> /dev/null; }

munged --force --key-file="$D/munge.key" --socket="$D/run/munge.sock" --pid-file="$D/run/munged.pid" \
  --seed-file="$D/munge.seed" --log-file="$D/log/munged.log" || skip "munged does not start"
slurmctld -c || skip "slurmctld does not start"
slurmd -N n1 || skip "slurmd does not start"
is_idle() { [ -n "$(sinfo -h -N -t idle -o %N 2> /dev/null)" ]; }
within 20 is_idle || fail "the node does not come up"

toy_sweep campaign <<'TOML'
seed = { from = 1, to = 16000, step = 1 }
work = 3000
skew = 100
TOML
"$toy_run" campaign.toml reference > /dev/null 2>&1 || fail "the reference run"

is_over() { [ -z "$(squeue -h -j "$1" 2> /dev/null)" ]; }
is_running() { squeue -h -j "$1" -t RUNNING -o %i | grep -q .; }
has_blocks() { [ "$(cat run/journal/*.journal 2> /dev/null | wc -c)" -gt 0 ]; }

# A job that is asked to stop before its limit requeues itself and continues.
job=$(sbatch --parsable --ntasks=2 --cpus-per-task=1 --time=10 "$source/jobs/slurm.sbatch" campaign.toml run)
within 30 is_running "$job" || fail "the job does not start"
within 20 has_blocks || fail "no block is committed"
scancel --signal=USR1 --batch "$job"
requeued() { scontrol show job "$job" | grep -q 'Restarts=1'; }
within 30 requeued || fail "the job is not requeued"
echo "requeued after SIGUSR1"
within 90 is_over "$job" || fail "the job does not end"
cmp run/result.h5 reference/result.h5 || fail "the bytes differ"

# Parts without MPI.
job=$(sbatch --parsable --array=1-3 --cpus-per-task=1 --time=10 "$source/jobs/slurm-array.sbatch" campaign.toml parts)
within 120 is_over "$job" || fail "the array does not end"
cmp parts/result.h5 reference/result.h5 || fail "the bytes of the array differ"

# One process in a job of one task, with and without srun, neither hangs nor starts MPI.
cat > alone.sbatch <<JOB
#!/bin/bash
timeout 60 "$toy_run" run short.toml --out alone && timeout 60 srun --mpi=none "$toy_run" run short.toml --out alone-srun
JOB
sed 's/to = 16000/to = 1000/' campaign.toml > short.toml
"$toy_run" short.toml reference-short > /dev/null 2>&1 || fail "the short reference run"
job=$(sbatch --parsable -n1 --time=10 alone.sbatch)
within 120 is_over "$job" || fail "a job of one task does not end"
cmp alone/result.h5 reference-short/result.h5 && cmp alone-srun/result.h5 reference-short/result.h5 || fail "a job of one task"
echo "all jobs complete, the bytes are the same"
