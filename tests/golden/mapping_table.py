"""What free mappings gain: Table VI of the DFModel paper, and its logged mappings beside the proven optima."""
import math
import pathlib
import tempfile
from dataclasses import dataclass, replace

from dfmodel_rows import all_tables
from program import SOURCE, Result, run, write_points

STUDY = SOURCE / "sweeps" / "studies" / "mapping-table-vi.toml"


@dataclass(frozen=True)
class Step:
    """A line of Table VI, or one beyond it: what is chosen how, on which layouts of the eight chips."""
    statement: str
    paper: str
    where: dict  # parameter -> value


def searched(most, accounting, sharding, **layout):
    return {"mapping": "best", "max_partitions": most, "sram_accounting": accounting, "sharding": sharding} | layout


STEPS = (
    Step("kernel by kernel, 8x1", "1.00", {"mapping": "kernel_by_kernel", "shape": "8", "tensor_parallel": 8}),
    Step("the vendor's four partitions, 8x1", "4.05",
         {"mapping": "../mappings/sn10-vendor.toml", "shape": "8", "tensor_parallel": 8}),
    Step("best in at most four partitions, 8x1", "4.80", searched(4, "code", "least_bytes", shape="8", tensor_parallel=8)),
    Step("best in at most four partitions, 4x2", "6.13", searched(4, "code", "least_bytes", shape="4x2", data_parallel=2)),
    Step("any number of partitions, 8x1", "", searched(0, "code", "least_bytes", shape="8", tensor_parallel=8)),
    Step("any number of partitions, 4x2", "", searched(0, "code", "least_bytes", shape="4x2", data_parallel=2)),
    Step("sharding chosen with the partitions, 8x1", "", searched(0, "split", "joint", shape="8", tensor_parallel=8)),
    Step("sharding chosen with the partitions, 4x2", "", searched(0, "split", "joint", shape="4x2", data_parallel=2)),
    Step("everything free, the best of six layouts", "", searched(0, "split", "joint")),
)
VARIANTS = (("6", "separate"), ("0", "separate"), ("0", "one_mixed"), ("0", "free"))  # most partitions, phase order


def fastest(result, where, convention):
    rows = [i for i in range(result.count) if result["convention"][i] == convention and result["status"][i] == "ok"
            and all(result[name][i] == value for name, value in where.items())]
    return min(result["step_time"][i] for i in rows)


def table_vi(program, folder):
    """Lines: accumulated speed-ups over kernel by kernel on the ring, the paper's beside ours."""
    result = Result(run(program, STUDY, pathlib.Path(folder) / "mapping-table-vi"))
    lines = ["| mapping | paper | ours | step time (s) | ours, `physical` | step time (s) |", "|---|---|---|---|---|---|"]
    first = {}
    for step in STEPS:
        cells = []
        for convention in ("dfmodel-g1", "physical"):
            time = fastest(result, step.where, convention)
            cells.append(f"{first.setdefault(convention, time) / time:.2f} | {time:.2f}")
        lines.append(f"| {step.statement} | {step.paper} | {' | '.join(cells)} |")
    return lines


def searched_rows(reference):
    """Rows whose log is the answer of a search, by table; the utilization given where the log has one."""
    tables = all_tables(reference)
    yield "llm_gpt3_1t_dse", [row for row in tables["llm_gpt3_1t_dse"]
                              if row.point["device"] == "sn30" and float(row.point["compute_utilization"]) > 0]
    yield "gpt3_175b_sn10_mapping", [row for row in tables["gpt3_175b_sn10_mapping"] if "dfmodel" in row.name]
    yield "gpt3_175b_sram_dram", [row for row in tables["gpt3_175b_sram_dram"]
                                  if row.point["mapping"] != "kernel_by_kernel"]


def variants_of(row):
    for most, order in VARIANTS:
        most = "4" if row.point["model"] == "gpt3-175b" and most == "6" else most
        choice = {"mapping": "best", "max_partitions": most, "phase_order": order, "sram_accounting": "code"}
        yield replace(row, point=row.point | choice, assignment=None)


def ratio_text(logged, ours):
    return "-" if math.isnan(ours) else f"{logged / ours:.4f}"


def logged_mappings(program, reference):
    """Table head and one line per row."""
    lines = ["| run | logged (s) | logged count, separate | logged / ours | count free, separate | one mixed | free "
             "| logged / free |",
             "|---|---|---|---|---|---|---|---|"]
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for table, rows in searched_rows(reference):
            points = [variant for row in rows for variant in variants_of(row)]
            if not points:
                continue
            result = Result(run(program, write_points(points, folder, table), folder / "runs" / table))
            for i, row in enumerate(rows):
                at = range(i * len(VARIANTS), (i + 1) * len(VARIANTS))
                times = [float(result["step_time"][j]) for j in at]
                texts = [f"{time:.6g}" if result["status"][j] == "ok" else result["status"][j] for j, time in zip(at, times)]
                logged = float(row.expected[0])
                lines.append(f"| {row.name} | {logged:.6g} | {texts[0]} | {ratio_text(logged, times[0])} | "
                             f"{' | '.join(texts[1:])} | {ratio_text(logged, times[3])} |")
    return lines
