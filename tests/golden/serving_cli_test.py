"""Logged rows of the serving study through the public command line: usage: serving_cli_test.py PROGRAM REFERENCE.

A `[points]` file holds one line for each row of reference/dfmodel/serving_llama.csv with what its log echoes; rate, cost,
power and utilization have to come out as logged. The tiles of the early prefill runs are not logged; they are the powers of two that
give the logged cycles.
"""
import csv
import pathlib
import sys
import tempfile

from program import Result, run

TOLERANCE = 1e-5
LOOSE = {"serv01_llama3_8B_decode_tp1pp16_early": 1e-3}  # stopped within the tolerance of its solver
TILES = {"serv05_llama3_8B_prefill_tp4pp4_early": "16", "serv06_llama3_8B_prefill_tp1pp16_early": "32",
         "serv07_llama3_8B_prefill_tp8pp2_early": "256"}
PAPER_RATE = 1187.8  # tokens/s of the paper's text, 1 / stage time, at TP16

MODELS = {"llama3_8B": "llama3-8b", "llama3_70B": "llama3-70b", "llama3_405B": "llama3-405b", "llama_68M": "llama-68m"}


def point(row):
    """Parameters of one row. The oldest run has no latency and links between all chips."""
    early, oldest = row["code_generation"] == "early", row["code_generation"] == "oldest"
    return {
        "model": MODELS[row["model"]], "device_count": row["chips"], "tensor_parallel": row["TP"],
        "pipeline_parallel": row["PP"], "phase": row["phase"].split("_")[0],
        "compute_utilization": "0" if early or oldest else "0.9",
        "dram_bandwidth": f"{row['dram_gbs']} GB/s", "link_bandwidth": f"{row['link_gbs']} GB/s",
        "link_latency": f"{row['link_latency_ns_effective'] or 0} ns", "requests": row["num_requests_streamed"],
        "all_reduce_passes": "1" if early else "2", "topology": "fully-connected" if oldest else "ring",
        "num_tile": TILES.get(row["row_id"], "1"),
    }


def write_sweep(rows, folder):
    points = [point(row) for row in rows]
    lines = [",".join(points[0])] + [",".join(p.values()) for p in points]
    (folder / "serving.csv").write_text("\n".join(lines) + "\n")
    sweep = folder / "serving.toml"
    sweep.write_text('[sweep]\nname = "serving"\nestimator = "serving_study"\n[points]\nfile = "serving.csv"\n[parameters]\n'
                     'device = "sn40l"\nmemory = "hbm-sn40l"\ninterconnect = "sn40l-link"\nprompt_tokens = 4096\n')
    return sweep


def main(program, reference):
    with open(pathlib.Path(reference) / "reference/dfmodel/serving_llama.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        result = Result(run(program, write_sweep(rows, folder), folder / "out"))
    problems = []
    for i, row in enumerate(rows):
        errors = {"rate": result["request_rate"][i] / float(row["requests_per_s"]) - 1,
                  "cost": result["system_cost"][i] / float(row["system_cost_usd"]) - 1,
                  "power": result["system_power"][i] / float(row["system_power_w"]) - 1}
        print(row["row_id"], " ".join(f"{key} {error:+.1e}" for key, error in errors.items()))
        allowed = LOOSE.get(row["row_id"], TOLERANCE)
        problems += [f"{row['row_id']}: {key} {error:+.2e}" for key, error in errors.items() if abs(error) > allowed]
        if row["phase"] == "decode" and row["TP"] == "16" and row["code_generation"] == "late":
            if abs(result["decode_rate"][i] / PAPER_RATE - 1) > 1e-5:
                problems.append(f"{row['row_id']}: {result['decode_rate'][i]} tokens/s, not {PAPER_RATE}")
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
