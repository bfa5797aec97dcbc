"""Lecture presets: settings by name, with a question and what to look for."""

from dataclasses import dataclass
from functools import lru_cache

from core.config.settings import Settings
from core.text.corpus import source_of
from core.training.experiments.comparisons import TASK_RECIPE


@dataclass(frozen=True)
class Lesson:
    """Settings of a run. ``any_text``: the current text is kept; ``short``: the label of its button, if not the name;
    ``printed``: the mean perplexities of single epochs that its book prints."""

    name: str
    settings: Settings
    question: str
    look_for: str
    any_text: bool = False
    short: str = ""
    printed: tuple[tuple[int, float], ...] = ()

    def beside(self, current: Settings) -> Settings:
        """Its settings if chosen while ``current`` applies: with ``any_text`` the current corpus is kept, if it is a text."""
        if self.any_text and source_of(current).cleaned:
            return self.settings.but(corpus=current.corpus)
        return self.settings


_BOOK = Settings(optimizer="sgd", cosine_until=0, input_scale=None, output_scale=None)
_SCRATCH = _BOOK.but(unit="word", max_tokens=1000, validation_share=0.0, batch_size=10, num_steps=5, embedding_size=100)
_D2L = _BOOK.but(cleaning="letters", max_tokens=10_000, batch_size=32, num_steps=35, learning_rate=1.0, init="normal001")

LESSONS = (
    Lesson(
        "Start here",
        Settings(),
        "How soon does a recurrent network beat counting?",
        "The thick curve passes the bigram line within a hundred updates, the trigram line within five hundred and the 4-gram "
        "line after some thousands. The rate falls to zero meanwhile: at update 10 000 training stops.",
    ),
    Lesson(
        "Beyond counting",
        Settings(hidden_size=256, batch_size=64, learning_rate=0.01, cosine_until=4000, weight_decay=0.1),
        "Can learning beat the best of the counting models?",
        "The rate falls to zero at update 4000, and weights decay: the thick curve passes even the 5-gram line. The training "
        "windows end far below it. That gap is overfitting.",
    ),
    Lesson(
        "Memory has an exact value",
        TASK_RECIPE.but(corpus="lag", lag=4, num_steps=16),
        "Each bit repeats the one four back, 95 % of the time. How low can perplexity go?",
        "It jumps above 2 at first, then falls to just above 1.22, the best possible, and stays there: no model goes lower.",
    ),
    Lesson(
        "The price of forgetting",
        TASK_RECIPE.but(corpus="echo", lag=4, num_steps=8, carry_state=False, learning_rate=0.5),
        "The answer is 4 steps back, the state reset every 8. How low can perplexity go?",
        "Half of the answers lie before the last reset: perplexity falls to √2 = 1.41 and no further.",
    ),
    Lesson(
        "Deep Learning from Scratch 2, section 5.5",
        _SCRATCH.but(hidden_size=100, init="xavier", learning_rate=0.1, clip_norm=0.0),
        "What has the network learnt after a hundred epochs on a thousand words?",
        "It passes the bigram line, later the trigram line: it memorises its text. Diamonds are the book's numbers, on the "
        "book's own text; beside them is what compares, the mean of that epoch. The large number is the network now.",
        any_text=True,
        short="Scratch 2, 5.5",
        printed=((1, 379.76), (100, 5.49)),
    ),
    Lesson(
        "Dive into Deep Learning, section 8.5",
        _D2L.but(hidden_size=512),
        "The weights begin near zero. What does the network learn first?",
        "It stays near the unigram line for a while: it knows only how frequent each letter is. Then the state begins to carry "
        "information.",
        any_text=True,
        short="D2L 8.5",
    ),
    Lesson(
        "Dive into Deep Learning, section 8.6",
        _D2L.but(hidden_size=256),
        "The same with half the hidden units: what changes?",
        "After some hundred updates the held-out curve turns up while the training windows fall almost to 1: ten thousand "
        "characters are few. Much later, at this rate, both may jump.",
        any_text=True,
        short="D2L 8.6",
    ),
)

IN_LANGUAGE = {  # lessons on a text in this language, offered to its readers
    "zh": (
        Lesson(
            "Tang poems",
            Settings(corpus="tang_poems", embedding_size=64, batch_size=16, learning_rate=0.003).but(
                cosine_until=1000, weight_decay=0.5
            ),
            "Thirty thousand characters, two and a half thousand different ones: can learning beat counting?",
            "The thick curve falls from V past the unigram line, then past all counting models: here even pairs of characters "
            "are too rare to be counted. The text below takes on the lines of poems. The rate falls to zero at update 1000.",
        ),
        Lesson(
            "Names that are none",
            Settings(corpus="names_zh", embedding_size=64, batch_size=8, num_steps=16, learning_rate=0.01).but(
                cosine_until=400, weight_decay=0.5
            ),
            "It reads the names of countries, languages and some cities. Can it make new ones?",
            "Soon the text below is names, one per line, and most of them exist nowhere: it has learnt what a name is like. The "
            "curve passes the unigram line, not the bigram line: six thousand characters are few. No internet is needed.",
        ),
    ),
}
ALL = (*LESSONS, *(lesson for lessons in IN_LANGUAGE.values() for lesson in lessons))


def offered(language: str) -> tuple[Lesson, ...]:
    """The lessons for readers of this language."""
    return *LESSONS, *IN_LANGUAGE.get(language, ())


@lru_cache(maxsize=256)  # called whenever a run is shown
def chosen(settings: Settings) -> Lesson | None:
    """The lesson with these settings, apart from view settings; None if there is none."""
    return next((one for one in ALL if not one.beside(settings).differing(settings, "live", "restart")), None)


def lesson(name: str) -> Lesson:
    """The lesson of that name; ``KeyError`` if there is none."""
    return {lesson.name: lesson for lesson in ALL}[name]
