"""Tables of docs/models/taskgraph.md from runs of its studies: usage: taskgraph_page.py PROGRAM [--update].

Each table follows a line `<!-- generated: NAME -->` and ends with an empty line. Without --update the test fails where one
is stale.
"""
import re
import sys
import tempfile

import program as dfsweep

PAGE = dfsweep.SOURCE / "docs" / "models" / "taskgraph.md"
STUDIES = dfsweep.SOURCE / "sweeps" / "studies"


class Rows:
    """Rows of a study, found by values of their columns."""

    def __init__(self, program, study):
        with tempfile.TemporaryDirectory() as folder:
            self.columns = dfsweep.Result(dfsweep.run(program, STUDIES / f"{study}.toml", f"{folder}/run")).columns
        self.count = len(self.columns["status"])

    def only(self, **values):
        """The metrics of the one row with these values."""
        found = [row for row in range(self.count)
                 if all(str(self.columns[name][row]) == str(value) for name, value in values.items())]
        assert len(found) == 1, (values, len(found))
        return {name: column[found[0]] for name, column in self.columns.items()}


def table(heading, rows):
    lines = ["| " + " | ".join(heading) + " |", "|" + "---|" * len(heading)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def seconds(value):
    return f"{value:.3g} s" if value >= 1 else f"{1e3 * value:.3g} ms"


def grouped(value):
    return f"{value:,.0f}".replace(",", " ")


def conventions(study, _):
    """What the literal shapes do to the step of the reference set-up."""
    rows = []
    for length in (128, 1024, 8192, 65536):
        row = [str(length)]
        for convention in ("sharded", "source"):
            at = study.only(convention=convention, strategy="tensor_pipeline", attention_kernel="materialized",
                            micro_batches=1, sequence_length=length)
            step = at["step_time"]
            row.append(seconds(step))
            row += [f"{100 * at[part] / step:.1f} %" for part in ("attention_time", "ffn_time", "communication_time")]
        rows.append(row)
    parts = ["attention", "FFN", "communication"]
    return table(["s", "sharded: step", *parts, "source: step", *parts], rows)


def best_pools(study, _):
    """The best pool by token rate per device."""
    rows = []
    for length in (512, 4096, 16384, 65536):
        row = [str(length)]
        for micro_batches in (1, 2, 8):
            at = study.only(convention="sharded", strategy="attention_pool", attention_kernel="materialized",
                            micro_batches=micro_batches, sequence_length=length, pool_devices="best")
            row += [f"{at['best_pool_devices']:.0f}", f"{at['speedup']:.2f}", f"{at['speedup_per_device']:.2f}"]
        rows.append(row)
    return table(["s", "M = 1: P", "speedup", "per device", "M = 2: P", "speedup", "per device", "M = 8: P", "speedup",
                  "per device"], rows)


def claims(_, study):
    """Every published number of the layer-wise set-up, ours, and what follows."""
    def at(strategy, **values):
        fixed = {"convention": "sharded", "phase": "prefill", "placement": "fastest", "micro_batches": 1}
        fixed |= {"spill": "none", "cache_capacity": 80e9} if strategy == "tensor_pipeline" else {}
        return study.only(strategy=strategy, **(fixed | values))

    literal = at("layerwise", convention="source", spill="none", cache_capacity=50e6)
    layers = at("layerwise", spill="none", cache_capacity=50e6)
    assert literal["status"] == layers["status"] == "out_of_cache"
    weights = literal["layer_weights"]
    numbers = [16 * weights / 2, 16 * layers["layer_weights"] / 2]
    baseline = [at("tensor_pipeline", micro_batches=m)["token_rate"] for m in (1, 128)]
    decoding = at("tensor_pipeline", phase="decode")
    streamed = [at("layerwise", spill="stream", cache_capacity=50e6, micro_batches=m)["token_rate"] for m in (1, 128)]
    decoded = [at("layerwise", spill="stream", cache_capacity=50e6, micro_batches=m, phase="decode")["token_rate"]
               for m in (1, 16)]
    return table(["published", "from the set-up", "verdict"], [
        ["537 MB of weights a layer",
         f"one matrix of 16384 x 16384 numbers: {weights / 1e6:.1f} MB; with attention of 32 heads of 128, up and down "
         f"{layers['layer_weights'] / 1e9:.2f} GB", "derived, for one matrix a layer"],
        ["41.9 GB of activations a layer",
         f"input of 128 x 10 000 tokens: {literal['layer_activations'] / 1e9:.2f} GB", "derived"],
        ["a layer fits in the cache",
         f"50 MB are {literal['cache_fit']:.3f} of what one layer needs; 16 caches hold 0.8 GB of "
         f"{16 * weights / 1e9:.2f} GB", "contradicted: `out_of_cache`"],
        ["\"30B\" parameters",
         f"{numbers[0] / 1e9:.1f} G with one matrix a layer, {numbers[1] / 1e9:.1f} G with attention, up and down",
         "not derived"],
        ["0.078 and 0.065 ms per token", f"1 / 12 800 s = {1e3 / 12800:.3f} ms, 1 / 15 360 s = {1e3 / 15360:.3f} ms",
         "the rates again"],
        ["+20 %, 3560 tokens/s more", f"15 360 / 12 800 = {15360 / 12800:.2f}; {15360 - 12800} tokens/s more",
         "the share follows from the rates, the gain does not"],
        ["12 800 tokens/s on TP 8 x PP 2",
         f"prefill {grouped(baseline[0])} (1 micro-batch) to {grouped(baseline[1])} (128) tokens/s; decoding "
         f"{grouped(decoding['token_rate'])} tokens/s, {1e3 * decoding['step_time']:.1f} ms a step",
         "not derived; 128 tokens every 10 ms are of the order of decoding"],
        ["15 360 tokens/s layer by layer",
         f"not from a cache of 50 MB; from DRAM prefill {grouped(streamed[0])} (1 micro-batch) to {grouped(streamed[1])} "
         f"(128), decoding {grouped(decoded[0])} (1) to {grouped(decoded[1])} (16) tokens/s",
         "not derived"],
    ])


TABLES = {"conventions": conventions, "best_pools": best_pools, "claims": claims}


def main(program, update):
    studies = Rows(program, "task-graph"), Rows(program, "layerwise")
    text = PAGE.read_text()
    fresh = text
    for name, make in TABLES.items():
        fresh, found = re.subn(rf"(<!-- generated: {name} -->\n).*?\n(?=\n)",
                               lambda match: match[1] + make(*studies) + "\n", fresh, flags=re.S)
        assert found == 1, f"no place for {name} in {PAGE}"
    if update:
        PAGE.write_text(fresh)
    elif fresh != text:
        print(f"{PAGE.name} is stale; run tests/golden/taskgraph_page.py PROGRAM --update")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], "--update" in sys.argv))
