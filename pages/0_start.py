"""What is there to see, and where does one begin?"""

from core.analysis.unrolled import unroll
from core.figures.parts.network import forward_substeps, network_scene
from core.figures.parts.thread import cards_scene
from core.figures.unrolled.units import units_of
from core.notation import named
from core.scenes.thread import SCENES
from pages.ui import frame
from pages.ui.draw import network
from pages.ui.hear import scenes
from pages.ui.lecture import own_lecture
from pages.ui.stage import Stage, stage
from pages.ui.text_and_network import OWN, Chosen, look, of_network
from pages.ui.thread import ask_for

LINK = "start"
FIRST = "machine"  # what is read while one looks around


def page() -> None:
    here = stage()
    frame.title("Recurrent networks", "A network reads one character after another, and remembers. See how, scene by scene.")
    frame.notice(*here.notices)
    reading(here)
    if here.lecture:
        own_lecture(here)
    cards = cards_scene(SCENES, here.done, here.scene, notation=here.settings.notation, opened=here.opened)
    scenes(cards, on_go=lambda key, opened: ask_for(here, key, opened))
    if not here.lecture:
        own_lecture(here)


def reading(here: Stage) -> None:
    """A small network that reads a word, by itself."""
    looked = look(here, Chosen(FIRST, OWN))
    (params, tokenizer, settings, *_), given, name = looked
    how, notation = settings.activation, here.settings.notation
    u = of_network(here, "start", lambda: unroll(params, given.tokens, given.targets, activation=how), looked)
    scene = network_scene(u, tokenizer, units_of(u).drawn, notation)
    steps = named(forward_substeps(how, embedded=params.W_emb is not None), notation)
    label = f"A small network reads “{FIRST}”, again and again."
    network(scene, link=LINK, text=name, substeps=steps, label=label, plays=True)


page()
