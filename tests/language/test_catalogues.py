"""Every catalogue translates exactly the messages of the product."""

import re
from io import BytesIO
from string import Formatter

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from core.config.language import ENGLISH, catalogue, languages
from tests.language import catalogues
from tests.language.catalogues import CATALOGUES, messages, updated, written

UPDATE = "python -m tests.language.catalogues"
OTHERS = sorted(languages().keys() - {ENGLISH})


def places(text: str) -> set[str]:
    """The names of a message's placeholders."""
    return {name for _, name, _, _ in Formatter().parse(text) if name} if "{" in text else set()


def translated(code: str) -> list[Message]:
    """The messages that have a translation which is shown: not those whose English has changed."""
    return [one for one in catalogue(code) if not one.fuzzy and all([one.string, *one.string])]


def test_an_updated_catalogue_is_up_to_date_also_where_a_sentence_has_lost_its_places(monkeypatch):
    template, catalog = Catalog(fuzzy=False), Catalog("zh", fuzzy=False)
    template.add("It doubles with every step.")
    catalog.add("It doubles every {n} steps.", "每 {n} 步增大一倍。")
    monkeypatch.setattr(catalogues, "messages", lambda: template)
    for _ in range(2):
        monkeypatch.setattr(catalogues, "catalogue", lambda _code, now=catalog: now)
        before, catalog = written(catalog), read_po(BytesIO(written(updated("zh"))))
    assert written(catalog) == before


def test_messages_are_found_in_calls_and_in_tables():
    found = {message.id for message in messages()}
    assert {"Recurrent networks", "Text", "as it is", "Counting does not scale"} <= found


@pytest.mark.parametrize("code", OTHERS)
def test_a_catalogue_has_exactly_the_messages_of_today(code):
    there, wanted = ({message.id for message in one if message.id} for one in (catalogue(code), messages()))
    changed = {"lacks": wanted - there, "has, but no sentence in the code": there - wanted}
    assert not any(changed.values()), f"core/locale/{code}.po {changed}. Run: {UPDATE}"
    assert (CATALOGUES / f"{code}.po").read_text(encoding="utf-8") == written(updated(code)).decode(), f"Run: {UPDATE}"


@pytest.mark.slow
@pytest.mark.parametrize("code", OTHERS)
def test_a_catalogue_is_complete(code):
    to_do = [one.id for one in catalogue(code) if one.id and (one.fuzzy or not all([one.string, *one.string]))]
    assert not to_do, f"to translate in core/locale/{code}.po, as docs/languages.md says"


@pytest.mark.parametrize("code", OTHERS)
def test_a_translation_has_the_places_of_its_message(code):
    for message in translated(code):
        ours, theirs = (message.id[-1], message.string) if message.pluralizable else (message.id, [message.string])
        for form in theirs:
            assert places(form) == places(ours), form


@pytest.mark.parametrize("code", OTHERS)
def test_a_control_that_a_sentence_names_has_the_name_that_is_on_it(code):
    """A control's name quoted in “ ” must be translated in the sentence as on the control."""
    words = {message.id: message.string for message in translated(code) if isinstance(message.id, str) and not message.context}
    wrong = [
        (sentence, name)
        for sentence, text in words.items()
        for name in re.findall("“([^”{]+)”", sentence)
        if name in words and words[name].removesuffix("…") not in text
    ]
    assert not wrong
