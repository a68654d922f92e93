"""The rows of the published DFModel tables as points in the words of a sweep file, each with what is expected of it."""
import csv
import math
import pathlib
from dataclasses import dataclass

from dfmodel_oracle import DEVICES, MEMORIES, LINKS, cost_and_power

QUANTITIES = ("step_time", "utilization", "system_cost", "system_power")
TOLERANCE = {"A": 1e-6, "B": 1e-3}  # relative; rows of grade C are reported only

MODEL = {"GPT3_1T_train": "gpt3-1t", "GPT3_175B_forward": "gpt3-175b", "GPT_100T_forward": "gpt-100t",
         "DLRM": "dlrm-793b", "FFT": "fft-1t"}
DEVICE = {"h100": "h100", "tpu": "tpu-v4", "sn30": "sn30", "wse-2": "wse-2", "sn10": "sn10", "a100": "a100"}
TOPOLOGY = {"2d_torus": "2d-torus", "3d_torus": "3d-torus", "dragonfly": "dragonfly", "dgx_1": "dgx-1",
            "dgx_2": "dgx-2", "sw_sw_sw": "switch-switch-switch"}
MEMORY = {"ddr": "ddr4", "hbm": "hbm3"}
NETWORK = {"pcie": "pcie4", "nvlink": "nvlink4"}


@dataclass
class Row:
    table: str
    name: str
    grade: str
    why: str  # of grade C: why nothing is asserted
    point: dict  # parameter -> value as in a sweep file
    expected: tuple  # in the order of QUANTITIES; NaN where the log has no value
    assignment: list = None  # of kernels to partitions, where the mapping is a file


def read(folder, table):
    path = pathlib.Path(folder) / "reference" / "dfmodel" / f"{table}.csv"
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def value(row, *names):
    for name in names:
        if row.get(name):
            return float(row[name])
    return math.nan


def expectation(row):
    return (value(row, "iteration_time_s", "total_time_s"), value(row, "system_flops_utilization", "utilization"),
            value(row, "system_cost_usd"), value(row, "system_power_w"))


def peak_of(row, device):
    """Some runs had other core counts than the rest: there the logged peak replaces the one of the catalogue."""
    ours, logged = DEVICES[device].peak, float(row["peak_gflops"])
    return f"{ours if abs(logged / ours - 1) < 1e-6 else logged!r} GFLOP/s"


def language_model_rows(folder):
    assignments = {row["row_id"]: [int(p) for p in row["assignment_of_kernels_1_to_n"].split()]
                   for row in read(folder, "partitions")}
    for row in read(folder, "llm_gpt3_1t_dse"):
        name, device, count = row["row_id"], DEVICE[row["accelerator"]], row["num_partitions"]
        grade, why, assignment = "B", "", None
        mapping = {"41": "kernel_by_kernel", "1": "single_partition"}.get(count)
        if mapping is None:
            assignment = assignments.get(name)
            mapping = f"{name}.toml" if assignment else "best"  # what the solver was asked for is logged, not its answer
        if float(row["compute_util_input"]) == 0:
            grade, why = "C", "integer cycle model of the original"
        if "INTERRUPTED" in row["note"]:
            grade, why = "C", "the log is an interrupted search"
        if name == "gpt1t_tpu_dgx_1_hbm_nvlink_none":
            grade, why = "C", "inside the solver's slack of the original"
        point = {"model": "gpt3-1t", "device": device, "memory": MEMORY[row["memory_tech"]],
                 "topology": TOPOLOGY[row["topology"]], "shape": row["dims"], "interconnect": NETWORK[row["net_tech"]],
                 "outer_interconnect": "pcie4", "mapping": mapping, "overlap": row["overlap_mode"],
                 "compute_utilization": row["compute_util_input"], "convention": "dfmodel-g1", "precision": "bf16",
                 "device_price": f"{row['accelerator_price']} USD", "device_power": f"{row['accelerator_power']} W",
                 "max_partitions": count if mapping == "best" else "0", "phase_order": "separate" if mapping == "best" else "free",
                 "sram_accounting": "code" if mapping == "best" else "paper"}
        yield Row("llm_gpt3_1t_dse", name, grade, why, point, expectation(row), assignment)


