#!/usr/bin/python3
"""The stage problem as a mixed-integer program, solved by HiGHS and compared with dfsweep's own optimum.

Reads problems, one JSON object a line, as stage_cases prints them. A[k,s]: kernel k in stage s; S[s]: stage s sends
anything. What a stage sends are the edges whose source is in it or before and whose destination is later.

  stage_milp.py --cases stage_cases [--limit SECONDS]

Takes a fourth of the problems unless DFSWEEP_LONG_TESTS is 1. Exit status 77 where SciPy is missing.
"""
import argparse
import json
import os
import subprocess
import sys

from mapping_milp import Program, agree, highs


def formulate(p):
    kernels, edges = p["kernels"], p["edges"]
    K, E, stages = range(len(kernels)), range(len(edges)), range(p["stages"])
    inf = float("inf")
    m = Program()
    for k in K:
        for s in stages:
            m.variable(("A", k, s), integer=True)
        m.row([(("A", k, s), 1.0) for s in stages], 1.0, 1.0)
    m.variable("slowest", upper=inf, cost=1.0)
    for s in stages:
        m.variable(("S", s), integer=True)
        until = {k: [("A", k, r) for r in range(s + 1)] for k in K}
        sending = [(("S", s), p["latency"])]
        for e in E:
            source, destination = until[edges[e]["source"]], until[edges[e]["destination"]]
            crossing = [(a, 1.0) for a in source] + [(a, -1.0) for a in destination]
            m.row(crossing, 0.0, inf)
            m.row([(("S", s), 1.0)] + [(a, -v) for a, v in crossing], 0.0, inf)
            sending += [(a, v * edges[e]["sending"]) for a, v in crossing]
        part = {name: [(("A", k, s), kernels[k][name]) for k in K] for name in ("compute", "memory", "network")}
        sums = {"perfect": [part["compute"], part["memory"], part["network"], sending],
                "none": [part["compute"] + part["memory"] + part["network"] + sending],
                "network_exposed": [part["compute"] + part["network"] + sending,
                                    part["memory"] + part["network"] + sending]}[p["overlap"]]
        for terms in sums:
            m.row([("slowest", 1.0)] + [(name, -value) for name, value in terms], 0.0, inf)
        m.row([(("A", k, s), kernels[k]["held"]) for k in K], -inf, p["capacity"])
    return m


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", required=True, help="the program that prints problems")
    parser.add_argument("--limit", type=float, default=120.0, help="seconds the solver may take (then not compared)")
    arguments = parser.parse_args()
    lines = subprocess.run([arguments.cases], capture_output=True, text=True, check=True).stdout.splitlines()
    if os.environ.get("DFSWEEP_LONG_TESTS") != "1":
        lines = lines[::4]
    wrong = compared = infeasible = 0
    for number, line in enumerate(lines):
        p = json.loads(line)
        answer = highs(formulate(p), arguments.limit)
        if answer == "limit":
            print(f"{number}: stopped")
            continue
        compared += 1
        infeasible += answer is None
        if not agree(p["time"], answer):
            wrong += 1
            print(f"{number}: dfsweep {p['time']}, HiGHS {answer}")
    print(f"{compared} compared, {infeasible} of them without an answer, {wrong} differ")
    return 1 if wrong or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
