"""A plot of estimates against real counts, as SVG: both axes logarithmic, a line where they agree."""

import math
from collections.abc import Sequence
from xml.etree import ElementTree

from harness.estimator.measure import NEAR, Measured

SIZE, MARGIN = 640, 60
COLOURS = ("#c0392b", "#e08e0b", "#1f6fb2", "#2e8b57", "#7d3c98", "#555555")


def plot(kept: Sequence[Measured], names: Sequence[str], title: str) -> str:
    """Return the SVG text; `kept` must not be empty."""
    most = max(max(each.real, *each.estimates.values()) for each in kept)
    least = max(1, min(min(each.real, *each.estimates.values()) for each in kept))
    scale = _Scale(math.log10(least) - 0.05, math.log10(most) + 0.05)
    root = ElementTree.Element(
        "svg", xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {SIZE} {SIZE}", width=str(SIZE), height=str(SIZE)
    )
    ElementTree.SubElement(root, "title").text = title
    ElementTree.SubElement(root, "rect", width=str(SIZE), height=str(SIZE), fill="#ffffff")
    _axes(root, scale, title)
    for number, name in enumerate(names):
        colour = COLOURS[number % len(COLOURS)]
        for each in kept:
            _dot(root, scale.x(each.real), scale.y(max(1, each.estimates[name])), colour)
        _dot(root, MARGIN + 14, MARGIN + 14 + 18 * number, colour)
        _text(root, MARGIN + 24, MARGIN + 18 + 18 * number, name)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode") + "\n"


class _Scale:
    """From counts to pixels, by the logarithm."""

    def __init__(self, low: float, high: float) -> None:
        self.low, self.high = low, high

    def at(self, count: float) -> float:
        share = (math.log10(count) - self.low) / (self.high - self.low)
        return share * (SIZE - 2 * MARGIN)

    def x(self, count: float) -> float:
        return MARGIN + self.at(count)

    def y(self, count: float) -> float:
        return SIZE - MARGIN - self.at(count)


def _axes(root: ElementTree.Element, scale: _Scale, title: str) -> None:
    low, high = 10**scale.low, 10**scale.high
    for factor, style in ((1.0, "#333333"), (NEAR[0], "#bbbbbb"), (NEAR[1], "#bbbbbb")):
        start, end = max(low, low / factor), min(high, high / factor)
        line = {"x1": scale.x(start), "y1": scale.y(start * factor), "x2": scale.x(end), "y2": scale.y(end * factor)}
        ElementTree.SubElement(root, "line", {k: f"{v:.1f}" for k, v in line.items()}, stroke=style)
    edge = SIZE - MARGIN
    for ends in ((MARGIN, edge, edge, edge), (MARGIN, MARGIN, MARGIN, edge)):
        names = dict(zip(("x1", "y1", "x2", "y2"), map(str, ends), strict=True))
        ElementTree.SubElement(root, "line", names, stroke="#333333")
    for power in range(math.ceil(scale.low), math.floor(scale.high) + 1):
        count = 10**power
        _text(root, scale.x(count) - 10, edge + 20, str(count))
        _text(root, 12, scale.y(count) + 4, str(count))
    _text(root, MARGIN, MARGIN - 24, title)
    _text(root, edge - 90, edge + 42, "real tokens")
    _text(root, 12, MARGIN - 6, "estimate")


def _dot(root: ElementTree.Element, x: float, y: float, colour: str) -> None:
    ElementTree.SubElement(
        root, "circle", {"cx": f"{x:.1f}", "cy": f"{y:.1f}", "r": "3", "fill": colour, "fill-opacity": "0.6"}
    )


def _text(root: ElementTree.Element, x: float, y: float, words: str) -> None:
    place = {"x": f"{x:.1f}", "y": f"{y:.1f}", "font-family": "sans-serif", "font-size": "12"}
    ElementTree.SubElement(root, "text", place).text = words
