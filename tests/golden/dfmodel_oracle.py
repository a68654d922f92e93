"""A second, independent reading of the DFModel equations, in plain Python, to compare the estimator with.

It shares no code with models/ and covers what the published design-space studies use: the four workloads, fixed
compute utilization, a given assignment of kernels to partitions, perfect or no overlap, cost and power.
Units: bytes, GB/s = bytes/ns, GFLOP/s = FLOP/ns, ns; results in s, USD and W.
"""
import math
import pathlib
import tomllib
from dataclasses import dataclass, replace

RING, FULL, SWITCH = "ring", "fully_connected", "switch"
TOPOLOGIES = {
    "ring": (RING,), "fully-connected": (FULL,), "switch": (SWITCH,), "2d-torus": (RING, RING),
    "dragonfly": (FULL, FULL), "zionex": (RING, FULL), "dgx-1": (RING, SWITCH), "dgx-2": (SWITCH, SWITCH),
    "3d-torus": (RING, RING, RING), "ring-switch-switch": (RING, SWITCH, SWITCH),
    "switch-switch-switch": (SWITCH, SWITCH, SWITCH),
}


@dataclass(frozen=True)
class Device:
    cores: int
    width: int
    height: int
    gigahertz: float
    price: float
    power: float

    @property
    def peak(self):
        return 2.0 * self.width * self.height * self.cores * self.gigahertz


DEVICES = {
    "h100": Device(1056, 16, 16, 1.837, 33000.0, 750.0),
    "h100-low-price": Device(1056, 16, 16, 1.837, 20000.0, 511.577),
    "tpu-v4": Device(8, 128, 128, 1.05, 4474.816901, 170.6308815),
    "sn30": Device(1280, 32, 6, 1.25, 16522.25023, 444.7061955),
    "wse-2": Device(853776, 4, 1, 1.1, 3025964.118, 20298.12258),
    "sn10": Device(640, 32, 6, 1.25, 16522.25023, 444.7061955),
    "a100": Device(432, 16, 16, 1.41, math.nan, math.nan),
}
# GB/s, W per GB/s; price 1 USD per GB/s
MEMORIES = {"ddr4": (300.0, 0.16248), "hbm3": (3072.0, 0.05624), "ddr4-sn10": (100.0, 0.16248),
            "hbm2e": (2039.0, 0.05624)}
# GB/s, W per GB/s
LINKS = {"pcie4": (50.0, 0.052), "nvlink4": (450.0, 0.0104), "pcie4-paper": (25.0, 0.052),
         "nvlink4-paper": (900.0, 0.0104), "nvlink3": (300.0, 0.0104)}


@dataclass
class Kernel:
    """One kernel on one chip: FLOP, bytes of its output, traffic it causes, and the role of its all-reduces."""
    flop: float
    output: float
    memory: float = 0.0
    network: float = 0.0  # ns


@dataclass
class Workload:
    kernels: list
    edges: list  # (source, destination), from 0
    total_flop: float  # of one whole run
    seconds: object  # function: sum of partition times in ns -> seconds of the run


# ------------------------------------------------------------------------------------------------------- transformer
FORWARD_EDGES = [(1, 2), (2, 3), (2, 4), (2, 5), (3, 6), (4, 6), (6, 7), (7, 8), (5, 9), (8, 9), (9, 10), (10, 11),
                 (11, 12), (1, 12), (12, 13), (13, 14), (14, 15), (15, 16), (16, 17), (17, 18), (12, 18)]
BACKWARD_EDGES = [(19, 20), (20, 21), (21, 22), (22, 23), (23, 24), (24, 25), (25, 26), (26, 27), (5, 27), (26, 28),
                  (8, 28), (27, 30), (28, 29), (30, 31), (31, 32), (31, 33), (4, 32), (3, 33), (32, 34), (33, 35),
                  (20, 36), (15, 36), (22, 37), (13, 37), (25, 38), (9, 38), (28, 39), (2, 39), (33, 40), (2, 40),
                  (32, 41), (2, 41)]


