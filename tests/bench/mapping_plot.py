"""Draws the table of `mapping_bench scaling` as SVG: usage: mapping_bench scaling | mapping_plot.py > docs/mapping-scaling.svg

Median time over the number of kernels, one line per width; a ring where some problems stopped at the node limit.
"""
import math
import sys

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 400, 62, 110, 34, 48
COLOURS = ("#4477aa", "#66ccee", "#228833", "#ccbb44", "#ee6677", "#aa3377")


def read(lines):
    """width -> [(kernels, median ms, unproven)]"""
    series = {}
    for line in lines[1:]:
        kernels, width, median, _, unproven, _ = line.split()
        series.setdefault(int(width), []).append((int(kernels), float(median), int(unproven)))
    return series


def text(x, y, words, anchor="middle", extra=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{extra}>{words}</text>'


def draw(series):
    times = [median for points in series.values() for _, median, _ in points]
    low, high = math.floor(math.log10(min(times))), math.ceil(math.log10(max(times)))
    most = max(kernels for points in series.values() for kernels, _, _ in points)

    def x(kernels):
        return LEFT + (WIDTH - LEFT - RIGHT) * kernels / most

    def y(milliseconds):
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (math.log10(milliseconds) - low) / (high - low)

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
             text(LEFT, 20, "Time to the proven best mapping of random layered graphs", "start", ' font-size="14"')]
    for power in range(low, high + 1):
        level = y(10.0 ** power)
        parts.append(f'<path d="M{LEFT} {level:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        parts.append(text(LEFT - 6, level + 4, f"{10.0 ** power:g} ms", "end"))
    for kernels in range(0, most + 1, 8):
        parts.append(text(x(kernels), HEIGHT - BOTTOM + 18, kernels))
    parts.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, "kernels"))
    last_label = HEIGHT
    for (width, points), colour in sorted(zip(sorted(series.items()), COLOURS), key=lambda item: y(item[0][1][-1][1]),
                                          reverse=True):
        line = " ".join(f"{x(kernels):.1f},{y(median):.1f}" for kernels, median, _ in points)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for kernels, median, unproven in points:
            inner = "white" if unproven else colour
            parts.append(f'<circle cx="{x(kernels):.1f}" cy="{y(median):.1f}" r="3.5" fill="{inner}" stroke="{colour}"/>')
        last_label = min(y(points[-1][1]), last_label - 14)
        parts.append(text(WIDTH - RIGHT + 10, last_label + 4, f"width {width}", "start", f' fill="{colour}"'))
    return "\n".join(parts + ["</svg>"])


if __name__ == "__main__":
    print(draw(read(sys.stdin.read().splitlines())))
