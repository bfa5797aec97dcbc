from core.text.streams import Purpose, generator


def test_equal_arguments_give_equal_streams_and_all_others_differ_for_ever():
    assert generator(3, Purpose.DATA).random() == generator(3, Purpose.DATA).random()
    firsts = {generator(seed, purpose).random() for seed in range(5) for purpose in Purpose}
    assert len(firsts) == 5 * len(Purpose)
    # Other numbers would change every run that somebody has a link to.
    assert {p.name: p.value for p in Purpose} == {"INIT": 0, "DATA": 1, "OPTIMISER": 2, "DISPLAY": 3, "HELD_OUT": 4}
