"""Colours of the parts of a page: usage: page_colours_test.py SOURCE.

All parts of a breakdown differ in both themes, for readers with usual and with three kinds of anomalous colour vision,
and stand out from the card.
"""
import itertools
import math
import pathlib
import re
import sys

PARTS = 14
# Least distances in OKLab (B. Ottosson, 2020), times 100; a just noticeable difference is about 2.
USUAL, ANOMALOUS, NEIGHBOURS = 12.0, 7.0, 12.0
CONTRAST = 3.0  # of graphics on their ground: WCAG 2.2, criterion 1.4.11
# Linear RGB as dichromats see it: G. Machado, M. Oliveira, L. Fernandes, "A Physiologically-based Model for Simulation of
# Color Vision Deficiency" (2009), severity 1.
VISION = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}


def linear(colour):
    """sRGB "#rrggbb" as linear RGB."""
    channels = [int(colour[at:at + 2], 16) / 255 for at in (1, 3, 5)]
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]


def times(matrix, vector):
    return [sum(a * b for a, b in zip(row, vector)) for row in matrix]


def oklab(rgb):
    lms = times(((0.4122214708, 0.5363325363, 0.0514459929), (0.2119034982, 0.6806995451, 0.1073969566),
                 (0.0883024619, 0.2817188376, 0.6299787005)), rgb)
    return times(((0.2104542553, 0.7936177850, -0.0040720468), (1.9779984951, -2.4285922050, 0.4505937099),
                  (0.0259040371, 0.7827717662, -0.8086757660)), [math.cbrt(c) for c in lms])


def seen(colour, vision):
    return oklab([min(1.0, max(0.0, c)) for c in times(VISION[vision], linear(colour))])


def luminance(colour):
    return sum(share * c for share, c in zip((0.2126, 0.7152, 0.0722), linear(colour)))


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def themes_of(style):
    """Theme: {name: colour}. The dark theme overrides some names."""
    light, dark = style.split("@media screen", 1)
    read = lambda text: dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", text))
    return {"light": read(light), "dark": {**read(light), **read(dark)}}


def problems_of(colours):
    parts = [colours.get(f"part-{i}") for i in range(PARTS)]
    if None in parts or f"part-{PARTS}" in colours:
        yield f"there are not {PARTS} colours of parts"
        return
    for i, colour in enumerate(parts):
        if contrast(colour, colours["card"]) < CONTRAST:
            yield f"part {i} has a contrast of {contrast(colour, colours['card']):.2f} on the card"
    for vision in VISION:
        least = USUAL if vision == "usual" else ANOMALOUS
        for (i, one), (j, other) in itertools.combinations(enumerate(parts), 2):
            distance = 100 * math.dist(seen(one, vision), seen(other, vision))
            if distance < (max(least, NEIGHBOURS) if j == i + 1 else least):
                yield f"parts {i} and {j} are {distance:.1f} apart, {vision}"


def most_parts(source):
    """The longest list of parts that an estimator publishes."""
    lists = [re.search(r"(?:step|phase)_parts\[\] = \{(.*?)\};", path.read_text(), re.S)
             for path in sorted((source / "models").rglob("published*.cpp"))]
    return max(len(re.findall(r'"\w+"', found[1])) for found in lists if found)


def main(source):
    problems = []
    if most_parts(source) > PARTS:
        problems.append(f"an estimator has {most_parts(source)} parts, more than colours")
    for theme, colours in themes_of((source / "io/html/assets/colours.css").read_text()).items():
        problems += [f"{theme}: {problem}" for problem in problems_of(colours)]
    print("\n".join(problems) or "all parts differ")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