def program_rows(folder, table):
    for row in read(folder, table):
        device = DEVICE[row["accelerator"]]
        model = MODEL.get(row["workload"]) or ("hpl-5m" if row["problem"].startswith("N=5242880") else "hpl-1m")
        point = {"model": model, "device": device, "memory": MEMORY[row["memory_tech"]],
                 "topology": TOPOLOGY[row["topology"]], "shape": row["dims"], "interconnect": NETWORK[row["net_tech"]],
                 "mapping": "single_partition" if row["num_partitions"] == "1" else "kernel_by_kernel",
                 "overlap": row["overlap_mode"], "compute_utilization": row["compute_util_input"],
                 "convention": "dfmodel-g1", "precision": "fp32" if model == "dlrm-793b" else "bf16",
                 "peak_flops": peak_of(row, device)}
        point["device"] = cheaper_or_not(row, point)
        yield Row(table, row["row_id"], "A", "", point, expectation(row))


def cheaper_or_not(row, point):
    """H100 runs had one of two prices; the logged cost tells which."""
    if point["device"] != "h100":
        return point["device"]
    shape = tuple(int(size) for size in point["shape"].split("x"))
    links = [LINKS[point["interconnect"]]] * len(shape)
    costs = {name: cost_and_power(DEVICES[name], MEMORIES[point["memory"]], point["topology"], shape, links)[0]
             for name in ("h100", "h100-low-price")}
    return min(costs, key=lambda name: abs(costs[name] - float(row["system_cost_usd"])))


def rail_only_rows(folder):
    """The logged cost and power of these H100 runs are those of SN30 accelerators with DDR and PCIe-class links."""
    for row in read(folder, "rail_only_h100_sweep"):
        point = {"model": "gpt3-1t", "device": "h100", "memory": "ddr4", "topology": "switch-switch-switch",
                 "shape": f"{row['TP']}x{row['PP']}x{row['DP']}", "interconnect": "pcie4",
                 "outer_interconnect": "pcie4", "high_bandwidth_domain": row["high_bandwidth_domain_size"],
                 "global_batch": row["global_batch"], "mapping": "kernel_by_kernel", "overlap": row["overlap_mode"],
                 "compute_utilization": row["compute_util_input"], "convention": "dfmodel-g2", "precision": "bf16",
                 "dram_bandwidth": f"{row['dram_gbs']} GB/s", "link_bandwidth": f"{row['link_x_gbs']} GB/s",
                 "outer_link_bandwidth": f"{row['link_y_gbs']} GB/s", "device_price": "16522.25023 USD",
                 "device_power": "444.7061955 W"}
        yield Row("rail_only_h100_sweep", row["row_id"], "A", "", point, expectation(row))


def mapping_rows(folder):
    """Rows without overlap are of a later generation, and their time is not explained by the published equations."""
    for row in read(folder, "gpt3_175b_sn10_mapping"):
        perfect = row["overlap_mode"] == "perfect"
        assignment = [int(p) for p in row["partition_assignment"].replace(";", " ").split()] or None
        mapping = {"kbk": "kernel_by_kernel", "vendor": "sn10-vendor.toml"}.get(row["mapping"])
        grade, why = ("A", "") if perfect else ("C", "run without overlap, not reproduced by the equations")
        if mapping is None:
            mapping = f"{row['row_id']}.toml" if assignment else "sn10-vendor.toml"
        if row["mapping"] == "dataflow" and not assignment:
            grade, why = "C", "the assignment is not logged; compared with the vendor's"
        ring = row["topology"].startswith("ring")
        point = {"model": "gpt3-175b", "phase": "prefill", "device": "sn10", "memory": "ddr4-sn10",
                 "topology": "ring" if ring else "2d-torus", "shape": row["TP"] if ring else f"{row['TP']}x{row['DP']}",
                 "tensor_parallel": row["TP"], "data_parallel": row["DP"],
                 "interconnect": "pcie4", "mapping": mapping, "overlap": row["overlap_mode"],
                 "compute_utilization": row["compute_util_input"], "precision": "bf16",
                 "convention": "dfmodel-g1" if perfect else "dfmodel-g2", "dram_bandwidth": f"{row['dram_gbs']} GB/s",
                 "link_bandwidth": f"{row['link_gbs']} GB/s"}
        yield Row("gpt3_175b_sn10_mapping", row["row_id"], grade, why, point, expectation(row), assignment)


