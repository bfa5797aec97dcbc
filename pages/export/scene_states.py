"""The states of a scene's page in its file: the task that the scene sets the reader is carried out while recording."""

from collections.abc import Callable
from typing import NamedTuple

from core.config.language import gettext as _
from core.config.language import lazy_gettext
from core.content.scene import Scene
from core.figures.parts.numbers import short
from core.figures.perplexity.number import EXAMPLES, example
from core.training.tbptt import remedy
from pages.app.panels.page_recorder import AS_IS, PageRecorder, film_updates
from pages.app.server.page_file import StateControl
from pages.app.server.page_recording import RecordedState
from pages.export.scene_app import SceneApp
from pages.gradient_flow.what_if import CHIPS
from pages.recurrent_step.sections import another
from pages.truncation import echo_bound

MAX_UPDATE = 100_000  # update at which training ends even if the scene's perplexity is not reached
FIRST, GROWTH = 10, 1.3  # update of the first check of the perplexity; factor from the update of a check to the next
RECORDING_FACTOR = 2.0  # least factor from a recorded update to the next
SWAP = lazy_gettext("Swap two characters")
DRAWS = 3  # how often random numbers are drawn


class SceneStates(NamedTuple):
    """The states of a page, and how the reader switches between them."""

    states: list[RecordedState]
    chosen: StateControl = "bar"
    task: str = ""  # the task in the file, if it differs from the scene's task
    initial_state: int = 0  # index of the state that is shown first


def states_of(app: SceneApp, scene: Scene) -> SceneStates:
    """Record the states of the scene that was just opened."""
    if scene.key in BY_SCENE:
        return BY_SCENE[scene.key](app, scene)
    if scene.done.kind == "below":
        return SceneStates(_trained(app))
    updates = film_updates(app.session) if scene.page == "training" else (AS_IS,)
    return SceneStates(app.record_all(PageRecorder(updates)), initial_state=len(updates) - 1)


def _trained(app: SceneApp) -> list[RecordedState]:
    """Train until the scene is done, recording some updates; a run that diverges goes on with its gradient clipped."""
    states, update, recorded = [app.record()], 0, 0
    while not app.session.scenes.done and update < MAX_UPDATE:
        update = max(FIRST, int(update * GROWTH))
        app.train(update)
        if app.session.run.snapshot().state == "diverged":
            states.append(app.record(_("diverged")))
            app.session.move(**remedy(app.session.run.settings, "clip"))
        elif update >= RECORDING_FACTOR * recorded or app.session.scenes.done:
            states.append(app.record())
            recorded = update
    return states


def _learning(app: SceneApp, scene: Scene) -> SceneStates:
    return SceneStates(_trained(app), task=_("Let everybody draw the curve that they expect, on paper. Then press “Play”."))


def _too_fast(app: SceneApp, scene: Scene) -> SceneStates:
    return SceneStates(_trained(app), task=_("Press “Play”, and wait until training stops. Then the gradient is clipped at 1."))


def _swapped(app: SceneApp, scene: Scene) -> SceneStates:
    states = [app.record("")]
    (tokens,) = (item["data"]["before"] for item in states[0].items if item.get("name") == "two_networks")
    last = len(tokens) - 2
    app.choices["pair"] = next((i, last) for i in reversed(range(last)) if tokens[i] != tokens[last])
    app.session.scenes.mark_done(scene.key)  # normally the browser does so when the URL changes; here there is no browser
    return SceneStates([*states, app.record(_(SWAP))], "buttons", _("Press “Swap two characters”: two of the row “as written”."))


def _new_numbers(app: SceneApp, scene: Scene) -> SceneStates:
    states = [app.record("")]
    for _draw in range(DRAWS):
        another(app.session, app.choices)
        states.append(app.record(_("New numbers")))
    return SceneStates(states, "buttons")


def _examples(app: SceneApp, scene: Scene) -> SceneStates:
    states, size = [app.record("")], app.session.corpus.tokenizer.size
    for name, (words, _p) in EXAMPLES.items():
        app.choices["p"] = example(name, size)
        states.append(app.record(_(words)))
    return SceneStates(states, "components", _("Press one button after the other and watch the squares; “worst: one is 0” last."))


def _radii(app: SceneApp, scene: Scene) -> SceneStates:
    states = [app.record("")]
    for radius in CHIPS.values():
        app.choices["radius"] = radius
        states.append(app.record(short(radius)))
    return SceneStates(states, "components")


def _proved(app: SceneApp, scene: Scene) -> SceneStates:
    states = [app.record("")]
    echo_bound.play(app.session)
    app.join()
    return SceneStates([*states, app.record(_("Train"))], "components", _("Let everybody guess. Then press “Train”."))


def _memorised(app: SceneApp, scene: Scene) -> SceneStates:
    states = [app.record("")]
    app.press("perplexity_train")
    return SceneStates([*states, app.record(_("Train both networks"))], "buttons", _("Press “Train both networks”."))


BY_SCENE: dict[str, Callable[[SceneApp, Scene], SceneStates]] = {
    "state": _swapped,
    "products": _new_numbers,
    "learning": _learning,
    "branching": _examples,
    "vanishing": _radii,
    "reach": _proved,
    "too_fast": _too_fast,
    "beating": _memorised,
}
