"""Methods that change the run of a session. A refused change has no effect except a message in ``problem``."""

import threading
from collections.abc import Callable
from typing import Any, NamedTuple

from core.config.settings import Settings
from core.text.corpus import READERS_OWN, TooShort
from core.training.checkpoint.checkpoint import Checkpoint
from core.training.checkpoint.conversion import from_checkpoint
from core.training.history import RADIUS, Ghost
from core.training.memory import check_memory, check_room, estimate_bytes
from core.training.run.monitored_trainer import MonitoredTrainer
from core.training.run.scheduler import Job, compute, outside, start
from core.training.snapshots import Moment
from pages.app.session.corpus_cache import Lines, create_trainer, text_of
from pages.app.session.prediction import Prediction
from pages.app.session.shown_run import HistoryView, ShownRun, view_of

GHOSTS = 8


class PendingText(NamedTuple):
    """A selected text that is not available yet (to be pasted or downloaded), and the update up to which to train on it."""

    name: str = ""
    update: int = 0


class LinkedNetwork(NamedTuple):
    """The network that a link opens: an update of the run with this number."""

    serial: int = 0
    update: int = 0


class Loading(NamedTuple):
    """The reader's own text that is being loaded and counted for a new run."""

    settings: Settings
    own_text: str
    job: Job[tuple[MonitoredTrainer, Lines]]


class Remedy(NamedTuple):
    """Settings with which a text that was too short for the chosen ones can be trained on."""

    settings: Settings
    own_text: str


def _untrained(settings: Settings, own_text: str) -> tuple[MonitoredTrainer, Lines]:
    """A new run and its counting models. Raises ``ValueError`` with a message for unsuitable settings or an unsuitable text."""
    corpus, lines = text_of(settings, own_text)
    check_memory(settings, corpus.tokenizer.size)
    check_room(estimate_bytes(settings, corpus.tokenizer.size))
    return create_trainer(settings, corpus), lines


