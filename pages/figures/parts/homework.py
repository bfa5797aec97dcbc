"""A set of exercises as one page: for homework, or with the answers and the known mistakes for the teacher."""

from collections.abc import Sequence

from core.analysis.exercises import MISTAKES, Exercise, check
from core.config.language import gettext as _, language
from pages.content.notation import in_notation
from pages.figures.parts.style import escape

STYLE = "body { font: 17px/1.45 sans-serif; max-width: 42em; margin: 2em auto; padding: 0 1em } small { color: #555 }"


def homework(exercises: Sequence[Exercise], typed: Sequence[str], *, number: int, notation: str, answers: bool) -> str:
    """The page as HTML without scripts: the questions with what was typed, or (``answers``) with the right answers."""
    title = _("Exercises, set {n}", n=number)
    items = [_item(one, text, notation, answers=answers) for one, text in zip(exercises, typed, strict=True)]
    head = f'<!doctype html><html lang="{language()}"><meta charset="utf-8"><title>{escape(title)}</title><style>{STYLE}</style>'
    return f"{head}<h1>{escape(title)}</h1><ol>{''.join(items)}</ol></html>"


def _item(exercise: Exercise, typed: str, notation: str, *, answers: bool) -> str:
    lines = [in_notation(_(exercise.question), notation)]
    if answers:
        lines += [_written(exercise.answer), in_notation(f"{_(exercise.rule)} {exercise.numbers}", notation)]
        mistakes = [f"{_written(wrong)}: {_(MISTAKES[name])}" for name, wrong in exercise.mistakes.items()]
        return f"<li>{'<br>'.join(map(escape, lines))}{''.join(f'<br><small>{escape(one)}</small>' for one in mistakes)}</li>"
    verdict = _(check(exercise, typed).says) if typed.strip() else ""
    lines += [_("Your answer: {text}", text=typed or "________"), verdict]
    return f"<li>{'<br>'.join(map(escape, filter(None, lines)))}</li>"


def _written(numbers: Sequence[float]) -> str:
    return ", ".join(f"{number:.4g}" if not number.is_integer() else f"{number:.0f}" for number in numbers)
