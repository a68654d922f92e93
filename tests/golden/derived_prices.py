"""docs/derived-prices.md: price and power of devices from their parts, fitted to the catalogue: usage:
derived_prices.py [--update].

Fits the coefficients of models/cost/derived_cost.cpp to the devices and systems of the catalogue that have a price or a
power with a source, predicts each device by a fit without its family, and fails where the page, its plot or the
coefficients in the source are stale. Needs scipy.
"""
import math
import pathlib
import re
import sys
import tomllib

try:
    import numpy
    from scipy.optimize import least_squares
except ImportError:
    print(f"skipped: {sys.executable} has no scipy to fit with")
    sys.exit(77)

SOURCE = pathlib.Path(__file__).resolve().parents[2]
CATALOGUE = SOURCE / "sweeps" / "catalogue"
PAGE = SOURCE / "docs" / "derived-prices.md"
PLOT = SOURCE / "docs" / "derived-prices.svg"
FORMULAS = SOURCE / "models" / "cost" / "derived_cost.cpp"
SCALES = {"": 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40}
# The technologies of derived_cost.cpp: USD/GB before the fitted factor, and power of a transfer over that of HBM3.
TECHNOLOGIES = {"hbm2": (12, 1.25), "hbm2e": (13, 1.1), "hbm3": (15, 1), "hbm3e": (17, 0.9), "hbm4": (20, 0.8),
                "gddr": (7, 1.6), "lpddr": (5, 0.9), "ddr": (4, 2.9)}
# Entries of "devices" with a price and a power of their own; sn10 repeats those of sn30.
CHIPS = ("h100", "h100-low-price", "sn30", "sn40l", "tpu-v4", "wse-2")
NODES = ("dgx-a100-40g", "v100-16g")  # systems whose price is that of a whole node
LONE = ("orin-64g", "rtx-pro-6000")  # boards without links
POWER = {"chip_power": (400, 0.6), "chip_power_exponent": (0.7, 0.3), "transfer_power": (0.056, 0.3),
         "link_power": (0.03, 0.5), "sram_power": (0.3, 0.5)}  # value without a fit, and its spread in the logarithm
PRICE = {"chip_price": (20000, 0.7), "chip_price_exponent": (0.9, 0.3), "memory_price_factor": (1.5, 0.4),
         "link_price": (8, 0.7), "host_price": (6000, 0.5), "sram_price": (20, 0.7)}
NETWORK_PRICE = 40  # USD/(GB/s)
STANDBY = 0.1  # W/GB


def number(value):
    found = re.fullmatch(r"([-+0-9.e]+) (Ki|Mi|Gi|Ti|[kMGTP])?(\S+)", value) if isinstance(value, str) else None
    return float(found[1]) * SCALES[found[2] or ""] if found else value


def entries(kind):
    files = sorted((CATALOGUE / kind).glob("*.toml"))
    fields = {file.stem: tomllib.loads(file.read_text()) for file in files}
    return {name: {key: number(value["value"] if isinstance(value, dict) else value) for key, value in entry.items()}
            for name, entry in fields.items()}


def parts_of_system(name, entry):
    peak = max(entry["peak_flops"], entry.get("peak_flops_8bit", 0) / 2, entry.get("peak_flops_4bit", 0) / 4)
    links = 0 if name in LONE else entry["node_bandwidth"] / 1e9
    return {"peak": peak / 1e15, "sram": 0, "bandwidth": entry["memory_bandwidth"] / 1e9,
            "capacity": entry["memory_capacity"] / 1e9, "memory": entry.get("memory_technology", "hbm3"), "links": links,
            "network": entry["network_bandwidth"] / 1e9 if name in NODES else 0, "nodes": 1 if name in NODES else 0}


def parts_of_chip(entry):
    return {"peak": entry["peak_flops"] / 1e15, "sram": entry.get("sram_capacity", 0) / 1e6, "bandwidth": 0,
            "capacity": 0, "memory": "hbm3", "links": 0, "network": 0, "nodes": 0}


def power(parts, c):
    return (c["chip_power"] * parts["peak"] ** c["chip_power_exponent"] + c["sram_power"] * parts["sram"] +
            TECHNOLOGIES[parts["memory"]][1] * c["transfer_power"] * parts["bandwidth"] + STANDBY * parts["capacity"] +
            c["link_power"] * parts["links"])


