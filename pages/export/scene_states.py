"""The states of a scene's page in its file: the task that the scene sets the reader is carried out while recording."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from core.config.language import gettext as _, lazy_gettext
from core.training.tbptt import remedy
from pages.app.server.page_recording import RecordedState
from pages.content.scene import Scene
from pages.export.page_file import StateControl
from pages.export.page_recorder import AS_IS, PageRecorder, film_updates
from pages.export.scene_app import SceneApp
from pages.figures.parts.numbers import short
from pages.figures.perplexity.number import PROBABILITIES, example
from pages.gradient_flow.what_if import CHIPS
from pages.perplexity import against_counting
from pages.recurrent_step.sections import another
from pages.truncation import echo_bound

MAX_UPDATE = 100_000  # update at which training ends even if the scene's perplexity is not reached
FIRST, GROWTH = 10, 1.3  # update of the first check of the perplexity; factor from the update of a check to the next
RECORDING_FACTOR = 2.0  # least factor from a recorded update to the next
DRAWS = 3  # how often random numbers are drawn


class SceneStates(NamedTuple):
    """The states of a page, and how the reader switches between them."""

    states: list[RecordedState]
    chosen: StateControl = "bar"
    task: str = ""  # the task in the file, if it differs from the scene's task
    initial_state: int = 0  # index of the state that is shown first


def _trained(app: SceneApp) -> list[RecordedState]:
    """Train until the scene is done, recording some updates; a run that diverges goes on with its gradient clipped."""
    states, update, recorded = [app.record()], 0, 0
    while not app.session.scenes.done and update < MAX_UPDATE:
        update = max(FIRST, int(update * GROWTH))
        app.session.run.play(update)
        app.join()
        if app.session.run.snapshot().state == "diverged":
            states.append(app.record(_("diverged")))
            app.session.move(**remedy(app.session.run.settings, "clip"))
        elif update >= RECORDING_FACTOR * recorded or app.session.scenes.done:
            states.append(app.record())
            recorded = update
    return states


def _swapped(app: SceneApp, opened: RecordedState) -> Iterator[str]:
    (tokens,) = (item["data"]["before"] for item in opened.items if item.get("name") == "two_networks")
    last = len(tokens) - 2
    app.choices["pair"] = next((i, last) for i in reversed(range(last)) if tokens[i] != tokens[last])
    scenes = app.session.scenes
    scenes.mark_done(scenes.key)  # normally the browser does so when the URL changes; here there is no browser
    yield lazy_gettext("Swap two characters")


def _new_numbers(app: SceneApp, opened: RecordedState) -> Iterator[str]:
    for _draw in range(DRAWS):
        another(app.session, app.choices)
        yield lazy_gettext("New numbers")


def _examples(app: SceneApp, opened: RecordedState) -> Iterator[str]:
    for name, (words, _p) in PROBABILITIES.items():
        app.choices["p"] = example(name, app.session.corpus.tokenizer.size)
        yield words


def _radii(app: SceneApp, opened: RecordedState) -> Iterator[str]:
    for radius in CHIPS.values():
        app.choices["radius"] = radius
        yield short(radius)


def _proved(app: SceneApp, opened: RecordedState) -> Iterator[str]:
    echo_bound.play(app.session)
    app.join()
    yield lazy_gettext("Train")
    echo_bound.move(app.session, app.choices, "handed", "carried")
    app.join()
    yield lazy_gettext("carried")


def _memorised(app: SceneApp, opened: RecordedState) -> Iterator[str]:
    against_counting.train(app.session)
    app.join()
    yield lazy_gettext("Train for 100 passes")
    against_counting.train_on(app.session)
    app.join()
    yield lazy_gettext("Train on")


# Scene -> what carries out its task, and how the reader switches between the states. The function receives the state in which
# the scene was opened, and yields the name of each further state as soon as the page can be recorded in it.
BY_SCENE: dict[str, tuple[Callable[[SceneApp, RecordedState], Iterator[str]], StateControl]] = {
    "state": (_swapped, "buttons"),
    "products": (_new_numbers, "buttons"),
    "branching": (_examples, "components"),
    "vanishing": (_radii, "components"),
    "reach": (_proved, "components"),
    "beating": (_memorised, "buttons"),
}
TASKS = {  # of scenes whose task in the file differs
    "state": lazy_gettext("Press “Swap two characters”: two of the row “as written”."),
    "learning": lazy_gettext("Draw the curve that you expect, on paper. Then press “Play”."),
    "branching": lazy_gettext("Press one button after the other and watch the squares; “worst: one is 0” last."),
    "reach": lazy_gettext("Guess first. Then press “Train”, then “carried”."),
    "too_fast": lazy_gettext("Press “Play”, and wait until training stops. Then the gradient is clipped at 1."),
    "beating": lazy_gettext("Press “Train for 100 passes”, then “Train on”."),
}


def states_of(app: SceneApp, scene: Scene) -> SceneStates:
    """Record the states of the scene that was just opened."""
    task = _(TASKS.get(scene.key, ""))
    if scene.key in BY_SCENE:
        carry_out, control = BY_SCENE[scene.key]
        states = [app.record("")]
        states.extend(app.record(_(name)) for name in carry_out(app, states[0]))
        return SceneStates(states, control, task)
    if scene.done.kind == "below":
        return SceneStates(_trained(app), task=task)
    updates = film_updates(app.session) if scene.page == "training" else (AS_IS,)
    return SceneStates(app.record_all(PageRecorder(updates)), task=task, initial_state=len(updates) - 1)
