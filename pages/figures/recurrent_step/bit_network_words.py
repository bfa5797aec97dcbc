"""The tasks of a network that the reader builds, in words: what to tell, a hint, the solution, and what one unit cannot do."""

from core.config.language import gettext as _, lazy_gettext, sentences
from core.text.languages import NOISE
from core.training.experiments.bit_networks import TRIED_STARTS, is_worked_out, one_unit_can
from core.training.experiments.bit_tasks import LARGEST_WEIGHT, BitTask, held_state
from pages.figures.parts.numbers import count, decimals, number, short
from pages.figures.parts.tables import Panel, panel

DONE = 1.02  # times the best possible perplexity, at most: the task is solved
FORGET = "forget"  # the task echo-0, from a network that holds
GOALS = {  # name in the address: words
    "echo-0": lazy_gettext("name the bit just read"),
    "echo-1": lazy_gettext("name the bit before"),
    "echo-2": lazy_gettext("name the bit two before"),
    "echo-3": lazy_gettext("name the bit three before"),
    "lag-1": lazy_gettext("lag 1: guess the next bit"),
    "lag-2": lazy_gettext("lag 2: guess the next bit"),
    "lag-3": lazy_gettext("lag 3: guess the next bit"),
    "hold": lazy_gettext("hold: has a 1 come?"),
    FORGET: lazy_gettext("make it forget"),
}
_TASKS = {
    "echo-0": lazy_gettext("Set the weights so that the network names the bit that it has just read."),
    "echo-1": lazy_gettext("Set the weights so that the network names the bit of one step before."),
    "echo-2": lazy_gettext("Set the weights so that the network names the bit of two steps before."),
    "echo-3": lazy_gettext("Set the weights so that the network names the bit of three steps before."),
    "lag-1": lazy_gettext(
        "Set the weights so that the network guesses the next bit: in {share} of 100 cases it repeats the bit just read."
    ),
    "lag-2": lazy_gettext(
        "Set the weights so that the network guesses the next bit: in {share} of 100 cases it repeats the bit before the one "
        "just read."
    ),
    "lag-3": lazy_gettext(
        "Set the weights so that the network guesses the next bit: in {share} of 100 cases it repeats the bit of two steps "
        "before the one just read."
    ),
    "hold": lazy_gettext(
        "Token 0 is silence, and token 1 comes once or never. Set the weights so that the network tells whether it has "
        "come."
    ),
    FORGET: lazy_gettext("This network holds a 1 for ever. Change it so that it names the bit that it has just read."),
}  # fmt: skip
_HINTS = {
    ("echo-0", 1): lazy_gettext(
        "It needs no W_hh. Let both tokens push the state apart by W_xh, and let W_hq tell its two sides."
    ),
    ("echo-1", 1): lazy_gettext(
        "Let gradient descent try from several starts. Then look at the states: which answer is on which side?"
    ),
    ("echo-1", 2): lazy_gettext(
        "Unit 1 for the bit just read; W_hh can copy unit 1 into unit 2, one step later. W_hq reads unit 2."
    ),
    ("echo", 2): lazy_gettext(
        "{n} bits in two units: some have to share a unit, as a large and a small part of its number. Try gradient descent."
    ),
    ("lag", 1): lazy_gettext(
        "Which bit does the next one repeat? Tell that one, and make W_hq only so large that p is {share} %."
    ),
    ("hold", 1): lazy_gettext(
        "Set W_xh of token 0 and b_h to 0. Before the 1 the state is 0, and b_q alone has to say that it has not come. After it "
        "only W_hh acts on the state: when does it stay, and when does it fade?"
    ),
    (FORGET, 1): lazy_gettext("One weight is enough."),
}  # fmt: skip
_SOLUTIONS = {
    "echo-0": lazy_gettext(
        "W_xh sends both tokens to the two ends of tanh, and W_hq tells them apart. W_hh is 0: nothing is remembered."
    ),
    "echo-1": lazy_gettext(
        "Unit 1 holds the bit just read. W_hh copies unit 1 into unit 2, where it is one step later; W_hq reads unit 2."
    ),
    "lag-1": lazy_gettext(
        "As for the bit just read, with a smaller W_hq: p of the bit that is repeated is {share} %, as often as it "
        "comes."
    ),
    "lag-2": lazy_gettext(
        "As for the bit before, with a smaller W_hq: p of the bit that is repeated is {share} %, as often as it comes."
    ),
    FORGET: lazy_gettext("With W_hh = 0 nothing of the state before is left."),
}  # fmt: skip
_CANNOT = lazy_gettext(
    "One unit cannot. It has one number for two bits in a row, 00, 01, 10 or 11, and one threshold on it. To tell the earlier "
    "bit when it is asked for, 00 and 01 must lie on one side and 10 and 11 on the other; to tell the later bit one step after "
    "that, 00 and 10 on one side and 01 and 11 on the other. No order of four points on a line is both."
)
_UNKNOWN = lazy_gettext(
    "Two units would have to hold {bits} bits. That they cannot is not proved here, but none of the {n} starts that were tried "
    "led to a network that does."
)


