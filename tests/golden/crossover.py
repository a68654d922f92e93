"""Measured operators beside rooflines: how far a roofline is from what the profiled estimator reads from tables.

The roofline of an operator is max(FLOP / peak, bytes / bandwidth) with numbers of 2 bytes and the rates that the catalogue
gives the device; it is written here once more, apart from the program. "Stand-in" is the program itself where the table
of the model is taken away: fallback = "analytical" scales the nearest table that is left by the ratio of rooflines.
"""
import math
import pathlib
import shutil
import tempfile
from dataclasses import dataclass

from program import Result, run

WORD = 2
RATES = {"a100": (311.9e12, 2039e9), "h100": (993.2e12, 3350e9)}  # FLOP/s and B/s, as the catalogue has them
TOKENS = (8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096)
RANGES = (("8 to 64", 64), ("128 to 512", 512), ("1024 to 4096", 4096))
DECODES = tuple((batch, context) for batch in (1, 8, 32, 128) for context in (256, 1024, 4032))
CHUNKS = tuple((chunk, context) for chunk in (64, 256, 1024) for context in (0, 1024, 2048))


@dataclass
class Layer:
    device: str
    model: str
    tp: int
    hidden: int
    heads: int
    key_value_heads: int
    ffn: int

    @property
    def query(self):
        return self.heads * 128 // self.tp

    @property
    def key_value(self):
        return math.ceil(self.key_value_heads / self.tp) * 128


LAYERS = (Layer("a100", "meta-llama/Llama-2-7b-hf", 1, 4096, 32, 32, 11008),
          Layer("a100", "meta-llama/Llama-2-70b-hf", 1, 8192, 64, 8, 28672),
          Layer("h100", "meta-llama/Llama-2-70b-hf", 1, 8192, 64, 8, 28672),
          Layer("a100", "codellama/CodeLlama-34b-Instruct-hf", 2, 8192, 64, 8, 22016))


def product(tokens, k, n):
    return 2 * tokens * k * n, WORD * (tokens * k + k * n + tokens * n)


def stream(numbers):
    return numbers, WORD * numbers


def work(layer, op, tokens):
    h, q, kv, f = layer.hidden, layer.query, layer.key_value, layer.ffn // layer.tp
    return {"attn_pre_proj": product(tokens, h, q + 2 * kv), "attn_post_proj": product(tokens, q, h),
            "mlp_up_proj": product(tokens, h, 2 * f), "mlp_down_proj": product(tokens, f, h),
            "mlp_act": stream(tokens * 3 * f), "input_layernorm": stream(tokens * 2 * h),
            "post_attention_layernorm": stream(tokens * 2 * h), "attn_rope": stream(tokens * 2 * (q + kv)),
            "add": stream(tokens * 3 * h)}[op]


TOKEN_OPERATORS = ("attn_pre_proj", "attn_post_proj", "mlp_up_proj", "mlp_down_proj", "mlp_act", "input_layernorm",
                   "post_attention_layernorm", "attn_rope", "add")


def decode_work(layer, batch, context):
    attended = batch * (context + 1)
    return 4 * layer.query * attended, WORD * (2 * layer.key_value * attended + 2 * layer.query * batch)


def prefill_work(layer, chunk, context):
    attended = chunk * (context + (chunk + 1) / 2)
    return (4 * layer.query * attended,
            WORD * (2 * layer.key_value * (context + chunk) + 2 * layer.query * chunk))


def roofline(layer, flop_and_bytes):
    flops, bandwidth = RATES[layer.device]
    return max(flop_and_bytes[0] / flops, flop_and_bytes[1] / bandwidth)


def batches():
    every = ([f"p{tokens}@0" for tokens in TOKENS] + [f"{b}xd1@{k}" for b, k in DECODES] +
             [f"p{c}@{k}" for c, k in CHUNKS])
    return list(dict.fromkeys(every))


def profiled(program, profiles, layer, fallback, folder):
    """Batch -> operator -> seconds."""
    requests = ", ".join(f'"{batch}"' for batch in batches())
    sweep = folder / "crossover.toml"
    devices = ", ".join(f'"{name}"' for name in RATES)
    sweep.write_text(f'[sweep]\nname = "crossover"\nestimator = "profiled"\n[parameters]\ndevice = [{devices}]\n'
                     f'model = "{layer.model}"\ntensor_parallel = {layer.tp}\nbatch_requests = [{requests}]\n'
                     f'fallback = "{fallback}"\n[filter]\nkeep = "device == \'{layer.device}\'"\n'
                     f'[data]\nprofiles = "{profiles}"\n')
    shutil.rmtree(folder / "run", ignore_errors=True)
    result = Result(run(program, sweep, folder / "run"))
    names = [name for name in result.columns if name.endswith("_time")]
    return {batch: {name: float(result[name][i]) for name in names} for i, batch in enumerate(result["batch_requests"])}


def comparisons(program, reference):
    """(operator, range) -> measured, roofline and stand-in seconds of all layers."""
    profiles = pathlib.Path(reference).resolve() / "data" / "profiling"
    found = {}
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for layer in LAYERS:
            others = folder / "others"
            shutil.copytree(profiles, others, dirs_exist_ok=False, copy_function=shutil.copyfile)
            shutil.rmtree(others / "compute" / layer.device / layer.model)
            measured = profiled(program, profiles, layer, "none", folder)
            stand_in = profiled(program, others, layer, "analytical", folder)
            shutil.rmtree(others)

            def add(op, name, batch, flop_and_bytes):
                metric = f"{op}_time"
                found.setdefault((op, name), []).append(
                    (measured[batch][metric], roofline(layer, flop_and_bytes), stand_in[batch][metric]))

            for tokens in TOKENS:
                name = next(name for name, most in RANGES if tokens <= most)
                for op in TOKEN_OPERATORS:
                    add(op, name, f"p{tokens}@0", work(layer, op, tokens))
            for b, k in DECODES:
                add("attn_decode", "1 to 8 requests" if b <= 8 else "32 and 128 requests", f"{b}xd1@{k}",
                    decode_work(layer, b, k))
            for c, k in CHUNKS:
                add("attn_prefill", "chunk of 64" if c == 64 else "chunk of 256 and 1024", f"p{c}@{k}",
                    prefill_work(layer, c, k))
    return found


def mean(values):
    return sum(values) / len(values)


def table(program, reference):
    """Lines of the table in docs/validation.md."""
    lines = ["| operator | tokens of the batch | measured over roofline | error of the roofline | error of the stand-in |",
             "|---|---|---|---|---|"]
    for (op, name), values in sorted(comparisons(program, reference).items(), key=lambda item: (item[0][0], item[1][0][1])):
        ratio = math.exp(mean([math.log(measured / roof) for measured, roof, _ in values]))
        errors = [mean([abs(row[i] / row[0] - 1) for row in values]) for i in (1, 2)]
        lines.append(f"| {op} | {name} | {ratio:.2f} | {100 * errors[0]:.0f} % | {100 * errors[1]:.0f} % |")
    return lines
