"""A link to share, its QR code, and sentences about the limits of the link."""

from collections.abc import Sequence
from typing import TypedDict

import segno

from core.config.language import gettext as _
from core.config.language import lazy_gettext, sentences
from core.config.link import FURTHEST
from core.figures.parts import words
from core.figures.parts.numbers import count

ONLY_HERE = lazy_gettext(
    "Only this machine can open this link. For others: start the dashboard with --server.address=0.0.0.0, "
    "and open it here by the network address that it prints."
)
OWN_TEXT = lazy_gettext("Your own text is not in the link: it opens the Python manual instead.")


class Code(TypedDict):
    """A QR code: ``size`` modules on a side, and the dark modules as an SVG path in these units."""

    size: int
    path: str


class ShareLink(TypedDict):
    """The link, a sentence on what it opens, its QR code, and sentences about its limits."""

    link: str
    opens: str
    code: Code
    notes: list[str]


def share_link(
    link: str, *, update: int, moved: Sequence[str], own_text: bool, left_out: Sequence[str], only_here: bool
) -> ShareLink:
    """The link to a run at ``update``, with its QR code.

    ``moved``: settings changed during the run, before ``update``. ``left_out``: parameters for which the link was too long.
    """
    notes = [
        _(ONLY_HERE) if only_here else "",
        _(OWN_TEXT) if own_text else "",
        _("A link trains to update {most} at most; this run has come to {n}.", most=count(FURTHEST), n=count(update))
        if update > FURTHEST and not own_text
        else "",
        _another_curve(moved) if moved and not own_text else "",
        _("The link is too long to hold: {names}.", names=", ".join(left_out)) if left_out else "",
    ]
    return {"link": link, "opens": _opens(update, own_text), "code": qr_code(link), "notes": [note for note in notes if note]}


def _opens(update: int, own_text: bool) -> str:
    """A sentence on what the link opens."""
    if own_text or not update:
        return _("It opens what is open here.")
    return _("It opens what is open here, and trains to update {n}.", n=count(min(update, FURTHEST)))


def _another_curve(moved: Sequence[str]) -> str:
    names = ", ".join(map(words.name, moved))
    return sentences(
        _("Moved while this run trained: {names}.", names=names),
        _("The link has only the values of now: its curve will be another."),
    )


def qr_code(text: str) -> Code:
    """The smallest QR code for the text, so that its modules are large; with the best error correction of that size."""
    code = segno.make_qr(text, error="l", boost_error=True)
    runs = [f"M{x} {y}h{long}v1h-{long}z" for y, row in enumerate(code.matrix) for x, long in _dark(row)]
    return {"size": len(code.matrix), "path": "".join(runs)}


def _dark(row: Sequence[int]) -> list[tuple[int, int]]:
    """The runs of dark modules in a row, as (start, length)."""
    begins = [x for x, dark in enumerate(row) if dark and not (x and row[x - 1])]
    ends = [x + 1 for x, dark in enumerate(row) if dark and not (x + 1 < len(row) and row[x + 1])]
    return [(begin, end - begin) for begin, end in zip(begins, ends, strict=True)]
