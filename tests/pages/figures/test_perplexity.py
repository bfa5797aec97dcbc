"""The figures of the page Perplexity: their numbers equal the core's, their texts the reader's."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from core.analysis.compression import Gap, model_size, plain_sizes
from core.analysis.displayed_text import read_typed
from core.analysis.perplexity import Continuation, Surprise, distribution, means_of_choices, surprise
from core.analysis.position import Table, position_bins
from core.analysis.writing import Sample, temperature_effect
from core.models.initialisation import init_params
from core.models.ngram import ORDER_NAMES, NgramReader, fit
from core.models.sampling import RnnReader
from core.text.tokenizer import Tokenizer
from core.training.curves import Point
from pages.figures.parts.numbers import THIN
from pages.figures.perplexity import against_counting, compression, length, number, surprise as coloured, writing
from pages.figures.perplexity.continuations import continuations_drawing, one_in
from pages.figures.perplexity.surprise_numbers import ModelOutput
from tests.pages.figures.drawings import texts, trace, value

LETTERS = Tokenizer(tuple("the valuofxprsind.\t\n"))
WORDS = Tokenizer(("the", "value", "<eos>", "<unk>"), "word")
V = 28


def reader(tokenizer: Tokenizer) -> RnnReader:
    return RnnReader(init_params(tokenizer.size, 8, rng=np.random.default_rng(0), dtype=np.float64))


def test_every_n_gram_and_the_network_are_curves_of_their_perplexities():
    bins = position_bins(8)
    counted, network = [[10.0 - order] * len(bins) for order in range(6)], [9.0 - i for i in range(len(bins))]
    curves = against_counting.position_figure(bins, counted, network, 4.0, "character")["data"]
    given = dict(zip(ORDER_NAMES[:6], counted, strict=True)) | {"the network": network, "state carried": [4.0] * len(bins)}
    assert {curve["name"] for curve in curves} == set(given)
    for curve in curves:
        assert curve["x"] == pytest.approx([math.sqrt(each.first * each.last) for each in bins], rel=1e-4)
        assert curve["y"] == pytest.approx(given[curve["name"]], rel=1e-4)


def test_each_network_is_beside_its_bigram_table():
    curve = [Point(0, 0, 0.0, math.log(300)), Point(10, 500, 0.1, math.log(100)), Point(100, 5000, 1.0, math.log(5))]
    runs = [against_counting.Memorising("1 000 words", curve, Table(4.6, 750), 92_058, 5.3, 358)]
    runs.append(against_counting.Memorising("10 000 words", curve[:1], Table(11.0, 6357), 461_697, 0.0, 2197))
    figure = against_counting.memorising_figure(runs, 1900)
    assert [curve["y"][-1] for curve in figure["data"]] == pytest.approx([5, 4.6, 300, 11], rel=1e-3)
    assert [row[2:4] for row in texts(against_counting.memorising_grid(runs))] == [["5.00", "4.60"], ["300", "11.0"]]


@pytest.mark.parametrize("nats", [300.0, 3000.0, math.nan, math.inf])
def test_every_size_has_a_bar_of_its_bits_per_token(nats):
    sizes = [*plain_sizes("abcd" * 100, 400, 4), model_size("bigram", "counted", 350.0, 400)]
    bars = compression.sizes_figure([*sizes, model_size("RNN", "network", nats, 400)], "character", 0.3)["data"][0]
    shown = dict(zip((name.strip() for name in bars["y"]), bars["x"], strict=True))
    assert shown["<b>RNN</b>"] == (pytest.approx(nats / math.log(2) / 400, abs=1e-4) if math.isfinite(nats) else None)
    assert shown["bigram"] == pytest.approx(350 / math.log(2) / 400, abs=1e-4)
    assert not math.isfinite(nats) or bars["x"] == sorted(bars["x"])


def test_the_gap_is_between_the_entropy_and_the_cross_entropy_in_bits():
    gaps = [Gap(0.2 + divergence, 0.2, divergence, 0.1 + divergence) for divergence in (0.5, 0.2, 0.01, math.inf)]
    passed = [compression.GapAtUpdate(update, gap) for update, gap in zip((0, 10, 100, 200), gaps, strict=True)]
    curves = compression.gap_figure(passed, 4)["data"]
    for curve, nats in zip(curves, ([0.2] * 3, [0.7, 0.4, 0.21], [0.6, 0.3, 0.11]), strict=True):
        assert curve["y"][:3] == pytest.approx([loss / math.log(2) for loss in nats], rel=1e-4)
    assert [curve["y"][3] is None for curve in curves] == [False, True, True]


SHORT, LONG = Continuation("short", 6.0, 2, ()), Continuation("a longer one", 12.0, 12, ())
UNKNOWN, NEVER = Continuation("€€", math.nan, 0, ("€",)), Continuation("never", math.inf, 3, ())


def ranks(model: list[Continuation], by: str, what: str, beside: list[Continuation] | None = None) -> list:
    rows = continuations_drawing(model, beside or [], ["the network", "trigram"], own_from=1, kind="character")["rows"]
    return [row["by"][by][what] for row in rows]


@pytest.mark.parametrize(("by", "order", "nats"), [("total", (1, 0), 12 - 6), ("token", (0, 1), 3 - 1)])
def test_continuations_are_ranked_in_total_and_per_token_if_their_symbols_are_known(by, order, nats):
    texts = [(LONG, SHORT)[i] for i in order]  # the best in this ranking first
    assert ranks(texts, by, "rank") == ["1", "2"]
    first, second = ranks(texts, by, "behind")
    assert first == ""
    assert float(second.split()[0]) == pytest.approx(math.exp(nats), rel=0.01)
    assert ranks([SHORT, LONG], "total", "dash", [LONG, SHORT]) == [1000, 500]
    four = [UNKNOWN, LONG, SHORT, NEVER]  # unknown symbols: no rank; probability 0: the last rank
    assert [ranks(four, by, "rank")[i] for i in (0, 3)] == ["–", "3"]
    assert (ranks(four, by, "order")[0], ranks(four, by, "behind")[0]) == (3, "")


def test_each_model_has_its_likelihood_and_its_mean_loss_over_a_growing_text():
    losses = {"RNN": np.random.default_rng(0).exponential(2.0, size=3000), "uniform": np.full(3000, 3.0)}
    figure = length.growing_figure([length.ModelSurprise(name, Surprise(nats)) for name, nats in losses.items()], "character")
    for name, nats in losses.items():
        likelihood, mean = trace(figure, f"{name}: likelihood"), trace(figure, f"{name}: mean loss")
        assert len(mean["x"]) <= length.POINTS
        assert mean["x"][-1] == length.DRAWN
        assert likelihood["y"][-1] == pytest.approx(-nats[: length.DRAWN].sum() / math.log(10), abs=0.051)
        assert mean["y"][-1] == pytest.approx(nats[: length.DRAWN].mean(), abs=1e-3)
        assert figure["layout"]["yaxis"]["range"][0] <= min(likelihood["y"])


def test_the_table_of_the_product_rule_multiplies():
    p = np.array([0.5, 0.2, 0.8])
    given, product, perplexity = texts(length.product_rule(["you", "say", "\n"], Surprise(-np.log(p)), "."))
    assert (given, product) == (["0.50", "0.20", "0.80"], ["0.50", "0.10", "0.080"])
    assert [float(text) for text in perplexity] == pytest.approx(np.cumprod(p) ** (-1 / np.arange(1, 4)), rel=0.006)


def choices_of(p: list[float]) -> dict:
    return number.choices_drawing(p, means_of_choices(np.array(p)), V, "character")


def test_an_example_sets_the_sliders_and_the_perplexity():
    numbers = {"best": "1.00", "uniform": "28.0", "worst": "∞", "both": "2.50"}
    for name in number.PROBABILITIES:
        p = number.example(name, V)
        scene = choices_of(p)
        assert [which for which, _, on in scene["examples"] if on] == [name]
        assert [number.places(V)[token["at"]] for token in scene["tokens"]] == pytest.approx(p)
        assert scene["number"] == numbers.get(name, scene["number"])


def test_the_means_are_written_with_the_numbers_of_the_tokens():
    assert choices_of([0.8, 0.2])["written"] == ["√(1.25 · 5) = 2.50, not (1.25 + 5) / 2 = 3.125"]
    drawn = choices_of([0.8, 0.2, 0.0])
    assert drawn["written"] == ["√(1.25 · 5) = 2.50, not (1.25 + 5) / 2 = 3.125", "(1.25 · 5 · ∞)^{1/3} = ∞"]
    axis = drawn["axis"]["ticks"][-2][0]  # before infinity
    of_two = [mean["finite"] for mean in drawn["means"]]
    assert of_two[0] is None  # of three tokens the harmonic mean is finite, too
    assert 0 < of_two[1] < of_two[2] < axis
    assert choices_of([0.8])["written"] == choices_of([0.0])["written"] == choices_of([0.8, 0.0])["written"][:-1] == []


def test_squares_are_choices_in_a_limited_number_and_the_means_are_in_order():
    tokens = choices_of([0.8, 0.2, 0.01, 0.0])["tokens"]
    assert [token["squares"] for token in tokens[:2]] == [1.25, 5.0]
    assert [token["beyond"] for token in tokens] == [False, False, True, True]
    for p in ([0.8, 0.2], [1.0], [0.0001, 0.5], [0.3, 0.0]):
        at = [mean["at"] for mean in choices_of(p)["means"]]
        assert at == sorted(at)
        assert all(0 <= share <= number.RIGHT or share == 1 for share in at)
    allowed = [[choices_of([0.5] * many)[way] for way in ("fewer", "more")] for many in (1, 2, number.MAX_TOKENS)]
    assert allowed == [[False, True], [True, True], [True, False]]


@pytest.mark.parametrize("target", [0, 5, 9])
def test_only_the_product_of_the_target_is_not_zero(target):
    y = np.arange(1.0, 11.0) / 55
    t, _, _, products = texts(number.one_hot(y, target, Tokenizer(tuple("abcdefghij"))))
    assert t.count("1") == 2  # the target and the sum
    assert value(products[-1]) == pytest.approx(math.log(y[target]), rel=1e-2)
    assert texts(number.one_hot(np.array([0.0, 1.0]), 0, Tokenizer(("0", "1"))))[3][-1] == "−∞"


def coloured_text(picked: int, impossible: int | None = None) -> tuple:
    """The Surprise scene of a network beside a trigram, and their opinions; ``impossible``: a token of probability 0."""
    typed = read_typed("the value\tof\nteh", LETTERS)
    ids, opinions = typed.tokens(), []
    for name, model in (("RNN", reader(LETTERS)), ("trigram", NgramReader(fit(ids, LETTERS.size), 3))):
        opinions.append(ModelOutput(name, surprise(model, ids), *distribution(model, ids[:picked]), logits=name == "RNN"))
    if impossible is not None:
        opinions[0].surprise.nats[impossible] = math.inf
    return coloured.surprise_drawing(typed, *opinions, picked, LETTERS, "character"), *opinions


@given(st.text(st.sampled_from("the \t\n<b>&€\u202eé"), max_size=30), st.sampled_from([LETTERS, WORDS]))
def test_the_pieces_are_the_text_as_it_was_typed(text, tokenizer):
    scene = coloured.text_drawing(read_typed(text, tokenizer, most=12))
    assert "".join(gap + said for gap, said in scene["pieces"]) + scene["tail"] == scene["text"] == text
    assert len(scene["symbols"]) == len(scene["columns"])


def test_every_token_has_the_surprise_of_both_models():
    scene, model, beside = coloured_text(picked=3)
    for drawn, nats in ((scene["nats"], model.surprise.nats), (scene["beside"], beside.surprise.nats)):
        assert drawn == [round(100 * loss) for loss in nats]
        assert max(drawn) <= scene["top"]
    gain = 100 * (beside.surprise.nats - model.surprise.nats)
    assert scene["difference"]["gain"] == pytest.approx(gain.tolist(), abs=0.51)
    perplexities = np.exp(np.cumsum(model.surprise.nats) / np.arange(1, len(gain) + 1))
    assert [float(said) for said in scene["running_words"]] == pytest.approx(perplexities.tolist(), rel=0.006)
    assert len(scene["shades"]) == len(scene["running"]) == len(gain)
    scene, *_ = coloured_text(picked=3, impossible=2)
    assert (scene["nats"][2], scene["number"]["number"], scene["share"]["p"]) == (coloured.IMPOSSIBLE, "∞", "0.00")


def test_the_table_has_the_most_probable_tokens_and_the_one_that_came():
    scene, model, _ = coloured_text(picked=5)
    (came,) = (row for row in scene["table"]["rows"] if row["came"])
    assert came["symbol"] == "a"
    assert float(came["p"]) == pytest.approx(math.exp(-model.surprise.nats[4]), abs=1e-4)
    shares = [row["share"] for row in scene["table"]["rows"] if not row["came"]]
    assert shares == sorted(shares, reverse=True)
    assert scene["table"]["after"] == "the·v"


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=5))
def test_the_axes_of_surprise_hold_what_is_drawn(nats):
    top = coloured.top_of([np.array(nats)])
    assert max([4.0, *nats]) <= top <= max(4.0, 1.5 * max(nats)) * 1.0000001
    perplexities = [1.0 + loss for loss in nats]
    assert number.axis_end(perplexities) >= max(perplexities) * 0.999999
    shades = [coloured.shade(loss) for loss in [*sorted(nats), math.inf]]
    assert 0 <= shades[0] <= shades[-1] <= 100
    assert shades == sorted(shades)


@pytest.mark.parametrize("tokenizer", [LETTERS, WORDS])
def test_written_texts_have_their_symbols_and_probabilities(tokenizer):
    sample = Sample(reader(tokenizer), [0], 1)
    for _ in range(20):
        sample.write(1.0)
    scene = writing.samples_drawing([sample], tokenizer)
    steps = scene["texts"][0]["steps"]
    text = scene["joint"].join(scene["symbols"][step[0]][0] for step in steps)
    assert text == tokenizer.decode([step.token for step in sample.steps]).replace("<eos>", "\n")
    for (_, p, best, entropy), step in zip(steps, sample.steps, strict=True):
        assert (p, entropy) == (pytest.approx(1e4 * step.p, abs=0.51), pytest.approx(100 * step.entropy, abs=0.51))
        assert len(best) == 2 * len(step.best)


def test_the_next_token_at_two_temperatures():
    scores = np.linspace(0, 4, LETTERS.size)
    rows = writing.bend_drawing(temperature_effect(scores, 0.5), LETTERS, 0.5)["rows"]
    for which, exps in (("plain", np.exp(scores)), ("bent", np.exp(scores / 0.5))):
        assert sum(row[which][0] for row in rows) == pytest.approx(1, abs=0.01)
        assert rows[0][which][0] == pytest.approx(exps[-1] / exps.sum(), abs=0.001)
    assert [writing.temperature_index(place) for place in writing.TEMPERATURES] == list(range(len(writing.TEMPERATURES)))


@pytest.mark.parametrize(
    ("probability", "says"),
    [(1.0, "1 in 1.0"), (0.4, "1 in 2.5"), (1 / 12, "1 in 12"), (1 / 3413, f"1 in 3{THIN}400"), (1 / 3467, f"1 in 3{THIN}500")],
)
def test_a_probability_is_one_in_so_many_in_two_digits(probability, says):
    assert one_in(-math.log(probability)) == says


def test_a_tiny_probability_is_one_in_a_power_of_ten_and_zero_is_never():
    assert one_in(1000 * math.log(10)) == "1 in 10¹⁰⁰⁰"
    assert one_in(math.inf) == "never"