def task_of(goal: str) -> str:
    """The task by its name in ``bit_tasks``."""
    return "echo-0" if goal == FORGET else goal


def instruction(goal: str) -> str:
    return _(_TASKS[goal], share=_repeated())


def _repeated() -> str:
    return f"{100 * (1 - NOISE):.0f}"


def hint_of(goal: str, units: int) -> str:
    if _is_unknown(goal, units):
        return _(_HINTS["echo", 2], n=_bits_to_hold(goal))
    if units == 1 and not one_unit_can(task_of(goal)):
        goal = "echo-1"
    kind, _dash, _k = goal.partition("-")
    found = next(each for each in ((goal, units), (goal, 1), (kind, 1)) if each in _HINTS)
    return _(_HINTS[found], share=_repeated())


def _is_unknown(goal: str, units: int) -> bool:
    """Whether it is not known if a network of more than one unit can do this task."""
    return units > 1 and not is_worked_out(task_of(goal), units)


def _bits_to_hold(goal: str) -> int:
    """How many bits an echo or a lag needs: from the one that is asked for to the last one."""
    kind, _dash, k = goal.partition("-")
    return int(k) + (kind == "echo")


def solution_of(goal: str, units: int, perplexity: float, weight: float) -> str:
    """What the solution does, whose W_hh of unit 1 is ``weight``; or that it is the best found."""
    if not is_worked_out(task_of(goal), units):
        return _("The best found from {n} starts, with weights up to {largest}: perplexity {p}.",
                 n=count(TRIED_STARTS), largest=short(LARGEST_WEIGHT), p=number(perplexity))  # fmt: skip
    return held(weight) if goal == "hold" else _(_SOLUTIONS[goal], share=_repeated())


def held(weight: float) -> str:
    """Why a state stays, changes sides or fades while token 0 is read."""
    values = {"w": decimals(weight), "h": decimals(held_state(abs(weight)))}
    if weight > 1:
        then = _("With W_hh = {w}, above 1, it stays at h = {h}, or at −{h} on the other side; from −1 to 1 it would come nearer "
                 "to 0 at every step.", **values)  # fmt: skip
    elif weight < -1:
        then = _("With W_hh = {w}, below −1, it changes sides at every step, between {h} and −{h}.", **values)
    else:
        then = _("With W_hh = {w}, from −1 to 1, it comes nearer to 0 at every step.", **values)
    return sentences(_("While token 0 is read, h becomes tanh(W_hh h)."), then)


def judged(goal: str, task: BitTask) -> str:
    """Over what the perplexity is the mean."""
    kind, (length, many) = goal.partition("-")[0], task.inputs.shape
    if kind == "hold":
        return _("mean over all {n} strings of {length} bits with at most one 1", n=count(many), length=length)
    if kind == "lag":  # the last bit is only guessed
        return _("mean over all {n} strings of {length} bits, each as often as it comes", n=count(many), length=length + 1)
    return _("mean over all {n} strings of {length} bits", n=count(many), length=length)


def is_solved(perplexity: float, task: BitTask) -> bool:
    return perplexity <= DONE * task.best


def result_panel(goal: str, units: int, perplexity: float, task: BitTask, known: float, *asked: str, helped: bool) -> Panel:
    """The perplexity, what is possible and what is known; then a verdict, and what the reader has ``asked`` for. ``helped``:
    whether what cannot be may be said."""
    verdict = [(_("Solved."), "strong")] if is_solved(perplexity, task) else _("Not yet.")
    cannot = units == 1 and not one_unit_can(task_of(goal))
    rows = [[judged(goal, task), number(perplexity)], [_("best possible"), number(task.best)]]
    if not is_worked_out(task_of(goal), units):
        rows.append([_("best found from {n} starts", n=count(TRIED_STARTS)), number(known)])
    limits = [_(_CANNOT)] if cannot else [_unknown(goal)] if _is_unknown(goal, units) else []
    said = [words for words in (*(limits if helped else []), *asked) if words]
    return panel(_("Perplexity"), verdict, *said, rows=rows)


def _unknown(goal: str) -> str:
    return _(_UNKNOWN, bits=_bits_to_hold(goal), n=count(TRIED_STARTS))
