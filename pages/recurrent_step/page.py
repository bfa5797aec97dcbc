"""What does a hidden state add?"""

import math
from itertools import islice

import numpy as np
import streamlit as st

from core.analysis import recurrent_step as analysis
from core.figures.parts.numbers import count
from core.figures.parts.symbols import kind_of
from core.figures.recurrent_step.back import slope_figure, slope_label, step_back_scene, step_back_words
from core.figures.recurrent_step.networks import Judged, networks_scene
from core.figures.recurrent_step.order import order_scene, order_words
from core.figures.recurrent_step.products import products_scene, products_words
from core.figures.recurrent_step.shapes import shapes_scene, shapes_words
from core.figures.recurrent_step.why import (
    growth_figure,
    growth_label,
    never_seen_figure,
    never_seen_label,
    never_seen_sentence,
    why_words,
)
from core.models.loss import perplexity_of
from core.models.mlp import Mlp
from core.settings import KNOBS
from core.text.corpus import Stream
from core.text.streams import Purpose, generator
from core.training.live_run import compute
from core.training.mlp_trainer import MlpTrainer, updates_worth
from pages.ui import frame
from pages.ui.address import asked_for, follow
from pages.ui.components.blocks.blocks import blocks
from pages.ui.components.cards.cards import cards
from pages.ui.components.live_figure.live_figure import live_figure
from pages.ui.components.sections.sections import sections
from pages.ui.components.shapes.shapes import shapes
from pages.ui.components.two_networks.two_networks import two_networks
from pages.ui.kept import of_text
from pages.ui.state import Stage, stage

LARGEST = 99.0  # number that fits into a cell
EVERY = 1.0  # seconds between two pictures of the live run
LIVE = ("networks",)  # sections that look at the live run
PASSAGE = {"char": 18, "word": 9}  # tokens
CHOICE = 8  # stretches of which the most varied one is shown
AT_ONCE = 8  # updates for which the right to compute is held
START = {"N": 3, "D": 1, "H": 4, "decimals": 1, "first": 0, "second": 1, "draw": 0}


def page() -> None:
    here = stage()
    frame.title("Recurrent step", "What does a hidden state add?")
    view = st.session_state.get("recurrent_step")
    if view is None:
        view = st.session_state["recurrent_step"] = START | {"section": asked_for(here, "section", SECTIONS)}
    frame.notice(*here.notices)
    moving = here.run.playing and view["section"] in LIVE
    st.fragment(body, run_every=EVERY if moving else None)(here, view, moving)


def body(here: Stage, view: dict, polled: bool) -> None:
    """The bar, and the section that it names."""
    follow(here, "section", view["section"], SECTIONS)
    show, picks, press = SECTIONS[view["section"]][1:]
    sections(
        view["section"],
        {name: section[0] for name, section in SECTIONS.items()},
        label="Section",
        picks=[_pick(view, name) for name in picks],
        press=press,
        on_choose=lambda name: view.update(section=name if name in SECTIONS else view["section"]),
        on_pick=lambda name, value: _picked(view, name, value),
        on_press=lambda: view.update(draw=view["draw"] + 1, matrices=None, pair=None),
    )
    show(here, view)
    if (here.run.playing and view["section"] in LIVE) != polled:
        st.rerun()


def _pick(view: dict, name: str) -> dict:
    label, options, help = PICKS[name]
    return {"name": name, "label": label, "options": options, "value": view[name], "help": help}


def _picked(view: dict, name: str, value: str) -> None:
    """A new size draws new numbers; more decimals do too."""
    if name in PICKS and value in [str(option) for option, _ in PICKS[name][1]]:
        view.update({name: int(value), "matrices": None})


def why(here: Stage, view: dict) -> None:
    """From tables of n-grams to a state: what each costs on this text."""
    settings, V, kind = here.settings, here.corpus.tokenizer.size, kind_of(here.corpus)
    growth = analysis.growth(V, settings.hidden_size, settings.embedding_size)
    shares = never_seen(here)
    cards(why_words(growth, shares, V, kind), key="why_words")
    left, right = st.columns((1, 1), gap="medium")
    with left:
        frame.heading("Numbers to learn", "to look further back")
        live_figure(growth_figure(growth, kind), key="growth", keep="", label=growth_label(growth))
    with right:
        frame.heading("Never seen", never_seen_sentence(shares))
        if shares:
            label = never_seen_label(shares)
            live_figure(never_seen_figure(shares, kind), key="never_seen", keep="", label=label)


