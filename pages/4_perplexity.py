"""How surprised is the model by each token, and what does it write?"""

from pages.app.layout import elements
from pages.app.navigation.section_tabs import Pick, page_state, turn
from pages.app.session.session import stage
from pages.perplexity import choice
from pages.perplexity.sections import SECTIONS

START = {"model": choice.LIVE, "beside": "counted-3"}
NO_TEXT = "The targets of this task are not its next tokens, so there is no text to be surprised by. Choose a text on Training."


def page() -> None:
    here = stage()
    elements.title("Perplexity", "How surprised is the network by each token?")
    if not here.corpus.is_text:
        elements.notice(NO_TEXT)
        return
    offered = choice.offered(here)
    picks = {
        "model": Pick("model", list(offered.items()), "The model that is looked at"),
        "beside": Pick("beside", [(choice.NONE, "nothing"), *offered.items()], "Another model beside it"),
    }
    wishes = page_state(here, SECTIONS, picks, **START)
    for name, first in START.items():
        if wishes[name] not in offered and wishes[name] != choice.NONE:
            wishes[name] = first
    elements.notice(*here.notices)
    turn(here, SECTIONS, wishes, picks)


page()
