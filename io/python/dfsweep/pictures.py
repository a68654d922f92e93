"""A picture of steps as SVG, for notebooks."""
from __future__ import annotations

import html
from collections.abc import Sequence

import numpy as np

from .argument_types import Array

WIDTH, HEIGHT, LEFT, BOTTOM, MARGIN = 640, 360, 90, 50, 15
LOGARITHMIC = 50  # an axis whose values differ by more than this factor is logarithmic
TICKS = 5


def _places(values: Array, begin: float, end: float) -> tuple[Array, list[tuple[float, str]]]:
    """Where values lie on an axis from pixel `begin` to `end`, and ticks: pixels and texts."""
    is_log = values.min() > 0 and values.max() > LOGARITHMIC * values.min()
    scaled = np.log10(values) if is_log else values
    low, high = scaled.min(), scaled.max()
    low, high = (low, high) if high > low else (low - 0.5, high + 0.5)

    def pixels(each: Array) -> Array:
        return begin + (each - low) / (high - low) * (end - begin)

    ticks = np.linspace(low, high, TICKS)
    return pixels(scaled), list(zip(pixels(ticks), (f"{value:.3g}" for value in (10.0**ticks if is_log else ticks))))


def steps_svg(x: Array, y: Array, x_label: str, y_label: str, texts: Sequence[str]) -> str:
    """Points joined by steps: arrays of the same length, names of the axes, and what is said where the mouse is on a point."""
    kept = np.isfinite(x) & np.isfinite(y)
    if not kept.any():
        return ""
    x, y, texts = x[kept], y[kept], [text for text, is_kept in zip(texts, kept) if is_kept]
    across, x_ticks = _places(x, LEFT, WIDTH - MARGIN)
    down, y_ticks = _places(y, HEIGHT - BOTTOM, MARGIN)
    path = f"M{across[0]:.1f} {down[0]:.1f}" + "".join(f"H{a:.1f}V{d:.1f}" for a, d in zip(across[1:], down[1:]))
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" role="img" '
             f'font-family="sans-serif" font-size="12" fill="currentColor"><title>{html.escape(y_label)} over '
             f'{html.escape(x_label)}</title><path d="M{LEFT} {MARGIN}V{HEIGHT - BOTTOM}H{WIDTH - MARGIN}" fill="none" '
             f'stroke="currentColor"/><path d="{path}" fill="none" stroke="#1f77b4"/>']
    parts += [f'<text x="{at:.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{text}</text>' for at, text in x_ticks]
    parts += [f'<text x="{LEFT - 6}" y="{at + 4:.1f}" text-anchor="end">{text}</text>' for at, text in y_ticks]
    parts += [f'<circle cx="{a:.1f}" cy="{d:.1f}" r="4" fill="#1f77b4"><title>{html.escape(text)}</title></circle>'
              for a, d, text in zip(across, down, texts)]
    middle = (HEIGHT - BOTTOM + MARGIN) / 2
    parts.append(f'<text x="{(LEFT + WIDTH) / 2}" y="{HEIGHT - 10}" text-anchor="middle">{html.escape(x_label)}</text>'
                 f'<text transform="translate(14 {middle}) rotate(-90)" text-anchor="middle">{html.escape(y_label)}</text></svg>')
    return "".join(parts)