def price(parts, c):
    per_gigabyte = TECHNOLOGIES[parts["memory"]][0]
    return (c["chip_price"] * parts["peak"] ** c["chip_price_exponent"] + c["sram_price"] * parts["sram"] +
            c["memory_price_factor"] * (parts["bandwidth"] + per_gigabyte * parts["capacity"]) +
            c["link_price"] * parts["links"] + NETWORK_PRICE * parts["network"] + c["host_price"] * parts["nodes"])


def fitted(rows, formula, priors, noise):
    names = list(priors)
    start = numpy.log([priors[name][0] for name in names])
    spread = numpy.array([priors[name][1] for name in names])

    def residuals(logs):
        constants = dict(zip(names, numpy.exp(logs)))
        return numpy.concatenate([[math.log(formula(parts, constants) / stated) / noise for _, parts, stated in rows],
                                  (logs - start) / spread])
    return dict(zip(names, numpy.exp(least_squares(residuals, start, loss="soft_l1", xtol=1e-12, ftol=1e-12).x)))


def family(name):
    for start in ("a100", "dgx-a100", "h100", "dgx-h100", "h200", "dgx-h200", "h800"):
        if name.startswith(start):
            return "ampere" if "a100" in start else "hopper"
    for start in ("dgx-b", "gb200", "gb300"):
        if name.startswith(start):
            return "blackwell"
    return re.split(r"[-0-9]", name)[0] or name


def left_out(rows, formula, priors, noise):
    """(name, stated, derived by a fit without the family of the device)."""
    found = []
    for name, parts, stated in rows:
        rest = [row for row in rows if family(row[0]) != family(name)]
        found.append((name, stated, formula(parts, fitted(rest, formula, priors, noise))))
    return found


def constants_in_source():
    text = FORMULAS.read_text()
    found = re.findall(r"(?:constexpr \w+ )(\w+)(?: = |\{)([0-9.e]+)(?: /|;|\})", text)
    return {name: float(value) for name, value in found}


def errors(rows):
    sizes = sorted(abs(derived / stated - 1) for _, stated, derived in rows)
    return numpy.mean(sizes), numpy.median(sizes), sizes[int(0.9 * (len(sizes) - 1))]


def table(rows, unit):
    text = f"| device | stated, {unit} | derived, {unit} | derived / stated |\n|---|---|---|---|\n"
    for name, stated, derived in rows:
        text += f"| {name} | {stated:.0f} | {derived:.0f} | {derived / stated:.2f} |\n"
    return text


def panel(rows, left, title, unit):
    """Derived over stated, both logarithmic, with the line where they are equal."""
    low = 10 ** math.floor(math.log10(min(min(row[1:]) for row in rows)))
    high = 10 ** math.ceil(math.log10(max(max(row[1:]) for row in rows)))

    def at(value):
        return 300 * math.log10(value / low) / math.log10(high / low)
    text = f'<g transform="translate({left},30)"><rect width="300" height="300" fill="none" stroke="#777"/>\n'
    text += f'<text x="150" y="-10" text-anchor="middle">{title}</text><path d="M0 300L300 0" stroke="#777"/>\n'
    text += f'<text x="150" y="338" text-anchor="middle">stated, {unit}</text>\n'
    text += f'<text transform="translate(-38,150) rotate(-90)" text-anchor="middle">derived, {unit}</text>\n'
    for decade in range(round(math.log10(low)), round(math.log10(high)) + 1):
        place = at(10**decade)
        text += f'<text x="{place:.1f}" y="316" text-anchor="middle">1e{decade}</text>'
        text += f'<text x="-4" y="{304 - place:.1f}" text-anchor="end">1e{decade}</text>\n'
    for name, stated, derived in rows:
        text += f'<circle cx="{at(stated):.1f}" cy="{300 - at(derived):.1f}" r="4" fill="#1f6fb4"><title>{name}</title></circle>\n'
    return text + "</g>\n"


def plot(powers, prices):
    return ('<svg xmlns="http://www.w3.org/2000/svg" width="760" height="390" font-family="sans-serif" font-size="12">\n'
            '<rect width="760" height="390" fill="white"/>\n' + panel(powers, 60, "power, family left out", "W") +
            panel(prices, 430, "price, family left out", "USD") + "</svg>\n")


