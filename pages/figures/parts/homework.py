"""Exercises with their answers as one page: what the reader answered, or the answers and known mistakes for the teacher."""

from collections.abc import Sequence
from typing import NamedTuple

from core.analysis.exercises import MISTAKES, Exercise, check
from core.config.language import gettext as _, language
from pages.content.notation import in_notation
from pages.figures.parts.style import escape

STYLE = "body { font: 17px/1.45 sans-serif; max-width: 42em; margin: 2em auto; padding: 0 1em } small { color: #555 }"
BLANK = "________"


class Item(NamedTuple):
    """A question with its lines, and small print below. The texts may be the reader's: they are escaped."""

    lines: Sequence[str]
    small: Sequence[str] = ()


class SheetPart(NamedTuple):
    """The items of one kind, below a heading."""

    title: str
    items: Sequence[Item]


def sheet(title: str, parts: Sequence[SheetPart], *, named: bool) -> str:
    """The page as HTML without scripts; ``named``: with a line for the name of who answered. Parts without items are left out."""
    head = f'<!doctype html><html lang="{language()}"><meta charset="utf-8"><title>{escape(title)}</title><style>{STYLE}</style>'
    name = f"<p>{escape(_('Name: {name}', name=BLANK))}</p>" if named else ""
    return f"{head}<h1>{escape(title)}</h1>{name}{''.join(_part(part) for part in parts if part.items)}</html>"


def _part(part: SheetPart) -> str:
    items = "".join(
        f"<li>{_lines(one.lines)}{''.join(f'<br><small>{_lines([words])}</small>' for words in one.small)}</li>"
        for one in part.items
    )
    return f"<h2>{escape(part.title)}</h2><ol>{items}</ol>"


def _lines(lines: Sequence[str]) -> str:
    return "<br>".join(escape(line) for text in lines if text for line in text.splitlines())


def answered(exercise: Exercise, typed: str, notation: str) -> Item:
    """A question with what was typed, and the verdict on it."""
    verdict = _(check(exercise, typed).says) if typed.strip() else ""
    return Item([in_notation(_(exercise.question), notation), your_answer(typed), verdict])


def your_answer(text: str) -> str:
    """What the reader answered, or a blank."""
    return _("Your answer: {text}", text=text.strip() or BLANK)


def solved(exercise: Exercise, notation: str) -> Item:
    """A question with its answer, its rule and its known mistakes."""
    lines = [_(exercise.question), _written(exercise.answer), f"{_(exercise.rule)} {exercise.numbers}"]
    mistakes = [f"{_written(wrong)}: {_(MISTAKES[name])}" for name, wrong in exercise.mistakes.items()]
    return Item(in_notation(lines, notation), mistakes)


def _written(numbers: Sequence[float]) -> str:
    return ", ".join(f"{number:.4g}" if not number.is_integer() else f"{number:.0f}" for number in numbers)
