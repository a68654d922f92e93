"""Rules for sweeps/: usage: catalogue_rules_test.py SOURCE. Names, sources and what numbers say about each other.

Names have one style: small letters, digits, dashes and dots.
"""
import csv
import math
import pathlib
import re
import sys
import tomllib

# Fields are declared here and nowhere else.
TABLES = "models/entry_field_tables.hpp"
NAME = re.compile(r"[a-z0-9]+([-.][a-z0-9]+)*")
WORKLOADS = ("transformer", "dlrm", "hpl", "fft", "graph")
PREFIX = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}


def base(text):
    """'993.2 TFLOP/s' in FLOP/s; decimal prefixes of FLOP/s and Hz only."""
    number, prefix = re.fullmatch(r"([0-9.]+) ([kMGTP]?)(?:FLOP/s|Hz)", text).groups()
    return float(number) * PREFIX[prefix]


def declared_fields(root):
    """kind -> the fields that its entries may have; of models ("models", workload), as their meanings say."""
    fields = {}
    tables = re.findall(r"FieldInfo (\w+)\[\] = \{(.*?)\n\};", (root / TABLES).read_text(), re.S)
    for kind, rows in tables:
        for name, meaning in re.findall(r'\{"([^"]+)",\s*\w+,\s*"[^"]*",\s*"([^"]*)', rows):
            fields.setdefault(kind, set()).add(name)
            before = meaning.partition(":")[0] if ":" in meaning else ""
            named = [workload for workload in WORKLOADS if re.search(rf"\b{workload}\b", before)]
            for workload in named or WORKLOADS if kind == "models" else ():
                fields.setdefault((kind, workload), set()).add(name)
    return fields


def entry_problems(kind, entry, fields):
    """`fields`: see declared_fields()."""
    known = fields.get((kind, entry.get("kind")) if kind == "models" else kind)
    for field, value in entry.items():
        if field in ("name", "description", "kind", "dimensions", "device", "profile", "processing", "software",
                     "node_links", "platform", "former_name", "operators"):
            continue
        if isinstance(value, list):  # parts, such as the engines of a system
            yield from (f"{field}[{i}] has no source" for i, part in enumerate(value) if not part.get("source"))
            if known is not None and field not in known:
                yield f"{field} is not a field of {kind}"
            continue
        if not isinstance(value, dict) or set(value) != {"value", "source"} or not value["source"]:
            yield f"{field} is not {{ value, source }}"
        elif known is not None and field not in known:
            yield f"{field} is not a field of {kind}"
    cores = ("cores", "systolic_width", "systolic_height")
    if kind == "devices" and "peak_flops" in entry and "frequency" in entry:
        peak = 2 * math.prod(entry[field]["value"] for field in cores) * base(entry["frequency"]["value"])
        if abs(peak / base(entry["peak_flops"]["value"]) - 1) > 1e-3:
            yield f"peak_flops is not 2 * cores * width * height * frequency = {peak}"
    if entry.get("kind") == "transformer":
        heads = entry["heads"]["value"]
        width = heads * entry["head_dim"]["value"] if "head_dim" in entry else entry["hidden"]["value"]
        if entry["hidden"]["value"] != width and "heads of" not in entry["description"]:
            yield "hidden is not heads * head_dim, and the description names no heads of another width"
        if "key_value_heads" in entry and heads % entry["key_value_heads"]["value"]:
            yield "key_value_heads does not divide heads"


def evidence_problems(root, entries):
    """Systems and stacks list the measured rows that there are of them."""
    seen, models, systems = {}, {}, {}
    for name in ("training", "training-mlperf", "serving", "serving-load"):
        with open(root / "sweeps" / "studies" / f"measured-{name}.csv", newline="") as table:
            for row in csv.DictReader(table):
                systems.setdefault(row["system"], set()).add(name.partition("-")[0])
                if row.get("software"):
                    seen.setdefault(row["software"], set()).add(row["system"])
                    models.setdefault(row["software"], set()).add(row["model"])
    with open(root / "sweeps" / "measured" / "energy.csv", newline="") as table:
        rows = csv.DictReader(line for line in table if not line.startswith("#"))
        seen["vllm-energy"] = {{"H100": "dgx-h100", "B200": "dgx-b200"}[row["gpu_model"]] for row in rows}
    models["vllm-energy"] = set(entries["software", "vllm-energy"]["measured_models"]["value"])  # those rows name checkpoints
    for (kind, name), entry in entries.items():
        if kind == "systems" and set(entry.get("measured_for", {}).get("value", [])) != systems.get(name, set()):
            yield f"systems/{name}: measured_for is not what the measured rows say"
        listed = set(entry.get("measured_on", {}).get("value", []))
        if kind == "software" and not name.startswith("serving-") and listed != seen.get(name, set()):
            yield f"software/{name}: measured_on is not what the measured rows say"
        if kind == "software" and set(entry.get("measured_models", {}).get("value", models.get(name, set()))) != models.get(name, set()):
            yield f"software/{name}: measured_models is not what the measured rows say"
        if kind == "software" and not listed <= set(systems):
            yield f"software/{name}: measured_on names systems without measured rows"


def main(root):
    problems, names, fields, entries = [], set(), declared_fields(root), {}
    catalogue = root / "sweeps" / "catalogue"
    for path in sorted(catalogue.glob("*/**/*.toml")):
        kind, _, name = path.relative_to(catalogue).with_suffix("").as_posix().partition("/")
        entry, place = tomllib.loads(path.read_text()), path.relative_to(root).as_posix()
        if entry.get("name") != name:
            problems.append(f"{place}: name is '{entry.get('name')}', the file says '{name}'")
        if not NAME.fullmatch(name):
            problems.append(f"{place}: names have small letters, digits, dashes and dots")
        for taken in {entry.get("name"), entry.get("former_name")} - {None}:
            if (kind, taken) in names:
                problems.append(f"{place}: the name '{taken}' is taken")
            names.add((kind, taken))
        entries[(kind, name)] = entry
        problems += [f"{place}: {problem}" for problem in entry_problems(kind, entry, fields)]
    problems += evidence_problems(root, entries)
    studies = [root / "sweeps" / "quickstart.toml", *sorted((root / "sweeps" / "studies").glob("*.toml"))]
    for path in studies:
        if tomllib.loads(path.read_text())["sweep"]["name"] != path.stem:
            problems.append(f"{path.relative_to(root).as_posix()}: its name is not that of the file")
    print("\n".join(problems))
    print(f"{len(entries)} entries, {len(studies)} studies, {len(problems)} violations")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
