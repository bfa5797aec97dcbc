"""Every function that builds a figure, by its name, with its results for a network, a text or a run."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from core.analysis.backward import backward_pass
from core.analysis.compression import Gap, model_size, plain_sizes
from core.analysis.cost import Cost, in_blocks, straight_lines
from core.analysis.displayed_text import read_typed
from core.analysis.gradient_check import block_maxima, check_weight
from core.analysis.gradient_flow import lag_curve, recurrent_shares
from core.analysis.jacobian import growing_products, spectrum_of
from core.analysis.mini_batches import mini_batches
from core.analysis.one_step_matrices import draw_matrices, in_both_orders, one_step_back, slope_curve, two_ways
from core.analysis.perplexity import Surprise, averages, continuations, distribution, means_of_choices, surprise
from core.analysis.position import Table, position_bins
from core.analysis.recurrent_step import after_text, growth
from core.analysis.replacement import Influence, replace_token
from core.analysis.truncation import TruncationCells, blocks
from core.analysis.unrolled import dependence, unroll
from core.analysis.vanishing import both_clippings, measure
from core.analysis.weights import spreads
from core.analysis.writing import Sample, temperature_effect
from core.config.settings import Settings
from core.models.ngram import Baseline
from core.models.params import Params
from core.models.sampling import RnnReader
from core.text.languages import echo_language
from core.text.tokenizer import Tokenizer
from core.training.curves import Point
from core.training.experiments.bit_descent import BitDescent
from core.training.experiments.bit_networks import BEST_FOUND, FIRST_WEIGHTS
from core.training.experiments.bit_tasks import echo, hold, last_states, network as bit_network_of
from core.training.experiments.cliff import descend, loss_surface
from core.training.experiments.struck_line import STRUCK_LINES, WEIGHTS, Struck
from core.training.experiments.sweep import grouped
from core.training.experiments.sweep_worker import Budget, Member
from core.training.optimizers import clip_by_global_norm
from core.training.run.live_run import Snapshot
from core.training.run.monitored_trainer import MonitoredTrainer
from pages.content.notation import FIRST_SOURCE
from pages.content.scenes import SCENES
from pages.figures.gradient_flow import (
    cliff,
    cliff_wall,
    gradient_shares,
    jacobian_spectra,
    radius_comparison,
    size_against_lag,
    struck_line,
    weight_map,
)
from pages.figures.parts import backward, cost_charts, network, network_listing, run_card, scenes, triangle
from pages.figures.parts.scenes import lecture_data
from pages.figures.parts.share_link import share_link
from pages.figures.parts.triangle import dependence_drawing
from pages.figures.perplexity import against_counting, compression, length, number, surprise as coloured, writing
from pages.figures.perplexity.continuations import continuations_drawing
from pages.figures.perplexity.surprise_numbers import ModelOutput
from pages.figures.recurrent_step import (
    back,
    back_listing,
    bit_network,
    bit_network_words,
    cells,
    graph,
    motivation,
    networks,
    products,
    shapes,
)
from pages.figures.room.votes import COLUMNS
from pages.figures.room.wall import FAINT, Scale, curve_chart, histogram
from pages.figures.training import bit_rows, chart_marks, gradient_norms, perplexity_curve, readout, sweep_charts, weights
from pages.figures.training.readout import writing_drawing
from pages.figures.training.reference_lines import expectation_status
from pages.figures.truncation import block_borders, echo_bound, truncation_curves
from pages.figures.truncation.batch_order import mini_batches_drawing, order_figure
from pages.figures.unrolled import cell_drawings, replacement, step_numbers

Scenes = dict[str, Any]
ODD = (1.0, 0.0, math.inf, math.nan)  # values that a curve may contain


def of_a_network(params: Params, ids: np.ndarray, tokenizer: Tokenizer, activation: str) -> Scenes:
    """All figures of one network that reads one text, forward and backward."""
    tokens, targets = ids[:-1], ids[1:]
    symbols, expected = tokenizer.symbols(tokens), tokenizer.symbols(targets)
    u, b = unroll(params, tokens, targets, activation=activation), backward_pass(params, tokens, targets, activation=activation)
    return _forward(params, u, tokenizer) | _replacement(params, u, tokenizer) | _back(params, b, u, tokenizer, symbols, expected)


def _forward(params: Params, u: Any, tokenizer: Tokenizer) -> Scenes:
    shown, symbols = cell_drawings.units_of(u), tokenizer.symbols(u.tokens)
    mapped = cell_drawings.heat_map(u, shown)
    after, last = after_text(params, u.tokens, u.activation), u.logits[-1]
    judged = (networks.Judged(math.inf, "perplexity", 1),) * 2
    how = {"vocabulary": tokenizer.vocab, "kind": "word", "judged": judged, "memory": 0.5, "activation": u.activation}
    return {
        "network_drawing": network.network_drawing(u, tokenizer),
        "heat_map": mapped,
        "cell_drawing": cell_drawings.cell_drawing(u, params, tokenizer, mapped["drawn"]),
        "layers_drawing": cell_drawings.layers_drawing(u, params),
        "network_listing_drawing": network_listing.network_listing_drawing(u, params),
        "product_drawing": step_numbers.product_drawing(u, tokenizer),
        "step_numbers": step_numbers.step_numbers(u, tokenizer, shown.listed),
        "dependence_drawing": dependence_drawing(dependence(params, u.tokens, activation=u.activation), u, tokenizer),
        "cells_drawing": cells.cells_drawing(u, params, symbols, tokenizer.vocab),
        "networks_drawing": networks.networks_drawing(symbols, (0, len(symbols) - 1), (after, after), (after, after), **how),
        "growing_figure": length.growing_figure([length.ModelSurprise("<img>", Surprise(u.losses))] * 2, "<img>"),
        "product_rule": length.product_rule(tokenizer.symbols(u.targets), Surprise(u.losses), "."),
        "bend_drawing": writing.bend_drawing(temperature_effect(last, 0.5), tokenizer, 0.5) if np.isfinite(last).all() else [],
        "rows_drawing": shapes.rows_drawing(np.array([u.tokens] * 2), 2, 100, params, tokenizer),
    }


def _replacement(params: Params, u: Any, tokenizer: Tokenizer) -> Scenes:
    """A token replaced by another and by itself, at both ends of the text."""
    tokens, targets, options = u.tokens.tolist(), u.targets.tolist(), range(tokenizer.size)
    found = [
        (replace_token(params, u.tokens, u.targets, at, choice, activation=u.activation), choice)
        for at, choice in ((0, (tokens[0] + 1) % tokenizer.size), (len(tokens) - 1, tokens[-1]))
    ]
    influence = Influence(np.array([0.5, 0.1, 0.0]), np.array([0.1, 0.2, 0.0]), 9)
    return {
        "replacement_drawing": [replacement.replacement_drawing(f, tokens, targets, options, c, tokenizer) for f, c in found],
        "replacement_sentence": [replacement.replacement_sentence(f, tokens, targets, c, tokenizer) for f, c in found],
        "distance_figure": [replacement.distance_figure(f) for f, _ in found],
        "log_p_figure": [replacement.log_p_figure(f) for f, _ in found],
        "influence_figure": replacement.influence_figure(influence),
        "influence_sentence": replacement.influence_sentence(influence),
    }


def _back(params: Params, b: Any, u: Any, tokenizer: Tokenizer, symbols: Sequence[str], expected: Sequence[str]) -> Scenes:
    T, window = len(u.tokens), (u.tokens[:, None], u.targets[:, None])
    flow = b.flow(vectors=True)
    shared, curve = recurrent_shares(b.trace, flow), lag_curve(flow.norms)
    spans = jacobian_spectra.spans_of(T, 5)
    spectrum = spectrum_of(b.trace, spans, list(growing_products(b.trace.params.W_hh, b.trace.slope[1:, 0], spans)))
    found = measure(params, window, activation=u.activation)
    side = radius_comparison.Side(found, 1.1, *both_clippings(found.gradient, 1.0, clip_by_global_norm))
    live = radius_comparison.Live(side, found, 1.1, 7)
    at_radii = [radius_comparison.AtRadius(radius, found, 0.9, math.nan) for radius in (0.5, 1.05)]
    moments, now = [size_against_lag.MeasuredMoment(0, found)], size_against_lag.MeasuredMoment(7, found)
    check = check_weight(params, *window, "W_hh", (0, 0), activation=u.activation)
    gradients = b.gradients.dparams.named()
    sizes = {name: matrix.shape for name, matrix in gradients.items()}
    measured = TruncationCells(b.trace, flow).compare([blocks(T, tau) for tau in range(1, T + 1)])
    samples = [truncation_curves.Sample(u, measured) for u in (3, 9)]
    return {
        "backward_drawing": [
            backward.backward_drawing(b, block_borders.borders(T, 2, "reset")),
            backward.backward_drawing(b, of_last=True),
        ],
        "lost_panel": [block_borders.lost_panel(measured, tau, 1) for tau in (1, T)],
        "backward_numbers": backward.backward_numbers(b, u),
        "flow_triangle": triangle.flow_triangle(flow, symbols, expected),
        "triangle_drawing": triangle.triangle_drawing(flow.norms, symbols, expected),
        "shares_triangle": gradient_shares.shares_triangle(shared, symbols, expected),
        "shares_figure": gradient_shares.shares_figure(shared, symbols, expected),
        "lag_figure": size_against_lag.lag_figure(curve, curve, curve),
        "jacobian_figure": jacobian_spectra.jacobian_figure(spectrum),
        "jacobian_numbers": jacobian_spectra.jacobian_numbers(spectrum),
        "radii_chart": radius_comparison.radii_chart(at_radii, 0.5, [found]),
        "what_if_chart": radius_comparison.what_if_chart(side, live),
        "lag_chart": radius_comparison.what_if_chart(side, None),
        "comparison": radius_comparison.comparison(side, live, 1.0),
        "lag_history_figure": size_against_lag.lag_history_figure(moments, now),
        "lag_history_numbers": size_against_lag.lag_history_numbers(moments, now),
        "weight_map": [
            weight_map.weight_map(
                block_maxima(np.atleast_2d(matrix), 48), sizes, name, (0,) * matrix.ndim, tokenizer, one_hot=params.W_emb is None
            )
            for name, matrix in gradients.items()
        ],
        "check_figure": weight_map.check_figure(check),
        "check_numbers": weight_map.check_numbers(check),
        "tau_chart": truncation_curves.tau_chart(measured.cosine, [1, T], 1, title="", subtitle="", y_title=""),
        "over_training_figure": truncation_curves.over_training_figure(samples, 2),
    }


def of_a_reader(params: Params, ids: np.ndarray, tokenizer: Tokenizer, activation: str) -> Scenes:
    """All figures of the probabilities that a network with finite weights assigns to a text."""
    model, text = RnnReader(params, activation), tokenizer.decode(ids)
    typed = read_typed(text, tokenizer)
    opinion = ModelOutput("<img>", surprise(model, typed.tokens()), *distribution(model, typed.tokens()[:1]))
    impossible = ModelOutput("<img>", surprise(model, typed.tokens()), opinion.scores, opinion.p, logits=False)
    impossible.surprise.nats[0] = math.inf
    sample = Sample(model, ids[:1].tolist(), 1)
    for _ in range(5):
        sample.write(1.0)
    rows = continuations(model, tokenizer, text, [text, "€"])
    return {
        "surprise_drawing": coloured.surprise_drawing(typed, impossible, opinion, 1, tokenizer, "word"),
        "text_drawing": coloured.text_drawing(typed),
        "samples_drawing": writing.samples_drawing([sample], tokenizer),
        "continuations_drawing": continuations_drawing(rows, rows, ["<img>", "trigram"], own_from=1, kind="word"),
        "one_hot": number.one_hot(opinion.p, int(ids[1]), tokenizer),
    }


def of_matrices(N: int, D: int, H: int, activation: str) -> Scenes:
    """The figures of one recurrent step with numbers of one decimal, and of its sizes."""
    m = draw_matrices(N, D, H, np.random.default_rng(0), activation=activation)
    b = one_step_back(m, np.random.default_rng(1), activation)
    return {
        "products_drawing": products.products_drawing(m, two_ways(m), decimals=1),
        "step_back_drawing": back.step_back_drawing(m, b),
        "slope_figure": back.slope_figure(b, slope_curve(4.0, activation)),
        "graph_drawing": graph.graph_drawing(m, b),
        "back_listing_drawing": back_listing.back_listing_drawing(m, b),
        "order_drawing": products.order_drawing(in_both_orders(m, 0, N - 1, activation), ("<img>", "say")),
        "shapes_drawing": shapes.shapes_drawing(N, D, H, 5, 35, activation),
        "growth_figure": [
            motivation.growth_figure(growth(5, H, D), "word", asked) for asked in (None, motivation.Asked(1, 3, 5))
        ],
        "never_seen_figure": [
            motivation.never_seen_figure([0.0, 0.5, 1.0, math.nan], "word", asked) for asked in (None, motivation.Asked(1, 3, 5))
        ],
    }


def of_words() -> Scenes:
    """Scenes, a lecture, links and the texts below a chart: data without numbers from a network."""
    lecture = dict([*SCENES.items()][:1])
    return {
        "scene_bar_data": [
            scenes.scene_bar_data(scene, SCENES, notation=FIRST_SOURCE, done=True, opened=1) for scene in SCENES.values()
        ],
        "scene_cards_data": [
            scenes.scene_cards_data(SCENES, lecture, last, by_key=True, notation=FIRST_SOURCE, opened=1)
            for last in ("", *lecture)
        ],
        "closing_slide_data": [
            scenes.closing_slide_data(lecture, *lecture, f"http://{host}/", seen={}, notation=FIRST_SOURCE, opened=1)
            for host in ("localhost", "example.org")
        ],
        "lecture_data": lecture_data(lecture, message="<img>", undo=True, opened=1),
        "share_link": share_link("x", update=7, moved=["learning_rate"], own_text=False, left_out=["text"], only_here=True),
        "kept_panel": [block_borders.kept_panel(0.5, [1, 1, 2], mode) for mode, _ in block_borders.MODES],
        "expectation_status": expectation_status(None, [], room=None, across="updates"),
    }


def of_numbers() -> Scenes:
    """The figures of costs, sizes, bounds and curves, some of them infinite or nan."""
    costs = [Cost(T, 1e-4 * T, 0.0, 1234 * T + 500, 2000 * T) for T in (1, 10, 100)]
    priced = [in_blocks(straight_lines(costs), 1000, tau) for tau in (1, 10, 1000)]
    sizes = [*plain_sizes("abcd" * 9, 36, 4), *(model_size(f"<img> {nats}", "network", nats, 36) for nats in ODD)]
    gaps = [compression.GapAtUpdate(i, Gap(1 + nats, 1.0, nats, 1 + nats)) for i, nats in enumerate(ODD)]
    points = _points(*ODD)
    runs = [against_counting.Memorising("1 000 words", points[:many], Table(4.6, 7), 9, 2.0, 5) for many in (1, 2)]
    dots = [echo_bound.Dot(3 + i, 1 + nats, 100, bool(i % 2)) for i, nats in enumerate(ODD)]
    bins = position_bins(8)
    perplexities = [4.0, math.inf, math.nan, *[2.0] * len(bins)][: len(bins)]
    echo = echo_language(40, 4, np.random.default_rng(0))
    return (
        {
            "time_figure": cost_charts.time_figure(costs),
            "memory_figure": cost_charts.memory_figure(costs),
            "long_text_figure": cost_charts.long_text_figure(1000, 10),
            "long_text_numbers": cost_charts.long_text_numbers(1000, priced[2], priced[1]),
            "price_grid": cost_charts.price_grid(1000, 2, priced, 10),
            "sizes_figure": compression.sizes_figure(sizes, "<img>", 0.3),
            "gap_figure": compression.gap_figure(gaps, 4),
            "position_figure": against_counting.position_figure(bins, [perplexities] * 6, perplexities, math.nan, "<img>"),
            "memorising_figure": against_counting.memorising_figure(runs, 100),
            "memorising_grid": against_counting.memorising_grid(runs),
            "choices_drawing": number.choices_drawing([0.5, 0.0], means_of_choices(np.array([0.5, 0.0])), 5, "word"),
            "averages_grid": number.averages_grid([("<img>", averages(np.array([0.0, math.inf]), [1, 1]))]),
            "order_figure": order_figure(
                {"in order": points}, chosen="in order", floor=1.2, updates=9, V=5, on_training_text=False
            ),
            "echo_bound_figure": [
                echo_bound.echo_bound_figure(dict.fromkeys(range(1, 12), 2.0), dots, k=4, present=4, earlier=dots, **how)
                for how in ({}, {"line": False, "in_scene": True}, {"carried": True, "in_scene": True})
            ],
            "gradient_norms_figure": gradient_norms.gradient_norms_figure([2.0, 0.5, 2850.0]),
            "bit_rows": bit_rows.bit_rows(np.array([0, 1, 1, 0, 0, 1, 0, 0], np.int32), 2),
            "task_drawing": echo_bound.task_drawing(*echo, k=4, length=8),
            "mini_batches_drawing": mini_batches_drawing(mini_batches(100, 3, 5), None, in_order=True),
            "curve_chart": [
                curve_chart([[[2.0] * COLUMNS] * many], 1000, 5.0, {"<img>": 1.0}, points, told=told)
                for many in (0, 1, FAINT + 1)
                for told in (False, True)
            ],
            "histogram": [
                histogram([[], list(map(float, range(1, 9)))], Scale(1, 1e3, log=True), truth) for truth in (1.0, math.nan, 7.5)
            ],
        }
        | _struck()
        | _cliff()
        | _bits()
    )


def _struck() -> Scenes:
    """Every line struck out, where training without it overflows and where nothing is learnt."""
    curves = np.array([[5.0, 4.0, 3.0], [5.0, math.inf, math.inf]])
    found = [Struck(name, curves, dict.fromkeys(("", *WEIGHTS), error), 0.5) for name in STRUCK_LINES for error in ODD]
    return {
        "struck_panel": [struck_line.struck_panel(name) for name in STRUCK_LINES],
        "struck_figure": [struck_line.struck_figure(one) for one in found],
        "struck_numbers": [struck_line.struck_numbers(one) for one in found],
    }


def _bits() -> Scenes:
    """Networks of one and of two units, one whose output ignores its state, and a descent that diverges and one that rests."""
    networks_of = [bit_network_of(np.array(numbers)) for numbers in (FIRST_WEIGHTS[1], BEST_FOUND["echo-2", 2], np.zeros(16))]
    names = {name: name for name in networks_of[0].named()}
    found = BitDescent(np.array([FIRST_WEIGHTS[1], FIRST_WEIGHTS[1]]), np.array([1.0, 1e9]))
    resting = BitDescent(np.zeros((2, 16)), np.array([2.0, 2.0]))
    states = np.array([[-1.0, 0.0, 1.0, math.nan]]).T
    panels = [("echo-0", 1), ("echo-1", 1), ("lag-3", 2), ("hold", 1), ("forget", 2)]
    return {
        "weights_drawing": [bit_network.weights_drawing(params, names, "No") for params in networks_of],
        "bits_grid": bit_network.bits_grid([0, 1, 0, 1], states, [None, 0, 1, 0], [math.nan, 0.2, 1.0, math.nan]),
        "states_figure": [bit_network.states_figure(params, *last_states(params, echo(1, 4))) for params in networks_of],
        "states_label": bit_network.states_label(states),
        "descent_figure": [bit_network.descent_figure(each, 1, 1.0) for each in (found, resting)],
        "path_figure": [bit_network.path_figure(*each, 1) for each in ((found, networks_of[0]), (resting, networks_of[2]))],
        "descent_sentence": bit_network.descent_sentence(found),
        "result_panel": [bit_network_words.result_panel(*of, 1.6, hold(3), 1.5, "Hint", "", helped=True) for of in panels],
    }


def _cliff() -> Scenes:
    """A path that leaves the map, one that begins on the cliff, and one without a step that is clipped."""
    paths = [
        (descend(*start, 20), descend(*start, 20, norm))
        for start, norm in (((0.4, 1.4), 1.0), ((0.0, 2.0), 0.1), ((1.0, 0.4), 100.0))
    ]
    some, all_of_them = np.eye(3, dtype=bool), np.ones((3, 3), bool)
    return {
        "cliff_figure": [cliff.cliff_figure(loss_surface(20), *both) for both in paths],
        "path_steps": [cliff.path_steps(*both, ((-0.6, 1.0), (0.4, 2.0))) for both in paths],
        "norms_figure": [cliff.norms_figure(*both) for both in paths],
        "cliff_numbers": [cliff.cliff_numbers(*both) for both in paths],
        "cliff_sentence": [cliff.cliff_sentence(*both) for both in paths],
        "starts_figure": [cliff.starts_figure(some, ends, 50, (0.0, 1.0)) for ends in (~some, all_of_them)],
        "starts_sentence": cliff.starts_sentence(some, all_of_them, 50, 1.0),
        "wall_figure": [cliff_wall.wall_figure(T) for T in (5, 50)],
        "wall_sentence": [cliff_wall.wall_sentence(T) for T in (5, 50)],
    }


def of_sweeps() -> Scenes:
    """Both charts of a sweep: before any network has begun, and with every possible outcome."""
    seen = [((4.0, 1.0), "finished"), ((4.0, 2.0), ""), ((4.0, math.inf), "diverged"), ((4.0, math.nan), ""), ((), "failed")]
    members = [
        Member(
            Settings(learning_rate=0.1 * (1 + i // 2), seed=i), _points(*nats), step=len(nats[1:]), ended=ended, message="<img>"
        )
        for i, (nats, ended) in enumerate([*seen, ((4.0,), ""), ((), "")])
    ]
    sweeps = [grouped(some, "learning_rate") for some in (members, *([member] for member in members))]
    budgets, how = (Budget(tokens=1000), Budget(seconds=3.0)), {"judged_on": "held-out text"}
    return {
        "curves_figure": [
            sweep_charts.curves_figure(groups, "learning_rate", budget, **how) for groups in sweeps for budget in budgets
        ],
        "reached_figure": [sweep_charts.reached_figure(groups, "learning_rate", **how) for groups in sweeps],
    }


def _points(*nats: float) -> tuple[Point, ...]:
    return tuple(Point(i, 9 * i, 0.1 * i, loss) for i, loss in enumerate(nats))


def of_a_run(monitored: MonitoredTrainer, lines: Sequence[Baseline], state: str, across: str) -> Scenes:
    """The figures of the Training page and the sidebar for a run in this state."""
    snapshot, history_, corpus = Snapshot(state, "Because.", monitored.view(), 1234.0), monitored.history, monitored.corpus
    moment = history_.moments.first
    V, now = corpus.tokenizer.size, against_counting.Network("<img>", 7, math.nan)
    cards = [
        run_card.run_card(snapshot, history_, corpus, on_training_text=True, small=small, update=monitored.step, past=past)
        for small in (False, True)
        for past in (None, moment)
    ]
    return {
        "training_figure": training_figure(monitored, lines, across),
        "readout": readout.readout(snapshot, corpus, on_training_text=False),
        "run_card": cards,
        "writing_drawing": writing_drawing(snapshot, history_),
        "written_row": readout.written_row("<b>\n"),
        "copied_row": [readout.copied_row(["<b>", "a", "b"], 1, length) for length in (0, 2)],
        "guessed_row": [readout.guessed_row(["<b>", "a", "b"], 1, right) for right in ([True] * 3, [False, True, False])],
        "weights_figure": [weights.weights_figure(spread) for spread in spreads(moment.params, monitored.trainer.params)],
        "models_grid": against_counting.models_grid(lines, now, V, "character", Table(math.inf, 7)),
    }


def training_figure(
    monitored: MonitoredTrainer, lines: Sequence[Baseline], across: str = "updates", scale: str = "log"
) -> Scenes:
    """The perplexity curve of a run, with itself as an earlier run and its beginning as the displayed moment."""
    seen, V = monitored.history, monitored.corpus.tokenizer.size
    points = seen.training.points
    curves = perplexity_curve.Curves(
        seen.judged,
        points,
        points,
        [monitored.ghost()],
        seen.flags,
        seen.epochs.points,
        seen.judged[0],
        text=monitored.corpus.identity,
        passed=chart_marks.crossings(seen.judged, lines),
    )
    how = {"floor": monitored.corpus.floor, "updates_per_epoch": monitored.trainer.updates_per_epoch, "vocab_size": V}
    return perplexity_curve.training_figure(curves, monitored.settings.but(scale=scale, across=across), lines, **how)
