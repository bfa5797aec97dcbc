"""Every kind of exercise over 200 seeds: its answer is right, each of its mistakes is recognised by its name."""

import pytest

from core.analysis.exercises import KINDS, MISTAKES, check, exercise_set, make, read_numbers

SEEDS = range(200)


def written(numbers) -> str:
    return " ".join(f"{number:.6g}" for number in numbers)


@pytest.mark.parametrize("kind", KINDS)
def test_the_right_answer_passes_and_each_mistake_is_named(kind):
    found, answers = set(), set()
    for seed in SEEDS:
        exercise = make(kind, seed)
        answers.add((exercise.question, exercise.answer))
        assert check(exercise, written(exercise.answer)).kind == "right"
        for name, wrong in exercise.mistakes.items():
            verdict = check(exercise, written(wrong))
            assert verdict.kind == "mistake"
            same = [other for other, numbers in exercise.mistakes.items() if MISTAKES[other] == verdict.says and numbers]
            assert same
            found |= {name}
        assert check(exercise, written([number + 7.77 for number in exercise.answer])).kind in ("wrong", "mistake")
    assert found or kind == "slope relu"
    assert len(answers) > 5  # the numbers differ


def test_there_are_forty_kinds_and_every_mistake_occurs():
    used = {name for kind in KINDS for seed in SEEDS for name in make(kind, seed).mistakes}
    assert len(KINDS) >= 40
    assert used == set(MISTAKES)


def test_a_set_is_the_same_for_its_seed_and_another_for_another():
    assert exercise_set(3) == exercise_set(3)
    assert exercise_set(3) != exercise_set(4)
    for seed in SEEDS:
        kinds = [kind for kind, _one in exercise_set(seed)]
        assert len(set(kinds)) == 10
        assert sum(kind.startswith("shape ") for kind in kinds) <= 2


@pytest.mark.parametrize(("typed", "numbers"), [
    ("3", (3,)), ("(3, 4)", (3, 4)), ("3 × 4", (3, 4)), ("0,5", (0.5,)), ("3/4", (0.75,)),
    ("−1 2", (-1, 2)), ("[0.1, -0.2]", (0.1, -0.2)),
])  # fmt: skip
def test_answers_are_read_as_people_write_them(typed, numbers):
    assert read_numbers(typed) == pytest.approx(numbers)


@pytest.mark.parametrize("typed", ["", "many", "1e999", "nan", "1/0", "[]", "9" * 400])
def test_what_is_no_answer_is_said_to_be_none(typed):
    assert check(make("bound", 0), typed).kind == "unreadable"
    assert check(make("dx", 0), "1").kind == "unreadable"
