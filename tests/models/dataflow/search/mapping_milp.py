#!/usr/bin/python3
"""The partition problem as a mixed-integer program, solved by HiGHS and CBC and compared with dfsweep's own optimum.

Reads problems, one JSON object a line, as mapping_cases prints them. The program is that of the DFModel paper:
A[k,p] kernel k in partition p; B[e,p] both ends of edge e in p; D[e,p] exactly one; L[e,p] alive and not on chip;
what it shares with dfsweep is the statement of the problem and nothing else.

  mapping_milp.py --cases mapping_cases --family random|training [--limit SECONDS]

Takes a fifth of the problems unless DFSWEEP_LONG_TESTS is 1. Exit status 77 where SciPy is missing.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

try:
    import numpy as np
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_matrix
except ImportError as missing:
    print(f"skipped: {missing}; python3-scipy brings HiGHS")
    sys.exit(77)


class Program:
    """Columns with bounds, rows with bounds; variables are named by tuples."""

    def __init__(self):
        self.names, self.lower, self.upper, self.integer, self.cost = {}, [], [], [], []
        self.rows = []

    def variable(self, name, integer=False, upper=1.0, cost=0.0):
        self.names[name] = len(self.lower)
        self.lower.append(0.0)
        self.upper.append(upper)
        self.integer.append(int(integer))
        self.cost.append(cost)

    def row(self, terms, low, high):
        merged = {}
        for name, value in terms:
            column = self.names[name]
            merged[column] = merged.get(column, 0.0) + value
        self.rows.append((merged, low, high))


def formulate(p):
    kernels, edges, count = p["kernels"], p["edges"], p["count"]
    K, E, P = range(len(kernels)), range(len(edges)), range(count)
    inf = float("inf")
    m = Program()
    for k in K:
        for q in P:
            m.variable(("A", k, q), integer=True)
        m.row([(("A", k, q), 1.0) for q in P], 1.0, 1.0)
    for e in E:
        s, d = edges[e]["source"], edges[e]["destination"]
        for q in P:
            m.variable(("B", e, q))
            m.row([(("B", e, q), 1.0), (("A", s, q), -1.0)], -inf, 0.0)
            m.row([(("B", e, q), 1.0), (("A", d, q), -1.0)], -inf, 0.0)
            m.row([(("B", e, q), 1.0), (("A", s, q), -1.0), (("A", d, q), -1.0)], -1.0, inf)
            # The source is in q or earlier whenever the destination is.
            m.row([(("A", s, r), 1.0) for r in range(q + 1)] + [(("A", d, r), -1.0) for r in range(q + 1)], 0.0, inf)
    if p["rule"] == "exactly":
        for q in P:
            m.row([(("A", k, q), 1.0) for k in K], 1.0, inf)
    passes(p, m, K, P)
    worst = sum(k["compute"] + k["network"] + k["memory"] for k in kernels) + 2.0 * sum(e["traffic"] for e in edges)
    for q in P:
        parts = {
            "compute": [(("A", k, q), kernels[k]["compute"]) for k in K],
            "network": [(("A", k, q), kernels[k]["network"]) for k in K],
            "memory": [(("A", k, q), kernels[k]["memory"]) for k in K]
            + [(("A", edges[e][end], q), edges[e]["traffic"]) for e in E for end in ("source", "destination")]
            + [(("B", e, q), -2.0 * edges[e]["traffic"]) for e in E],
        }
        m.variable(("time", q), upper=worst, cost=1.0)
        if p["overlap"] == "perfect":
            groups = [["compute"], ["memory"], ["network"]]
        elif p["overlap"] == "none":
            groups = [["compute", "memory", "network"]]
        else:
            groups = [["compute", "network"], ["memory", "network"]]
        for group in groups:
            m.row([(("time", q), 1.0)] + [(n, -v) for part in group for n, v in parts[part]], 0.0, inf)
        if p["sram_capacity"] is not None:
            m.row([(("A", k, q), kernels[k]["sram"]) for k in K]
                  + [(("A", edges[e][end], q), edges[e]["boundary"]) for e in E for end in ("source", "destination")]
                  + [(("B", e, q), edges[e]["inside"] - 2.0 * edges[e]["boundary"]) for e in E],
                  -inf, p["sram_capacity"])
        if p["live_capacity"] is not None:
            # alive in q: source by then, destination not before, not both in q
            terms = []
            for e in E:
                live = edges[e]["live"]
                terms += [(("A", edges[e]["source"], r), live) for r in range(q + 1)]
                terms += [(("A", edges[e]["destination"], r), -live) for r in range(q)]
                terms.append((("B", e, q), -live))
            m.row(terms, -inf, p["live_capacity"])
    return m


def passes(p, m, K, P):
    """The rule for the two passes."""
    if p["mixing"] == "free":
        return
    forward = [k for k in K if p["kernels"][k]["forward"]]
    backward = [k for k in K if not p["kernels"][k]["forward"]]
    if not forward or not backward:
        return
    inf = float("inf")
    for q in P:  # F[q]: partitions up to q may hold forward kernels later; backward ones only from the turn on
        m.variable(("turn", q), integer=True)  # 1: backward kernels are allowed in q
        if q > 0:
            m.row([(("turn", q), 1.0), (("turn", q - 1), -1.0)], 0.0, inf)
        for k in backward:
            m.row([(("A", k, q), 1.0), (("turn", q), -1.0)], -inf, 0.0)
        for k in forward:  # none after the turn; in the partition of the turn where one may be mixed
            if p["mixing"] == "separate":
                m.row([(("A", k, q), 1.0), (("turn", q), 1.0)], -inf, 1.0)
            elif q > 0:
                m.row([(("A", k, q), 1.0), (("turn", q - 1), 1.0)], -inf, 1.0)


def highs(m, limit):
    entries = [(i, c, v) for i, (terms, _, _) in enumerate(m.rows) for c, v in terms.items()]
    rows, columns, values = zip(*entries)
    matrix = csr_matrix((values, (rows, columns)), shape=(len(m.rows), len(m.lower)))
    result = milp(np.array(m.cost), integrality=np.array(m.integer), bounds=Bounds(m.lower, m.upper),
                  constraints=LinearConstraint(matrix, [r[1] for r in m.rows], [r[2] for r in m.rows]),
                  options={"mip_rel_gap": 1e-9, "time_limit": limit})
    if result.status == 2:
        return None
    if result.status != 0:
        return "limit"
    return result.fun


def cbc(m, limit):
    """Writes the program in LP format; the scale of the objective is kept."""
    def expression(terms):
        return " ".join(f"{v:+.17g} x{c}" for c, v in terms if v != 0.0)

    lines = ["Minimize", " obj: " + expression(enumerate(m.cost)), "Subject To"]
    for i, (terms, low, high) in enumerate(m.rows):
        body = expression(sorted(terms.items()))
        if not body:
            continue
        if low == high:
            lines.append(f" r{i}: {body} = {low:.17g}")
        elif high != float("inf"):
            lines.append(f" r{i}: {body} <= {high:.17g}")
        else:
            lines.append(f" r{i}: {body} >= {low:.17g}")
    lines.append("Bounds")
    lines += [f" 0 <= x{c} <= {u:.17g}" for c, u in enumerate(m.upper)]
    lines.append("Generals")
    lines += [f" x{c}" for c, i in enumerate(m.integer) if i]
    lines.append("End")
    with tempfile.TemporaryDirectory() as folder:
        with open(folder + "/m.lp", "w", encoding="ascii") as out:
            out.write("\n".join(lines) + "\n")
        run = subprocess.run(["cbc", folder + "/m.lp", "ratioGap", "0", "allowableGap", "1e-9", "seconds", str(limit), "solve"],
                             capture_output=True, text=True, check=True)
    status = [line for line in run.stdout.splitlines() if line.startswith("Result - ")]
    if any("infeasible" in line for line in status) or "infeasible" in run.stdout and not status:
        return None
    if not any("Optimal solution found" in line for line in status):
        return "limit"
    value = [line for line in run.stdout.splitlines() if line.startswith("Objective value:")]
    return float(value[-1].split()[-1])


def agree(own, other):
    if own is None or other is None:
        return own is other
    return abs(own - other) <= 1e-6 * max(abs(own), abs(other), 1e-300)


def scaled(p):
    """Times in units of the largest sum, sizes in units of the capacities: solvers work with absolute tolerances."""
    time_unit = sum(k["compute"] + k["network"] + k["memory"] for k in p["kernels"]) / 100.0 or 1.0
    sram_unit = (p["sram_capacity"] or 1.0) / 1000.0 or 1.0
    live_unit = (p["live_capacity"] or 1.0) / 1000.0 or 1.0
    q = dict(p, kernels=[dict(k) for k in p["kernels"]], edges=[dict(e) for e in p["edges"]])
    for k in q["kernels"]:
        for field in ("compute", "network", "memory"):
            k[field] /= time_unit
        k["sram"] /= sram_unit
    for e in q["edges"]:
        e["traffic"] /= time_unit
        e["boundary"] /= sram_unit
        e["inside"] /= sram_unit
        e["live"] /= live_unit
    for field, unit in (("sram_capacity", sram_unit), ("live_capacity", live_unit)):
        if q[field] is not None:
            q[field] = q[field] / unit
    return q, time_unit


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", required=True, help="the program that prints problems")
    parser.add_argument("--family", required=True, choices=["random", "training"])
    parser.add_argument("--limit", type=float, default=600.0, help="seconds a solver may take (then not compared)")
    arguments = parser.parse_args()
    command = [arguments.cases, arguments.family]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    if os.environ.get("DFSWEEP_LONG_TESTS") != "1":
        lines = lines[::5]
    has_cbc = shutil.which("cbc") is not None
    if not has_cbc:
        print("CBC is not installed: HiGHS only")
    wrong = compared = stopped = 0
    own_seconds, other_seconds, ratios = 0.0, {"highs": 0.0, "cbc": 0.0}, []
    for line in lines:
        p = json.loads(line)
        program, unit = scaled(p)
        program = formulate(program)
        for name, solve in (("highs", highs),) + ((("cbc", cbc),) if has_cbc else ()):
            start = time.perf_counter()
            answer = solve(program, arguments.limit)
            seconds = time.perf_counter() - start
            other_seconds[name] += seconds
            if name == "highs":
                own_seconds += p["seconds"]
                ratios.append(seconds / p["seconds"])
            if answer == "limit":
                stopped += 1
                print(f"{p['name']}: {name} stopped after {seconds:.0f} s")
                continue
            answer = answer if answer is None else answer * unit
            compared += 1
            if not agree(p["time"], answer):
                wrong += 1
                print(f"{p['name']}: dfsweep {p['time']}, {name} {answer}")
    ratios.sort()
    print(f"{compared} compared, {wrong} differ, {stopped} stopped; dfsweep {own_seconds:.4f} s, HiGHS {other_seconds['highs']:.1f} s, "
          f"CBC {other_seconds['cbc']:.1f} s; HiGHS / dfsweep: least {ratios[0]:.0f}, median {ratios[len(ratios) // 2]:.0f}")
    return 1 if wrong or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
