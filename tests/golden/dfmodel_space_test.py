"""The program against the second reading of the equations on whole design spaces: usage: dfmodel_space_test.py PROGRAM.

Needs no published numbers. The spaces: the studies as shipped, and all accelerators, networks, workloads, overlap modes
and both trivial mappings as one point list.
"""
import itertools
import json
import math
import pathlib
import subprocess
import sys
import tempfile

from dfmodel_oracle import TOPOLOGIES, estimate_point
from dfmodel_rows import QUANTITIES, Row
from program import SOURCE, Result, run, write_mappings, write_points

TOLERANCE = 1e-9  # the two implementations add in different orders, nothing else
STUDIES = ("quickstart.toml", "studies/llm.toml", "studies/dlrm.toml", "studies/hpl.toml", "studies/fft.toml",
           "studies/rail-only.toml", "studies/calculon.toml", "studies/sn10-mapping.toml")
PARAMETERS = ("model", "device", "memory", "topology", "shape", "interconnect", "outer_interconnect", "mapping", "overlap",
              "compute_utilization", "convention", "high_bandwidth_domain", "global_batch", "tensor_parallel",
              "pipeline_parallel", "data_parallel")
BANDWIDTHS = ("dram_bandwidth", "link_bandwidth", "outer_link_bandwidth")


def given(value):
    return value not in ("", None) and not (isinstance(value, float) and math.isnan(value))


def points_of(result):
    """The points of a dataset with bandwidths back in GB/s and the shape that the degrees imply."""
    for i in range(result.count):
        point = {name: result[name][i] for name in PARAMETERS if name in result.columns}
        point |= {name: float(result[name][i]) / 1e9 for name in BANDWIDTHS if name in result.columns}
        point = {name: value for name, value in point.items() if given(value)}
        if "shape" not in point:
            point["shape"] = "x".join(str(int(point[f"{role}_parallel"])) for role in ("tensor", "pipeline", "data"))
        yield point


def found_mapping(program, sweep, point):
    """Partition of every kernel of a point whose mapping was searched for."""
    done = subprocess.run([program, "explain", str(sweep), "--point", str(point), "--json"], text=True, capture_output=True,
                          check=True)
    sections = json.loads(done.stdout)["explanation"]["sections"]
    table = next(section["table"] for section in sections if section["title"] == "kernels")
    column = table["headings"].index("partition")
    return [int(row[column]) for row in table["rows"]]


def with_found_mappings(program, sweep, result, points, folder):
    """The points, those at their best mapping with the file of what was found."""
    for i, point in enumerate(points):
        if point["mapping"] == "best":
            path = pathlib.Path(folder) / f"{pathlib.Path(sweep).stem}-{i}.toml"
            path.write_text(f"assignment = {found_mapping(program, sweep, result['point'][i])}\n")
            point["mapping"] = str(path)
        yield point


def compare(result, points, folder, what):
    """Number of figures that differ."""
    failures, worst = 0, 0.0
    statuses = result["status"]
    for i, point in enumerate(points):
        if statuses[i] == "out_of_sram" and point["mapping"] == "single_partition":
            continue  # the second reading knows no capacities
        expected = estimate_point(point, folder)
        for name, right in zip(QUANTITIES, expected):
            if math.isnan(right):
                continue
            ours = float(result[name][i])
            difference = abs(ours / right - 1) if statuses[i] == "ok" else math.inf
            worst = max(worst, difference)
            if not difference <= TOLERANCE:
                failures += 1
                if failures <= 10:
                    print(f"{what}: row {i}: {name} {ours!r}, expected {right!r} ({statuses[i]}): {point}")
    print(f"{what}: {result.count} points, largest relative difference {worst:.1e}")
    return failures


def shape_of(model, topology):
    if model.startswith("gpt3"):
        return {1: "8", 2: "8x128", 3: "8x64x2"}[len(TOPOLOGIES[topology])]
    if topology == "3d-torus":
        return "4x8x32" if model.startswith("hpl") else "8x8x16"
    return "8x128" if topology.startswith("dgx") and not model.startswith("hpl") else "32x32"


def grid():
    """All systems with both trivial mappings, for transformers on every topology and both older conventions."""
    paper = ("2d-torus", "3d-torus", "dragonfly", "dgx-1", "dgx-2")
    spaces = [("gpt3-1t", TOPOLOGIES, ("dfmodel-g1", "dfmodel-g2"))]
    spaces += [(model, paper, ("dfmodel-g1",)) for model in ("dlrm-793b", "hpl-1m", "hpl-5m", "fft-1t")]
    for model, topologies, conventions in spaces:
        for choice in itertools.product(topologies, conventions, ("h100", "h100-low-price", "tpu-v4", "sn30", "wse-2"),
                                        ("ddr4", "hbm3"), ("pcie4", "nvlink4"), ("perfect", "none"),
                                        ("kernel_by_kernel", "single_partition")):
            topology, convention, device, memory, network, overlap, mapping = choice
            point = {"model": model, "device": device, "memory": memory, "topology": topology,
                     "shape": shape_of(model, topology), "interconnect": network,
                     "outer_interconnect": "pcie4" if model == "gpt3-1t" else network, "mapping": mapping,
                     "overlap": overlap, "compute_utilization": "0.9", "convention": convention,
                     "precision": "fp32" if model == "dlrm-793b" else "bf16"}
            yield Row("grid", "", "A", "", point, ())


def main(program):
    failures = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for study in STUDIES:
            path = SOURCE / "sweeps" / study
            result = Result(run(program, path, folder / path.stem))
            points = with_found_mappings(program, path, result, points_of(result), folder)
            failures += compare(result, points, path.parent, study)
        rows = list(grid())
        write_mappings(rows, folder)
        result = Result(run(program, write_points(rows, folder, "grid"), folder / "grid"))
        failures += compare(result, [row.point for row in rows], folder, "every system, workload, overlap and mapping")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