@dataclass(frozen=True)
class Transformer:
    hidden: int
    heads: int
    layers: int
    global_batch: int
    sequence: int = 2048
    backward: bool = True
    add_2_by_rows: bool = True  # the logs of GPT3 1T shard the sink, those of GPT3 175B do not
    word: int = 2


GPT3_1T = Transformer(25600, 160, 128, 3072)
GPT3_175B = Transformer(12288, 96, 96, 2304, backward=False, add_2_by_rows=False)


def transformer_kernels(m):
    """(id, kind, outer, M, K, N, sharded dimension, weight-gradient bytes) with the least-bytes sharding."""
    h, a, d, s, w = m.hidden, m.heads, m.hidden // m.heads, m.sequence, m.word
    whole, rows, inner, head = "none", "M", "K", "outer"
    add_2 = rows if m.add_2_by_rows else whole

    def simd(i, height, shard, outer=1):
        return (i, "simd", outer, height, 1, s, shard, 0)

    def gemm(i, outer, M, K, N, shard, gradient=0):
        return (i, "gemm", outer, M, K, N, shard, gradient)

    table = [simd(1, h, whole), simd(2, h, whole)]
    table += [gemm(i, a, d, h, s, head) for i in (3, 4, 5)]
    table += [gemm(6, a, s, d, s, head), simd(7, s, head, a), simd(8, s, head, a), gemm(9, a, d, s, s, head)]
    table += [gemm(10, 1, h, h, s, inner)] + [simd(i, h, whole) for i in (11, 12, 13)]
    table += [gemm(14, 1, 4 * h, h, s, rows), simd(15, 4 * h, rows), gemm(16, 1, h, 4 * h, s, inner)]
    table += [simd(17, h, whole), simd(18, h, add_2)]
    if not m.backward:
        return table
    table += [simd(19, h, whole), simd(20, h, whole), gemm(21, 1, 4 * h, h, s, rows), simd(22, 4 * h, rows)]
    table += [gemm(23, 1, h, 4 * h, s, inner), simd(24, h, whole), simd(25, h, whole), gemm(26, 1, h, h, s, rows)]
    table += [gemm(27, a, s, d, s, head), gemm(28, a, d, s, s, head), gemm(29, 1, h, h, s, inner)]
    table += [simd(30, s, head, a), simd(31, s, head, a), gemm(32, a, d, s, s, head), gemm(33, a, d, s, s, head)]
    table += [gemm(34, a, d, h, s, head), gemm(35, a, d, h, s, head)]
    table += [gemm(36, 1, 4 * h, s, h, rows, 4 * h * h * w), gemm(37, 1, h, s, 4 * h, rows, 4 * h * h * w)]
    table += [gemm(i, 1, h, s, h, rows, h * h * w) for i in (38, 39, 40, 41)]
    return table


def all_reduce_ratio(kind, n, bandwidth, factor):
    """ns per byte held by each of n chips."""
    if n == 1:
        return 0.0
    return factor * (1.0 if kind == FULL else n - 1.0) / (n * bandwidth)


def rail_ratio(n, domain, fast, slow):
    """ns per byte of an all-reduce over n chips of which `domain` share the fast network (rail-only networks)."""
    if domain >= n:
        return (n - 1.0) / (n * fast)
    return (domain - 1.0) / (domain * fast) + (n / domain - 1.0) / (n * slow)


