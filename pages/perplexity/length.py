"""Length: why a likelihood cannot compare texts of different lengths, and an average can."""

import math

import numpy as np

from core.analysis.perplexity import Surprise
from core.config.language import gettext as _
from core.models.sampling import RnnReader, score_pairs
from core.text.tokenizer import EOS, Tokenizer, clean
from core.training.experiments.comparisons import small_network
from core.training.run.scheduler import compute
from pages.app.layout import elements
from pages.app.navigation.section_tabs import PageState
from pages.app.panels.text_model_picker import SMALL_SETTINGS
from pages.app.server.shared_cache import cached_for_all_sessions
from pages.app.session.session import Session
from pages.app.widgets.components import cards, grid, live_figure
from pages.app.widgets.control_widgets import Switch, controls
from pages.figures.parts.symbols import kind_of, visible
from pages.figures.perplexity import length as figures
from pages.perplexity.choice import NONE, choose, cleaning
from pages.perplexity.evaluation import judged_label, losses

SENTENCE = ["you", "say", "goodbye", "and", "i", "say", "hello", "."]  # of Deep Learning from Scratch 2
TEXTS = {"goodbye": "you say goodbye", "hello": "i say hello", "shuffled": "you goodbye say"}
UPDATES = 14  # readings of the sentence: enough to learn from it, too few to memorise it
SETTINGS = SMALL_SETTINGS.but(unit="word", gain=0.1, input_scale=1.0)  # of the small network that reads the sentence
BEFORE = ("\n", EOS, " ")  # symbols that a sentence may follow, the best first


def show(session: Session, state: PageState) -> None:
    kind = kind_of(session.corpus)
    keys = dict.fromkeys(key for key in (state["model"], state["beside"]) if key != NONE)
    chosen = [choose(session, key) for key in keys]
    models = [figures.ModelSurprise(model.name, Surprise(losses(session, model))) for model in chosen]
    elements.heading(_("A growing text"), _("{where}, read one after the other", where=judged_label(session)))
    live_figure(figures.growing_figure(models, kind), key="growing", label=figures.growing_label(models))
    elements.note(
        _(
            "The likelihood falls with every token, so by any model War and Peace is far less likely than The Little Prince, "
            "which is short (Dive into Deep Learning, 8.4.4). The mean loss settles, whatever the length."
        )
    )
    cards(figures.growing_words(models, kind), key="growing_words")
    elements.heading(_("The product rule"), _("one sentence, step by step"))
    _products(session, state)
    elements.source("length", Surprise, score_pairs)


def _products(session: Session, state: PageState) -> None:
    """Draw the product rule for one sentence, by the small network and by the chosen model."""
    chosen = state.setdefault("sentence", "goodbye")
    controls(
        [Switch("sentence", _("Sentence"), list(TEXTS.items()), chosen)],
        label=_("Sentence"),
        on_move=lambda name, value, _done: state.update({name: value}),
        hidden_in_scenes={"sentence"},
        key="sentences",
    )
    words = TEXTS[chosen].split()
    other = [words[0], *reversed(words[1:])]
    scored = _score_sentence(words)
    grid(figures.product_rule(words, scored, SENTENCE[-1]), key="product_small")
    about = {"H": SETTINGS.hidden_size, "sentence": " ".join(SENTENCE), "n": UPDATES}
    elements.note(_("A network of {H} units that has read “{sentence}” {n} times; a text begins after “.”.", **about))
    cards(figures.product_words(words, scored, _score_sentence(other), other), key="product_words")
    _by_the_model(session, state, TEXTS[chosen])


def _score_sentence(words: list[str]) -> Surprise:
    """The surprise of the small network at each word, after the last token of its sentence."""
    reader, tokenizer = sentence_network()
    ids = tokenizer.encode(" ".join([SENTENCE[-1], *words]))
    return Surprise(score_pairs(reader, ids[:-1], ids[1:])[0])


def _by_the_model(session: Session, state: PageState, text: str) -> None:
    """Draw the product rule by the chosen model, in its own symbols; only a note if its vocabulary lacks one of them."""
    tokenizer, model = session.corpus.tokenizer, choose(session, state["model"])
    text = clean(text, cleaning(session))
    elements.heading(_("By {model}", model=_(model.name)), _("the same sentence, by the model that is chosen above"))
    if tokenizer.unknown_symbols(text):
        elements.note(
            _("It has never seen some of these symbols, so it gives them no probability. Choose another text on Training.")
        )
        return
    before = next((symbol for symbol in BEFORE if symbol in tokenizer.vocab), None)
    ids = tokenizer.encode(text)
    if before is not None:
        ids = np.concatenate([[tokenizer.vocab.index(before)], ids])
    with np.errstate(all="ignore"):
        nats = compute(lambda: score_pairs(model.reader, ids[:-1], ids[1:]))[0]
    symbols = tokenizer.symbols(ids)
    grid(figures.product_rule(symbols[1:], Surprise(nats), symbols[0]), key="product_model")
    total = {"nats": f"{math.fsum(nats):.1f}", "n": len(nats), "kind": _(kind_of(session.corpus))}
    total["symbol"] = visible(symbols[0])
    elements.note(_("Total {nats} nats over {n} {kind}s; the sentence stands after “{symbol}”.", **total))


@cached_for_all_sessions(max_entries=1)
def sentence_network() -> tuple[RnnReader, Tokenizer]:
    """A small network after ``UPDATES`` readings of the sentence, each preceded by the sentence's last token."""
    params, tokenizer = small_network(" ".join(SENTENCE), SETTINGS, UPDATES, before=f"{SENTENCE[-1]} ")
    return RnnReader(params.copy(np.float64), SETTINGS.activation), tokenizer
