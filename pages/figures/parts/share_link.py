"""A link to share, its QR code, and sentences about the limits of the link."""

from collections.abc import Sequence
from itertools import groupby
from typing import TypedDict

import segno

from core.config.language import gettext as _, lazy_gettext, sentences
from core.config.link import FURTHEST_UPDATE
from pages.figures.parts import words
from pages.figures.parts.numbers import count

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
    notes = []
    if only_here:
        notes.append(_(ONLY_HERE))
    if own_text:
        notes.append(_(OWN_TEXT))
    if update > FURTHEST_UPDATE and not own_text:
        notes.append(
            _("A link trains to update {most} at most; this run has come to {n}.", most=count(FURTHEST_UPDATE), n=count(update))
        )
    if moved and not own_text:
        moves = _("Moved while this run trained: {names}.", names=", ".join(map(words.name, moved)))
        notes.append(sentences(moves, _("The link has only the values of now: its curve will be another.")))
    if left_out:
        notes.append(_("Left out, as the link would be too long: {names}.", names=", ".join(left_out)))
    opens = _("It opens this page as it is now.")
    if update and not own_text:
        opens = _("It opens this page as it is now, and trains to update {n}.", n=count(min(update, FURTHEST_UPDATE)))
    return {"link": link, "opens": opens, "code": qr_code(link), "notes": notes}


def qr_code(text: str) -> Code:
    """The smallest QR code for the text, so that its modules are large; with the best error correction of that size."""
    code = segno.make_qr(text, error="l", boost_error=True)
    path = ""
    for y, row in enumerate(code.matrix):
        for dark, columns in groupby(range(len(row)), key=row.__getitem__):
            run = list(columns)
            if dark:
                path += f"M{run[0]} {y}h{len(run)}v1h-{len(run)}z"
    return {"size": len(code.matrix), "path": path}
