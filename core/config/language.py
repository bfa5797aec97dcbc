"""Messages in the reader's language: gettext, with one catalogue a language, ``core/locale/<code>.po``.

The English sentence is the id of a message. It is translated where it is made, into the language of the reader whose page is
drawn (:func:`use_language`). What is stored, shared by several readers or made by a thread is a :class:`Message`: it is English
text, and is translated where it is shown. ``docs/languages.md`` says how a language is added.
"""

import gettext as standard
import re
from collections.abc import Sequence
from contextvars import ContextVar
from functools import cache, lru_cache, reduce
from io import BytesIO
from pathlib import Path
from typing import Any

from babel import Locale
from babel.lists import format_list
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

ENGLISH = "en"
CATALOGUES = Path(__file__).parents[1] / "locale"
TAGS = re.compile(r"<(\w+)>(.*?)</\1>")
_language: ContextVar[str] = ContextVar("language", default=ENGLISH)


class Message(str):
    """An English text that can be translated later: its ``id``, and the values of its named places."""

    id: str
    variables: dict[str, Any]

    def __new__(cls, message: str, **variables: Any) -> "Message":
        made = super().__new__(cls, message.format(**variables) if variables else message)
        made.id, made.variables = message, variables
        return made


@cache
def languages() -> dict[str, str]:
    """The name of every language in itself, by its code."""
    codes = [ENGLISH, *sorted(path.stem for path in CATALOGUES.glob("*.po"))]
    return {code: Locale.parse(code).get_display_name(code).capitalize() for code in codes}


def closest_language(locale: str | None) -> str:
    """The language for a browser's locale, as "zh-CN" or "zh-Hans"; English where there is no catalogue."""
    code = (locale or ENGLISH).replace("_", "-").split("-")[0].lower()
    return code if code in languages() else ENGLISH


def message_of(error: Exception) -> str:
    """The sentence of an error: a :class:`Message` where it was raised with one."""
    return error.args[0] if error.args and isinstance(error.args[0], str) else str(error)


def language() -> str:
    """The code of the language in which messages are made."""
    return _language.get()


def use_language(code: str) -> None:
    """Make messages in this language, in this thread."""
    _language.set(code)


def gettext(message: str, **variables: Any) -> str:
    """The message in the reader's language, with the values of its named places: ``_("update {n}", n=3)``."""
    if isinstance(message, Message):
        message, variables = message.id, message.variables | variables
    return _filled(translations(language()).gettext(message) if message else "", variables)


def ngettext(singular: str, plural: str, number: float, **variables: Any) -> str:
    """The form of the message that the language has for ``number``; a fraction has the form of 2, as gettext takes integers."""
    whole = int(number) if float(number).is_integer() else 2
    return _filled(translations(language()).ngettext(singular, plural, whole), variables)


def lazy_gettext(message: str, **variables: Any) -> Message:
    """A message that is translated where it is shown."""
    return Message(message, **variables)


def sentences(*messages: str) -> str:
    """Messages one after the other, with what the language has between two sentences."""
    there = [message for message in messages if message]
    return reduce(lambda before, after: gettext("{before} {after}", before=before, after=after), there) if there else ""


def rich_text(message: str, **variables: Any) -> list[list[str]]:
    """The pieces [text, tag] of a translated message with tags: ``rich_text(_("<strong>{n}</strong> are open"), n=3)``.

    The tag is "" outside of tags. Values are filled in after the message was split: markup in them stays text.
    """
    first, *rest = TAGS.split(message)
    pieces = [(first, "")]
    for tag, inside, after in zip(rest[::3], rest[1::3], rest[2::3], strict=True):
        pieces += [(inside, tag), (after, "")]
    return [[_filled(text, variables), tag] for text, tag in pieces if text]


def listed(items: Sequence[str]) -> str:
    """Items as the language lists them: "a, b, and c"."""
    return format_list(items, locale=language())


def _filled(text: str, variables: dict[str, Any]) -> str:
    if not variables:
        return text
    return text.format(**{name: gettext(one) if isinstance(one, Message) else one for name, one in variables.items()})


@lru_cache(maxsize=16)
def translations(code: str) -> standard.NullTranslations:
    """The messages of a language; those of English are the ids."""
    if code == ENGLISH:
        return standard.NullTranslations()
    compiled = BytesIO()
    write_mo(compiled, catalogue(code))
    compiled.seek(0)
    return standard.GNUTranslations(compiled)


def catalogue(code: str) -> Catalog:
    """A language's file, as a translator writes it."""
    with (CATALOGUES / f"{code}.po").open("rb") as file:
        return read_po(file, locale=code)
