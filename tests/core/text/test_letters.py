import unicodedata

import pytest

from core.text.letters import LANGUAGES, encodings_by_letters

WRITTEN = {
    "cp1252": (
        "Grüße aus München, schöne Straßen", "Voilà le déjà-vu d'un garçon à côté de l'hôtel; ça coûte", "El niño comió una piña",
        "A canção não é difícil, amanhã à tarde", "Perché no? È così, però più tardi", "Flickan åt ett äpple på ön i går",
        "Blåbærsyltetøy på brød", "Það er gott veður í dag, þú ættir að sjá", "een “naïeve” coöperatie", "“Don’t” — not now",
    ),
    "cp1250": ("Zażółć gęślą jaźń", "Příliš žluťoučký kůň úpěl ďábelské ódy", "Árvíztűrő tükörfúrógép",
        "Čovjek je išao kući šćućuren"),
    "iso8859_2": ("Zażółć gęślą jaźń", "Příliš žluťoučký kůň úpěl ďábelské ódy"),
    "cp1254": ("Bugün hava çok güzel, ırmağa balık tutmaya gidiyoruz, şimdi",),
    "cp1257": ("Šiandien gražus oras, einame žvejoti į upę ąčęėįšųūž",),
    "cp1251": ("Это простой русский текст для проверки", "Сегодня хорошая погода, пойдём на реку ловить рыбу"),
    "koi8_r": ("Это простой русский текст для проверки", "Сегодня хорошая погода, пойдём на реку ловить рыбу"),
    "cp1253": ("Σήμερα ο καιρός είναι καλός και πάμε στο ποτάμι",),
    "cp1255": ("היום מזג האוויר יפה ואנחנו הולכים אל הנהר",),
}  # fmt: skip


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in WRITTEN.items() for text in texts])
@pytest.mark.parametrize("times", [1, 30])
def test_the_encoding_is_the_one_in_which_all_letters_are_of_one_language(name, text, times):
    assert encodings_by_letters((text * times).encode(name))[0] == name


def test_an_encoding_of_no_known_language_is_not_found():
    assert encodings_by_letters("Сегодня хорошая погода, пойдём на реку ловить рыбу".encode("cp866")) == []


def test_few_letters_do_not_decide_and_all_encodings_that_fit_are_named():
    assert encodings_by_letters("naïve café".encode("cp1252"))[:2] == ["cp1252", "cp1250"]
    assert encodings_by_letters(("naïve café" * 10).encode("cp1252")) == ["cp1252"]


@pytest.mark.parametrize("name", ["cp1252", "cp1250"])
def test_a_bad_byte_among_few_letters_does_not_change_the_encoding(name):
    for text in WRITTEN[name]:
        assert encodings_by_letters(text.encode(name) + b" \xff")[0] == name


@pytest.mark.parametrize("name", LANGUAGES)
def test_all_letters_of_a_language_can_be_encoded(name):
    unicodedata.normalize("NFC", "".join(LANGUAGES[name]).replace("i\u0307", "İ")).encode(name)  # as Python writes it small
