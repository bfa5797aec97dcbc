"""Messages in the reader's language: gettext, with one catalogue per language, ``core/locale/<code>.po``.

The English sentence is the id of a message. :func:`gettext` translates it into the language of the script run
(:func:`use_language`). A sentence that is stored, shared by sessions or created in a training thread is a :class:`Message`: an
English text with its id, translated by ``gettext`` where it is shown. ``docs/languages.md`` describes how to add a language.
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
SCRIPTS = "scripts"  # the place of a message in a catalogue if scripts of the browser show it
HAN = "[\u4e00-\u9fff]"
BESIDE_HAN = re.compile(rf"(?<={HAN})(?=(?!{HAN})\w)|(?<=\w)(?<!{HAN})(?={HAN})")
TAGS = re.compile(r"<(\w+)>(.*?)</\1>")
_language: ContextVar[str] = ContextVar("language", default=ENGLISH)


class Message(str):
    """An English text that can be translated later: its ``id``, and the values of its placeholders."""

    id: str
    variables: dict[str, Any]

    def __new__(cls, message: str, **variables: Any) -> "Message":
        text = super().__new__(cls, message.format(**variables) if variables else message)
        text.id, text.variables = message, variables
        return text


lazy_gettext = Message  # marks a message for translation where it is shown


@cache
def languages() -> dict[str, str]:
    """The name of each language, in that language, by its code."""
    codes = [ENGLISH, *sorted(path.stem for path in CATALOGUES.glob("*.po"))]
    return {code: Locale.parse(code).get_display_name(code).capitalize() for code in codes}


def closest_language(locale: str | None) -> str:
    """The language for a browser's locale, such as "zh-CN" or "zh-Hans"; English if there is no catalogue."""
    code = (locale or ENGLISH).replace("_", "-").split("-")[0].lower()
    return code if code in languages() else ENGLISH


def message_of(error: Exception) -> str:
    """The message of an error, which can be a :class:`Message`."""
    return error.args[0] if error.args and isinstance(error.args[0], str) else str(error)


def language() -> str:
    """The code of the current language."""
    return _language.get()


def use_language(code: str) -> None:
    """Set the current language, for this thread."""
    _language.set(code)


def gettext(message: str, **variables: Any) -> str:
    """The message in the current language, with its placeholders filled in: ``_("update {n}", n=3)``."""
    if isinstance(message, Message):
        message, variables = message.id, message.variables | variables
    return _fill(translations(language()).gettext(message) if message else "", variables)


def ngettext(singular: str, plural: str, number: float, **variables: Any) -> str:
    """The plural form of the message for ``number``; a fraction has the form of 2, as gettext takes integers."""
    whole = int(number) if float(number).is_integer() else 2
    return _fill(translations(language()).ngettext(singular, plural, whole), variables)


def sentences(*messages: str) -> str:
    """The non-empty messages, joined by the separator of the current language."""
    texts = list(filter(None, messages)) or [""]
    return reduce(lambda before, after: gettext("{before} {after}", before=before, after=after), texts)


def rich_text(message: str, **variables: Any) -> list[list[str]]:
    """A translated message with tags as pieces [text, tag]: ``rich_text(_("<strong>{n}</strong> are open"), n=3)``.

    The tag is "" outside of tags. Values are filled in after the split, so markup in them remains text.
    """
    first, *rest = TAGS.split(message)
    pieces = [(first, "")]
    for tag, inside, after in zip(rest[::3], rest[1::3], rest[2::3], strict=True):
        pieces += [(inside, tag), (after, "")]
    return [[_fill(text, variables), tag] for text, tag in pieces if text]


def listed(items: Sequence[str]) -> str:
    """Items joined as a list in the current language: "a, b, and c". A letter or digit beside a Chinese word has a blank."""
    return BESIDE_HAN.sub(" ", format_list(items, locale=language()))


def _fill(text: str, variables: dict[str, Any]) -> str:
    values = {name: gettext(value) if isinstance(value, Message) else value for name, value in variables.items()}
    return text.format(**values) if values else text


@lru_cache(maxsize=16)
def translations(code: str) -> standard.NullTranslations:
    """The translations of a language; English has none, as its messages are the ids."""
    if code == ENGLISH:
        return standard.NullTranslations()
    compiled = BytesIO()
    write_mo(compiled, catalogue(code))
    compiled.seek(0)
    return standard.GNUTranslations(compiled)


def catalogue(code: str) -> Catalog:
    """The .po file of a language."""
    with (CATALOGUES / f"{code}.po").open("rb") as file:
        return read_po(file, locale=code)
