"""Numbers of the reasons in the chapter "Why a state"."""

import streamlit as st

from core.analysis import recurrent_step as analysis
from core.analysis.one_step_matrices import StepMatrices, two_ways
from pages.app.session.session import Session
from pages.figures.parts.numbers import count, decimals, percent
from pages.figures.parts.symbols import kind_of, visible_inline
from pages.recurrent_step.motivation import ORDER, never_seen
from pages.recurrent_step.networks import passage, trained_without_state


def table(session: Session) -> dict[str, str] | None:
    """The counts of a table of 6-grams, the tokens that fill it, the share of held-out 6-grams that it has never seen, and the
    weights of the network."""
    shares, V = never_seen(session), session.corpus.tokenizer.size
    if not shares or kind_of(session.corpus) != "character":
        return None
    return {
        "V": count(V),
        "cells": count(V**ORDER),
        "tokens": count(len(session.corpus.train)),
        "share": percent(shares[ORDER - 1]),
        "weights": count(session.monitored.trainer.params.flat.size),
    }


def swapped(session: Session) -> dict[str, str] | None:
    """The most probable next token with a state, and its probability before and after the swap, in both networks."""
    state = st.session_state.get("recurrent_step") or {}
    pair, corpus, activation = state.get("pair"), session.corpus, session.settings.activation
    tokens = passage(session, state.get("draw", 0))
    if not pair or pair[1] >= len(tokens) - 1:
        return None
    other = analysis.swapped(tokens, *pair)
    networks = trained_without_state(session)[0], session.params()
    (p, same), (before, after) = [[analysis.after_text(one, ids, activation).p for ids in (tokens, other)] for one in networks]
    moved = int(abs(after - before).argmax())
    last, following = corpus.tokenizer.symbols([int(tokens[-1]), moved])
    shares = {"p": p[moved], "same": same[moved], "before": before[moved], "after": after[moved]}
    return {"last": visible_inline(last), "next": visible_inline(following)} | {
        name: percent(share, 1) for name, share in shares.items()
    }


def one_cell(_session: Session) -> dict[str, str] | None:
    """The outlined cell of the result: the parts of the input and of the state, and their sum."""
    state = st.session_state.get("recurrent_step") or {}
    if "matrices" not in state or state["decimals"] != 1:  # products of numbers with one decimal have two
        return None
    m = StepMatrices(**state["matrices"])
    N, H = m.H.shape
    row, column = min(1, N - 1), min(2, H - 1)  # as the drawing outlines it
    ways = two_ways(m)
    a, b = float(m.X[row] @ m.W_xh[:, column]), float(m.H[row] @ m.W_hh[:, column])
    return {
        "a": decimals(a, 2),
        "b": decimals(b, sign=True).replace("+", "+ ").replace("−", "− "),
        "sum": decimals(ways.two_products[row, column], 2),
        "one": decimals(ways.one_product[row, column], 2),
    }
