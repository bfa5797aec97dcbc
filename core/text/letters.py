"""Detect a single-byte encoding: the one in which nearly all letters of a text belong to one language.

Such encodings differ in a few letters; decoded with a wrong one, a text has letters that do not occur together in any language.
"""

import re
from collections import Counter

ENOUGH_LETTERS = 20  # non-ASCII letters: from this number on, only the more frequent of several matching encodings is returned
MAX_WRONG_SHARE = 0.1  # of the non-ASCII letters may be of other languages: texts have foreign names
COMMON_SIGNS = set("\u00a0“”‘’„‚–—…«»‹›•·°§©®™€£¥½¼¾²³×÷±µ¡¿ªº´¨")  # signs of texts in any language
CENTRAL = ("ąćęłńóśźż", "áäčďéěíĺľňóôŕřšťúůýž", "áéíóöőúüű", "čćđšž", "ăâîşţ")
CYRILLIC = "абвгдежзийклмнопрстуфхцчшщъыьэюяё"
LANGUAGES = {  # the letters beside a to z, language by language; where two encodings fit, the first is the more frequent one
    "cp1252": (
        "äöüßé",
        "àâæçéèêëîïôœùûüÿ",
        "áéíñóúü",
        "àçèéíïòóúü",
        "àáâãçéêíóôõúü",
        "àèéìíîòóùú",
        "åäæéöøü",
        "áæéíðóöúýþ",
        "áàâçéèêëíîïóôöûúü",
        "äåõöšüž",
    ),
    "cp1250": CENTRAL,
    "iso8859_2": CENTRAL,
    "cp1254": ("âçğîıöşûüi\u0307",),
    "cp1257": ("ąčėęįšūųž", "āčēģīķļņšūž", "äõöšüž"),
    "cp1255": ("אבגדהוזחטיךכלםמןנסעףפץצקרשת",),
    "cp1251": (CYRILLIC,),
    "koi8_r": (CYRILLIC,),
    "cp1253": ("αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώϊϋΐΰ",),
}
NOT_LATIN = {"cp1255", "cp1251", "koi8_r", "cp1253"}  # no word has both letters of these languages and letters a to z
BESIDE_LATIN = re.compile(rb"[A-Za-z][\x80-\xff]|[\x80-\xff][A-Za-z]")
LOWER_CASE_ONLY = {"cp1251", "koi8_r", "cp1253"}  # decoded as one another, lower case becomes upper case: only lower case counts


def encodings_by_letters(sample: bytes) -> list[str]:
    """The best encodings by the letters of a sample: several if it has too few letters, none if no language fits."""
    foreign = sample.translate(None, bytes(range(128)))
    mixed = len(BESIDE_LATIN.findall(sample))
    wrong = {name: _wrong(Counter(foreign.decode(name, "replace")), name) + mixed * (name in NOT_LATIN) for name in LANGUAGES}
    best = min(wrong, key=wrong.__getitem__)  # the first of equals
    one_of_some = wrong[best] == 1 and len(foreign) > 2  # one letter is wrong: probably a bad byte
    if not one_of_some and wrong[best] > len(foreign) * MAX_WRONG_SHARE:
        return []
    return [best] if len(foreign) >= ENOUGH_LETTERS else [name for name in wrong if wrong[name] == wrong[best]]


def _wrong(found: Counter[str], encoding: str) -> int:
    """The number of characters that are not letters of the best matching language of this encoding."""
    letters = Counter()
    for letter, times in found.items():
        letters["" if letter in COMMON_SIGNS else letter if encoding in LOWER_CASE_ONLY else letter.lower()] += times
    del letters[""]
    return min(letters.total() - sum(letters[one] for one in language) for language in map(set, LANGUAGES[encoding]))
