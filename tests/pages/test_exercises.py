"""The page of exercises: answers are checked and kept, hints come one after the other, and a place can be opened."""

from core.analysis.exercises import exercise_set, make
from core.config.language import gettext
from pages.content.places import PLACES
from pages.figures.parts.homework import homework
from tests.pages.app_session import HOSTILE, SMALL, AppSession


def field(session: AppSession, number: int, seed: int = 1) -> str:
    return f"exercises_{seed}_{exercise_set(seed)[number][0]}"


def answer(exercise) -> str:
    return " ".join(f"{number:.6g}" for number in exercise.answer)


def test_answers_are_checked_and_kept_while_another_page_is_open(visit):
    session = visit("exercises", **SMALL)
    kind, exercise = exercise_set(1)[0]
    session.select(field(session, 0), answer(exercise))
    assert session.notices == ["Right."]
    session.open_place("training").open_place("exercises")
    assert session.app.text_input(key=f"exercises_1_{kind}").value == answer(exercise)
    assert session.notices == ["Right."]


def test_a_known_mistake_is_told_which(visit):
    session = visit("exercises", **SMALL)
    number, exercise = next((i, one) for i, (_kind, one) in enumerate(exercise_set(1)) if one.mistakes)
    wrong = next(iter(exercise.mistakes.values()))
    session.select(field(session, number), " ".join(f"{one:.6g}" for one in wrong))
    assert session.notices not in ([], ["Right."], ["Not yet. Take the hint, or look at the place."])


def test_hints_come_one_after_the_other(visit):
    session = visit("exercises", **SMALL)
    exercise, shown = exercise_set(1)[0][1], lambda: "".join(session.html)
    assert gettext(exercise.rule)[:20] not in shown()
    session.app.button(key=f"{field(session, 0)}_hint").click()
    session.run()
    assert sum("page-note" in body for body in session.html) >= 2
    session.app.button(key=f"{field(session, 0)}_hint").click()
    session.run()
    assert f"{field(session, 0)}_hint" not in {button.key for button in session.app.button}


def test_another_set_has_its_number_in_the_address(visit):
    session = visit("exercises", **SMALL, set="7")
    session.press("Another set")
    assert session.url["set"] == "8"
    assert visit("exercises", **SMALL, set="-1").stage.notices


def test_every_exercise_has_a_place():
    assert {one.place for seed in range(30) for _kind, one in exercise_set(seed)} <= set(PLACES)


def test_the_page_for_homework_escapes_and_has_no_answers_and_the_teachers_has_them():
    exercise = make("bound", 3)
    for text in HOSTILE:
        page = homework([exercise], [text], number=3, notation="first", answers=False)
        assert "<img" not in page
    assert f"{exercise.answer[0]:.4g}" not in homework([exercise], [""], number=3, notation="first", answers=False)
    assert f"{exercise.answer[0]:.4g}" in homework([exercise], [""], number=3, notation="first", answers=True)
