"""The table of settings: every hyperparameter, once, with its label, its range and its control.

The field names of :class:`Settings` are the widget keys, the URL parameters and the fields of a lesson.
"""

from dataclasses import dataclass, field, fields, replace
from functools import partial
from numbers import Integral, Real
from typing import Any

from core.config.knob import Kind, Knob, as_spelled, per_decade
from core.config.language import gettext as _, languages, lazy_gettext

_BY_INIT = {None: lazy_gettext("by init")}  # a scale that is not set


def _setting(default: Any, label: str, help: str, *, kind: Kind = "restart", **knob: Any) -> Any:
    return field(default=default, metadata={"knob": Knob(kind, label, help, **knob)})


_text = partial(_setting, group="text", of_text=True)
_network = partial(_setting, group="network")
_training = partial(_setting, group="training")
_live = partial(_setting, kind="live")
_view = partial(_setting, kind="view")


@dataclass(frozen=True)
class Settings:
    """The settings of one training run, and how it is shown. Immutable; :meth:`but` returns a changed copy.

    Raises ``ValueError`` with a sentence for a value of the wrong type or out of range.
    """

    # The text
    corpus: str = _text(
        "python_manual",
        "Text",
        "The text whose next token the network learns to predict.",
        short="",
        words={
            "python_manual": "Python manual",
            "time_machine": "The Time Machine",
            "shakespeare": "tiny Shakespeare",
            "tang_poems": "Tang poems",
            "names_zh": "names, in Chinese",
            "names_en": "names, in English",
            "lag": "lag language",
            "echo": "echo task",
            "own": "your own text",
        },
    )
    unit: str = _text(
        "char",
        "Unit",
        "What one token is: a character, or a word. Words stand between blanks.",
        short="",
        words={"char": "by characters", "word": "by words"},
    )
    cleaning: str = _text(
        "keep",
        "Cleaning",
        "Letters and blanks: only a to z, in lower case; everything between two words becomes one blank.",
        words={"keep": "as it is", "letters": "letters and blanks"},
    )
    lag: int = _text(
        4,
        "Lag",
        "How far back the answer stands: so many bits before the bit that is predicted.",
        symbol="k",
        between=(1, 32),
        stops=(1, 2, 3, 4, 5, 6, 8, 10, 12, 16),
    )
    vocab_cap: int = _text(
        5000,
        "Vocabulary at most",
        "The network knows only so many different tokens: the most frequent ones. All others become one token, <unk>.",
        symbol="V",
        short="V at most",
        between=(2, 20_000),
        stops=(100, 500, 1000, 2000, 5000, 10_000, 20_000),
    )
    # The network
    hidden_size: int = _network(
        128,
        "Hidden units",
        "The state h is so many numbers. Parameters of W_hh: H².",
        symbol="H",
        between=(1, 4096),
        stops=(1, 2, 4, 8, 16, 32, 64, 100, 128, 256, 512, 1024),
    )
    embedding_size: int = _network(
        0,
        "Embedding",
        "Each token becomes a learnt vector of so many numbers, D. With 0 the input is one-hot: V numbers, one of them 1.",
        symbol="D",
        between=(0, 1024),
        stops=(0, 8, 16, 32, 64, 100, 128, 256),
        words={0: "one-hot"},
    )
    activation: str = _network(
        "tanh",
        "Activation",
        "The function φ in h = φ(x W_xh + h W_hh + b_h): it turns the pre-activation into the next state.",
        symbol="φ",
        words=as_spelled("tanh", "relu", "sigmoid"),
    )
    init: str = _network(
        "orthogonal",
        "Initial weights",
        "How the weights are drawn at the start. Choosing one sets both scales below to its own. xavier (n_in), as in Deep "
        "Learning from Scratch 2: standard deviation 1/√H for W_hh and W_hq, 1/√D for W_xh (1/√H when the input is one-hot: a "
        "token uses one row of it). glorot (n_in + n_out), as in Dive into Deep Learning and xavier_normal_ of PyTorch: "
        "√(2/(n_in + n_out)), which is 1/√H for W_hh, √(2/(H + V)) for W_hq, √(2/(D + H)) for W_xh (√(2/(V + H)) when the input "
        "is one-hot). normal001: normal, 0.01 for all. uniform001: evenly between −0.01 and 0.01. orthogonal, identity: W_hh is "
        "such a matrix, the others are as in xavier. Biases are 0.",
        short="init",
        words={
            "xavier": "xavier (n_in)",
            "glorot": "glorot (n_in + n_out)",
            **as_spelled("normal001", "uniform001"),
            "orthogonal": "orthogonal",
            "identity": "identity",
        },
    )
    gain: float = _network(
        1.0, "Gain", "Multiplies W_hh at the start.", between=(0.0, 5.0), stops=(0.0, 0.25, 0.5, 0.9, 1.0, 1.1, 1.5, 2.0, 3.0)
    )
    input_scale: float | None = _network(
        1.0,  # smaller: the state depends more on W_hh than on the input at first, and perplexity falls late and unsteadily
        "Input scale",
        "Standard deviation of W_xh at the start. By init: that of the initial weights chosen above; a number replaces it.",
        short="input std",
        between=(0.0, 10.0),
        stops=(None, 0.01, 0.03, 0.1, 0.3, 0.5, 1.0),
        words=_BY_INIT,
    )
    output_scale: float | None = _network(
        0.01,
        "Output scale",
        "Standard deviation of W_hq at the start. By init: that of the initial weights chosen above; a number replaces it.",
        short="output std",
        between=(0.0, 10.0),
        stops=(None, 0.0, 0.01, 0.03, 0.1, 0.3, 1.0),
        words=_BY_INIT,
    )
    # How it is trained
    batch_size: int = _training(
        32,
        "Batch size",
        "So many sequences are read side by side in one update, each at its own place of the text.",
        symbol="N",
        between=(1, 1024),
        stops=(1, 2, 4, 8, 10, 16, 32, 64, 128),
        in_loading=True,
    )
    num_steps: int = _training(
        32,
        "Time steps",
        "The window, num_steps: each sequence moves on by so many tokens in one update.",
        symbol="T",
        between=(1, 1000),
        stops=(1, 2, 3, 5, 8, 10, 13, 16, 20, 25, 32, 35, 50, 64, 100),
        in_loading=True,
    )
    optimizer: str = _training(
        "adam",
        "Optimiser",
        "How an update is made of a gradient. SGD: rate times gradient. Adagrad and Adam: every weight has a rate of its own.",
        short="",
        words={"sgd": "SGD", "adagrad": "Adagrad", "adam": "Adam"},
    )
    validation_share: float = _text(
        0.1,
        "Held-out share",
        "The end of the text, never trained on. Perplexity (the branching factor) is measured on it.",
        group="training",
        short="held out",
        between=(0.0, 0.5),
        stops=(0.0, 0.05, 0.1, 0.2, 0.5),
    )
    max_tokens: int = _text(
        0,
        "Length at most",
        "Only so many tokens of the text are read, from its beginning; 0 is all of them.",
        group="training",
        short="length",
        between=(0, 20_000_000),
        stops=(0, 1000, 10_000, 100_000, 1_000_000),
        words={0: "all"},
    )
    dtype: str = _training("float32", "Precision", "Bits of each number in training.", words=as_spelled("float32", "float64"))
    seed: int = _training(
        0, "Seed", "The same seed gives the same run.", between=(0, 2**31 - 1), stops=tuple(range(10)), in_loading=True
    )
    learning_rate: float = _live(
        0.006,
        "Learning rate",
        "How far one update goes. Too small: slow. Too large: the loss jumps up, or overflows.",
        symbol="η",
        short="rate",
        between=(1e-8, 1e6),
        stops=per_decade(1e-4, 10.0),
        marks=(1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0),
    )
    clip_norm: float = _live(
        1.0,
        "Clip norm",
        "A gradient longer than this is shortened to this length; its direction stays. 0 is off.",
        short="clip",
        between=(0.0, 1e6),
        stops=(0.0, *per_decade(0.01, 100.0)),
        words={0.0: "off"},
    )
    truncation: int | None = _live(
        None,
        "Truncation",
        "So many steps may a gradient go back inside the window; the state goes on through all of it.",
        symbol="τ",
        between=(1, 1000),
        stops=(1, 2, 3, 5, 8, 13, 20, 35),
        marks=(5, 35),  # the values in the sources
        within="num_steps",
        words={None: "whole window"},
    )
    cosine_until: int = _live(
        10_000,  # without it perplexity stays above the 4-gram line: the last steps are too large to converge
        "Cosine until",
        "The learning rate falls like a cosine and is zero at this update: training stops there. "
        "Large steps first, small ones last. 0 is off: the rate stays.",
        short="cosine",
        between=(0, 10_000_000),
        stops=(0, 500, 1000, 2000, 3000, 5000, 10_000, 20_000, 50_000),
        words={0: "off"},
    )
    weight_decay: float = _live(
        0.0,
        "Weight decay",
        "Apart from the gradient, as in PyTorch's AdamW: every update takes the share rate × decay, at most all, from every "
        "weight, biases too; 0 is off. It acts against overfitting, where perplexity is far lower on training text than on "
        "held-out text: small weights memorise less.",
        symbol="λ",
        short="decay",
        between=(0.0, 1000.0),
        stops=(0.0, *per_decade(0.001, 1.0)),
        words={0.0: "off"},
    )
    carry_state: bool = _live(
        True,
        "Between windows",
        "Carried: the last state of a window is the first of the next one, as stateful=True in Deep Learning from Scratch 2, and "
        "in PyTorch hidden = hidden.detach(), passed on: the numbers go on, the gradient does not. Reset: every window begins "
        "with h = 0, as when PyTorch's nn.RNN gets no hidden; hidden is (1, N, H) there, batch_first or not.",
        short="state",
        words={True: "carried", False: "reset"},
    )
    momentum: float = _live(
        0.0,
        "Momentum",
        "Of SGD: a step goes along the gradient plus so many times the step before, in units of the rate. Where gradients keep "
        "one direction, steps grow to 1/(1 − momentum) times their length; where they alternate, they cancel. 0 is off.",
        symbol="μ",
        short="momentum",
        between=(0.0, 0.999),
        stops=(0.0, 0.5, 0.8, 0.9, 0.95, 0.99),
        words={0.0: "off"},
        only_with=("optimizer", "sgd"),
    )
    # How it is shown
    speed: float = _view(0.0, "Speed", "Updates per second; 0 is as fast as it goes.", between=(0.0, 1000.0))
    temperature: float = _view(1.0, "Temperature", "Divides the logits: above 1, rare tokens come more.", between=(0.05, 10.0))
    across: str = _view(
        "updates", "Across", "The chart's horizontal axis.", words=as_spelled("updates", "epochs", "tokens", "seconds")
    )
    scale: str = _view(
        "log", "Scale", "The chart's axes: logarithmic, or linear as in both sources.", words=as_spelled("log", "linear")
    )
    lang: str = _view("auto", "Language", "The language of all pages.", words={"auto": "as the browser"} | languages())
    notation: str = _view(
        "first",
        "Notation",
        "Names of the weights in every formula: as in Dive into Deep Learning, or Wx, Wh, b as in Deep Learning from Scratch 2.",
        words={"first": "W_xh, W_hh, b_q", "second": "Wx, Wh, b"},
    )

    def __post_init__(self) -> None:
        for name in KNOBS:
            value = getattr(self, name)
            if isinstance(value, Integral | Real) and not isinstance(value, int | float):  # a NumPy scalar
                value = int(value) if isinstance(value, Integral) else float(value)
                object.__setattr__(self, name, value)
            KNOBS[name].check(value)

    def but(self, **changes: Any) -> "Settings":
        """The same settings with some fields replaced."""
        return replace(self, **changes)

    def moved(self, **knobs: Any) -> "Settings":
        """A copy with changed live settings, for a run that continues. ``ValueError`` with a sentence for any other setting."""
        new = self.but(**knobs)
        fixed = self.differing(new, "restart", "view")
        if fixed:
            raise ValueError(_("{settings} cannot change while a run goes on; start a new one.", settings=", ".join(fixed)))
        return new

    def differing(self, other: "Settings", *kinds: Kind) -> list[str]:
        """Names of the fields (of these kinds; all when none are named) in which two settings differ, in table order."""
        compared = [name for name, knob in KNOBS.items() if not kinds or knob.kind in kinds]
        return [name for name in compared if getattr(self, name) != getattr(other, name)]


KNOBS: dict[str, Knob] = {f.name: f.metadata["knob"].of(f.type) for f in fields(Settings)}
TEXT_FIELDS = tuple(name for name, knob in KNOBS.items() if knob.of_text or knob.in_loading)  # all that loading a text depends on
DEFAULTS = Settings()