INTRODUCTION = """# Derived prices and powers

Where a sweep varies the parts of a device and states no price or power, `dfsweep` derives both from the parts (`models/cost/derived_cost.hpp`
has the formulas). An entry that states its price keeps it where nothing varies; where a part varies, it is multiplied by the ratio of the
derived prices with and without the change, so that results are continuous. Metrics `price_source` and `power_source` say which holds.
`tests/golden/derived_prices.py --update` writes this page.

Prices are list prices. Those of similar devices from different vendors differ by a factor of three (a Gaudi 2 is listed at 8125 USD, an
A100 with its share of a node at 24875 USD). A derived price serves to compare designs; it is not a quotation. Power is the limit of a
device.
"""


def page(powers, prices, power_constants, price_constants, shares):
    text = INTRODUCTION + "\n## Coefficients\n\n| coefficient | value | without a fit |\n|---|---|---|\n"
    for constants, priors in ((power_constants, POWER), (price_constants, PRICE)):
        text += "".join(f"| `{name}` | {constants[name]:.3g} | {priors[name][0]:.3g} |\n" for name in constants)
    text += f"| `host_power` | {shares:.3g} | |\n"
    text += """
Watts and USD at 1 PFLOP/s of 16-bit products, per GB/s, per MB of SRAM, per device. The fit minimises robust errors of logarithms (spread 20 % of
powers, 35 % of prices) and the distance from the values without a fit. `host_power` is the geometric mean of what nodes draw beside their
devices. Not fitted: 40 USD/(GB/s) of network, 0.1 W/GB of memory, and what technologies of memory differ by:

| memory | USD/GB before `memory_price_factor` | power of a transfer over HBM3 |
|---|---|---|
"""
    text += "".join(f"| {name} | {per_byte} | {transfer} |\n" for name, (per_byte, transfer) in TECHNOLOGIES.items())
    text += "\n## Errors of devices that the fit has not seen\n\nEach device is derived by a fit without its family.\n\n"
    text += "| | devices | mean | median | 90th percentile |\n|---|---|---|---|---|\n"
    for name, rows in (("power", powers), ("price", prices)):
        text += f"| {name} | {len(rows)} | " + " | ".join(f"{100 * error:.0f} %" for error in errors(rows)) + " |\n"
    text += "\n![derived over stated](derived-prices.svg)\n\n### Power\n\n" + table(powers, "W")
    return text + "\n### Price\n\n" + table(prices, "USD") + """
The wafer is one device of 46000 mm^2, far outside the others; its price follows its SRAM. Boards of low power (H100 PCIe and NVL, Orin) run
below the clocks of their peak rates, and draw less than derived.
"""


def main(update):
    systems, devices = entries("systems"), entries("devices")
    powers = [(name, parts_of_system(name, entry), entry["power_limit"]) for name, entry in systems.items()
              if "power_limit" in entry]
    powers += [(name, parts_of_chip(devices[name]), devices[name]["power"]) for name in CHIPS if name != "h100-low-price"]
    prices = [(name, parts_of_system(name, entry), entry["price"]) for name, entry in systems.items() if "price" in entry]
    prices += [(name, parts_of_chip(devices[name]), devices[name]["price"]) for name in CHIPS]
    shares = [entry["power"] - entry["power_limit"] for entry in systems.values()
              if entry.get("power", 0) > entry.get("power_limit", math.inf)]
    share = math.exp(sum(math.log(one) for one in shares) / len(shares))
    power_constants, price_constants = fitted(powers, power, POWER, 0.2), fitted(prices, price, PRICE, 0.35)
    powers, prices = left_out(powers, power, POWER, 0.2), left_out(prices, price, PRICE, 0.35)
    made = {PAGE: page(powers, prices, power_constants, price_constants, share), PLOT: plot(powers, prices)}
    stale = [file.name for file, text in made.items() if not file.exists() or file.read_text() != text]
    if update:
        for file, text in made.items():
            file.write_text(text)
        stale = []
    source = constants_in_source()
    for name, value in (power_constants | price_constants | {"host_power": share}).items():
        if not abs(source.get(name, 0) / value - 1) < 0.01:
            stale.append(f"{FORMULAS.name}: {name} is {source.get(name)}, the fit gives {value:.3g}")
    print("\n".join(f"stale: {what}" for what in stale) or "up to date")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main("--update" in sys.argv))
