"""The title of a page that looks at a network: it says so where that is not the reader's own."""

from core.config.language import gettext as _
from core.figures.parts.numbers import count
from pages.app.layout import elements
from pages.app.session.session import Session


def network_title(session: Session, name: str, sentence: str, *, live: bool = True) -> None:
    """Name and sentence of the page; or, in place of the sentence, that a trained network is shown: where the network that is
    looked at would be the ``live`` one."""
    example = session.example if live else None
    if example:
        sentence = _("A trained network (update {n}); yours is untrained: press play.", n=count(example.moment.update))
    elements.title(name, sentence)
