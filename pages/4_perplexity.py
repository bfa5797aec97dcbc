"""How surprised is the model by each token, and what does it write?"""

from pages.perplexity import choice
from pages.perplexity.sections import SECTIONS
from pages.ui import frame
from pages.ui.sections import Pick, turn, wishes_of
from pages.ui.stage import stage

START = {"model": choice.LIVE, "beside": "counted-3"}
NO_TEXT = "The targets of this task are not its next tokens, so there is no text to be surprised by. Choose a text on Training."


def page() -> None:
    here = stage()
    frame.title("Perplexity", "How surprised is the network by each token?")
    if not here.corpus.is_text:
        frame.notice(NO_TEXT)
        return
    offered = choice.offered(here)
    picks = {
        "model": Pick("model", list(offered.items()), "The model that is looked at"),
        "beside": Pick("beside", [(choice.NONE, "nothing"), *offered.items()], "Another model beside it"),
    }
    wishes = wishes_of(here, SECTIONS, picks, **START)
    for name, first in START.items():
        if wishes[name] not in offered and wishes[name] != choice.NONE:
            wishes[name] = first
    frame.notice(*here.notices)
    turn(here, SECTIONS, wishes, picks)


page()