def never_seen(here: Stage) -> list[float] | None:
    """The share of held-out n-grams that training never saw; None when nothing is held out."""
    corpus = here.corpus
    if corpus.held_out is None or not corpus.is_text:
        return None

    def measure() -> list[float]:
        with compute():
            return analysis.never_seen(corpus.train, corpus.held_out, corpus.tokenizer.size)

    return of_text(here, "never_seen", measure)


def networks(here: Stage, view: dict) -> None:
    """The same text through a network without a state and through the live run."""
    settings, corpus, tokenizer = here.settings, here.corpus, here.corpus.tokenizer
    with st.spinner("Training the network without a state, this once"):
        plain, nats, updates = trained_without_state(here)
    tokens = passage(here, view)
    i, j = pair = view["pair"] = view.get("pair") or first_pair(tokens)
    params, run = here.run.params(), here.run.snapshot().view
    other = analysis.swapped(tokens, i, j)
    without = tuple(analysis.read_without_state(plain, ids, settings.activation) for ids in (tokens, other))
    with_state = tuple(analysis.read_with_state(params, ids, settings.activation) for ids in (tokens, other))
    scene = networks_scene(
        tokenizer.symbols(tokens),
        pair,
        without,
        with_state,
        vocabulary=tokenizer.vocab,
        kind=kind_of(corpus),
        judged=(Judged(perplexity_of(nats), updates), Judged(run.perplexity, run.judged.update)),
        memory=analysis.share_of_memory(params, tokens, settings.activation),
    )
    two_networks(scene, on_swap=lambda i, j: _swap(view, len(tokens), i, j))


def trained_without_state(here: Stage) -> tuple[Mlp, float, int]:
    """The network without a state after about a second of training, its held-out loss in nats, and its updates."""
    settings, corpus, held = here.settings, here.corpus, here.watched.held_out

    def train() -> tuple[Mlp, float, int]:
        trainer = MlpTrainer(settings, corpus)
        updates = updates_worth(settings, corpus.tokenizer.size)
        while trainer.step < updates:
            here.run.heartbeat()  # this session's card cannot, as long as this runs
            with compute():
                done = len(list(islice(trainer, min(AT_ONCE, updates - trainer.step))))
            if not done:
                break
        with compute():
            judged = Stream(held.source.inputs[held.positions], held.source.targets[held.positions])
            return trainer.params, trainer.judge(judged), trainer.step

    names = [name for name, knob in KNOBS.items() if knob.kind == "restart"]
    return of_text(here, "mlp", train, *(getattr(settings, name) for name in (*names, "learning_rate", "clip_norm")))


def passage(here: Stage, view: dict) -> np.ndarray:
    """Some tokens of the text that is judged; another stretch of it each time the button is pressed."""
    inputs, rng = here.watched.held_out.source.inputs, generator(view["draw"], Purpose.DISPLAY)
    length = min(PASSAGE[here.corpus.tokenizer.unit], len(inputs))
    stretches = [inputs[start : start + length] for start in rng.integers(len(inputs) - length + 1, size=CHOICE)]
    return max(stretches, key=lambda tokens: len(set(tokens.tolist())))  # a row of dashes shows nothing


def first_pair(tokens: np.ndarray) -> tuple[int, int]:
    """The last two neighbours before the present token that differ; the first two if none do."""
    for i in range(len(tokens) - 3, -1, -1):
        if tokens[i] != tokens[i + 1]:
            return i, i + 1
    return 0, min(1, len(tokens) - 1)


def _swap(view: dict, length: int, i: int, j: int) -> None:
    if 0 <= i < length - 1 and 0 <= j < length - 1:
        view["pair"] = min(i, j), max(i, j)


def products(here: Stage, view: dict) -> None:
    """The sum of two products is one product of what is put together."""
    m = matrices(view)
    scene = products_scene(m, analysis.two_ways(m), decimals=view["decimals"], notice=view.pop("notice", ""))
    blocks(scene, key="products", on_edit=lambda *cell: edit(view, *cell))
    cards(products_words(), key="products_words")


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


