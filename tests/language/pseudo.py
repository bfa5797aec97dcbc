"""A pseudo-language: every message with accents and about 40 % longer, to find English that is no message, and places where
longer words than the English ones have no room.

``python -m tests.language.pseudo run dashboard.py`` is Streamlit, whose dashboard has it beside its other languages.
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

CODE = "eo"  # Babel has to know it; no catalogue has it
LONGER = 0.5  # letters more, of a word with vowels
VOWELS, ACCENTED = "AEIOUYaeiouy", "ÀÉÎÖÜÝàéîöüý"
WORD = re.compile(r"<maths>.*?</maths>|<[^>]*>|\{\w*\}|\b[^\W\d_]{2,}\b")  # formulas, tags and places stay
MARKED = re.compile(f"[{ACCENTED}]")


def pseudo(message: str) -> str:
    """The message in the pseudo-language."""
    return WORD.sub(lambda found: found[0] if found[0][0] in "<{" else _longer(found[0]), message)


def _longer(word: str) -> str:
    """Accents on all vowels, and the first of them so often that the word is longer."""
    accented = word.translate(str.maketrans(VOWELS, ACCENTED))
    return MARKED.sub(lambda vowel: vowel[0] + vowel[0].lower() * ceil(LONGER * len(word)), accented, count=1)


@cache
def _file() -> bytes:
    made = Catalog(CODE)  # it has a form for 1 and one for other numbers, as English
    for one in messages():
        forms = tuple(map(pseudo, one.id)) if one.pluralizable else pseudo(one.id)
        made.add(one.id, forms, locations=one.locations, context=one.context) if one.id else None
    return written(made)


def write(folder: Path) -> None:
    """A folder for ``core.config.language.CATALOGUES``: the languages that there are, and this one."""
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
