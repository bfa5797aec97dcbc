"""The hall answers: the questions of the scenes, the steps of a vote, counted hands, and the room on the page."""

import json
import math
from collections import deque

import pytest
from hypothesis import given, settings, strategies as st

from core.text.corpus import floor_of
from core.training.tbptt import Diverged, Trainer
from pages.app.panels import room_panel
from pages.app.panels.room_panel import press
from pages.app.server.room.room import LATE, Asked, Room, shuffled
from pages.app.session.hall import PATIENCE, Hall
from pages.app.session.room_questions import question_of, truth_of
from pages.content.lecture import own_scene, saved
from pages.content.question import Choice, Curve, Number
from pages.content.questions import HALL_QUESTIONS, ON_TRAINING
from pages.content.scenes import SCENES
from pages.figures.room.votes import COLUMNS, histogram
from tests.pages.app_session import HOSTILE, START

CHOICE = Asked("", "choice", "?", **shuffled("right", [("wrong", "why"), ("other", "because")]))
NUMBER = Asked("", "number", "?", bounds=(1.0, 1000.0), log=True, truth=30.0)
CURVE = Asked("", "curve", "?", bounds=(1.0, 1000.0), log=True, top=5.0)


def choices() -> list[Choice]:
    curves = [one.hands for one in (*HALL_QUESTIONS.values(), ON_TRAINING) if isinstance(one, Curve)]
    return [one for one in (*HALL_QUESTIONS.values(), *curves) if isinstance(one, Choice)]


def test_every_scene_has_a_question_and_every_wrong_answer_a_misunderstanding():
    assert list(HALL_QUESTIONS) == list(SCENES)
    assert {type(one) for one in HALL_QUESTIONS.values()} == {Choice, Number, Curve}
    for one in choices():
        answers = [one.right, *(wrong.words for wrong in one.wrong)]
        assert 2 <= len(set(answers)) == len(answers) <= 5
        assert all(wrong.misunderstanding for wrong in one.wrong)


def test_the_wrong_guesses_of_a_number_are_in_other_bins_than_the_truth(visit):
    for key, question in HALL_QUESTIONS.items():
        if isinstance(question, Number):
            asked = question_of(visit(SCENES[key].page, **SCENES[key].query).stage, by_hand=False)
            values = [asked.truth, *(value for value, _words in asked.guesses)]
            bins = [histogram([value], *asked.bounds, log=asked.log).index(1) for value in values]
            assert len(bins) > 2
            assert bins[0] not in bins[1:]
            assert all(question.low <= value <= question.high for value in values)
            assert all(words for _value, words in asked.guesses)


def test_the_truth_of_every_number_is_computed_from_its_run(visit):
    for key, question in HALL_QUESTIONS.items():
        if not isinstance(question, Number):
            continue
        session = visit(SCENES[key].page, **SCENES[key].query).stage
        asked = question_of(session, by_hand=False)
        assert question.low < asked.truth < question.high
        if key == "counting":
            size = session.corpus.tokenizer.size
            assert asked.truth == size**6 / size**2
            assert 80 <= size <= 120  # "about 100 characters"
        elif key == "lag":  # a bit is the one four back with probability 0.95
            assert asked.truth == pytest.approx(0.95**-0.95 * 0.05**-0.05, rel=1e-3)
        else:
            trainer = Trainer(session.settings, session.corpus)
            with pytest.raises(Diverged) as diverged:
                deque(trainer, maxlen=0)
            assert asked.truth == diverged.value.step == truth_of("overflow", session)


def test_the_right_answer_of_the_price_of_forgetting_is_the_best_possible_perplexity(visit):
    session = visit("training", **SCENES["price"].query).stage
    best = floor_of(session.corpus, session.settings)
    assert best == pytest.approx(math.sqrt(2), rel=1e-3)
    assert HALL_QUESTIONS["price"].right == f"{best:.2f}"


def test_the_right_answer_stands_in_every_place_beside_its_misunderstandings():
    places = set()
    for _draw in range(200):
        drawn = shuffled("right", [("wrong", "why"), ("other", "because")])
        assert drawn["options"][drawn["right"]] == "right"
        assert dict(zip(drawn["options"], drawn["misunderstandings"], strict=True)) == {
            "right": "",
            "wrong": "why",
            "other": "because",
        }
        places.add(drawn["right"])
    assert places == {0, 1, 2}


def test_a_question_goes_from_the_first_vote_to_the_truth_and_back():
    room = Room()
    steps = []
    room.ask(CHOICE)
    while room.step:
        steps.append((room.step, room.is_open, len(room.votes)))
        room.go_on()
    assert steps == [("first", True, 1), ("talk", False, 1), ("second", True, 2), ("truth", False, 2)]
    assert room.asked is None
    room.go_on()
    room.tell_truth()
    assert room.step == ""
    room.ask(CHOICE)
    room.go_on()
    room.tell_truth()
    assert (room.step, len(room.votes)) == ("truth", 1)


