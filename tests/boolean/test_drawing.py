import xml.etree.ElementTree as ET

import matplotlib as mpl
import pytest

from rosenblatt.boolean import BooleanFunction, Network, ThresholdUnit
from rosenblatt.boolean.drawing.network_layout import RADIUS, layout

mpl.use("Agg")
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("text", ["a xor b", "p xor q xor r xor s", "majority(a, b, c) xor (d and e)", "1", "not a"])
def test_the_svg_has_every_unit_and_every_weight(text):
    network = BooleanFunction(text).network()
    root = ET.fromstring(network.to_svg("A title"))
    assert len(root.findall(f"{SVG}circle")) == network.n_variables + network.n_hidden + 1
    weights = [w for unit in (*network.hidden, network.output) for w in unit.weights if w]
    assert len(root.findall(f"{SVG}line")) == len(weights)
    dashed = [line for line in root.findall(f"{SVG}line") if line.get("stroke-dasharray")]
    assert len(dashed) == sum(w < 0 for w in weights)
    texts = [element.text for element in root.findall(f"{SVG}text")]
    assert {"A title", "out", *network.variables} <= set(texts)


def test_names_of_variables_are_escaped_in_the_svg():
    unit = ThresholdUnit([1], -0.5, ["<script>&"])
    network = Network([unit], ThresholdUnit([1], -0.5, ["h1"]), unit.variables)
    root = ET.fromstring(network.to_svg("<b>"))
    assert "<script>" not in network.to_svg()
    assert "<script>&" in [element.text for element in root.iter(f"{SVG}text")]


def test_labels_do_not_overlap_nodes_or_each_other():
    drawing = layout(BooleanFunction("majority(a, b, c) xor (d and e)").network(), None)
    labels = [edge.label for edge in drawing.edges]
    for i, (x, y) in enumerate(labels):
        assert all(((x - node.x) ** 2 + (y - node.y) ** 2) ** 0.5 > RADIUS for node in drawing.nodes)
        assert all(((x - u) ** 2 + (y - v) ** 2) ** 0.5 > 12 for u, v in labels[:i])
        assert 0 < x < drawing.width
        assert 0 < y < drawing.height


def test_matplotlib_draws_the_same_parts():
    from matplotlib import pyplot as plt
    from matplotlib.patches import Circle, FancyArrowPatch

    network = BooleanFunction("a xor b").network()
    ax = network.draw(title="XOR")
    assert sum(isinstance(patch, Circle) for patch in ax.patches) == 5
    assert sum(isinstance(patch, FancyArrowPatch) for patch in ax.patches) == 6
    assert ax.get_title() == "XOR"
    _, own = plt.subplots()
    assert network.draw(own) is own
    plt.close("all")


def test_without_matplotlib_the_error_names_the_extra_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"rosenblatt\[plot\]"):
        BooleanFunction("a xor b").network().draw()
