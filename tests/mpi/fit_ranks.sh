#!/bin/bash
# `dfsweep fit` on several ranks: streamed runs give the bytes of one rank, and malformed ones one message and status 3.
. "$(dirname "$0")/../support/checks.bash"
program=$1
work_in "$2"
awk 'BEGIN {
  print "lr,bs,N,D,loss"
  for (i = 0; i < 1200; ++i) {
    g = (i * 7919) % 8; a = i % 9; b = int(i / 9) % 7; n = 1e8 * (1 + g % 4); d = 1e9 * (1 + int(g / 4))
    print 1e-3 * exp(0.3 * (a - 4)) "," 16 * (b + 1) "," n "," d "," 2 + 50 / n^0.2 + 0.004 * (a - 4)^2 + 0.003 * (b - 3)^2
  }
}' > runs.csv
fit=(fit steplaw runs.csv --stream --json --replicates 300 --predict 1e9,1e10)
"$program" "${fit[@]}" --threads 1 > one.json || fail "one rank ended with status $?"
for ranks in 2 3; do
  mpirun -n $ranks "$program" "${fit[@]}" --threads 2 > several.json || fail "$ranks ranks ended with status $?"
  same one.json several.json
done
printf 'lr,bs,N,D,loss\n1e-3,1,1,1,x\n' > bad.csv
status=0
mpirun -n 2 "$program" fit steplaw bad.csv --stream > out.txt 2> err.txt || status=$?
[ $status -eq 3 ] || fail "status $status instead of 3 for malformed runs"
[ ! -s out.txt ] || fail "malformed runs gave something on standard output"
[ "$(grep -c "bad.csv:2:12: 'x' is not a number" err.txt)" -eq 1 ] || { cat err.txt; fail "not reported exactly once"; }
