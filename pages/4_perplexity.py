"""The Perplexity page: how surprised is the model by each token, and what does it write?"""

from core.config.language import gettext as _, lazy_gettext
from pages.app.layout import elements
from pages.app.navigation.section_tabs import Pick, draw_sections, network_title, page_state
from pages.app.session.session import current_session
from pages.perplexity import choice
from pages.perplexity.sections import SECTIONS

START = {"model": choice.LIVE, "beside": "counted-3"}
NO_TEXT = lazy_gettext(
    "The targets of this task are not its next tokens, so there is no text to be surprised by. Choose a text on Training."
)


def page() -> None:
    session = current_session()
    network_title(session, _("Perplexity"), _("How surprised is the network by each token?"))
    if not session.corpus.is_text:
        elements.notice(_(NO_TEXT))
        return
    offered = choice.offered(session)
    picks = {
        "model": Pick(_("model"), list(offered.items()), _("The model that is looked at")),
        "beside": Pick(_("beside"), [(choice.NONE, _("nothing")), *offered.items()], _("Another model beside it")),
    }
    state = page_state(session, SECTIONS, picks, **START)
    for name, first in START.items():
        if state[name] not in offered and state[name] != choice.NONE:
            state[name] = first
    elements.notice(*map(_, session.notices))
    draw_sections(session, state)


page()
