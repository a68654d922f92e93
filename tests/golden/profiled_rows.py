"""Golden predictions of the original as points of the `profiled` estimator: which metric each figure belongs to."""
import csv
import pathlib
from dataclasses import dataclass

MILLISECOND = 1e-3
TOKEN_OPERATORS = ("attn_pre_proj", "attn_post_proj", "mlp_up_proj", "mlp_down_proj", "mlp_act", "input_layernorm",
                   "attn_rope", "add", "post_attention_layernorm")
BATCH_COLUMNS = TOKEN_OPERATORS + ("attn_kv_cache_save", "attn_decode", "attn_prefill")
PARAMETERS = ("model", "device", "network", "tensor_parallel", "pipeline_parallel", "stage", "batch_requests",
              "decode_batching_overhead")
DEVICES_PER_NODE = {"a100_dgx": 8, "h100_dgx": 8, "a40_pairwise_nvlink": 8, "a100_pairwise_nvlink": 4,
                    "h100_pairwise_nvlink": 4}


@dataclass
class Row:
    case: str
    point: dict      # parameter -> text
    expected: dict   # metric -> s


def table(reference, name):
    with open(pathlib.Path(reference) / "reference" / "vidur" / name, newline="") as file:
        return list(csv.DictReader(file))


def layers_of(reference):
    with open(pathlib.Path(reference) / "data" / "models.csv", newline="") as file:
        return {row["model"]: int(row["num_layers"]) for row in csv.DictReader(file)}


def point(model, device, requests, network="", tp="1", pp="1", stage="0", overhead=""):
    return dict(zip(PARAMETERS, (model, device, network, str(tp), str(pp), stage, requests, overhead)))


def batches(reference):
    """Whole batches of the random forest, with every operator's contribution."""
    rows = []
    for row in table(reference, "golden_batches.csv"):
        if row["predictor"] != "random_forest":
            continue
        expected = {f"{name}_time": float(row[f"{name}_ms"]) * MILLISECOND for name in BATCH_COLUMNS}
        expected["step_time"] = float(row["total_s"])
        rows.append(Row(row["case"], point(row["model"], row["device"], row["requests"], row["network_device"], row["tp"],
                                           row["pp"], row["stage"]), expected))
    return rows


def degrees_over_nodes(layers, node):
    """Degrees of a replica that fills several nodes and whose stages are equal."""
    return next((tp, pp) for tp in (1, 2, 4, 8) for pp in range(2, layers + 1)
                if layers % pp == 0 and tp * pp > node and tp * pp % node == 0)


def operators(reference):
    """One operator at one token count."""
    layers = layers_of(reference)
    rows = []
    for row in table(reference, "golden_ops.csv"):
        op, network, tp, pp = row["op"], row["network_device"], row["tp"], 1
        if op == "send_recv":
            tp, pp = 1, 2
        elif op == "send_recv_multi_node":
            tp, pp = degrees_over_nodes(layers[row["model"]], DEVICES_PER_NODE[network])
        requests = f"p{row['num_tokens']}@0"
        metric = op.removesuffix("_multi_node") + "_time"
        rows.append(Row(row["case"], point(row["model"], row["device"], requests, network, tp, pp),
                        {metric: float(row["pred_ms"]) * MILLISECOND}))
    return rows


def full_grid(reference):
    """Operators of a complete run of the original, attention included."""
    rows = []
    for row in table(reference, "golden_fullgrid_ops.csv"):
        requests = f"p{row['num_tokens']}@0"
        if row["op"] == "attn_decode":
            requests = f"{row['batch_size']}xd1@{row['kv_cache_size']}"
        elif row["op"] == "attn_prefill":
            requests = f"p{row['prefill_chunk_size']}@{row['kv_cache_size']}"
        rows.append(Row(row["case"], point(row["model"], row["device"], requests, tp=row["tp"], overhead="0"),
                        {f"{row['op']}_time": float(row["pred_ms"]) * MILLISECOND}))
    return rows


TABLES = {"golden_batches": batches, "golden_ops": operators, "golden_fullgrid_ops": full_grid}
