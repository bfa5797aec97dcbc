"""What does a hidden state add?"""

import math

import numpy as np
import streamlit as st

from core.analysis import recurrent_step as analysis
from core.figures import recurrent_step as figures
from core.text.streams import Purpose, generator
from pages.ui import frame
from pages.ui.components.blocks.blocks import blocks
from pages.ui.components.cards.cards import cards
from pages.ui.components.sections.sections import sections
from pages.ui.state import Stage, stage

LARGEST = 99.0  # number that fits into a cell
START = {"section": "products", "N": 3, "D": 1, "H": 4, "decimals": 1, "draw": 0}


def page() -> None:
    here = stage()
    frame.title("Recurrent step", "What does a hidden state add?")
    st.fragment(body)(here)


def body(here: Stage) -> None:
    """The bar, and the section that it names."""
    view = st.session_state.setdefault("recurrent_step", dict(START))
    show, picks, press = SECTIONS[view["section"]][1:]
    sections(
        view["section"],
        {name: section[0] for name, section in SECTIONS.items()},
        label="Section",
        picks=[_pick(view, name) for name in picks],
        press=press,
        on_choose=lambda name: view.update(section=name if name in SECTIONS else view["section"]),
        on_pick=lambda name, value: _picked(view, name, value),
        on_press=lambda: view.update(draw=view["draw"] + 1, matrices=None),
    )
    show(here, view)


def _pick(view: dict, name: str) -> dict:
    label, options, help = PICKS[name]
    return {"name": name, "label": label, "options": options, "value": view[name], "help": help}


def _picked(view: dict, name: str, value: str) -> None:
    """A new size draws new numbers; more decimals do too."""
    if name in PICKS and value in [str(option) for option, _ in PICKS[name][1]]:
        view.update({name: int(value), "matrices": None})


def products(here: Stage, view: dict) -> None:
    """The sum of two products is one product of what is put together."""
    m = matrices(view)
    scene = figures.products(m, analysis.two_ways(m), decimals=view["decimals"], notice=view.pop("notice", ""))
    blocks(scene, key="products", on_edit=lambda *cell: edit(view, *cell))
    cards(figures.products_words(), key="products_words")


def matrices(view: dict) -> analysis.StepMatrices:
    """The numbers of this session: drawn at random, then as they were edited."""
    if view.get("matrices") is None:
        rng = generator(view["draw"], Purpose.DISPLAY)
        drawn = analysis.draw_matrices(view["N"], view["D"], view["H"], rng, decimals=view["decimals"])
        view["matrices"] = dict(vars(drawn))
    return analysis.StepMatrices(**view["matrices"])


def edit(view: dict, name: str, row: int, column: int, text: str) -> None:
    """Put what was typed into a cell; what is no number leaves it as it was, with a sentence."""
    matrix = (view.get("matrices") or {}).get(name)
    try:
        value = float(text.strip().replace("−", "-").replace(",", "."))
    except ValueError:
        value = math.nan
    if abs(value) <= LARGEST:
        if matrix is not None and row < matrix.shape[0] and column < matrix.shape[1]:
            view["matrices"][name] = np.array(matrix)
            view["matrices"][name][row, column] = round(value, view["decimals"])
    else:
        view["notice"] = f"A cell takes a number between −{LARGEST:.0f} and {LARGEST:.0f}; this one keeps what it had."


UP_TO_SIX = [[n, str(n)] for n in range(1, 7)]
PICKS = {  # name: label, options, help
    "N": ("N", UP_TO_SIX, "Rows: sequences in the batch"),
    "D": ("D", UP_TO_SIX, "Width of the input"),
    "H": ("H", UP_TO_SIX, "Hidden units"),
    "decimals": ("", [[1, "0.1"], [4, "0.0001"]], "Decimals of the numbers"),
}
SECTIONS = {  # address: words, what shows it, selects and button of the bar
    "products": ("Two products, one product", products, ("N", "D", "H", "decimals"), "New numbers"),
}

page()
