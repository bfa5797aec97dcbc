"""The index of the books: every link opens what it says, references of the pages lead to it, and its numbers hold."""

from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pytest

from core.analysis.perplexity import means_of_choices
from core.config.link import VIEW
from pages.content.books import BOOKS, QUESTIONS, index_address, view_of
from pages.content.guide import HINTS
from pages.content.lessons import LESSONS
from pages.content.notation import FIRST_SOURCE, SECOND_SOURCE
from pages.content.places import PLACES, address_of
from pages.content.scenes import SCENES
from tests.pages.app_session import SMALL, AppSession
from tests.pages.views import SECTIONS

ENTRIES = [entry for book in BOOKS.values() for part in book for entry in part.entries]


def keys_of(session: AppSession) -> set[str]:
    """The keys of the containers and components on the page, to which a link can scroll."""
    ids = [getattr(getattr(node, "proto", None), "id", "") for node in session.nodes()]
    return {one.split("-", 2)[-1] for one in ids if one.startswith("$$ID")}


@pytest.mark.parametrize("key", [key for key, place in PLACES.items() if not place.scene])
def test_a_place_opens_what_it_says(visit, key):
    """No parameter of its address is refused or changed, and the part to scroll to is there."""
    place, (page, query) = PLACES[key], split(address_of(key))
    session = visit(page, **SMALL, **query)
    assert session.stage.notices == []
    assert session.stage.navigation.page == place.page
    if "section" in query:
        assert session.section == query["section"]
    kept = {name: query[name] for name in query if name in session.url}  # a URL omits what is the default
    assert {name: session.url[name] for name in kept} == kept
    if VIEW in query:
        assert query[VIEW] in keys_of(session)


def split(address: str) -> tuple[str, dict[str, str]]:
    return urlsplit(address).path, dict(parse_qsl(urlsplit(address).query))


def test_every_statement_and_question_has_a_place_and_every_place_is_used():
    linked = [key for entry in (*ENTRIES, *QUESTIONS) for key in entry.places]
    assert len(ENTRIES) > 70
    assert all(entry.places for entry in (*ENTRIES, *QUESTIONS))
    assert set(linked) == set(PLACES)
    assert {place.scene for place in PLACES.values() if place.scene} <= set(SCENES)


def test_all_equations_and_figures_of_the_first_books_section_are_there():
    numbers = {entry.number for part in BOOKS[FIRST_SOURCE] for entry in part.entries}
    assert {f"(8.4.{n})" for n in range(1, 9)} | {"Fig. 8.4.1", "Fig. 8.4.2"} | {f"Exercise {n}" for n in range(1, 5)} <= numbers


def test_a_click_opens_the_place_and_keeps_the_run(visit):
    session = visit("books", **SMALL).train(2)
    run = session.stage.run
    session.open_place(address_of("proof"))
    assert (session.stage.navigation.page, session.stage.run) == ("truncation", run)
    assert session.stage.navigation.query["section"] == "proof"
    for elsewhere in ("https://example.org/recurrent_step", "nowhere?section=proof", ""):
        assert session.open_place(elsewhere).stage.navigation.page == "truncation"


def test_a_place_opens_its_own_state_though_another_was_chosen_there(visit):
    session = visit("truncation", **SMALL, section="cut", tau="8")
    assert session.open_place(address_of("cut")).choices["tau"] == 2


def test_a_scene_of_the_index_is_opened(visit):
    session = visit("books", **SMALL)
    assert session.open_place(address_of("scene_branching")).stage.scenes.key == "branching"


def test_references_of_hints_lead_to_the_section_of_the_index():
    hints = [hint for parts in HINTS.values() for hint in parts.values()]
    hints += [section.hint for page in SECTIONS.values() for section in page.values()]
    for hint in hints:
        if hint.first or hint.second:
            page, query = split(index_address(hint))
            assert (page, query["section"]) == ("books", FIRST_SOURCE if hint.first else SECOND_SOURCE)
            if VIEW in query:
                assert query[VIEW] in {view_of(part.number) for part in BOOKS[query["section"]]}


def test_numbers_in_sentences():
    mean = means_of_choices(np.array([0.8, 0.2]))
    assert (round(mean.geometric, 9), round(mean.harmonic, 9)) == (2.5, 2.0)
    assert (1 / 0.8, 1 / 0.2) == (1.25, 5)
    printed = [value for lesson in LESSONS for _epoch, value in lesson.printed]
    assert any("5.49" in one.asks for one in QUESTIONS)
    assert 5.49 in printed
