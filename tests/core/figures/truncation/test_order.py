"""Both orders and the best possible are on the axes."""

import math

from core.figures.truncation.order import order_figure
from core.training.curves import Point


def test_the_race_is_drawn_with_its_floor():
    judged = {"in order": [Point(0, 0, 0.0, 0.7), Point(5, 9, 0.0, 0.3)], "shuffled": [Point(0, 0, 0.0, 0.7)]}
    figure = order_figure(judged, chosen="shuffled", floor=1.22, updates=400, V=2, on_training_text=False)
    widths = {trace["name"]: trace["line"]["width"] for trace in figure["data"]}
    assert max(widths, key=widths.get) == "shuffled"
    low, high = figure["layout"]["yaxis"]["range"]
    assert all(low <= y <= high for trace in figure["data"] for y in trace["y"])
    assert low < math.log10(1.22)