@pytest.mark.parametrize("asked", [CHOICE, NUMBER], ids=["choice", "number"])
def test_hands_are_counted_beside_phones_and_only_while_the_vote_is_open(asked):
    room = Room()
    room.ask(asked)
    room.answer("a phone", 1, 1, 0 if asked is CHOICE else 1.5)
    room.count_hands(0, 4)
    room.count_hands(1, 2)
    room.count_hands(1, 3)
    for place, many in ((-1, 1), (room.places, 1), (0, -1), (0, 10**9)):
        room.count_hands(place, many)
    assert room.counts(room.votes[0])[:3] == [5, 3, 0]
    assert room.answered() == 8
    room.go_on()
    room.count_hands(2, 9)
    assert room.counts(room.votes[0])[:3] == [5, 3, 0]


def test_the_right_answer_of_a_number_is_the_bin_of_its_truth():
    room = Room()
    assert room.right == -1
    for asked, right in ((CHOICE, CHOICE.right), (NUMBER, 2), (CURVE, -1), (NUMBER._replace(truth=math.nan), -1)):
        room.ask(asked)
        assert room.right == right  # bins of 1 to 1000: 1, 3.2, 10, 31.6 ...


def test_an_answer_again_replaces_the_first_one_and_another_vote_begins_empty():
    room = Room()
    room.ask(CHOICE)
    room.answer("one", 1, 1, 0)
    room.answer("one", 1, 1, 2)
    assert room.counts(room.votes[0]) == [0, 0, 1]
    room.go_on()
    room.go_on()
    assert room.answered() == 0
    with pytest.raises(ValueError, match=LATE):
        room.answer("one", 1, 1, 0)
    room.answer("one", 1, 2, 1)
    assert [room.counts(vote) for vote in room.votes] == [[0, 0, 1], [0, 1, 0]]


ANYTHING = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.sampled_from(HOSTILE)),
    lambda inner: st.one_of(st.lists(inner, max_size=5), st.dictionaries(st.text(), inner, max_size=3)),
)


@settings(max_examples=200)
@given(asked=st.sampled_from((CHOICE, NUMBER, CURVE)), number=ANYTHING, vote=ANYTHING, answer=ANYTHING)
def test_no_message_breaks_a_room(asked, number, vote, answer):
    room = Room()
    room.ask(asked)
    for given_number, given_vote in ((number, vote), (1, 1)):
        try:
            room.answer("phone", given_number, given_vote, answer)
        except ValueError:
            assert not room.votes[0].answers
    assert room.answered() <= 1
    (given_answer,) = room.votes[0].answers.values() or (None,)
    if given_answer is not None and asked is not CURVE:
        assert type(given_answer) is (int if asked is CHOICE else float)
        assert sum(room.counts(room.votes[0])) == 1


def go(session, what: str) -> None:
    """Press in the room, and draw the page as the press does."""
    room = session.stage.hall.room
    pressed = room.step, room.number, what
    rerun, room_panel.rerun_page = room_panel.rerun_page, lambda: None
    try:
        press(session.stage, *pressed)
    finally:
        room_panel.rerun_page = rerun
    session.run()


def test_a_hall_votes_twice_by_hand_and_sees_the_truth(visit):
    session = visit("recurrent_step", **SCENES["state"].query)
    assert session.data("room")["can"]
    assert session.data("room")["step"] == ""
    go(session, "on")
    go(session, "hands")
    shown = session.data("room")
    assert (shown["step"], shown["question"]) == ("first", HALL_QUESTIONS["state"].question)
    assert sorted(shown["options"]) == sorted(
        [HALL_QUESTIONS["state"].right, *(wrong.words for wrong in HALL_QUESTIONS["state"].wrong)]
    )
    order, right = shown["options"], shown["right"]
    hall = session.stage.hall
    hall.change(lambda room: room.count_hands(right, 2))
    hall.change(lambda room: room.count_hands((right + 1) % 4, 2))
    go(session, "on")
    assert session.data("room")["advice"].startswith("30 to 70 %")
    go(session, "on")
    hall.change(lambda room: room.count_hands(right, 4))
    go(session, "on")
    shown = session.data("room")
    assert (shown["step"], shown["options"], shown["right"]) == ("truth", order, right)
    assert [sum(count) for count in shown["counts"]] == [4, 4]
    assert shown["counts"][1][right] == 4
    go(session, "on")
    assert session.data("room")["step"] == ""


def vote(session, scene: str, *counts: list[int]) -> dict:
    """Ask the hall by hand, with a vote for each of the counts, in the order of the scene or of the bins, up to the truth."""
    go(session, "on")
    go(session, "hands")
    hall, question = session.stage.hall, HALL_QUESTIONS[scene]
    options = hall.room.asked.options or tuple(range(len(counts[0])))
    answers = (question.right, *(wrong.words for wrong in question.wrong)) if isinstance(question, Choice) else options
    for hands in counts:
        for answer, many in zip(answers, hands, strict=True):
            place = options.index(answer)
            hall.change(lambda room, place=place, many=many: room.count_hands(place, many))
        assert session.run().data("room")["earlier"] == []
        go(session, "on")
        if hands is not counts[-1]:
            go(session, "on")
    if len(counts) == 1:
        go(session, "truth")
    return session.data("room")


