"""A pseudo-language: every message with accents and about 40 % longer, to find untranslated English texts, and places that are
too narrow for longer words.

``python -m tests.language.pseudo run dashboard.py`` starts Streamlit and the dashboard with this additional language.
"""

import re
import sys
import tempfile
from functools import cache
from math import ceil
from pathlib import Path

from babel.messages.catalog import Catalog
from streamlit.web.cli import main

from core.config import language
from core.config.settings import KNOBS
from tests.language.catalogues import messages, written

CODE = "eo"  # a code that Babel knows and no catalogue has
LONGER = 0.5  # added letters per letter of a word with vowels
VOWELS, ACCENTED = "AEIOUYaeiouy", "ÀÉÎÖÜÝàéîöüý"
WORD = re.compile(r"<maths>.*?</maths>|<[^>]*>|\{\w*\}|\b[^\W\d_]{2,}\b")  # formulas, tags and placeholders are kept
MARKED = re.compile(f"[{ACCENTED}]")


def pseudo(message: str) -> str:
    """The message in the pseudo-language."""
    return WORD.sub(lambda found: found[0] if found[0][0] in "<{" else _longer(found[0]), message)


def _longer(word: str) -> str:
    """The word with accents on all vowels, and with the first of them repeated to make it longer."""
    accented = word.translate(str.maketrans(VOWELS, ACCENTED))
    return MARKED.sub(lambda vowel: vowel[0] + vowel[0].lower() * ceil(LONGER * len(word)), accented, count=1)


@cache
def _file() -> bytes:
    made = Catalog(CODE)  # like English it has a form for 1 and one for other numbers
    for one in messages():
        forms = tuple(map(pseudo, one.id)) if one.pluralizable else pseudo(one.id)
        made.add(one.id, forms, locations=one.locations, context=one.context) if one.id else None
    return written(made)


def write(folder: Path) -> None:
    """Write a folder for ``core.config.language.CATALOGUES`` with all languages and the pseudo-language."""
    for path in language.CATALOGUES.glob("*.po"):
        (folder / path.name).symlink_to(path)
    (folder / f"{CODE}.po").write_bytes(_file())


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder))
        language.CATALOGUES = Path(folder)
        language.languages.cache_clear()
        KNOBS["lang"].words[CODE] = "Pseudo"
        sys.exit(main())
