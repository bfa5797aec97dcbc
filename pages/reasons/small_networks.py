"""Numbers of the reasons about the small networks of "machine" and "you say goodbye"."""

from functools import lru_cache

import numpy as np
import streamlit as st

from core.analysis.backward import backward_pass
from core.analysis.displayed_text import read_text
from core.analysis.replacement import replace_token
from core.analysis.truncation import TruncationCells, blocks
from core.analysis.unrolled import Unrolled, unroll
from pages.app.panels.text_model_picker import (
    BRACKET,
    EXAMPLE_TEXTS,
    FIRST_CLOSED,
    QUOTATION,
    SMALL_NETWORK,
    Network,
    example_network,
)
from pages.app.session.session import Session
from pages.figures.parts.numbers import in_hundred, number, percent
from pages.figures.truncation.block_borders import angle

MACHINE, SAY = list(EXAMPLE_TEXTS)[:2]
TAU = 2  # of the cut with which the scene begins


def _shown(session: Session, text: str) -> tuple[Network, Unrolled] | None:
    """The small network of this text as it reads it; None if the page shows another text or network."""
    page, query = session.navigation.page, session.navigation.query  # which names both before the page is drawn
    read = st.session_state.get(f"{page}_text", query.get("text", MACHINE))
    if (read, st.session_state.get(f"{page}_network", query.get("network"))) != (text, SMALL_NETWORK):
        return None
    network = example_network(text)
    return network, _unrolled(text)


@lru_cache(maxsize=len(EXAMPLE_TEXTS))
def _unrolled(text: str) -> Unrolled:
    network = example_network(text)
    reading = read_text(text, network.tokenizer)
    return unroll(network.params, reading.tokens, reading.targets, activation=network.settings.activation)


def what_a_letter_leaves(session: Session) -> dict[str, str] | None:
    """The m replaced by the letter that changes the last prediction most: what differs in every state, and in the prediction."""
    shown = _shown(session, MACHINE)
    if not shown:
        return None
    network, u = shown

    def replaced(token: int) -> Unrolled:
        tokens = np.concatenate([[token], u.tokens[1:]])
        return unroll(network.params, tokens, u.targets, activation=u.activation)

    others = [replaced(token) for token in range(network.tokenizer.size) if token != u.tokens[0]]
    v = min(others, key=lambda other: other.p[-1, u.targets[-1]])
    distances = np.linalg.norm(u.h - v.h, axis=1)[1:]
    letter, first, target = network.tokenizer.symbols([int(v.tokens[0]), int(u.tokens[0]), int(u.targets[-1])])
    return (
        {"letter": letter, "first": first, "target": target, "T": str(len(distances))}
        | {
            "d1": number(distances[0]),
            "last": number(distances[-1]),
            "p": number(u.p[-1, u.targets[-1]]),
            "q": number(v.p[-1, u.targets[-1]]),
        }
        | _closed()
    )


def _closed() -> dict[str, str]:
    """p of the sign that closes a quotation, which its first token decides; and if a bracket stands there instead."""
    network = example_network(QUOTATION)
    reading = read_text(QUOTATION[:FIRST_CLOSED], network.tokenizer)
    bracket = network.tokenizer.vocab.index(BRACKET)
    found = replace_token(network.params, reading.tokens, reading.targets, 0, bracket, activation=network.settings.activation)
    return {"open": BRACKET, "sign": QUOTATION[0], "quoted": QUOTATION[: FIRST_CLOSED - 1]} | {
        "closed": number(found.p[-1]),
        "not_closed": number(found.p_other[-1]),
    }


def same_word_twice(session: Session) -> dict[str, str] | None:
    """p(hello) after each "say", and after a "say" whose state before is zero."""
    shown = _shown(session, SAY)
    if not shown:
        return None
    network, u = shown
    vocab = network.tokenizer.vocab
    first, second = np.flatnonzero(u.tokens == vocab.index("say"))
    alone = unroll(network.params, u.tokens[second : second + 1], u.targets[second : second + 1], activation=u.activation)
    hello = vocab.index("hello")
    shares = {"first": u.p[first, hello], "second": u.p[second, hello], "alone": alone.p[0, hello]}
    return {name: percent(share) for name, share in shares.items()}


def left_at_each_step(session: Session) -> dict[str, str] | None:
    """What is left of the gradient of the last loss at each state, in per cent of that at the last one."""
    shown = _shown(session, MACHINE)
    if not shown:
        return None
    network, u = shown
    last = backward_pass(network.params, u.tokens, u.targets, activation=u.activation).last_loss()
    sizes = last.sizes
    left = [in_hundred(size / sizes[-1]) for size in sizes[::-1]]
    factor = (sizes[0] / sizes[-1]) ** (1 / (len(sizes) - 1))
    return {"all": left[0], "one": left[1], "two": left[2], "rest": ", ".join(left[3:]), "end": left[-1]} | {
        "T": str(len(left)),
        "steps": str(len(left) - 1),
        "factor": number(factor, 2),
        "slope": number(last.by_slope[-1]),
        "weights": number(last.by_weights[-1]),
    }


def lost_by_the_cut(session: Session) -> dict[str, str] | None:
    """How many terms of dW_hh the first cut keeps, and the angle and length of what is left of it."""
    shown = _shown(session, MACHINE)
    if not shown:
        return None
    network, u = shown
    b, T = backward_pass(network.params, u.tokens, u.targets, activation=u.activation), len(u.tokens)
    first = blocks(T, TAU)
    found = TruncationCells(b.trace, b.flow(vectors=True)).compare([first])
    return {
        "tau": str(TAU),
        "all": str(T * (T + 1) // 2),
        "kept": str(int((np.arange(1, T + 1) - first + 1).sum())),
        "angle": angle(found.cosine[0, 1]),
        "lost": percent(found.lost[0, 1]),
        "length": percent(found.ratio[0, 1]),
    }
