"""Which encoding of one byte a character a text is in: the one in which nearly all its letters are of one language.

Such encodings differ in a few letters, and what is read in a wrong one has letters that no language has together.
"""

from collections import Counter

WRONG = 0.1  # of the foreign letters, at most: a name from abroad stands in every text
WRONG_IN = {"cp1255": 0.02}  # unless most letters of another alphabet have the same bytes: Cyrillic ones, these
ANYWHERE = set("\u00a0“”‘’„‚–—…«»‹›•·°§©®™€£¥½¼¾²³×÷±µ¡¿ªº´¨")  # signs of texts in any language
CENTRAL = ("ąćęłńóśźż", "áäčďéěíĺľňóôŕřšťúůýž", "áéíóöőúüű", "čćđšž", "ăâîşţ")
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
    "cp1254": ("âçğîıöşûüİ",),
    "cp1257": ("ąčėęįšūųž", "āčēģīķļņšūž", "äõöšüž"),
    "cp1255": ("אבגדהוזחטיךכלםמןנסעףפץצקרשת",),
}


def encoding_by_letters(sample: bytes) -> str:
    """The encoding in which the letters of a sample are best those of one language; "" where they are in none."""
    foreign = sample.translate(None, bytes(range(128)))
    wrong = {name: _wrong(Counter(foreign.decode(name, "replace")), name) for name in LANGUAGES}
    best = min(wrong, key=wrong.__getitem__)  # the first of equals
    one_of_some = wrong[best] == 1 and len(foreign) > 2  # a bad byte
    return best if one_of_some or wrong[best] <= len(foreign) * WRONG_IN.get(best, WRONG) else ""


def _wrong(found: Counter[str], encoding: str) -> int:
    """How many of these characters are no letters of the language of this encoding that has most of them."""
    letters = {letter: times for letter, times in found.items() if letter not in ANYWHERE}
    return min(
        sum(times for letter, times in letters.items() if not {letter, letter.lower()} & language)
        for language in map(set, LANGUAGES[encoding])
    )
