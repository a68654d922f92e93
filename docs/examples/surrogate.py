"""A surrogate of step times: how well it knows models and accelerators that it has seen, and others.

Usage: surrogate.py [--rows N] [--trees N] [--out DIR]. Prints the tables of docs/surrogate.md. Needs dfsweep, pandas and scikit-learn.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingRegressor

import dfsweep
from dfsweep.program import find_program
from dfsweep.quantities import parse_quantity

STUDY = pathlib.Path(__file__).resolve().parents[2] / "sweeps" / "studies" / "surrogate.toml"
NUMBERS = ["device_count", "tensor_parallel", "pipeline_parallel", "global_batch", "micro_batch", "interleaving"]
MODEL_NUMBERS = ["parameters", "active_parameters", "layers", "expert_layers", "training_flop_per_token", "cache_bytes_per_token"]
SYSTEM_NUMBERS = ["peak_flops", "peak_flops_8bit", "memory_bandwidth", "memory_capacity", "node_devices", "node_bandwidth",
                  "network_bandwidth"]
UNSEEN_SYSTEMS = ["gb200-nvl72", "mi355x", "gaudi3", "tpu-v5p"]
SEQUENCE_LENGTH = 4096


def described(*words):
    """What `dfsweep describe` says of these words."""
    done = subprocess.run([find_program(), "describe", *words, "--json"], text=True, capture_output=True, check=True)
    return json.loads(done.stdout)


def model_numbers(names):
    """Sizes of models: a frame with a row for each name."""
    rows = described("model", *names)["models"]
    return pd.DataFrame(rows).set_index("name")[MODEL_NUMBERS].loc[list(names)]


def field_number(value):
    """In base SI units, of "450 GB/s" or "8"."""
    quantity = parse_quantity(value)
    return float(value) if quantity is None else quantity[0]


def system_numbers(names):
    """Numbers of accelerators and of their networks: a frame with a row for each name."""
    rows = {}
    for name in names:
        fields = {field["field"]: field["value"] for field in described("catalogue", "systems", name)["fields"]}
        rows[name] = {field: field_number(fields[field]) for field in SYSTEM_NUMBERS if field in fields}
    frame = pd.DataFrame.from_dict(rows, orient="index", columns=SYSTEM_NUMBERS)
    frame["peak_flops_8bit"] = frame.peak_flops_8bit.fillna(frame.peak_flops)
    return frame.astype(float)


def sampled_rows(rows, folder):
    """The study with this many points: the rows that have a step time, and how many points have none."""
    text = re.sub(r"(?m)^count *=.*", f"count = {rows}", STUDY.read_text(encoding="utf-8"))
    sweep = folder / "surrogate.toml"
    sweep.write_text(text, encoding="utf-8")
    subprocess.run([find_program(), "run", str(sweep), "--out", str(folder / "run"), "--quiet"], check=True)
    return dfsweep.load(folder / "run", where="status == 'ok'")


class Features:
    """Columns that a tree learns from, and the step time that the devices would need at their peak."""

    def __init__(self, models, systems, trees):
        self.trees = trees
        self.models = model_numbers(models)
        self.systems = system_numbers(systems)

    def ideal_time(self, frame):
        """FLOP of the tokens of a step over the peak of all devices, in s."""
        flop = frame.model.map(self.models.training_flop_per_token).astype(float) * SEQUENCE_LENGTH * frame.global_batch
        systems = frame.system.astype(str)
        peak = np.where(frame.precision == "fp8", systems.map(self.systems.peak_flops_8bit), systems.map(self.systems.peak_flops))
        return flop / (peak * frame.device_count)

    def columns(self, frame):
        """Logarithms of numbers of the point, its model and its system, and codes of its choices."""
        ways = frame.tensor_parallel * frame.pipeline_parallel
        numbers = {name: frame[name].astype(float) for name in NUMBERS}
        numbers["data_parallel"] = frame.device_count / ways
        numbers["micro_batches"] = frame.global_batch * ways / (frame.device_count * frame.micro_batch)
        numbers["devices_over_node"] = frame.tensor_parallel / frame.system.astype(str).map(self.systems.node_devices)
        for name in MODEL_NUMBERS:
            numbers["model " + name] = 1.0 + frame.model.astype(str).map(self.models[name])
        for name in SYSTEM_NUMBERS:
            numbers["system " + name] = frame.system.astype(str).map(self.systems[name])
        columns = {name: np.log2(np.asarray(values, dtype=float)) for name, values in numbers.items()}
        columns["recompute"] = frame.recompute.cat.codes
        columns["is_8bit"] = (frame.precision == "fp8").astype(float)
        columns["optimizer_sharding"] = frame.optimizer_sharding.astype(float)
        return pd.DataFrame(columns)

    def __call__(self, frame):
        return self.columns(frame), np.log(self.ideal_time(frame))


def trained(features, frame, seed=0):
    """Boosted trees of ln(step time over ideal time)."""
    columns, ideal = features(frame)
    trees = HistGradientBoostingRegressor(max_iter=features.trees, max_leaf_nodes=63, learning_rate=0.1, early_stopping=False, random_state=seed)
    return trees.fit(columns, np.log(frame.step_time) - ideal)


def predicted(features, trees, frame):
    columns, ideal = features(frame)
    return np.exp(trees.predict(columns) + ideal)


def errors(features, trees, frame):
    """Relative errors in per cent."""
    return 100.0 * np.abs(predicted(features, trees, frame) / frame.step_time - 1.0)


def row(label, found):
    print(f"{label:34} {len(found):8} {found.median():9.1f} {found.quantile(0.9):9.1f} {found.quantile(0.99):9.1f}")


def errors_by_split(features, frame):
    """Errors on points of seen models, of unseen models and of unseen accelerators. Returns the trees of the unseen models."""
    print("split                                points    median  90th pct.  99th pct.")
    lot = np.random.default_rng(1).random(len(frame)) < 0.8
    row("points of seen models", errors(features, trained(features, frame[lot]), frame[~lot]))
    known = frame.split == "train"
    trees = trained(features, frame[known])
    row("models that are not seen", errors(features, trees, frame[~known]))
    new = frame.system.isin(UNSEEN_SYSTEMS)
    row("accelerators that are not seen", errors(features, trained(features, frame[~new]), frame[new]))
    return trees


def errors_by_model(features, trees, frame):
    print("\nmodel that is not seen               points    median  90th pct.  99th pct.")
    unseen = frame[frame.split == "test"]
    for name, part in unseen.groupby("model", observed=True):
        row(name, errors(features, trees, part))


def answered(frame):
    """The step times of points, asked of dfsweep as a function call."""
    choices = [name for name in frame.columns if name not in ("status", "split", "step_time")]
    return dfsweep.evaluate("training", frame[choices].astype({"model": str, "system": str, "precision": str, "recompute": str}),
                            sequence_length=SEQUENCE_LENGTH, metrics=["step_time"])


def refined(features, frame, count):
    """Unseen models after `count` of their points were asked: those where two surrogates disagree most, or drawn ones."""
    known = frame[frame.split == "train"]
    unseen = frame[frame.split == "test"]
    half = np.random.default_rng(2).random(len(unseen)) < 0.5
    pool, rest = unseen[half], unseen[~half]
    ones = [trained(features, known.sample(frac=0.5, random_state=seed), seed) for seed in (1, 2)]
    doubt = np.abs(np.log(predicted(features, ones[0], pool) / predicted(features, ones[1], pool)))
    drawn = pool.sample(min(count, len(pool)), random_state=3)
    doubted = pool.loc[doubt.sort_values(ascending=False).index[: min(count, len(pool))]]
    print(f"\nafter {min(count, len(pool))} points of unseen models        points    median  90th pct.  99th pct.")
    row("none", errors(features, trained(features, known), rest))
    for label, chosen in (("drawn at random", drawn), ("where two surrogates disagree", doubted)):
        asked = chosen.assign(step_time=answered(chosen).step_time)
        assert np.allclose(asked.step_time, chosen.step_time, rtol=1e-12), "a function call and a run differ"
        row(label, errors(features, trained(features, pd.concat([known, asked])), rest))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000, help="points of the sample")
    parser.add_argument("--trees", type=int, default=600, help="trees of a surrogate")
    parser.add_argument("--out", type=pathlib.Path, help="folder for the run; default: a temporary one")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        frame = sampled_rows(chosen.rows, chosen.out or pathlib.Path(temporary))
        print(f"{chosen.rows} points, {len(frame)} of which have a step time\n")
        features = Features(list(frame.model.cat.categories), list(frame.system.cat.categories), chosen.trees)
        trees = errors_by_split(features, frame)
        errors_by_model(features, trees, frame)
        refined(features, frame, max(100, chosen.rows // 200))
    return 0


if __name__ == "__main__":
    sys.exit(main())
