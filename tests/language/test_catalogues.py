"""Every catalogue translates exactly the messages of the product."""

import re
from string import Formatter

import pytest

from core.config.language import ENGLISH, catalogue, languages
from tests.language.catalogues import CATALOGUES, messages, updated, written

UPDATE = "python -m tests.language.catalogues"
OTHERS = sorted(languages().keys() - {ENGLISH})


def places(text: str) -> set[str]:
    """The names of a message's placeholders."""
    return {name for _, name, _, _ in Formatter().parse(text) if name} if "{" in text else set()


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
    for message in catalogue(code):
        ours, theirs = (message.id[-1], message.string) if message.pluralizable else (message.id, [message.string])
        for form in theirs:
            assert places(form) == places(ours), form


@pytest.mark.parametrize("code", OTHERS)
def test_a_control_that_a_sentence_names_has_the_name_that_is_on_it(code):
    """A control's name quoted in “ ” must be translated in the sentence as on the control."""
    translated = {
        message.id: message.string for message in catalogue(code) if isinstance(message.id, str) and not message.context
    }
    wrong = [
        (sentence, name)
        for sentence, text in translated.items()
        for name in re.findall("“([^”{]+)”", sentence)
        if name in translated and translated[name].removesuffix("…") not in text
    ]
    assert not wrong