def transformer(m, kinds, degrees, bandwidths, factor=2.0, domain=None):
    """`degrees` = (tensor, pipeline, data); `kinds` and `bandwidths` of the network dimension of each, by role."""
    tensor, pipeline, data = degrees
    micro_batches = m.global_batch / data
    tensor_ratio = all_reduce_ratio(kinds[0], tensor, bandwidths[0], factor)
    data_ratio = all_reduce_ratio(kinds[2], data, bandwidths[2], factor)
    if domain:
        tensor_ratio = rail_ratio(tensor, domain, bandwidths[0], bandwidths[1])
        data_ratio = rail_ratio(data, domain, bandwidths[0], bandwidths[2])
    kernels, flop = [], 0.0
    for _, kind, outer, M, K, N, shard, gradient in transformer_kernels(m):
        whole = (2.0 if kind == "gemm" else 1.0) * outer * M * K * N
        flop += whole
        dims = {"outer": outer, "M": M, "K": K, "N": N}
        if shard != "none":
            dims[shard] = math.ceil(dims[shard] / tensor)
        output = dims["outer"] * dims["M"] * dims["N"] * m.word
        share = (2.0 if kind == "gemm" else 1.0) * dims["outer"] * dims["M"] * dims["K"] * dims["N"]
        network = output * tensor_ratio if shard == "K" else 0.0
        if gradient:
            network += output * data_ratio / micro_batches
        kernels.append(Kernel(share, output, network=network))
    edges = FORWARD_EDGES + (BACKWARD_EDGES if m.backward else [])
    layers = math.ceil(m.layers / pipeline)
    bubble = 1.0 + (pipeline - 1.0) / (micro_batches * max(layers - 1, 1))
    hand_over = 0.0
    if m.backward and bandwidths[1]:  # paid where there is a pipeline dimension, whatever its size
        hand_over = 2.0 * m.hidden * m.sequence * m.word * m.layers / bandwidths[1]
    return Workload(kernels, [(i - 1, j - 1) for i, j in edges], flop * m.layers * m.global_batch,
                    lambda total: (total * bubble * layers * micro_batches + hand_over) * 1e-9)


# ------------------------------------------------------------------------------------------------- DLRM, HPL and FFT
def bisection_links(topology, shape):
    """Links across the narrowest cut, as the design-space runs count them."""
    if topology == "2d-torus":
        return shape[0]
    if topology == "3d-torus":
        return shape[0] * shape[1]
    if topology == "dragonfly":
        return shape[0] ** 2 / 4
    if topology in ("dgx-1", "dgx-2"):
        return shape[1]
    raise ValueError(topology)


