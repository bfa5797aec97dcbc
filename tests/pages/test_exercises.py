"""The page of exercises: answers are checked and kept, hints come one after the other, and a place can be opened."""

import pytest

from core.analysis.exercises import exercise_set
from core.config.language import gettext, lazy_gettext
from core.training.experiments.predictions import ALIKE, BARELY, CLOSE, COMPUTED, LITTLE, MUCH, UPDATES, as_guessed
from pages.content.book_exercises import EXERCISES
from pages.content.places import PLACES
from pages.content.predictions import PREDICTIONS
from pages.exercises.asked import asked_with
from pages.exercises.live_run import predict
from pages.exercises.sheets import homework, model_answer, teachers
from pages.figures.parts.numbers import count as number_of
from pages.figures.parts.style import escape
from tests.pages.app_session import HOSTILE, SMALL, AppSession, close_tab


def field(session: AppSession, number: int, seed: int = 1) -> str:
    return f"exercises_{seed}_{exercise_set(seed)[number][0]}"


def answer(exercise) -> str:
    return " ".join(f"{number:.6g}" for number in exercise.answer)


def test_answers_are_checked_and_kept_while_another_page_is_open(visit):
    session = visit("exercises", **SMALL)
    kind, exercise = exercise_set(1)[0]
    session.select(field(session, 0), answer(exercise))
    assert session.notices == ["✓ Right."]
    session.open_place("training").open_place("exercises")
    assert session.app.text_input(key=f"exercises_1_{kind}").value == answer(exercise)
    assert session.notices == ["✓ Right."]


def test_a_known_mistake_is_told_which(visit):
    session = visit("exercises", **SMALL)
    number, exercise = next((i, one) for i, (_kind, one) in enumerate(exercise_set(1)) if one.mistakes)
    wrong = next(iter(exercise.mistakes.values()))
    session.select(field(session, number), " ".join(f"{one:.6g}" for one in wrong))
    (told,) = session.notices
    assert told.startswith("✗ ")
    assert told != "✗ Not yet. Take the hint, or look at the place."


def test_an_answer_that_cannot_be_read_is_neither_right_nor_wrong(visit):
    session = visit("exercises", **SMALL)
    session.select(field(session, 0), "two")
    (told,) = session.notices
    assert told[0] not in "✓✗"


def test_hints_come_one_after_the_other(visit):
    session = visit("exercises", **SMALL)
    exercise, shown = exercise_set(1)[0][1], lambda: "".join(session.html)
    assert gettext(exercise.rule)[:20] not in shown()
    before = sum("page-note" in body for body in session.html)
    session.app.button(key=f"{field(session, 0)}_hint").click()
    session.run()
    assert sum("page-note" in body for body in session.html) == before + 1
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


def test_answers_are_there_again_when_the_tab_is_loaded_again(visit, reload):
    session = visit("exercises", **SMALL)
    session.select(field(session, 0), "1 2 3 4 5")
    session.open_section("book").select("exercises_book_1", HOSTILE[0])
    session.press("Compare with a model answer", first=True)
    session.open_section("run")
    session.press("it gets larger", first=True)
    predicted = dict(session.stage.answers.predicted)
    found = reload(close_tab(session), page="exercises", **SMALL)
    assert found.widget(field(found, 0)).value == "1 2 3 4 5"
    assert found.open_section("book").widget("exercises_book_1").value == HOSTILE[0]
    assert found.stage.answers.predicted == predicted
    assert found.stage.answers.compared == {"1"}


@pytest.mark.parametrize("name", COMPUTED)
def test_a_prediction_is_checked_by_the_computation_that_trains(visit, name):
    session = visit("exercises", section="run", **SMALL).train(5)
    right = COMPUTED[name](session.stage.monitored.trainer, session.stage.corpus).right
    session.app.button(key=f"exercises_prediction_{name}_{right}").click()
    assert session.run().notices[0] == "✓ Right."
    assert session.stage.monitored.step == 5
    session.press("Predict again")
    session.app.button(key=f"exercises_prediction_{name}_{(right + 1) % 3}").click()
    (wrong,) = [one for one in session.run().notices if "otherwise" in one]
    assert wrong.startswith("✗ ")
    assert gettext(PREDICTIONS[name].options[right]) in wrong


