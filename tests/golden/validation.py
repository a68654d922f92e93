"""docs/validation.md from runs of the program: usage: validation.py PROGRAM REFERENCE [--update].

Without --update it fails where the page is stale. Rows of the published tables are compared one by one, so that a folder
that holds more or other rows than the page is no reason to fail; rows it does not hold are left as they are.
"""
import math
import pathlib
import sys
import tempfile

import paper_claims
from dfmodel_cli_test import compare
from dfmodel_rows import QUANTITIES
from program import SOURCE, Result, run, skip_without

PAGE = SOURCE / "docs" / "validation.md"
INTRODUCTION = """# Validation

How far the `dataflow` estimator reproduces published numbers. This page is generated from runs of the program by
`tests/golden/validation.py --update`; a test fails where it is stale. The published tables themselves are not part of
this repository.

## The paper's claims, from our own 320 points

Ratios of geometric means over the systems of `sweeps/quickstart.toml`, beside what the DFModel paper [dfmodel] prints.
SN30 runs GPT3 in one given mapping of six partitions on all systems, not in the best one of each, so the claims that
compare it are not complete.

"""
HALVED = """
The paper's FFT claims come out where the four H100 systems in a dragonfly have half their cores, as one logged run of them
had, and their efficiencies are nevertheless counted with all cores:
"""
ROWS = """
## The logged runs, row by row

Relative differences between our results and the logs, under the convention of the code that made the logs. Grade A has
to agree to 1e-6 and grade B to 1e-3 in every figure; grade C is reported, with the reason, and not asserted. "-": not
logged.
"""


def claims_section(program):
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        (folder / "halved.toml").write_text(paper_claims.HALVED_RUNS)
        sweeps = (SOURCE / "sweeps" / "quickstart.toml", SOURCE / "sweeps" / "studies" / "sn10-mapping.toml",
                  folder / "halved.toml")
        space, mappings, halved = (Result(run(program, sweep, folder / sweep.stem)) for sweep in sweeps)
    lines = ["| workload | claim | quantity | paper | ours | same to two decimals | note |", "|---|---|---|---|---|---|---|"]
    for claim, quantity, paper, ours, same in paper_claims.recomputed(space, mappings):
        lines.append(f"| {claim.workload} | {claim.statement} | {quantity} | {paper:.2f} | {ours:.3f} | "
                     f"{'yes' if same else 'no'} | {claim.note} |")
    lines += [HALVED, "| claim | quantity | paper | ours |", "|---|---|---|---|"]
    fft = [claim for claim in paper_claims.CLAIMS if claim.workload == "fft"]
    for claim, quantity, paper, ours in paper_claims.claims_of(paper_claims.with_halved_runs(space, halved), fft):
        lines.append(f"| {claim.statement} | {quantity} | {paper:.2f} | {ours:.3f} |")
    return "\n".join(lines) + "\n"


def difference_text(difference, logged):
    if math.isnan(logged):
        return "-"
    if math.isnan(difference):
        return "none"
    return "<1e-7" if difference < 1e-7 else f"{difference:.1e}"


def row_line(verdict):
    row = verdict.row
    cells = [difference_text(d, logged) for d, logged in zip(verdict.differences, row.expected)]
    ours = f"{verdict.ours[0]:.6g}" if verdict.status == "ok" else verdict.status
    return f"| {row.name} | {row.grade} | {row.expected[0]:.6g} | {ours} | {' | '.join(cells)} | {verdict.text} | {row.why} |"


def rows_section(verdicts):
    text = ROWS
    for table, rows in verdicts.items():
        agreeing = sum(verdict.text == "agrees" for verdict in rows)
        asserted = sum(verdict.text != "reported" for verdict in rows)
        text += f"\n### {table}: {agreeing} of {asserted} asserted rows agree, {len(rows) - asserted} are reported\n\n"
        text += "| row | grade | step time logged (s) | ours (s) | time | utilization | cost | power | verdict | why |\n"
        text += "|---|---|---|---|---|---|---|---|---|---|\n"
        text += "".join(row_line(verdict) + "\n" for verdict in rows)
    return text


def stale_lines(page, claims, verdicts):
    """What the page says otherwise than the program does."""
    lines = set(page.splitlines())
    stale = [line for line in claims.splitlines() if line not in lines]
    named = {line.split("|")[1].strip(): line for line in lines if line.startswith("| ") and line.count("|") == 11}
    for rows in verdicts.values():
        for verdict in rows:
            line = row_line(verdict)
            if named.get(verdict.row.name, line) != line:
                stale.append(line)
    return stale


def main(program, reference, update):
    skip_without(reference)
    claims, verdicts = claims_section(program), compare(program, reference)
    if update:
        PAGE.write_text(INTRODUCTION + claims + rows_section(verdicts))
        return 0
    stale = stale_lines(PAGE.read_text(), claims, verdicts)
    for line in stale:
        print("docs/validation.md should say:", line)
    print(claims)
    return 1 if stale else 0


if __name__ == "__main__":
    arguments = [argument for argument in sys.argv[1:] if argument != "--update"]
    sys.exit(main(arguments[0], arguments[1] if len(arguments) > 1 else "", "--update" in sys.argv))
