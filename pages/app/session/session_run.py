"""Methods that change the run of a session. A refused change has no effect except a message in ``problem``."""

import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Any, NamedTuple

from core.config.language import message_of
from core.config.settings import Settings
from core.text.corpus import READERS_OWN, TooShort
from core.training.checkpoint.checkpoint import Checkpoint
from core.training.checkpoint.conversion import from_checkpoint
from core.training.history import RADIUS, Ghost
from core.training.memory import check_memory, check_room, estimate_bytes
from core.training.run.monitored_run import MonitoredRun
from core.training.run.monitored_trainer import MonitoredTrainer
from core.training.run.scheduler import Job, compute, start_outside
from core.training.snapshots import Moment
from pages.app.server.shared_cache import StillComputing, drawn_later, settled
from pages.app.session.corpus_cache import Lines, create_trainer, text_of
from pages.app.session.prediction import Prediction
from pages.app.session.shown_run import HistoryView, ShownRun, view_of

GHOSTS = 8
OwnText = str | Callable[[], str]  # the reader's own text, or a function that reads it


class PendingText(NamedTuple):
    """A selected text that is not available yet (to be pasted or downloaded), and the update up to which to train on it."""

    name: str = ""
    update: int = 0


class LinkedNetwork(NamedTuple):
    """The network that a link opens: an update of the run with this number."""

    serial: int = 0
    update: int = 0


class Made(NamedTuple):
    """A new run, its counting models and the reader's own text."""

    monitored: MonitoredTrainer
    lines: Lines
    own_text: str


class Loading(NamedTuple):
    """A run that is being made, as its text is loaded and counted."""

    job: Job[Made]
    settings: Settings  # with which it begins; what the reader moves meanwhile is in them, too
    own_text: OwnText
    paused: bool = False
    setting: str = ""  # beside whose control the reason is shown if the run is refused
    then: Callable[[], None] = lambda: None  # called after the run has begun or was refused
    pending: PendingText = PendingText()  # the text that was waited for when the run was begun
    moved: Mapping[str, Any] = MappingProxyType({})  # live knobs that were moved meanwhile
    of_scene: bool = False  # whether it is the run of a scene that the reader opens


class Remedy(NamedTuple):
    """Settings with which a text that was too short for the chosen ones can be trained on."""

    settings: Settings
    own_text: OwnText


def begin(settings: Settings, own_text: OwnText = "") -> Job[Made]:
    """The job that makes a new run beside the page's script; ``ValueError`` with a message if settings or text are unsuitable."""
    return start_outside(lambda: _untrained(settings, own_text))


def _untrained(settings: Settings, own_text: OwnText) -> Made:
    text = "" if settings.corpus != READERS_OWN else own_text if isinstance(own_text, str) else own_text()
    corpus, lines = text_of(settings, text)
    check_memory(settings, corpus.tokenizer.size)
    check_room(estimate_bytes(settings, corpus.tokenizer.size))
    return Made(create_trainer(settings, corpus), lines, text)


def _opened(read: Callable[[], Checkpoint]) -> Made:
    checkpoint = read()
    corpus, lines = text_of(checkpoint.begun_with, checkpoint.own_text)
    check_room(estimate_bytes(checkpoint.begun_with, corpus.tokenizer.size))
    return Made(from_checkpoint(checkpoint, corpus), lines, checkpoint.own_text)


