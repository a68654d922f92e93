"""Rules for sweeps/: usage: catalogue_rules_test.py SOURCE. Names, sources and what numbers say about each other."""
import math
import pathlib
import re
import sys
import tomllib

FIELDS = {
    "devices": {"peak_flops", "cores", "systolic_width", "systolic_height", "frequency", "sram_capacity", "price", "power",
                "memory_bandwidth", "memory_capacity"},
    "memories": {"bandwidth", "capacity", "price_per_bandwidth", "power_per_bandwidth"},
    "interconnects": {"bandwidth", "latency", "link_price_per_bandwidth", "switch_price_per_bandwidth",
                      "link_power_per_bandwidth", "switch_power_per_bandwidth"},
    "topologies": set(),
    "networks": {"devices_per_node"},
    "systems": {"engine", "memory", "network", "peak_flops", "peak_flops_8bit", "peak_flops_4bit", "memory_bandwidth",
                "memory_capacity", "host_bandwidth", "host_capacity", "node_devices", "node_bandwidth", "node_latency",
                "network_bandwidth", "network_latency", "pod_devices", "pod_bandwidth", "pod_latency", "price", "power"},
    "software": None,  # the program checks its fields
}
MODEL_FIELDS = {
    "transformer": {"hidden", "heads", "head_dim", "key_value_heads", "ffn_hidden", "gated_ffn", "layers",
                    "post_attention_norm", "sequence_length", "vocabulary", "global_batch", "tied_embeddings", "window",
                    "windowed_layers", "prediction_layers", "query_rank", "key_value_rank", "plain_head_dim",
                    "rotary_head_dim", "value_head_dim", "experts", "experts_per_token", "expert_ffn_hidden",
                    "shared_ffn_hidden", "dense_layers"},
    "dlrm": {"tables", "rows_per_table", "embedding_dim", "pooled_rows", "mlp_layers", "bottom_layers", "mlp_width",
             "samples_per_chip", "global_batch", "word_bytes"},
    "hpl": {"matrix_size", "block_size", "steps"},
    "fft": {"length", "radix"},
}
PREFIX = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}


def base(text):
    """'993.2 TFLOP/s' in FLOP/s; decimal prefixes of FLOP/s and Hz only."""
    number, prefix = re.fullmatch(r"([0-9.]+) ([kMGTP]?)(?:FLOP/s|Hz)", text).groups()
    return float(number) * PREFIX[prefix]


def entry_problems(kind, entry):
    known = MODEL_FIELDS.get(entry.get("kind"), set()) if kind == "models" else FIELDS.get(kind)
    for field, value in entry.items():
        if field in ("name", "description", "kind", "dimensions", "device", "profile", "processing", "software",
                     "node_links"):
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


def main(root):
    problems, names = [], set()
    catalogue = root / "sweeps" / "catalogue"
    for path in sorted(catalogue.glob("*/**/*.toml")):
        kind, _, name = path.relative_to(catalogue).with_suffix("").as_posix().partition("/")
        entry, place = tomllib.loads(path.read_text()), path.relative_to(root).as_posix()
        if entry.get("name") != name:
            problems.append(f"{place}: name is '{entry.get('name')}', the file says '{name}'")
        if (kind, entry.get("name")) in names:
            problems.append(f"{place}: the name is taken")
        names.add((kind, entry.get("name")))
        problems += [f"{place}: {problem}" for problem in entry_problems(kind, entry)]
    studies = [root / "sweeps" / "quickstart.toml", *sorted((root / "sweeps" / "studies").glob("*.toml"))]
    for path in studies:
        if tomllib.loads(path.read_text())["sweep"]["name"] != path.stem:
            problems.append(f"{path.relative_to(root).as_posix()}: its name is not that of the file")
    print("\n".join(problems))
    print(f"{len(names)} entries, {len(studies)} studies, {len(problems)} violations")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
