"""The tables of docs/measured-operators.md: errors of measured operators, of the shipped sample and of the whole.

usage: measured_operators.py PROGRAM GOLDEN_DIR [--update]

The table of the whole is checked where DFSWEEP_OPERATORS names the folder with the unpacked files."""
import collections
import json
import os
import pathlib
import subprocess
import sys

from program import SOURCE

TARGETS = [  # what, operators, error, target of the median and of the ninth decile in per cent
    ("products, nearest keys", "products", "nearest", 4, 15),
    ("prompts, nearest keys", "prompts", "nearest", 2.5, 12),
    ("decoding, nearest keys", "decoding", "nearest", 4.5, 27),
    ("experts, nearest keys", "experts", "nearest", 5.5, 25),
    ("products of 16 bits, form", "products bfloat16", "form", 7.5, 22),
    ("products of 8 bits, form", "products fp8", "form", 8, 30),
    ("products of 4 bits, form", "products nvfp4", "form", 6.5, 20),
    ("products of 16 bits, 20 rows", "products bfloat16", "twenty_rows", 8, 25),
    ("products of 16 bits, no rows", "products bfloat16", "no_rows", 12.5, 34),
    ("prompts above 100 us, form", "prompts", "form_long", 6, 24),
    ("decoding above 100 us, form", "decoding", "form_long", 11, 44),
    ("experts, form", "experts", "form", 16, 50),
    ("all-reduce of NCCL, no rows", "library exchanges all_reduce", "no_rows", 11, 45),
    ("all-reduce of NCCL, form", "library exchanges all_reduce", "form", 5.5, 17),
    ("an engine's own all-reduce, form", "own all-reduces", "form", 4.5, 17),
]

PAGE = SOURCE / "docs" / "measured-operators.md"


def pair(row, name):
    median, ninth_decile = row.get(f"{name}_median"), row.get(f"{name}_ninth_decile")
    return "" if median is None else f"{100 * median:.1f} / {100 * ninth_decile:.1f}"


def grouped(number):
    return f"{number:,}".replace(",", " ")


def errors(rows):
    lines = ["| operators | tables | rows | form | > 100 us | nearest | covered | no rows | 20 rows |", "|---|" + "---:|" * 8]
    for row in rows:
        figures = [pair(row, name) for name in ("form", "form_long", "nearest")]
        figures += [f"{100 * row['covered']:.0f}"] + [pair(row, name) for name in ("no_rows", "twenty_rows")]
        lines.append(" | ".join([f"| {row['group']}", str(row["tables"]), grouped(row["rows"]), *figures]) + " |")
    return "\n".join(lines)


def left_out(rows):
    tables, counts = collections.Counter(), collections.Counter()
    for row in rows:
        key = (row["table"].split(",")[0], row["reason"])
        tables[key] += 1
        counts[key] += row["rows"]
    lines = ["| left out of | reason | tables | rows |", "|---|---|---:|---:|"]
    for (family, reason), count in counts.items():
        lines.append(f"| {family} | {reason} | {tables[family, reason]} | {grouped(count)} |")
    return "\n".join(lines)


def targets(rows):
    by_group = {row["group"]: row for row in rows}
    lines = ["| what | target | reached | |", "|---|---:|---:|---|"]
    for what, group, name, median, ninth_decile in TARGETS:
        row = by_group[group]
        kept = row[f"{name}_median"] <= median / 100 and row[f"{name}_ninth_decile"] <= ninth_decile / 100
        lines.append(f"| {what} | {median} / {ninth_decile} | {pair(row, name)} | {'' if kept else 'missed'} |")
    return "\n".join(lines)


def validated(program, folder, *options):
    command = [program, "profiles", str(folder), "--validate", "--catalogue", str(SOURCE / "sweeps" / "catalogue"), "--json", *options]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def block(program, folder, *sections):
    found = validated(program, folder)
    read, used = grouped(found["rows_read"]), grouped(found["rows"])
    text = f"{read} rows, of which {used} are used. Errors in per cent, median / ninth decile:"
    parts = [text, errors(found["cross_validation"])]
    parts += [section(found["cross_validation"]) for section in sections]
    if found["left_out"]:
        parts.append(left_out(found["left_out"]))
    return "\n\n".join(parts)


def replaced(page, name, text):
    begin, end = f"<!-- {name}: begin -->\n", f"\n<!-- {name}: end -->"
    before, rest = page.split(begin)
    return before + begin + text + end + rest.split(end, 1)[1]


def main():
    program, golden = sys.argv[1:3]
    update = "--update" in sys.argv
    sample = pathlib.Path(golden) / "data" / "operators"
    if validated(program, sample, "--threads", "1") != validated(program, sample, "--threads", "3"):
        print("errors depend on the number of threads")
        return 1
    old = PAGE.read_text(encoding="utf-8")
    new = replaced(old, "sample", block(program, sample))
    if os.environ.get("DFSWEEP_OPERATORS"):
        new = replaced(new, "whole", block(program, os.environ["DFSWEEP_OPERATORS"], targets))
    if update:
        PAGE.write_text(new)
    elif new != old:
        print(f"{PAGE} is stale; run {sys.argv[0]} PROGRAM GOLDEN_DIR --update")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