def test_a_prediction_about_training_is_checked_by_the_run(visit):
    session = visit("exercises", section="run", **SMALL)
    session.select("exercises_prediction_guess", "0.5")
    assert session.notices  # a perplexity is never below 1
    session.select("exercises_prediction_guess", "2")
    session.app.button(key="exercises_prediction_line_2").click()
    assert session.run().notices == []
    session.app.button(key="exercises_prediction_line_train").click()
    session.run().wait().run()
    assert session.stage.monitored.step == UPDATES
    reached = session.stage.monitored.history.judged[-1].perplexity
    assert session.stage.answers.predicted["guess"].outcome == as_guessed(2.0, reached)
    assert session.stage.answers.predicted["line"].outcome.numbers[0] == reached
    assert len(session.notices) == 4
    session.start(seed=5)
    assert session.notices == []  # another run: to be predicted anew


def test_the_answers_have_the_bounds_of_the_computation():
    for name, bound in (("truncation", ALIKE), ("state", BARELY)):
        assert f"{100 * bound:.0f} %" in PREDICTIONS[name].options[1]
    assert (MUCH, LITTLE) == (1 / 2, 1 / 100)  # “more than half”, “less than a hundredth”
    assert CLOSE == 10 / 100  # “within ten per cent”


def test_what_cannot_be_asked_about_a_run_is_not_asked(visit):
    session = visit("exercises", section="run", **SMALL | {"num_steps": 1})
    asked = set(asked_with(session.stage))
    assert not asked & {"truncation", "back"}
    assert "state" not in asked  # before the first update zeros are carried
    assert "state" in asked_with(session.train(1).stage)
    session.start(corpus="echo", num_steps=8)
    assert "line" not in asked_with(session.stage)
    session.start(num_steps=8, cosine_until=20).train(5)  # it stops before the outcome of what is predicted about training
    assert not asked_with(session.stage).keys() & {"line", "guess"}
    assert "rate" in asked_with(session.stage)
    assert "rate" not in asked_with(session.train(15).stage)  # ten times zero


def test_every_exercise_of_the_book_has_a_model_answer_with_the_runs_own_sizes(visit):
    session = visit("exercises", section="book", **SMALL)
    V = session.stage.corpus.tokenizer.size
    for _number in EXERCISES:
        session.press("Compare with a model answer", first=True)
    shown = "".join(session.html)
    assert f"V = {V}" in shown
    assert f"{SMALL['batch_size']} × {V}" in shown
    assert number_of(SMALL["batch_size"] * SMALL["num_steps"] * V) in shown
    assert {place for one in EXERCISES.values() for place in one.places} <= set(PLACES)
    assert {one.place for one in PREDICTIONS.values()} <= set(PLACES)


def test_homework_has_what_was_answered_and_the_teachers_sheet_the_answers(visit):
    session = visit("exercises", **SMALL).train(1)
    kind, exercise = exercise_set(1)[0]
    stage = session.stage
    stage.answers.typed[1, kind] = answer(exercise)
    predict(stage, "state", lazy_gettext(PREDICTIONS["state"].question), 2)
    for text in HOSTILE:
        stage.answers.written["1"] = text
        handed, teachers_own = homework(stage, 1), teachers(stage, 1)
        assert "<img" not in handed + teachers_own
    assert "Right." in handed
    assert PREDICTIONS["state"].options[2] in handed
    points = [escape(point) for point in model_answer(stage, EXERCISES["1"])]
    assert all(point in teachers_own and point not in handed for point in points)
    rules = [one.rule for _kind, one in exercise_set(1)]
    assert all(escape(gettext(rule)) in teachers_own and escape(gettext(rule)) not in handed for rule in rules)
    assert all(escape(one.why) in teachers_own for one in PREDICTIONS.values())
