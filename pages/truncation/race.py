"""The race: equal networks, each cut at another length, trained side by side."""

from typing import Any

from core.config.settings import Settings
from core.content.notation import named
from core.training.experiments.proof import JUDGED, TOKENS
from core.training.experiments.sweep import Sweep
from core.training.experiments.sweep_worker import Budget
from core.training.experiments.truncation_race import COIN, base, expected, lengths, needed, racing
from pages.app.layout import elements
from pages.app.layout.code_viewer import source
from pages.app.navigation.section_tabs import PageState
from pages.app.navigation.url_state import enum_param
from pages.app.panels import sweep_view
from pages.app.session.session import Session
from pages.app.widgets.control_widgets import Slider, Switch, controls
from pages.truncation.proof import LAGS

NAME = "truncation_race"
TASKS = {"lag": "lag-k", "echo": "echo-k", "text": "the text being learnt"}
STARTS = {"identity": "identity", "orthogonal": "rotation", "fixed": "fixed rotation"}
RESERVOIR = ("W_hh",)  # what no gradient moves there
REMEMBERS = (
    "W_hh stays as it began, so nothing teaches the state to remember: what falls below 2 all the same is a reservoir, which "
    "W_hq learns to read. Where a curve climbs again, a gradient cut too short has moved W_xh and b_h the wrong way."
)
SEEDS = (1, 2, 3, 5)
START = {"blocks": True, "carried": True, "start": "identity", "seeds": 1}
KEEPS = {"task": enum_param(TASKS), "k": enum_param(LAGS, 4)}
BUDGET = Budget(tokens=TOKENS)


def show(here: Session, wishes: PageState) -> None:
    elements.note(says(wishes))
    controls(*rows(here, wishes), label="The race", on_move=lambda name, value, _: move(wishes, name, value),
             on_press=lambda what: press(here, wishes, what), key="truncation_race_bar")  # fmt: skip
    race = here.compared[NAME] if NAME in here.beside else asked(wishes)
    start = float(here.corpus.tokenizer.size) if race["task"] == "text" else COIN
    if NAME in here.beside:
        sweep_view.charts(here, NAME, "truncation", expected(**race), start)
        stays = here.beside[NAME].source.members[0].frozen
    else:
        sweep_view.before(NAME, networks(here, wishes), BUDGET, "truncation", expected(**race), start)
        stays = frozen(wishes)
    elements.note(told(**race))
    if stays:
        elements.note(named(REMEMBERS, here.settings.notation))
    source("truncation_race", Sweep, racing)


def rows(here: Session, wishes: PageState) -> list[list[Any]]:
    """What races, and below how it is trained."""
    generated = wishes["task"] != "text"
    first = [Switch("task", "", list(TASKS.items()), wishes["task"])]
    second = [Switch("blocks", "updates", [("no", "windows of 32, cut every τ"), ("yes", "one per block, T = τ")],
                     "yes" if wishes["blocks"] else "no")]  # fmt: skip
    if generated:
        first.append(Switch("k", "k =", [(str(k), str(k)) for k in LAGS], str(wishes["k"])))
        first.append(Switch("start", named("W_hh at first", here.settings.notation), list(STARTS.items()), wishes["start"]))
        second.append(Switch("carried", "state", [("yes", "carried"), ("no", "reset")], "yes" if wishes["carried"] else "no"))
    first.append(Slider("seeds", "seeds", list(map(str, SEEDS)), SEEDS.index(wishes["seeds"]), SEEDS))
    return [first, [*second, *sweep_view.buttons(here, NAME)]]


def move(wishes: PageState, name: str, value: Any) -> None:
    wishes[name] = value == "yes" if name in ("blocks", "carried") else int(value) if name in ("k", "seeds") else value


def press(here: Session, wishes: PageState, what: str) -> None:
    if what != "begin":
        sweep_view.press(here, NAME, what)
        return
    here.compared[NAME] = asked(wishes)
    sweep_view.begin(here, NAME, Sweep(networks(here, wishes), BUDGET, here.own_text, JUDGED, frozen(wishes)))


def asked(wishes: PageState) -> dict[str, Any]:
    """What is to race now."""
    task, k = wishes["task"], wishes["k"]
    carried = wishes["carried"] or task == "text"
    return {"task": task, "k": k, "taus": lengths(task, k), "blocks": wishes["blocks"], "carried": carried}


def frozen(wishes: PageState) -> tuple[str, ...]:
    """The weights that are not to learn now."""
    return RESERVOIR if wishes["start"] == "fixed" and wishes["task"] != "text" else ()


def networks(here: Session, wishes: PageState) -> list[Settings]:
    """The settings of all that are to race now."""
    race = asked(wishes)
    common = base(here.settings, race["task"], race["k"], carried=race["carried"], rotation=wishes["start"] != "identity")
    return racing(common, race["taus"], wishes["seeds"], blocks=race["blocks"])


def says(wishes: PageState) -> str:
    """What is raced."""
    if wishes["task"] == "text":
        return "Does the truncation length change held-out perplexity? Equal networks on the text being learnt will tell."
    k, least = wishes["k"], needed(wishes["task"], wishes["k"])
    answer = f"the bit {k} back, 95 % of the time" if wishes["task"] == "lag" else f"the bit read {k} steps before"
    return f"The answer is {answer}. A gradient has to go back {least} steps to teach it: τ = {least} at least."


def told(task: str, k: int, taus: tuple[int, ...], blocks: bool, carried: bool) -> str:
    """What the green dashes are."""
    if task == "text":
        return "Read the dots: where they no longer fall, longer cuts pay nothing on this text, in this time."
    if not carried and blocks:
        return "Green: the bound for windows of τ with the state reset. That is a theorem: no training gets below it."
    return (
        "Green: 2 where no gradient reaches the answer, the best possible where one does. Observed, not proved: a state "
        "that goes on may hold the answer although no gradient asked for it. With a rotation it does."
    )


def moving(here: Session, wishes: PageState) -> bool:
    return sweep_view.playing(here, NAME)