def dlrm(topology, shape, bandwidth):
    tables, pooled, width, layers, batch, word, embedding, samples = 600, 30, 13500, 20, 128, 4, 93, 128e6
    chips = math.prod(shape)
    steps = samples / chips
    flop = 2.0 * width * width * batch
    traffic = float(tables * pooled * embedding * batch * word)
    exchange = traffic * chips / (4 * bisection_links(topology, shape) * bandwidth)
    forward = [Kernel(flop, width * batch * word) for _ in range(2 * layers)]
    for twin in (layers // 2 - 1, 2 * layers - layers // 2):  # the last bottom layer, half of all, and its backward twin
        forward[twin].memory, forward[twin].network = traffic, exchange
    update = [Kernel(flop, width * width * word, network=width * width * word / steps / 4) for _ in range(layers)]
    L = layers
    edges = [(i, i + 1) for i in range(1, L)] + [(i, i + 1) for i in range(L + 1, 2 * L)]
    edges += [(i, 3 * L - i) for i in range(1, L)] + [(i, L + i + 1) for i in range(L + 1, 2 * L)]
    return Workload(forward + update, [(i - 1, j - 1) for i, j in edges], 3 * L * flop * samples,
                    lambda total: total * steps * 1e-9)


def hpl(shape, bandwidth, size, block, steps=64, word=2):
    x, y = {1: (1, shape[0]), 2: shape, 3: (shape[0] * shape[-2], shape[-1])}[len(shape)]
    kernels, flop = [], 0.0
    for i in range(steps):
        side = size - i * block
        share_m, share_k = math.ceil(side / x), math.ceil(side / y)
        flop += 2.0 * side * side * block
        broadcast = side * block * word / x / bandwidth if x > 1 else 0.0
        point_to_point = side * block * word / y / bandwidth if y > 1 else 0.0
        kernels.append(Kernel(2.0 * share_m * share_k * block, share_m * block * word,
                              network=max(broadcast, point_to_point)))
    return Workload(kernels, [(i, i + 1) for i in range(steps - 1)], flop, lambda total: total * 1e-9)


def fft(topology, shape, bandwidth, length=2 ** 40, radix=32, word=2):
    side = math.isqrt(length)
    chips = math.prod(shape)
    inner = math.floor(4 * math.log2(side) / math.log2(radix) * radix)
    flop = 2.0 * side * inner * math.ceil(side / chips)
    exchange = side * side * word / (4 * bisection_links(topology, shape) * bandwidth)
    output = side * math.ceil(side / chips) * word
    return Workload([Kernel(flop, output), Kernel(flop, output, network=exchange)], [(0, 1)],
                    2 * 2.0 * side * side * inner, lambda total: total * 1e-9)


# ---------------------------------------------------------------------------------------- time, utilization, cost, power
def kernel_by_kernel(workload):
    return list(range(len(workload.kernels)))


def single_partition(workload):
    return [0] * len(workload.kernels)


def partition_times(workload, assignment, peak, utilization, dram, overlap):
    """Time of each partition in ns; an edge between two partitions is stored by one and loaded by the other."""
    count = max(assignment) + 1
    compute, memory, network = [0.0] * count, [0.0] * count, [0.0] * count
    for kernel, p in zip(workload.kernels, assignment):
        compute[p] += kernel.flop / (utilization * peak)
        memory[p] += kernel.memory / dram
        network[p] += kernel.network
    for source, destination in workload.edges:
        p, q = assignment[source], assignment[destination]
        if p != q:
            memory[p] += workload.kernels[source].output / dram
            memory[q] += workload.kernels[source].output / dram
    join = max if overlap == "perfect" else lambda *parts: sum(parts)
    return [join(*parts) for parts in zip(compute, memory, network)]


def link_and_switch_units(topology, shape, b):
    """GB/s of links of each dimension, and of all switches, from the table of the study (X, Y, Z = shape)."""
    n = math.prod(shape)
    X, Y, Z = (*shape, 1, 1)[:3]
    ring, full, switch = n * b[0], X * (X - 1) * Y * b[0], n * b[0]
    table = {
        "ring": ([ring], [2 * b[0]]),
        "fully-connected": ([full], [0]),
        "switch": ([switch], [n * b[0]]),
    }
    if len(shape) == 2:
        table = {
            "2d-torus": ([ring, n * b[1]], [2 * Y * b[0], 2 * X * b[1]]),
            "dragonfly": ([full, Y * (Y - 1) * b[1]], [0, Y * Y * b[1]]),
            "zionex": ([ring, Y * (Y - 1) * b[1]], [2 * Y * b[0], Y * Y * b[1]]),
            "dgx-1": ([ring, Y * b[1]], [2 * Y * b[0], Y * b[1]]),
            "dgx-2": ([switch, Y * b[1]], [n * b[0], Y * b[1]]),
        }
    if len(shape) == 3:
        outer = [Y * Z * b[1], Z * b[2]]
        table = {
            "3d-torus": ([ring, n * b[1], n * b[2]], [2 * Y * Z * b[0], 2 * X * Z * b[1], 2 * X * Y * b[2]]),
            "ring-switch-switch": ([ring, *outer], [2 * Y * Z * b[0], *outer]),
            "switch-switch-switch": ([switch, *outer], [n * b[0], *outer]),
        }
    links, switches = table[topology]
    return links, sum(switches)


def cost_and_power(device, memory, topology, shape, links):
    """`memory` = (GB/s, W per GB/s); `links` = one (GB/s, W per GB/s) per dimension."""
    chips = math.prod(shape)
    bandwidths = [bandwidth for bandwidth, _ in links]
    units, switches = link_and_switch_units(topology, shape, bandwidths)
    if chips == 1:
        units = [0.0] * len(units)
    if chips <= 4:
        switches = 0.0
    cost = chips * (memory[0] * 1.0 + device.price) + 2.0 * sum(units) + 24.0 * switches
    power = chips * (memory[0] * memory[1] + device.power) + 0.052 * switches
    power += sum(unit * watts for unit, (_, watts) in zip(units, links))
    return cost, power


def estimate(workload, assignment, device, peak, memory, topology, shape, links, overlap, utilization):
    """(seconds, utilization, USD, W) of one system of devices that reach `peak` GFLOP/s."""
    times = partition_times(workload, assignment, peak, utilization, memory[0], overlap)
    seconds = workload.seconds(sum(times))
    cost, power = cost_and_power(device, memory, topology, shape, links)
    return seconds, workload.total_flop / (seconds * math.prod(shape) * peak * 1e9), cost, power


# --------------------------------------------------------------------------------- points in the words of a sweep file
MODELS = {"gpt3-1t": GPT3_1T, "gpt3-175b": GPT3_175B}
HPL_SIZES = {"hpl-1m": (1048576, 2048), "hpl-5m": (5242880, 81920)}
ALL_REDUCE_FACTOR = {"dfmodel-g1": 2.0, "dfmodel-g2": 1.0}


def number(text):
    """The number of a quantity such as "300 GB/s" in the unit it is written in."""
    return float(str(text).split()[0])


def assignment_of(mapping, workload, folder):
    if mapping == "kernel_by_kernel":
        return kernel_by_kernel(workload)
    if mapping == "single_partition":
        return single_partition(workload)
    return tomllib.loads((pathlib.Path(folder) / mapping).read_text())["assignment"]


def workload_of(point, shape, bandwidths):
    topology, model = point["topology"], point["model"]
    if model == "dlrm-793b":
        return dlrm(topology, shape, bandwidths[0])
    if model in HPL_SIZES:
        return hpl(shape, bandwidths[0], *HPL_SIZES[model])
    if model == "fft-1t":
        return fft(topology, shape, bandwidths[0])
    kinds, transformer_model = TOPOLOGIES[topology], MODELS[model]
    if "global_batch" in point:
        transformer_model = replace(transformer_model, global_batch=int(point["global_batch"]))
    by_role = {"tensor": 0, "pipeline": 1, "data": 2}
    if int(point.get("data_parallel", 1)) > 1 and len(shape) == 2:
        by_role = {"tensor": 0, "data": 1}
    dimension = [by_role.get(role) for role in ("tensor", "pipeline", "data")]
    present = [d if d is not None and d < len(shape) else None for d in dimension]
    return transformer(transformer_model, [RING if d is None else kinds[d] for d in present],
                       [1 if d is None else shape[d] for d in present],
                       [0.0 if d is None else bandwidths[d] for d in present],
                       ALL_REDUCE_FACTOR[point["convention"]], int(point.get("high_bandwidth_domain", 0)))


def estimate_point(point, folder="."):
    """(seconds, utilization, USD, W) of a point given by parameter names and values; mapping files are in `folder`."""
    device = DEVICES[point["device"]]
    device = replace(device, price=number(point.get("device_price", device.price)),
                     power=number(point.get("device_power", device.power)))
    memory = MEMORIES[point["memory"]]
    memory = (number(point.get("dram_bandwidth", memory[0])), memory[1])
    shape = tuple(int(size) for size in point["shape"].split("x"))
    inner = LINKS[point["interconnect"]]
    outer = LINKS[point.get("outer_interconnect") or point["interconnect"]]
    inner = (number(point.get("link_bandwidth", inner[0])), inner[1])
    outer = (number(point.get("outer_link_bandwidth", outer[0])), outer[1])
    links = [inner] + [outer] * (len(shape) - 1)
    if point["convention"] == "dfmodel-g2" and len(links) == 3:
        links[2] = (links[2][0], 0.0)  # that generation counts no power for the links of a third dimension
    workload = workload_of(point, shape, [bandwidth for bandwidth, _ in links])
    assignment = assignment_of(point["mapping"], workload, folder)
    peak = number(point.get("peak_flops", device.peak))
    return estimate(workload, assignment, device, peak, memory, point["topology"], shape, links, point["overlap"],
                    number(point["compute_utilization"]))
