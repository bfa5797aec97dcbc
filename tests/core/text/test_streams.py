"""One seed, one stream of random numbers per purpose."""

from core.text.streams import Purpose, generator


def test_equal_arguments_give_equal_streams():
    assert generator(3, Purpose.DATA).random() == generator(3, Purpose.DATA).random()


def test_seeds_and_purposes_have_streams_of_their_own():
    firsts = {generator(seed, purpose).random() for seed in range(5) for purpose in Purpose}
    assert len(firsts) == 5 * len(Purpose)


def test_the_numbers_of_the_purposes_stay():
    # A run is told by its seed: re-numbering would change every run that somebody has a link to.
    assert {p.name: p.value for p in Purpose} == {"INIT": 0, "DATA": 1, "OPTIMISER": 2, "DISPLAY": 3, "HELD_OUT": 4}
