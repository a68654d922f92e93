#!/bin/bash
# A run across two hosts: complete, a rank that dies, a host that dies, a link that is cut, a link with delays and losses.
# All ranks end within ten seconds of a failure with a status that is not 0, the next run completes, with the same bytes.
# The long form (DFSWEEP_LONG_TESTS) repeats random failures. Usage: two_hosts_check.sh TOY_RUN SCRATCH_FOLDER [ROUNDS [SEED]]
toy_run=$(realpath "$1") rounds=${3:-2} seed=${4:-$RANDOM}
[ -z "${DFSWEEP_LONG_TESTS:-}" ] || rounds=${3:-60}
. "$(dirname "$0")/../support/checks.bash"
. "$(dirname "$0")/../support/two_hosts.bash"
why=$(why_no_hosts)
[ -z "$why" ] || { echo "skipped: $why"; exit 77; }
work_in "$2"
RANDOM=$seed
trap remove_hosts EXIT
echo "seed $seed"

# A few seconds of work on one core: blocks that every rank writes itself, and blocks that rank 0 alone writes.
toy_sweep ranks <<'TOML'
seed = { from = 1, to = 400, step = 1 }
size = { from = "1 B", to = "500 B", step = "1 B" }
work = 5000
TOML
toy_sweep first <<'TOML'
seed = { from = 1, to = 2000, step = 1 }
work = 500000
TOML
for sweep in ranks first; do
  expect 0 "$toy_run" $sweep.toml reference-$sweep --threads 1
  cp reference-$sweep/result.h5 $sweep.h5
done

# begin SWEEP: starts a run across both hosts in the background and waits until blocks are being evaluated.
begin() {
  rm -f status
  { on_both 1 "$toy_run" "$1.toml" run --threads 1 > output.txt 2>&1; echo $? > status; } &
  within 30 grep -q '"start"' run/log.jsonl 2> /dev/null || { cat output.txt; fail "the run does not start"; }
  sleep "0.$(printf '%03d' $((RANDOM % 600)))"
}
# The process of a rank on a host.
rank_on() {
  local pid
  for pid in $(processes_of "$1"); do
    [ "$(readlink "/proc/$pid/exe")" = "$toy_run" ] && echo "$pid"
  done
}
no_ranks() { [ -z "$(rank_on "$left")$(rank_on "$right")" ]; }
has_ended() { [ -e status ] && no_ranks; }

# ended_by WHAT: all ranks have ended ten seconds after a failure, and mpirun said so.
longest=0
ended_by() {
  local since=$(date +%s%N) took
  within 10 has_ended || { cat output.txt; ps -ef | grep -c "$toy_run"; fail "ranks live ten seconds after $1, seed $seed"; }
  took=$((($(date +%s%N) - since) / 1000000))
  [ $took -le $longest ] || longest=$took
  if [ "$(cat status)" -eq 0 ] && ! cmp -s run/result.h5 $sweep.h5; then fail "status 0 after $1 without a result, seed $seed"; fi
}
completes() {
  on_both 1 "$toy_run" $sweep.toml run --threads 1 > output.txt 2>&1 || { cat output.txt; fail "the next run does not complete, seed $seed"; }
  same run/result.h5 $sweep.h5
}

make_hosts
sweep=ranks
completes
grep -q '"hosts": *\["left", *"right"\]' run/log.jsonl || { head -n 3 run/log.jsonl; fail "the ranks were not on two hosts"; }

declare -A injected=([rank]=0 [host]=0 [link]=0 [gap]=0)
one_failure() {
  rm -rf run
  begin $sweep
  case $1 in
    rank)
      kill -KILL $(rank_on "$([ $((RANDOM % 2)) -eq 0 ] && echo "$left" || echo "$right")") 2> /dev/null
      ended_by "a rank was killed" ;;
    host)
      kill -KILL $(processes_of "$right") 2> /dev/null
      ended_by "a host died" ;;
    link)
      cut_link
      ended_by "the link was cut"
      heal_link ;;
    gap)  # shorter than what the daemons wait for: the run goes on
      cut_link
      sleep "1.$(printf '%03d' $((RANDOM % 900)))"
      heal_link
      within 60 has_ended || { cat output.txt; fail "the run hangs after a gap, seed $seed"; } ;;
  esac
  injected[$1]=$((injected[$1] + 1))
  completes
}
kinds=(link rank host gap)
for round in $(seq "$rounds"); do
  sweep=$([ $((round % 2)) -eq 0 ] && echo ranks || echo first)
  one_failure "${kinds[$(((round - 1) % 4))]}"
done
remove_hosts

make_hosts 5 1
rm -rf run
sweep=ranks
completes
echo "$rounds failures: ${injected[rank]} ranks and ${injected[host]} hosts killed, ${injected[link]} links cut, ${injected[gap]} gaps;" \
  "the slowest end took $longest ms; a run over a link with 5 ms and 1 % loss by $how"
[ ! -e relay.counts ] || cat relay.counts
