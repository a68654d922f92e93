# A Slurm of several nodes on this host, for one script: everything runs in namespaces of its own, whose network is seen
# by nothing else, and ends with the script, also when that is killed. To be sourced; skips the test (77) with the reason
# where rights or packages are missing.
#
# The script is called as: script.sh TOY_RUN SCRATCH_FOLDER. It goes on in the scratch folder as node "login".
. "$(dirname "${BASH_SOURCE[0]}")/../support/checks.bash"
skip() { echo "skipped: $*"; exit 77; }
[ "$(id -u)" -eq 0 ] || skip "a Slurm needs root"
for program in munged slurmctld slurmd sbatch mpirun ip unshare; do
  command -v $program > /dev/null || skip "$program is not installed"
done
if [ "${DFSWEEP_IN_NAMESPACES:-}" != 1 ]; then
  own=(unshare --mount --pid --uts --net --ipc --fork --kill-child --mount-proc)
  "${own[@]}" true 2> /dev/null || skip "this host permits no namespaces"
  DFSWEEP_IN_NAMESPACES=1 exec "${own[@]}" bash "$0" "$@"
fi

toy_run=$1
scratch=$2
work_in "$scratch"
cluster=$scratch/cluster
mkdir -p "$cluster"/{state,log,run,spool,tmp}
export SLURM_CONF=$cluster/slurm.conf

# The end of a failed check, with what the jobs and the daemons say.
fail() {
  tail -n 15 ./*.log "$cluster"/log/* 2> /dev/null
  echo "FAILED: $*"
  exit 1
}

# write_configuration NODE...
write_configuration() {
  local node port=17100
  cat > "$SLURM_CONF" <<CONF
ClusterName=sandbox
SlurmctldHost=login(127.0.0.1)
SlurmctldPort=16917
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$cluster/run/munge.sock,cred_expire=5
CredType=cred/munge
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/spool/%n
TmpFS=$cluster/tmp
SlurmctldPidFile=$cluster/run/slurmctld.pid
SlurmdPidFile=$cluster/run/slurmd-%n.pid
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
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
JobRequeue=1
KillWait=5
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SlurmdParameters=config_overrides
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE PriorityTier=1
PartitionName=urgent Nodes=ALL MaxTime=INFINITE PriorityTier=10
CONF
  for node in "$@"; do
    echo "NodeName=$node NodeAddr=127.0.0.1 Port=$((port += 1)) CPUs=2 CoresPerSocket=2 RealMemory=4000" >> "$SLURM_CONF"
    echo "10.1.0.1 $node" >> "$cluster/hosts"
  done
}

# start_node NODE: a slurmd that believes to be on a host of that name.
start_node() {
  unshare --uts bash -c 'hostname "$1" && exec slurmd -D -N "$1"' node "$1" > "$cluster/log/slurmd-$1.log" 2>&1 &
}

# start_cluster NODE...
start_cluster() {
  # Slurm and Open MPI need an interface besides the loopback. This one leads nowhere.
  { ip link set lo up && ip link add out type veth peer name in && ip address add 10.1.0.1/24 dev out &&
    ip link set out up && ip link set in up; } 2> /dev/null || skip "this host permits no virtual network"
  hostname login
  printf '127.0.0.1 localhost login\n' > "$cluster/hosts"
  write_configuration "$@"
  mount --bind "$cluster/hosts" /etc/hosts && mount -t tmpfs tmpfs /dev/shm || skip "this host permits no mounts"
  dd if=/dev/urandom of="$cluster/munge.key" bs=1024 count=1 status=none
  chmod 400 "$cluster/munge.key"
  munged --foreground --force --key-file="$cluster/munge.key" --socket="$cluster/run/munge.sock" \
    --pid-file="$cluster/run/munged.pid" --seed-file="$cluster/munge.seed" --log-file="$cluster/log/munged.log" \
    2> "$cluster/log/munged.err" &
  within 10 test -S "$cluster/run/munge.sock" || fail "munged does not start"
  slurmctld -D -c > "$cluster/log/slurmctld.log" 2>&1 &
  local node
  for node in "$@"; do start_node "$node"; done
  within 30 all_are_idle $# || fail "the nodes do not come up"
}
all_are_idle() { [ "$(sinfo -h -N -p main -t idle -o %N 2> /dev/null | sort -u | wc -l)" -eq "$1" ]; }

# What jobs do. An identifier may be that of an array.
job_is_running() { [ -n "$(squeue -h -j "$1" -t RUNNING -o %i 2> /dev/null)" ]; }
job_is_over() { [ -z "$(squeue -h -j "$1" -t PENDING,RUNNING,COMPLETING,SUSPENDED -o %i 2> /dev/null)" ]; }
job_says() { scontrol show job "$1" | grep -q "$2"; }
# finished SECONDS JOB: waits until a job is over.
finished() { within "$1" job_is_over "$2" || { squeue; fail "job $2 is not over after $1 s"; } }
# begun JOB RUN: waits until a job has completed blocks.
begun() {
  within 40 has_blocks "$2" || { squeue; fail "job $1 completes no block"; }
}
has_blocks() { [ "$(cat "$1"/journal/*.journal 2> /dev/null | wc -c)" -gt 0 ]; }
same_result() { cmp "$1/result.h5" reference/result.h5 || fail "the bytes of $1 differ"; }
# process_of WORDS: the toy whose command line has these words, without mpirun.
process_of() { pgrep -f "^[^ ]*toy_run run .*$1" | head -n 1 | grep .; }
