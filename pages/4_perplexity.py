"""How surprised is the model by each token, and what does it write?"""

from pages.app.layout import elements
from pages.app.navigation.section_tabs import Pick, draw_sections, page_state
from pages.app.panels.network_title import network_title
from pages.app.session.session import current_session
from pages.perplexity import choice
from pages.perplexity.sections import SECTIONS

START = {"model": choice.LIVE, "beside": "counted-3"}
NO_TEXT = "The targets of this task are not its next tokens, so there is no text to be surprised by. Choose a text on Training."


def page() -> None:
    session = current_session()
    network_title(session, "Perplexity", "How surprised is the network by each token?")
    if not session.corpus.is_text:
        elements.notice(NO_TEXT)
        return
    offered = choice.offered(session)
    picks = {
        "model": Pick("model", list(offered.items()), "The model that is looked at"),
        "beside": Pick("beside", [(choice.NONE, "nothing"), *offered.items()], "Another model beside it"),
    }
    state = page_state(session, SECTIONS, picks, **START)
    for name, first in START.items():
        if state[name] not in offered and state[name] != choice.NONE:
            state[name] = first
    elements.notice(*session.notices)
    draw_sections(session, SECTIONS, state, picks)


page()