class SessionRun(ShownRun):
    """The run of a session, with methods for the reader's actions."""

    def __init__(self, settings: Settings, notices: list[str], begun: Job[Made] | None = None) -> None:
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
        self._show(*(begun or begin(settings)).result())

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

    def start_own_text(self, text: OwnText, then: Callable[[], None] = lambda: None) -> None:
        """Start a new run on the reader's own text. If it is refused, the reason is shown beside the text."""

        def begun() -> None:
            self.own_text_problem = self.problem
            then()

        self.start(self.wanted.but(corpus=READERS_OWN), text, then=begun)

    def start_remedy(self) -> None:
        """Start the refused run with values that fit its text."""
        if self.remedy:
            settings, own_text = self.remedy
            self.start(settings, own_text)

    def set_problem(self, problem: str, setting: str = "", remedy: "Remedy | None" = None) -> None:
        """Set the reason why the last change was refused, the setting beside whose control it is shown, and what helps."""
        self.problem, self.problem_setting, self.remedy = problem, setting, remedy

    @property
    def wanted(self) -> Settings:
        """The settings that the reader has chosen: of the run that is being made, or of the shown one."""
        return (self.loading or self).settings

    def start(
        self,
        settings: Settings,
        own_text: OwnText | None = None,
        *,
        paused: bool = False,
        setting: str = "",
        then: Callable[[], None] = lambda: None,
        of_scene: bool = False,
    ) -> None:
        """Start a new run, which trains if the old run was training, unless it is ``paused``. The old curve becomes a ghost.

        It is made beside the page's script: if that takes long, the old run is shown until :meth:`finish_loading`, and whatever
        starts a run meanwhile takes its place. ``setting``: beside whose control the reason is shown if the settings are refused;
        empty for none. ``then`` is called after the run has begun or was refused. ``of_scene``: it is the run of a scene; if the
        reader opens another place meanwhile, the run that is shown is kept (:meth:`stay`).
        """
        text = (self.loading or self).own_text if own_text is None else own_text
        self._load(Loading(begin(settings, text), settings, text, paused, setting, then, self.pending, of_scene=of_scene))

    def stay(self) -> None:
        """Keep what is shown, as the reader has just opened a page or a section: no scene whose run is still being made."""
        with self._lock:
            if self.loading and self.loading.of_scene:
                self.loading = None

    def _load(self, loading: Loading) -> None:
        with self._lock:
            self.loading = loading
        with drawn_later(), suppress(StillComputing):
            settled(loading.job)
            self.finish_loading()

    def finish_loading(self) -> None:
        """Show the run that was being made, or why it is refused; no effect until it is made."""
        with self._lock:
            loading = self.loading
            if not loading or not loading.job.done:  # another script may have begun another one
                return
            self.loading = None
            self.own_text_problem = ""
            try:
                made = loading.job.result()
            except ValueError as error:
                fitting = error.fitting if isinstance(error, TooShort) else {}
                remedy = Remedy(loading.settings.but(**fitting), loading.own_text) if fitting else None
                self.set_problem(message_of(error), loading.setting, remedy)
            else:
                self.view = view_of(loading.settings)
                self.prediction.curve = None
                self.notices = []
                if self.pending == loading.pending:  # else another text was chosen meanwhile
                    self.pending = PendingText()
                plays, moved = self.run.should_train and not loading.paused, loading.moved if made.monitored.is_initial else {}
                self._replace(made.monitored, made.lines, made.own_text or self.own_text)
                if moved:  # not a run that was opened
                    self.run.change(**moved)
                if plays:
                    self.run.play()
            loading.then()

    def _meanwhile(self, view: Mapping[str, Any] = MappingProxyType({}), **moved: Any) -> None:
        """Change view settings or live knobs of a run that is being made, too."""
        with self._lock, suppress(ValueError):  # a cut that is not shorter than its windows
            if self.loading:
                settings = self.loading.settings.but(**view, **moved)
                self.loading = self.loading._replace(settings=settings, moved={**self.loading.moved, **moved})

    def restart(self, setting: str, **fields: Any) -> None:
        """Start a new run if the control ``setting`` has changed fields that require one."""
        settings, pending = self.wanted.but(**fields), "" if "corpus" in fields else self.pending.name

        def begun() -> None:
            if not self.pending.name:
                self.wait_for_text(pending)  # it will be trained on with these settings

        with self._lock:
            if self.wanted.differing(settings, "restart"):
                self.start(settings, setting=setting, then=begun)

    def _replace(self, monitored: MonitoredTrainer, lines: Lines, own_text: str) -> None:
        """Replace the run by a paused one; the old run becomes a ghost."""
        old, self.loading = self.run, None
        self._show(monitored, lines, own_text)
        self.set_problem("")
        if old.suspended:  # the tab has gone while the new run was made
            self.run.suspend(old.snapshot().reason)
        old.pause()
        self.keep_curve(old)

    def keep_curve(self, run: MonitoredRun) -> None:
        """Keep the curve of a run that has trained, as a ghost."""
        if run.source.step:
            ghost = compute(run.source.ghost)  # the run may still compute its last update
            self.ghosts = [*self.ghosts, ghost][-GHOSTS:]

    def resume(self, read: Callable[[], Checkpoint], refused: Callable[[str], None]) -> None:
        """Open a saved run, paused; the old run becomes a ghost. ``refused`` is called with a message if it cannot be resumed."""

        def opened() -> None:
            if self.problem:
                refused(self.problem)
                self.set_problem("")

        job = start_outside(lambda: _opened(read))
        self._load(Loading(job, self.settings, self.own_text, paused=True, then=opened, pending=self.pending))

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
                plays, branched = self.run.should_train, compute(lambda: trainer.branch(moment, settings))
                self._replace(branched, self.lines, self.own_text)
                if plays:
                    self.run.play()

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
        with self._lock:
            self.view |= view
            self._meanwhile(view)
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
        self._meanwhile(**knobs)
        self.run.change(**knobs)

    def scale_to_radius(self, radius: float) -> None:
        """Scale W_hh of the run to this spectral radius; if a moment of the history is shown, branch from it first."""
        if self.past:
            self.branch(self.past.moment)
        self.run.scale_to_radius(radius)