class SessionRun(ShownRun):
    """The run of a session, with methods for the reader's actions."""

    def __init__(self, settings: Settings, notices: list[str]) -> None:
        self._lock = threading.RLock()  # two script runs of a session may replace its run at once
        self.notices = notices  # sentences about the address or the last action, shown until the next one
        self.set_problem("")
        self.pending = PendingText()
        self._linked = LinkedNetwork()
        self.own_text_problem = ""  # why the reader's last own text was refused
        self.loading: Loading | None = None
        self.prediction = Prediction()
        self.ghosts: list[Ghost] = []
        self.view = view_of(settings)
        self._show(*_untrained(settings, ""), "")

    def notify(self, *notices: str) -> None:
        """Show these sentences above the pages until another address is opened or the next action is done."""
        self.notices = [*self.notices, *notices]

    def wait_for_text(self, name: str, update: int = 0) -> None:
        """Record that the run will train on this text up to ``update`` once it is available; an empty name clears the record."""
        self.pending = PendingText(name, update)

    def open_update(self, update: int) -> None:
        """Train the new run to the update of a link or a scene."""
        self._linked = LinkedNetwork(self.monitored.serial, update)
        self.run.play(update)

    @property
    def linked_update(self) -> int:
        """The update given to :meth:`open_update` while the network of that link is shown or being trained, else 0."""
        serial, update = self._linked
        if serial != self.monitored.serial or self.monitored.history.moved_before():
            return 0
        is_coming = not self.past and self.run.plays_until(update)
        return update if is_coming or self.run_update == update else 0

    def start_own_text(self, text: str) -> None:
        """Start a new run on the reader's own text, as soon as that is loaded."""
        self.load_own_text(text)
        self.finish_loading()

    def load_own_text(self, text: str) -> Job[Any]:
        """Begin to load and count the reader's own text, beside the page's script; whatever starts a run before it is there takes
        its place. Returns the job, after which :meth:`finish_loading` does not wait."""
        settings = self.settings.but(corpus=READERS_OWN)
        self.loading = Loading(settings, text, start(outside(lambda: _untrained(settings, text))))
        return self.loading.job

    def finish_loading(self) -> None:
        """Start a new run on the text that was loaded. If it is refused, the reason is shown beside the text."""
        loading = self.loading
        if loading:
            self._begin(loading.job.result, loading.settings, loading.own_text)
            self.own_text_problem = self.problem

    def start_remedy(self) -> None:
        """Start the refused run with values that fit its text."""
        if self.remedy:
            settings, own_text = self.remedy
            self.start(settings, own_text)

    def refuse_own_text(self, problem: str) -> None:
        """Show why the reader's own text cannot be read."""
        self.set_problem(problem)
        self.own_text_problem = problem

    def set_problem(self, problem: str, setting: str = "", remedy: "Remedy | None" = None) -> None:
        """Set the reason why the last change was refused, the setting beside whose control it is shown, and what helps."""
        self.problem, self.problem_setting, self.remedy = problem, setting, remedy

    def start(self, settings: Settings, own_text: str | None = None, *, paused: bool = False, setting: str = "") -> None:
        """Start a new run, which trains if the old run was training, unless it is ``paused``. The old curve becomes a ghost.

        ``setting``: beside whose control the reason is shown if the settings are refused; empty for none.
        """
        text = self.own_text if own_text is None else own_text
        self._begin(lambda: _untrained(settings, text), settings, text, paused=paused, setting=setting)

    def _begin(
        self,
        make: Callable[[], tuple[MonitoredTrainer, Lines]],
        settings: Settings,
        own_text: str,
        *,
        paused: bool = False,
        setting: str = "",
    ) -> None:
        with self._lock:
            self.loading, self.own_text_problem, plays = None, "", self.run.playing and not paused
            try:
                monitored, lines = make()
            except ValueError as error:
                fitting = error.fitting if isinstance(error, TooShort) else {}
                self.set_problem(str(error), setting, Remedy(settings.but(**fitting), own_text) if fitting else None)
                return
            self.view = view_of(settings)
            self.prediction.curve = None
            self.notices, self.pending = [], PendingText()
            self._replace(monitored, lines, own_text, plays=plays)

    def restart(self, setting: str, **fields: Any) -> None:
        """Start a new run if the control ``setting`` has changed fields that require one."""
        with self._lock:
            settings, pending = self.settings.but(**fields), "" if "corpus" in fields else self.pending.name
            if self.settings.differing(settings, "restart"):
                self.start(settings, setting=setting)
                self.pending = self.pending._replace(name=pending)  # the pending text will be trained on with these settings

    def _replace(self, monitored: MonitoredTrainer, lines: Lines, own_text: str, *, plays: bool) -> None:
        """Replace the run, and train the new run if ``plays``; the old run becomes a ghost."""
        old = self.run
        self._show(monitored, lines, own_text)
        self.set_problem("")
        if old.suspended:  # the tab has gone while the new run was made
            self.run.suspend(old.snapshot().reason)
        old.pause()
        if old.source.step:
            ghost = compute(old.source.ghost)  # the old run may still compute its last update
            self.ghosts = [*self.ghosts, ghost][-GHOSTS:]
        if plays:
            self.run.play()

    def resume(self, checkpoint: Checkpoint) -> None:
        """Open a saved run, paused; the old run becomes a ghost. Raises ``ValueError`` with a message if it cannot be resumed."""
        with self._lock:
            corpus, lines = text_of(checkpoint.begun_with, checkpoint.own_text)
            check_room(estimate_bytes(checkpoint.begun_with, corpus.tokenizer.size))
            opened = compute(lambda: from_checkpoint(checkpoint, corpus))
            self.prediction.curve = None
            self.notices, self.pending, self.own_text_problem = [], PendingText(), ""
            self._replace(opened, lines, checkpoint.own_text or self.own_text, plays=False)

    def show_snapshot(self, update: int) -> None:
        """Show the run as it was at the moment nearest to this update; training continues."""
        moment = self.monitored.history.moments.nearest(update)
        if not self.past or self.past.moment is not moment:
            self.past = HistoryView(moment, compute(lambda: self.monitored.view_of(moment)))

    def show_present(self) -> None:
        """Show the run as it is now."""
        self.past = None

    def branch(self, moment: Moment, settings: Settings | None = None) -> None:
        """Continue from a moment of the run, with these live settings or those of the moment; the present run becomes a ghost.
        No effect if another script run has replaced the run meanwhile."""
        trainer = self.monitored
        with self._lock:
            if self.monitored is trainer:
                plays, branched = self.run.playing, compute(lambda: trainer.branch(moment, settings))
                self._replace(branched, self.lines, self.own_text, plays=plays)

    def undo(self) -> None:
        """Undo the last move of a knob and the training since then; the undone run becomes a ghost."""
        moves, before = self.monitored.history.moves, self.monitored.before_last_move()
        if not before:
            self.run.undo()
        else:
            knobs = {} if moves[-1].name == RADIUS else {moves[-1].name: moves[-1].old}
            self.branch(before, self.run.settings.moved(**knobs))

    def change_view(self, **view: Any) -> None:
        """Change view settings; a refused change sets ``problem``."""
        try:
            self.settings.but(**view)
        except ValueError as error:
            self.set_problem(str(error))
            return
        self.view |= view
        self.run.speed = self.view["speed"]

    def move(self, **knobs: Any) -> None:
        """Change live settings of the run; if a moment of the history is shown, branch from it first."""
        try:
            settings = self.settings.moved(**knobs)
        except ValueError as error:
            self.set_problem(str(error))
            return
        self.set_problem("")
        self.notices = []
        if self.past and settings != self.settings:
            self.branch(self.past.moment)
        self.run.change(**knobs)

    def scale_to_radius(self, radius: float) -> None:
        """Scale W_hh of the run to this spectral radius; if a moment of the history is shown, branch from it first."""
        if self.past:
            self.branch(self.past.moment)
        self.run.scale_to_radius(radius)
