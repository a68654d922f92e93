"""The DFModel paper's aggregate claims, recomputed from the rows of the 320-point study.

A claim is a ratio of geometric means over two groups of systems, of utilization, cost efficiency and power efficiency.
"""
import math
from dataclasses import dataclass

EFFICIENCIES = {"utilization": "utilization", "cost efficiency": "cost_efficiency", "power efficiency": "power_efficiency"}
SIMPLE = ("2d-torus", "3d-torus", "dgx-1", "dgx-2")


@dataclass(frozen=True)
class Claim:
    workload: str
    statement: str
    paper: tuple  # one value per quantity
    quantities: tuple
    above: dict  # parameter -> values: the group in the numerator
    below: dict
    note: str = ""


UTILIZATION = ("utilization",)
ALL = tuple(EFFICIENCIES)
OTHERS = ("h100", "tpu-v4", "sn30")
BARE = {"device": OTHERS}


def network(workload, values, paper_note=""):
    return Claim(workload, "NVLink over PCIe", values, ALL, {"interconnect": ("nvlink4",)}, {"interconnect": ("pcie4",)},
                 paper_note)


def dragonfly(workload, values, quantities=ALL, where=None, statement="dragonfly over simple topologies", note=""):
    where = where or {}
    return Claim(workload, statement, values, quantities, {"topology": ("dragonfly",)} | where,
                 {"topology": SIMPLE} | where, note)


def device(workload, name, device, rest, values, quantities=ALL, note=""):
    return Claim(workload, name, values, quantities, {"device": device}, {"device": rest}, note)


GPUS = ("h100", "tpu-v4")
HALVED = "see below"
MIXED = "SN30 in its best six partitions"
CLAIMS = (
    device("gpt3", "RDU over GPU and TPU", ("sn30",), GPUS, (1.52, 1.59, 1.60), note=MIXED),
    Claim("gpt3", "GPU and TPU, HBM over DDR", (1.66,), UTILIZATION, {"device": GPUS, "memory": ("hbm3",)},
          {"device": GPUS, "memory": ("ddr4",)}),
    Claim("gpt3", "RDU, HBM over DDR", (1.00,), UTILIZATION, {"device": ("sn30",), "memory": ("hbm3",)},
          {"device": ("sn30",), "memory": ("ddr4",)}, MIXED),
    dragonfly("gpt3", (1.00,), UTILIZATION, {"interconnect": ("nvlink4",)}, "dragonfly over simple topologies, NVLink"),
    dragonfly("gpt3", (1.21,), UTILIZATION, {"interconnect": ("pcie4",)} | BARE,
              "dragonfly over simple topologies, PCIe", "without WSE; " + MIXED),
    dragonfly("gpt3", (0.51, 0.91), ALL[1:], BARE, note="without WSE; " + MIXED),
    Claim("gpt3", "WSE, HBM over DDR", (1.00,), UTILIZATION, {"device": ("wse-2",), "memory": ("hbm3",)},
          {"device": ("wse-2",), "memory": ("ddr4",)}),
    Claim("gpt3", "WSE, NVLink over PCIe", (5.15,), UTILIZATION, {"device": ("wse-2",), "interconnect": ("nvlink4",)},
          {"device": ("wse-2",), "interconnect": ("pcie4",)}),
    device("gpt3", "WSE over other accelerators", ("wse-2",), OTHERS, (0.06, 0.20), ALL[1:], MIXED),
    network("dlrm", (6.3, 4.31, 6.04)),
    dragonfly("dlrm", (2.51, 1.66, 2.13)),
    device("dlrm", "TPU over other accelerators", ("tpu-v4",), ("h100", "sn30", "wse-2"), (4.43, 9.45, 5.24)),
    device("dlrm", "WSE over other accelerators", ("wse-2",), OTHERS, (0.10, 0.01, 0.04)),
    device("hpl", "WSE over GPU, TPU and RDU", ("wse-2",), OTHERS, (0.09, 0.33), ALL[1:]),
    network("fft", (7.02, 4.81, 6.73), HALVED),
    dragonfly("fft", (3.22, 2.13, 2.74), note=HALVED),
    device("fft", "TPU over other accelerators", ("tpu-v4",), ("h100", "sn30", "wse-2"), (5.11, 10.92, 6.06),
           note=HALVED),
    device("fft", "WSE over other accelerators", ("wse-2",), OTHERS, (0.09, 0.01, 0.03),
           note=HALVED),
)


def geometric_mean(values):
    return math.exp(math.fsum(math.log(value) for value in values) / len(values))


def rows_in(result, workload, group):
    return [i for i in range(result.count) if result["model"][i].startswith(workload)
            and all(result[name][i] in values for name, values in group.items())]


def ratios(result, claim):
    above, below = rows_in(result, claim.workload, claim.above), rows_in(result, claim.workload, claim.below)
    for quantity in claim.quantities:
        column = result[EFFICIENCIES[quantity]]
        yield geometric_mean([column[i] for i in above]) / geometric_mean([column[i] for i in below])


VENDOR = Claim("gpt3 forward", "vendor's mapping over kernel by kernel, SN10 ring", (4.05,), ("speed",), {}, {},
               "Table VI, in full below")


def vendor_speedup(result):
    """Of sweeps/studies/sn10-mapping.toml: step times on the ring with perfect overlap."""
    times = {result["mapping"][i] == "kernel_by_kernel": result["step_time"][i] for i in range(result.count)
             if result["topology"][i] == "ring" and result["overlap"][i] == "perfect"}
    return times[True] / times[False]


HALVED_RUNS = """
[sweep]
name      = "halved"
estimator = "dataflow"

[parameters]
model        = "fft-1t"
device       = "h100"
topology     = "dragonfly"
shape        = "32x32"
memory       = ["ddr4", "hbm3"]
interconnect = ["pcie4", "nvlink4"]
convention   = "dfmodel-g1"
peak_flops   = "496607.232 GFLOP/s"
"""


def with_halved_runs(space, halved):
    """The space with the utilization of the FFT runs on H100 dragonflies replaced by that of chips of half the cores.

    Efficiencies follow the utilization, as if the chips had all their cores: that gives the paper's values.
    """
    system = ("model", "device", "topology", "memory", "interconnect")
    utilization = {tuple(halved[name][i] for name in system): halved["utilization"][i] for i in range(halved.count)}
    columns = dict(space.columns)
    for name in EFFICIENCIES.values():
        columns[name] = list(space[name])
    for i in range(space.count):
        replaced = utilization.get(tuple(space[name][i] for name in system))
        for name in EFFICIENCIES.values() if replaced else ():
            columns[name][i] *= replaced / space["utilization"][i]
    return Columns(space.count, columns)


@dataclass(frozen=True)
class Columns:
    """What is asked of a result."""
    count: int
    columns: dict

    def __getitem__(self, name):
        return self.columns[name]


def recomputed(space, mappings):
    """(claim, quantity, the paper's value, ours, whether ours rounds to the paper's) in the order of CLAIMS.

    `space` and `mappings` are the results of sweeps/quickstart.toml and sweeps/studies/sn10-mapping.toml.
    """
    values = list(claims_of(space, CLAIMS))
    values.append((VENDOR, VENDOR.quantities[0], VENDOR.paper[0], vendor_speedup(mappings)))
    for claim, quantity, paper, ours in values:
        yield claim, quantity, paper, ours, f"{ours:.2f}" == f"{paper:.2f}"


def claims_of(space, claims):
    for claim in claims:
        for quantity, paper, ours in zip(claim.quantities, claim.paper, ratios(space, claim)):
            yield claim, quantity, paper, ours