def sram_rows(folder):
    """MB of these runs are 2^20 B: 300 x 10^6 B hold no shard of the FFN weights, 301 989 888 B, and the run has a result."""
    for row in read(folder, "gpt3_175b_sram_dram"):
        point = {"model": "gpt3-175b", "phase": "prefill", "device": "sn10", "memory": "ddr4-sn10",
                 "topology": "2d-torus", "shape": f"{row['TP']}x{row['DP']}", "tensor_parallel": row["TP"],
                 "data_parallel": row["DP"], "interconnect": "pcie4", "overlap": row["overlap_mode"],
                 "mapping": "kernel_by_kernel" if row["execution_style"] == "KBK" else "sn10-vendor.toml",
                 "compute_utilization": "0", "convention": "dfmodel-g2", "precision": "bf16",
                 "sram_capacity": f"{row['sram_mb_nominal']} MiB", "dram_bandwidth": f"{row['dram_gbs']} GB/s"}
        yield Row("gpt3_175b_sram_dram", row["row_id"], "C", "integer cycle model and time-limited search of the original",
                  point, expectation(row))


def calculon_rows(folder):
    for row in read(folder, "calculon_a100_sweep"):
        point = {"model": "gpt3-1t", "device": "a100", "memory": "hbm2e", "topology": "switch-switch-switch",
                 "shape": f"{row['TP']}x{row['PP']}x{row['DP']}", "interconnect": "nvlink3",
                 "outer_interconnect": "pcie4", "mapping": "kernel_by_kernel", "overlap": row["overlap_mode"],
                 "compute_utilization": "0.9", "convention": "dfmodel-g1", "precision": "bf16",
                 "dram_bandwidth": f"{row['dram_gbs']} GB/s", "link_bandwidth": f"{row['link_x_gbs']} GB/s",
                 "outer_link_bandwidth": f"{row['link_y_gbs']} GB/s", "dram_capacity": "1 TiB"}
        yield Row("calculon_a100_sweep", row["row_id"], "C", "oldest code, with a set-up time per kernel", point,
                  expectation(row))


def memory_rows(folder):
    memories = {"DDR": "ddr-3d-study", "HBM": "hbm-3d-study", "3D": "stacked-3d"}
    for row in read(folder, "memory3d_100t"):
        point = {"model": "gpt-100t", "phase": "prefill", "memory": memories[row["memory"]], "topology": "ring",
                 "device": f"stacked-{round(100 * float(row['compute_area_fraction']))}", "shape": row["chips"],
                 "interconnect": "pcie4", "mapping": "kernel_by_kernel", "overlap": row["overlap_mode"],
                 "compute_utilization": "0", "convention": "dfmodel-g3", "precision": "bf16",
                 "dram_bandwidth": f"{row['dram_gbs']} GB/s", "link_bandwidth": f"{row['link_gbs']} GB/s", "dram_capacity": "100 TB"}
        yield Row("memory3d_100t", row["row_id"], "C", "integer cycle model of the original", point, expectation(row))


def all_tables(folder):
    """Table name -> its rows, in the order of the published files."""
    return {
        "llm_gpt3_1t_dse": list(language_model_rows(folder)),
        "dlrm_793b_dse": list(program_rows(folder, "dlrm_793b_dse")),
        "hpl_dse": list(program_rows(folder, "hpl_dse")),
        "fft_1t_dse": list(program_rows(folder, "fft_1t_dse")),
        "rail_only_h100_sweep": list(rail_only_rows(folder)),
        "gpt3_175b_sn10_mapping": list(mapping_rows(folder)),
        "gpt3_175b_sram_dram": list(sram_rows(folder)),
        "calculon_a100_sweep": list(calculon_rows(folder)),
        "memory3d_100t": list(memory_rows(folder)),
    }
