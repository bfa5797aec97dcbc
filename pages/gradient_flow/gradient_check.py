"""The gradient check by central differences, for one weight that is picked in a map of its matrix."""

import numpy as np
import streamlit as st

from core.analysis.gradient_check import EPSILONS, BlockMaxima, GradientCheck, block_maxima, check_weight
from pages.app.layout import elements
from pages.app.navigation.section_tabs import PageState
from pages.app.panels.text_model_picker import cached_for_network
from pages.app.session.session import Session
from pages.app.widgets.components import comparison, live_figure, weight_map
from pages.content.notation import in_notation
from pages.figures.gradient_flow.weight_map import check_figure, check_numbers, weight_map as map_drawing
from pages.gradient_flow.page_data import PageData

CELLS = 48  # rows and columns of the map at most
LARGE = 512  # units: with more, fewer values of epsilon are used, to limit the time


def show(session: Session, state: PageState, data: PageData) -> None:
    weight = state.setdefault("weight", {"matrix": "W_hh", "index": None})
    gradients = data.backward.gradients.dparams.named()
    notation = session.settings.notation
    name = weight["matrix"] = weight["matrix"] if weight["matrix"] in gradients else "W_hh"
    gradient = np.atleast_2d(gradients[name])
    blocks = block_maxima(gradient, CELLS)
    row, column = weight["index"] = _inside(weight["index"], gradient)
    index = (row, column)[-gradients[name].ndim :]
    left, middle, right = st.columns((1, 1.25, 1), gap="small")
    with left:
        sizes = {matrix: values.shape for matrix, values in gradients.items()}
        one_hot = data.network.params.W_emb is None
        weight_map(
            map_drawing(blocks, sizes, name, index, data.network.tokenizer, one_hot=one_hot, notation=notation),
            on_matrix=lambda matrix: weight.update(matrix=matrix, index=None),
            on_cell=lambda r, c: weight.update(index=_of_cell(blocks, r, c)),
            on_index=lambda i, j: weight.update(index=(i, j)),
        )
    check = checked(session, data, name, index)
    scene = in_notation(check_numbers(check), notation)
    with middle:
        comparison(scene, key="gradient_check_numbers")
    with right:
        live_figure(check_figure(check), key="gradient_check_chart", label=scene["sentence"])
    elements.source("gradient_check", check_weight)


def _inside(index: tuple[int, int] | None, gradient: np.ndarray) -> tuple[int, int]:
    """The picked index, clipped to the matrix; before one is picked, that of the largest absolute derivative."""
    if index is None:
        index = np.unravel_index(int(np.nan_to_num(np.abs(gradient)).argmax()), gradient.shape)
    return tuple(min(max(int(i), 0), n - 1) for i, n in zip(index, gradient.shape, strict=True))


def _of_cell(blocks: BlockMaxima, r: int, c: int) -> tuple[int, int]:
    r, c = (min(max(i, 0), n - 1) for i, n in zip((r, c), blocks.values.shape, strict=True))
    return int(blocks.rows[r, c]), int(blocks.columns[r, c])


def checked(session: Session, data: PageData, name: str, index: tuple[int, ...]) -> GradientCheck:
    """The gradient check of one weight, for the network and the text of the page."""
    params, reading = data.network.params, data.reading
    epsilons = EPSILONS if params.hidden_size <= LARGE else EPSILONS[1::3]

    def check() -> GradientCheck:
        window = reading.tokens[:, None], reading.targets[:, None]
        return check_weight(params, *window, name, index, activation=data.forward.activation, epsilons=epsilons)

    return cached_for_network(session, "gradient_check", check, data, name, index)
