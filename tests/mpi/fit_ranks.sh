#!/bin/bash
# `dfsweep fit` on several ranks: streamed runs give the bytes of one rank, and malformed ones one message and status 3.
set -eu
program=$1
work=$2
rm -rf "$work" && mkdir -p "$work" && cd "$work"
awk 'BEGIN {
  print "lr,bs,N,D,loss"
  for (i = 0; i < 1200; ++i) {
    g = (i * 7919) % 8; a = i % 9; b = int(i / 9) % 7; n = 1e8 * (1 + g % 4); d = 1e9 * (1 + int(g / 4))
    print 1e-3 * exp(0.3 * (a - 4)) "," 16 * (b + 1) "," n "," d "," 2 + 50 / n^0.2 + 0.004 * (a - 4)^2 + 0.003 * (b - 3)^2
  }
}' > runs.csv
fit=(fit steplaw runs.csv --stream --json --replicates 300 --predict 1e9,1e10)
"$program" "${fit[@]}" --threads 1 > one.json
for ranks in 2 3; do
  mpirun -n $ranks "$program" "${fit[@]}" --threads 2 > several.json
  cmp one.json several.json
done
printf 'lr,bs,N,D,loss\n1e-3,1,1,1,x\n' > bad.csv
status=0
mpirun -n 2 "$program" fit steplaw bad.csv --stream > out.txt 2> err.txt || status=$?
[ $status = 3 ]
[ ! -s out.txt ]
[ "$(grep -c "bad.csv:2:12: 'x' is not a number" err.txt)" = 1 ]