def test_the_votes_are_saved_with_the_lecture_and_stand_beside_those_of_the_next_hall(visit):
    session = visit("recurrent_step", **SCENES["state"].query)
    assert vote(session, "state", [3, 9, 5, 1], [12, 4, 2, 0])["earlier"] == []
    go(session, "leave")
    session.open_scene("lag")
    vote(session.run(), "lag", [6, 5, 4, 3, 2, 1])
    go(session, "leave")
    file = session.switch_page(START).data("lecture")["file"]
    assert not any(word in file for word in ("phone", "name"))

    later = visit(START)
    later.stage.lecture.open_file(file)
    assert "2" in later.run().data("lecture")["says"]
    later.open_scene("state")
    shown = vote(later.run(), "state", [1, 1, 1, 1])
    in_order = [
        shown["options"].index(words)
        for words in (HALL_QUESTIONS["state"].right, *(w.words for w in HALL_QUESTIONS["state"].wrong))
    ]
    assert [[counts[place] for place in in_order] for counts in shown["earlier"]] == [[3, 9, 5, 1], [12, 4, 2, 0]]
    go(later, "leave")
    later.open_scene("lag")
    assert vote(later.run(), "lag", [1, 1, 1, 1, 1, 1])["earlier"] == [[6, 5, 4, 3, 2, 1]]
    go(later, "leave")
    later.open_scene("products")
    assert vote(later.run(), "products", [1, 1, 1, 1])["earlier"] == []


def test_a_lecture_whose_votes_are_damaged_is_refused_as_a_whole(visit):
    session = visit(START)
    scene = own_scene("unrolled", {}, name="mine")
    file = json.loads(saved({scene.key: scene})) | {"votes": [{"question": "?", "votes": [{"a": -1, "b": 2}]}]}
    session.stage.lecture.open_file(json.dumps(file))
    assert session.run().data("lecture")["says"].endswith(".")
    assert (session.data("lecture")["scenes"], session.stage.lecture.earlier) == ([], ())


def test_a_press_that_comes_twice_counts_once(visit):
    session = visit("recurrent_step", **SCENES["state"].query)
    go(session, "on")
    go(session, "on")
    room = session.stage.hall.room
    press(session.stage, "first", room.number, "on")
    assert room.step == "talk"


def test_hands_answer_a_choice_where_phones_draw(visit):
    session = visit("training")
    go(session, "on")
    assert session.data("room")["kind"] == "curve"
    assert sorted(name for *_places, name in session.data("room")["chart"]["lines"]) == sorted(
        line.name for line in session.stage.baselines
    )
    go(session, "hands")
    assert session.data("room")["options"]
    assert session.data("room")["kind"] == "choice"
    go(session, "phones")
    assert session.data("room")["kind"] == "curve"
    go(session, "leave")
    session.switch_page("unrolled")
    assert not session.data("room")["can"]
    go(session, "on")
    assert session.data("room")["step"] == ""


def test_another_scene_ends_the_question_of_the_last_one(visit):
    session = visit("recurrent_step", **SCENES["state"].query)
    go(session, "on")
    session.open_scene("products")
    assert session.run().data("room")["step"] == ""


@pytest.mark.parametrize("text", HOSTILE[:3])
def test_a_scene_of_the_readers_own_asks_with_its_own_words(visit, text):
    session = visit("unrolled")
    scene = own_scene("unrolled", {}, name="mine", question=f"What? {text}", answers=f"{text[:60]} | no")
    session.stage.lecture.add(lambda: scene)
    session.open_scene(scene.key)
    session.run()
    go(session, "on")
    shown = session.data("room")
    assert shown["question"] == f"What? {text}"
    assert shown["options"][shown["right"]] == text[:60].strip()


@pytest.mark.parametrize("answers", ["one", "a | a", "a |", "a|b|c|d|e|f"])
def test_answers_that_are_no_choice_are_refused(answers):
    with pytest.raises(ValueError, match="right one first"):
        own_scene("unrolled", {}, name="mine", answers=answers)


def test_after_a_minute_without_a_phone_the_hall_is_impatient():
    now = [0.0]
    hall = Hall(now=lambda: now[0])
    hall.ask(CHOICE)
    assert hall.is_patient
    now[0] = PATIENCE
    assert not hall.is_patient
    hall.room.join("a phone")
    assert hall.is_patient


def test_a_curve_needs_as_many_heights_as_the_phone_sends():
    room = Room()
    room.ask(CURVE)
    room.answer("phone", 1, 1, [None] * (COLUMNS - 2) + [3, 2.5])
    assert room.answered() == 1