def sizes(here: Stage, view: dict) -> None:
    """Every matrix to scale, and what does not grow with the length of the text."""
    chosen = view.setdefault("sizes", {}) or own_sizes(here)
    N, D, H, V = (chosen[name] for name in SIZES)
    sliders = [_slider(name, chosen[name]) for name in SIZES]
    shapes(shapes_scene(N, D, H, V), sliders, on_move=lambda name, place: _resize(here, view, name, place))
    cards(shapes_words(analysis.numbers(N, D, H, V)), columns=(1.2, 1, 1), key="shapes_words")


def own_sizes(here: Stage) -> dict[str, int]:
    """Those of the run."""
    settings, V = here.settings, here.corpus.tokenizer.size
    return {"N": settings.batch_size, "D": settings.embedding_size, "H": settings.hidden_size, "V": V}


def _slider(name: str, value: int) -> dict:
    label, help, places = SIZES[name]
    places = sorted({*places, value})
    words = ["one-hot: V" if name == "D" and place == 0 else count(place) for place in places]
    return {"name": name, "label": label, "help": help, "words": words, "at": places.index(value)}


def _resize(here: Stage, view: dict, name: str, place: int) -> None:
    chosen = view["sizes"] or own_sizes(here)
    if name in SIZES:
        places = sorted({*SIZES[name][2], chosen[name]})
        view["sizes"] = chosen | {name: places[min(max(place, 0), len(places) - 1)]}


SIZES = {  # name: label, help, places of its slider
    "N": ("N, sequences", "Rows of the batch", (1, 2, 4, 8, 16, 32, 64, 128, 256)),
    "D": ("D, input", "Width of the input vector: of an embedding, or V when one-hot", (0, 8, 16, 32, 64, 100, 128, 256)),
    "H": ("H, hidden units", "Width of the state", (1, 4, 8, 16, 32, 64, 100, 128, 256, 512)),
    "V": ("V, vocabulary", "Different tokens", (2, 10, 28, 50, 100, 200, 418, 1000, 2000, 5000, 10_000)),
}


def back(here: Stage, view: dict) -> None:
    """One step backward, with the numbers of the two products."""
    m = matrices(view)
    b = analysis.step_back(m, generator(view["draw"], Purpose.HELD_OUT))
    left, right = st.columns((1, 1.6), gap="medium")
    with left:
        reach = max(4.0, 1.1 * float(np.abs(b.a).max()))
        chart = slope_figure(b, analysis.slope_curve(reach))
        live_figure(chart, key="slope", keep="", label=slope_label(b))
    with right:
        cards(step_back_words(b), key="back_words")
    blocks(step_back_scene(m, b), key="back")


def order(here: Stage, view: dict) -> None:
    """Two words in both orders: summed, side by side, one after the other."""
    m = analysis.draw_matrices(len(WORDS), *ORDER_SIZES, generator(view["draw"], Purpose.DISPLAY))
    first, second = view["first"], view["second"]
    both = analysis.in_both_orders(m, first, second)
    blocks(order_scene(both, (WORDS[first], WORDS[second])), key="order")
    prices = {n: analysis.weights_before_the_hidden_layer(*ORDER_SIZES, n) for n in (2, 10, 100)}
    cards(order_words(prices, first == second), key="order_words")


WORDS = ("you", "say", "goodbye", "and", "i", "hello", ".")  # the second source's sentence
ORDER_SIZES = (3, 4)  # D, H
UP_TO_SIX = [[n, str(n)] for n in range(1, 7)]
PICKS = {  # name: label, options, help
    "N": ("N", UP_TO_SIX, "Rows: sequences in the batch"),
    "D": ("D", UP_TO_SIX, "Width of the input"),
    "H": ("H", UP_TO_SIX, "Hidden units"),
    "first": ("", [[i, word] for i, word in enumerate(WORDS)], "First word"),
    "second": ("", [[i, word] for i, word in enumerate(WORDS)], "Second word"),
    "decimals": ("", [[1, ".0"], [4, ".0000"]], "Decimals of the numbers"),
}
SECTIONS = {  # address: words, what shows it, selects and button of the bar
    "why": ("Why a state", why, (), ""),
    "order": ("Order", order, ("first", "second"), "New vectors"),
    "networks": ("Without and with", networks, (), "Another passage"),
    "products": ("Two products, one product", products, ("N", "D", "H", "decimals"), "New numbers"),
    "shapes": ("Shapes", sizes, (), ""),
    "back": ("One step back", back, ("N", "D", "H"), "New numbers"),
}

page()
