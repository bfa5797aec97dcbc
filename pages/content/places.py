"""Places of the dashboard by key: the index of the books, the exercises and references link to them."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from core.config.language import gettext as _, lazy_gettext
from core.config.link import SCENE, VIEW, encoded
from pages.content.scenes import SCENES


class Place(NamedTuple):
    """A place: the URL path of its page, its name, and the page's URL parameters; ``view`` is the part of the page to scroll to.
    ``scene``: the key of a scene that is opened instead."""

    page: str
    name: str
    query: Mapping[str, str] = MappingProxyType({})
    scene: str = ""


TITLES = {
    "recurrent_step": lazy_gettext("Recurrent step"),
    "unrolled": lazy_gettext("Unrolled"),
    "training": lazy_gettext("Training"),
    "perplexity": lazy_gettext("Perplexity"),
    "gradient_flow": lazy_gettext("Gradient flow"),
    "truncation": lazy_gettext("Truncation"),
    "books": lazy_gettext("The two books"),
    "exercises": lazy_gettext("Exercises"),
}
_MACHINE = {"text": "machine", "network": "the small network"}
_SAY = _MACHINE | {"text": "you say goodbye and i say hello ."}


def _step(section: str, name: str, **query: str) -> Place:
    return Place("recurrent_step", name, {"section": section} | query)


def _unrolled(view: str, name: str, **query: str) -> Place:
    return Place("unrolled", name, _MACHINE | query | ({VIEW: view} if view else {}))


def _perplexity(section: str, name: str, **query: str) -> Place:
    return Place("perplexity", name, {"section": section} | query)


def _flow(section: str, name: str, **query: str) -> Place:
    return Place("gradient_flow", name, _MACHINE | ({"section": section} if section else {}) | query)


def _truncation(section: str, name: str, **query: str) -> Place:
    return Place("truncation", name, {"section": section} | query)


def _scene(key: str) -> Place:
    return Place(SCENES[key].page, SCENES[key].name, scene=key)


PLACES = {
    "why": _step("why", lazy_gettext("Why a state")),
    "order": _step("order", lazy_gettext("Order")),
    "networks": _step("networks", lazy_gettext("Without and with")),
    "products": _step("products", lazy_gettext("Two products, one product"), D="1"),
    "three_cells": _step("products", lazy_gettext("Three cells, opened"), view="three_cells"),
    "shapes": _step("shapes", lazy_gettext("Shapes")),
    "back": _step("back", lazy_gettext("One step back")),
    "machine": _unrolled("", lazy_gettext("Unrolled")),
    "say": _unrolled("", lazy_gettext("You say goodbye, I say hello"), **_SAY),
    "cell": _unrolled("part_cell", lazy_gettext("The cell, opened")),
    "layers": _unrolled("part_layers", lazy_gettext("The layers, stacked over time")),
    "product": _unrolled("part_product", lazy_gettext("The product rule")),
    "dependence": _unrolled("part_dependence", lazy_gettext("What depends on what")),
    "unit": _unrolled("part_unit", lazy_gettext("One unit over the text")),
    "training": Place("training", lazy_gettext("The run")),
    "settings": Place("training", lazy_gettext("Restarts training"), {VIEW: "restarts"}),
    "more": Place("training", lazy_gettext("Weights, and what counting costs"), {VIEW: "more"}),
    "surprise": _perplexity("surprise", lazy_gettext("Surprise")),
    "number": _perplexity("number", lazy_gettext("The number")),
    "which_mean": _perplexity("number", lazy_gettext("Which mean?"), view="which_mean"),
    "length": _perplexity("length", lazy_gettext("Length")),
    "continuations": _perplexity("continuations", lazy_gettext("Continuations")),
    "compression": _perplexity("compression", lazy_gettext("Compression")),
    "counting": _perplexity("counting", lazy_gettext("Against counting")),
    "writing": _perplexity("writing", lazy_gettext("Writing")),
    "flow": _flow("", lazy_gettext("Gradient flow")),
    "last_loss": _flow("", lazy_gettext("the last loss alone"), losses="last"),
    "what_if": _flow("what_if", lazy_gettext("What if")),
    "explodes": _flow("what_if", lazy_gettext("What if, spectral radius 2"), radius="2.0"),
    "shares": _flow("shares", lazy_gettext("Shares of dW_hh")),
    "jacobian": _flow("jacobian", lazy_gettext("Jacobians")),
    "gradient_check": _flow("gradient_check", lazy_gettext("Check a gradient")),
    "history": _flow("history", lazy_gettext("Over the run")),
    "cost": _flow("cost", lazy_gettext("Cost")),
    "cut": _truncation("cut", lazy_gettext("The cut"), **_MACHINE, tau="2"),
    "sliding": _truncation("cut", lazy_gettext("The cut, sliding window"), **_MACHINE, tau="2", scheme="window"),
    "reset": _truncation("cut", lazy_gettext("The cut, state reset"), **_MACHINE, tau="2", mode="reset"),
    "data": _truncation("data", lazy_gettext("The data")),
    "shuffled": _truncation("data", lazy_gettext("The data, shuffled"), order="shuffled"),
    "proof": _truncation("proof", lazy_gettext("The proof")),
    "race": _truncation("race", lazy_gettext("The race")),
    "open_questions": Place("books", lazy_gettext("Questions and errata"), {"section": "questions"}),
    "book_exercises": Place("exercises", lazy_gettext("The book's exercises"), {"section": "book"}),
    **{f"scene_{key}": _scene(key) for key in ("branching", "too_fast", "memorising", "price", "vanishing")},
}


def name_of(key: str) -> str:
    """A place's name in the reader's language: its page and the part of it."""
    place = PLACES[key]
    if place.scene:
        return _("scene “{name}”", name=_(place.name))
    page, name = _(TITLES[place.page]), _(place.name)
    return name if page == name else _("{page}: {part}", page=page, part=name)


def address_of(key: str) -> str:
    """A place's page and query string, relative to the URL of the pages."""
    place = PLACES[key]
    query = {SCENE: place.scene} if place.scene else place.query
    return f"{place.page}?{encoded(query)}" if query else place.page
