"""The parameters' names as either source has them: a setting says with whose a page is written.

Code, figures and sentences have the names of the first source; :func:`named` writes them with those of the second. It is for our
own words alone: a token "W_hh" of somebody's text stays what it is.
"""

import re
from typing import Any, NamedTuple, TypeVar

FIRST, SECOND = "first", "second"
TITLES = {FIRST: "Dive into Deep Learning", SECOND: "Deep Learning from Scratch 2"}
Ours = TypeVar("Ours", str, list, tuple, dict)


class Name(NamedTuple):
    """What the second source calls it, in code and within a formula; and the layer it belongs to, where it is a parameter."""

    code: str
    formula: str
    layer: str = ""


NAMES = {  # by the name in the first source
    "W_xh": Name("Wx", "W_{x}", "RNN"),
    "W_hh": Name("Wh", "W_{h}", "RNN"),
    "b_h": Name("b", "b", "RNN"),
    "W_hq": Name("W", "W", "affine"),
    "b_q": Name("b", "b", "affine"),
    "W_emb": Name("embed_W", "W_{embed}", "embedding"),
    "num_steps": Name("time_size", "time_size"),
    "embed_size": Name("wordvec_size", "wordvec_size"),
}


def _spelled(name: str) -> str:
    letter, _, low = name.partition("_")
    return rf"{letter}_(?:\{{{low}\}}|{low}(?![A-Za-z]))"


_FOUND = re.compile(rf"(?<![A-Za-ce-z_])(d?)({'|'.join(map(_spelled, NAMES))})")  # also dW_hh, the gradient of one


def named(ours: Ours, notation: str) -> Ours:
    """Words of ours, or all words of a drawing that has no others, with the names of ``notation``."""
    return ours if notation == FIRST else _renamed(ours)


def _renamed(ours: Any) -> Any:
    if isinstance(ours, str):
        return _FOUND.sub(_other, ours) if "_" in ours else ours
    if isinstance(ours, dict):
        return {key: _renamed(value) for key, value in ours.items()}
    return [_renamed(value) for value in ours] if isinstance(ours, list | tuple) else ours


def _other(found: re.Match[str]) -> str:
    gradient, name = found.groups()
    other = NAMES[name.replace("{", "").replace("}", "")]
    return gradient + (other.formula if "{" in name else other.code)


def in_full(name: str, notation: str) -> str:
    """A parameter's name, and its layer: two layers of the second source have a W and a b."""
    return f"{named(name, notation)}, {NAMES[name].layer}"
