"""The Training page in a browser: updates in place, pointer and keyboard, an expected curve, a sweep, escaped user texts."""

import math
import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from core.config.language import message_of, use_language
from core.config.settings import Settings
from core.text.corpus import load_corpus
from core.training.curves import Point
from core.training.diagnosis import Diagnosis
from core.training.experiments.sweep_worker import Budget
from core.training.run.live_run import Snapshot, State
from core.training.run.monitored_trainer import MonitoredTrainer
from core.training.tbptt import Diverged, Trainer
from pages.figures.training.readout import readout
from pages.figures.training.sweep_words import budget_words
from tests.browser.training_page import HELD_OUT, PAUSE, PLAY, PLOT, SMALL, START_OVER, Training
from tests.browser.waiting import same_node, until, visit, wait_until_idle


@pytest.fixture
def training(page: Page) -> Training:
    return Training(page)


def x_range(training: Training) -> list[float]:
    return training.figure("plot.layout.xaxis.range")


def test_the_chart_is_updated_in_place_and_keeps_hover_label_and_zoom(training: Training):
    training.run_to(30)
    training.wait_until_charted(30)
    xs, ys = training.figure(f"(judged => [judged.x, judged.y])({HELD_OUT})")
    assert len(xs) == len(ys) > 2
    assert all(math.isfinite(y) for y in ys)
    is_same = same_node(training.plot)
    training.page.mouse.move(*training.point("held-out text", 1))
    label = training.plot.locator(".hoverlayer .hovertext")
    label.first.wait_for()
    training.button(PLAY).press("Enter")  # a key press: the mouse does not move
    training.wait_for_draws(3)
    expect(label).not_to_have_count(0)
    training.pause()
    width = x_range(training)[1] - x_range(training)[0]
    box, mouse = training.plot.locator(".nsewdrag").first.bounding_box(), training.page.mouse
    mouse.move(box["x"] + 0.3 * box["width"], box["y"] + 0.2 * box["height"])
    mouse.down()
    mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 0.7 * box["height"], steps=5)
    mouse.up()
    zoomed = until(training.page, lambda: x_range(training), lambda x: x[1] - x[0] < 0.5 * width)
    training.play()
    training.wait_for_draws(3)
    assert x_range(training) == zoomed
    training.pause()

    def zoom_out() -> list[float]:  # repeated: two slow clicks are no double click
        training.plot.locator(".nsewdrag").first.dblclick()
        return x_range(training)

    until(training.page, zoom_out, lambda x: x[1] - x[0] > 0.9 * width)
    assert is_same()


def test_run_to_one_update_arrow_key_axis_and_start_over(training: Training):
    training.run_to(37)
    assert training.update() == 37
    training.wait_until_charted(37)
    one_update = training.page.get_by_role("button", name="one update")
    one_update.click()
    training.wait_for_update(38)
    one_update.press("ArrowRight")
    training.wait_for_update(39)
    training.button("tokens").click()
    until(training.page, lambda: training.figure("plot.layout.xaxis.title.text"), lambda title: "tokens" in title)
    until(training.page, training.query, lambda query: query.get("across") == "tokens")
    training.button("linear").click()
    until(training.page, lambda: training.figure("plot.layout.yaxis.type"), lambda scale: scale == "linear")
    until(training.page, training.query, lambda query: query.get("scale") == "linear")
    assert (training.update(), training.traces("earlier run")) == (39, 0)
    training.button(START_OVER).click()
    training.wait_for_update(0)
    training.wait_for_traces("earlier run", 1)


def test_a_dragged_learning_rate_acts_before_it_is_released(training: Training):
    training.play()
    training.wait_for_updates(5)
    slider, mouse, before = training.rate_slider(), training.page.mouse, training.rate()
    box = slider.bounding_box()
    share = slider.evaluate("input => (input.value - input.min) / (input.max - input.min)")
    x, y = box["x"] + 9 + share * (box["width"] - 18), box["y"] + box["height"] / 2
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + 40, y, steps=4)
    during = until(training.page, training.rate, lambda rate: rate > 1.5 * before)
    (flag,) = until(training.page, training.flags, lambda flags: len(flags) == 1)  # the run itself has the new rate
    assert "learning_rate" not in training.query()
    mouse.move(x + 60, y, steps=4)
    until(training.page, training.flags, lambda flags: flags and float(flags[-1].split("→")[1]) > float(flag.split("→")[1]))
    mouse.up()
    until(training.page, training.query, lambda query: float(query.get("learning_rate", 0)) > during)
    training.pause()


@pytest.mark.parametrize("window", [(1280, 720), (1920, 1080)], ids=str)
def test_presented_nothing_moves_under_a_dragged_knob_and_a_key_undoes(new_page: Callable[..., Page], window: tuple[int, int]):
    training = Training(new_page(viewport=dict(zip(("width", "height"), window, strict=True))), present=1)
    page, slider, before = training.page, training.rate_slider(), training.rate()
    undo = page.locator("button[data-value=undo]")
    box, parts = slider.bounding_box(), [".readout .panel", PLOT, ".knob.learning_rate .value"]
    assert box["y"] + box["height"] <= window[1]
    places = [page.locator(part).bounding_box() for part in parts]
    page.mouse.move(box["x"] + 0.36 * box["width"], box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.44 * box["width"], box["y"] + box["height"] / 2, steps=8)
    undo.wait_for()  # beside the knob that is still held
    assert slider.bounding_box() == box
    at = int(slider.input_value())
    page.mouse.move(box["x"] + 0.44 * box["width"] + 2, box["y"] + box["height"] / 2)
    assert abs(int(slider.input_value()) - at) <= 1
    page.mouse.up()
    assert [page.locator(part).bounding_box() for part in parts] == places
    bottom = undo.evaluate("node => node.closest('.panel').getBoundingClientRect().bottom")
    assert bottom <= window[1]
    page.keyboard.press("u")
    until(page, training.rate, lambda rate: rate == before)


def test_presented_a_diagnosis_moves_nothing(new_page: Callable[..., Page]):
    training = Training(new_page(), present=1, optimizer="sgd", learning_rate=10, clip_norm=0)
    page, slider = training.page, training.rate_slider()
    box, readout = slider.bounding_box(), page.locator(".readout .panel").bounding_box()
    page.keyboard.press("k")
    page.locator(".readout .notice p").wait_for()
    assert (slider.bounding_box(), page.locator(".readout .panel").bounding_box()) == (box, readout)


def longest_notices(lang: str) -> list[tuple[str, str, list[str]]]:
    """The notices of the readout with large numbers, its main number beside them, and the words of their buttons."""
    settings = Settings(corpus="lag", max_tokens=3000, clip_norm=0.0)
    corpus, n = load_corpus(settings), 1_234_567
    view = MonitoredTrainer(Trainer(settings, corpus), corpus).view()

    def shown(perplexity: float, state: State = "training", reason: str = "", **changed: object) -> tuple[str, str, list[str]]:
        at = Point(n, n, 1.0, math.log(perplexity))
        snapshot = Snapshot(state, reason, replace(view, **{"judged": at, "point": at} | changed), 0.0)
        drawn = readout(snapshot, corpus, on_training_text=False)
        return drawn["number"], drawn["notice"], [words for _does, words in drawn["remedies"]]

    use_language(lang)
    try:
        return [
            shown(86.1, diagnosis=Diagnosis("overflows", n, n)),
            shown(173, diagnosis=Diagnosis("overfitting", n, n), settings=settings.but(weight_decay=0.00005)),
            shown(1234, diagnosis=Diagnosis("too_fast", n)),
            shown(1, "diverged", settings=settings.but(clip_norm=0.002)),
            *(shown(1, "diverged", message_of(Diverged(n + 1, n, again=again))) for again in (False, True)),
        ]
    finally:
        use_language("en")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_presented_the_longest_notices_have_room_and_move_nothing(new_page: Callable[..., Page], lang: str):
    training = Training(new_page(), present=1, lang=lang)
    page, knobs = training.page, training.page.locator(".st-key-live_knobs")
    box = knobs.bounding_box()
    fits = """(node, [number, text, words]) => {
        const made = (tag, textContent, className = "") => Object.assign(document.createElement(tag), { textContent, className });
        const panel = node.closest(".panel");
        panel.classList.add("stopped");
        panel.querySelector(".number").textContent = number;
        const buttons = words.map((word, i) => made("button", word, i ? "outlined" : "filled"));
        node.replaceChildren(made("p", text), ...buttons);
        const inside = [...node.children].every((one) => one.getBoundingClientRect().right <= innerWidth);
        return [node.scrollHeight <= node.clientHeight, node.scrollWidth <= node.clientWidth, inside];
    }"""
    for number, text, buttons in longest_notices(lang):
        assert page.locator(".readout .notice").evaluate(fits, [number, text, buttons]) == [True, True, True], text
        assert knobs.bounding_box() == box


def test_presented_the_sentence_about_a_drawn_line_is_in_sight(new_page: Callable[..., Page]):
    page = new_page()
    visit(page, "training", present=1, scene="learning")
    training = Training.__new__(Training)
    training.page, training.plot = page, page.locator(PLOT)
    training.wait_until_drawn()
    training.button(DRAW).click()
    page.locator(".canvas.open").wait_for()  # not before the chart has its room
    assert x_range(training)[1] >= 3
    mouse = page.mouse
    mouse.move(*place(training, 1, 80))
    mouse.down()
    mouse.move(*place(training, 350, 9), steps=6)
    mouse.up()
    drawn = until(page, lambda: expected(training), len)
    assert drawn[-1][0] == pytest.approx(350, rel=0.2)
    page.keyboard.press("k")
    until(page, lambda: page.get_by_text("Below the unigram line").count() + training.button(PAUSE).count(), bool)
    training.button(PLAY).wait_for()  # it pauses at the first line
    page.keyboard.press("k")
    says = page.locator(".expecting [role=status]")
    expect(says).to_have_text(re.compile(r"At update \d+"))
    assert says.evaluate("node => node.getBoundingClientRect().bottom <= innerHeight")


def test_a_learning_rate_is_set_by_keys_undone_and_typed(training: Training):
    training.run_to(10)
    slider, before = training.rate_slider(), training.rate()
    slider.press("PageUp")  # one key press is one move, however slow the machine is
    after = until(training.page, training.rate, lambda rate: rate > 1.5 * before)
    until(training.page, training.flags, lambda flags: len(flags) == 1 and flags[0].endswith(f" {after:g}"))
    training.page.get_by_role("button", name="undo").click()
    until(training.page, training.rate, lambda rate: rate == before)
    field = training.page.get_by_label("Learning rate η: type a value")
    field.fill("0.0042")
    field.press("Enter")
    until(training.page, training.query, lambda query: query.get("learning_rate") == "0.0042")
    expect(slider).to_have_attribute("aria-valuetext", "0.0042")
    field.fill("5")
    field.press("Escape")
    expect(field).to_have_value("0.0042")


def test_controls_changed_by_keyboard_have_the_focus_and_do_not_move(page: Page, training: Training):
    """This includes changes that leave a preset, and that make another control appear or disappear."""
    page.evaluate("document.fonts.ready")
    for role, name, keys in (
        ("slider", "Hidden units H", ("ArrowRight", "ArrowRight")),
        ("combobox", "Text", ("l", "ArrowDown")),  # two formal languages; internet texts would have to be downloaded first
        ("button", "Memory has an exact value", ("Enter", "Enter")),
    ):
        changed = page.get_by_role(role, name=name, exact=True)
        changed.focus()

        def places(changed=changed) -> tuple[float, float]:
            return changed.bounding_box()["y"], training.plot.bounding_box()["y"]

        before = until(page, lambda: (places(), places()), lambda seen: seen[0] == seen[1])[0]
        for key in keys:
            query = training.query()
            changed.press(key)
            if role != "button":
                until(page, training.query, lambda now, query=query: now != query)
            wait_until_idle(page)
            until(page, places, lambda now, before=before: now == pytest.approx(before, abs=1))
            expect(changed).to_be_focused()


def test_presets_pressed_while_it_trains_start_one_run_each(training: Training):
    presets = training.page.get_by_role("group", name="Presets").get_by_role("button")
    presets.first.wait_for()
    for part in (*presets.all(), training.plot, training.button(PLAY)):  # all visible without scrolling
        until(training.page, part.bounding_box, lambda box: box["y"] >= 0 and box["y"] + box["height"] <= 720)
    training.run_to(5)
    training.play()
    card, size = training.page.locator(".run_card .lines"), training.page.get_by_role("slider", name="Hidden units")
    texts = {"Memory has an exact value": "lag-4", "The price of forgetting": "echo-4", "Start here": "Python manual"}
    for name, text in texts.items():
        training.button(name).click()
        expect(card).to_contain_text(text)
        until(training.page, training.update, lambda update: update >= 3)  # of the new run
        expect(card).to_contain_text(text)
    expect(size).to_have_attribute("aria-valuetext", "128")


HOSTILE = (
    "<img src=x onerror=\"window.executed='img'\"><script>window.executed='script'</script>"
    "<svg onload=\"window.executed='svg'\"></svg> $\\href{javascript:window.executed='tex'}{x}$ "
    "[a](javascript:window.executed='link') "
)


def test_markup_in_the_address_and_in_an_own_text_is_escaped(page: Page):
    dialogs = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    training = Training(page, seed="<img src=x onerror=alert(1)>", nonsense="$\\href{javascript:alert(1)}{x}$")
    expect(page.locator(".page-notice")).to_contain_text(re.compile("onerror.*nonsense", re.DOTALL))
    until(page, training.query, lambda query: query.keys() == SMALL.keys())
    page.evaluate("window.executed = null")
    training.train_on(HOSTILE * 40)
    until(page, training.query, lambda query: query.get("corpus") == "own")
    training.run_to(50)
    sample = page.get_by_label("What the network writes now")
    until(page, sample.inner_text, lambda text: "<" in text)
    assert sample.locator("*").count() == 0
    count = "list => [list.querySelectorAll('*').length, list.querySelectorAll('.row').length]"
    elements, rows = page.locator(".writing .list").evaluate(count)
    assert elements == 3 * rows > 0
    assert page.locator("img[src=x], svg[onload], a[href^=javascript], .katex").count() == 0
    name = "<img src=x onerror=\"window.executed='name'\">$x$.txt"
    uploader = page.locator("[class*=st-key-uploaded]")
    uploader.locator("input[type=file]").set_input_files({"name": name, "mimeType": "text/plain", "buffer": HOSTILE.encode()})
    expect(uploader).to_contain_text("<img sr")  # shortened
    assert page.locator("img[src=x], .katex").count() == 0
    assert page.evaluate("window.executed") is None
    assert page.evaluate("typeof window.MathJax") == "undefined"  # if MathJax is loaded, plotly renders text between $ with it
    assert dialogs == []


LONG = budget_words(Budget(tokens=10_000_000))  # does not end during the test
Reached = dict[str, float]  # by the name of a curve


def reached(page: Page) -> Reached:
    """The last x of each curve."""
    chart = page.get_by_role("img", name=re.compile("^Perplexity for each")).first
    return dict(chart.evaluate("plot => (plot.data ?? []).map(({ name, x }) => [name, x.at(-1) ?? -Infinity])"))


def wait_for_growth(page: Page, before: Reached) -> Reached:
    """Wait until a curve has grown; assert that none has become shorter."""
    now = until(page, lambda: reached(page), lambda now: sum(now.values()) > sum(before.values()))
    assert all(now[name] >= far for name, far in before.items())
    return now


def test_a_sweep_trains_on_through_a_reload_until_it_is_stopped(training: Training):
    page = training.page
    page.get_by_label("budget").select_option(LONG)
    training.button("Train side by side").click()
    begun = until(page, lambda: reached(page), lambda now: now and min(now.values()) > -float("inf"))
    assert len(begun) == 5
    seen = wait_for_growth(page, begun)
    page.reload()
    wait_until_idle(page)
    expect(training.button("Stop")).to_be_visible()
    wait_for_growth(page, seen)
    training.button("Stop").click()
    expect(training.button("Go on")).to_be_visible()


ENLARGED = {"width": 1700, "height": 900}  # a window in which the page, and with it the chart, is scaled
DRAW = "Draw what you expect"


def expected(training: Training) -> list[list[float]]:
    """The points of the expected curve: [x, y] each."""
    trace = "plot.data.find(trace => trace.name === 'expected')"
    return training.figure(f"({trace}?.x ?? []).map((x, i) => [x, {trace}.y[i]])")


def place(training: Training, x: float, y: float) -> list[float]:
    """The window position of a point of the chart."""
    return training.plot.evaluate(
        """(plot, [x, y]) => {
            const {xaxis, yaxis} = plot._fullLayout, box = plot.querySelector('.nsewdrag').getBoundingClientRect();
            const share = (axis, value) => (Math.log10(value) - axis.range[0]) / (axis.range[1] - axis.range[0]);
            return [box.x + share(xaxis, x) * box.width, box.y + (1 - share(yaxis, y)) * box.height];
        }""",
        [x, y],
    )


def wait_for_range(training: Training, *, extended: bool = True) -> None:
    """Wait until the x-axis is extended to the range in which a line can be drawn, or no longer is."""
    exponent = "plot.layout.xaxis.range[1]"
    until(training.page, lambda: training.figure(exponent), lambda end: (end >= 3) == extended)


def test_a_line_is_drawn_while_it_trains_stays_and_is_compared(new_page: Callable[..., Page]):
    training = Training(new_page(viewport=ENLARGED), speed=20)
    is_same = same_node(training.plot)
    training.play()
    training.wait_for_updates(5)
    training.button(DRAW).click()
    wait_for_range(training)
    mouse = training.page.mouse
    mouse.move(*place(training, 1, 80))
    mouse.down()
    mouse.move(*place(training, 30, 40), steps=6)
    training.wait_for_draws(3)  # before the button is released
    mouse.move(*place(training, 900, 10), steps=6)
    mouse.up()
    drawn = until(training.page, lambda: expected(training), len)
    for x, y in ((1, 80), (30, 40), (900, 10)):
        nearest = min(drawn, key=lambda point, x=x: abs(math.log(point[0] / x)))
        assert nearest == pytest.approx([x, y], rel=0.2)  # columns are several px wide
    expect(training.page.locator(".expecting [role=status]")).to_have_text(re.compile(r"At update \d+.*\d"))
    training.wait_for_draws(3)
    assert expected(training) == drawn
    assert is_same()
    assert training.traces("earlier run") == 0
    training.pause()
    training.button("Clear").click()
    until(training.page, lambda: expected(training), lambda points: not points)


def test_keys_draw_a_line_and_escape_cancels(page: Page, training: Training):
    training.button(DRAW).click()
    wait_for_range(training)
    canvas = page.get_by_role("application")
    expect(canvas).to_be_focused()
    for key in ("ArrowUp", " ", "Escape"):
        canvas.press(key)
    expect(training.button(DRAW)).to_be_focused()
    wait_for_range(training, extended=False)
    assert expected(training) == []
    training.button(DRAW).press("Enter")
    expect(canvas).to_be_focused()
    wait_for_range(training)
    for key in ("ArrowUp", " ", *["Shift+ArrowRight"] * 5, *["ArrowDown"] * 4, " ", "Enter"):
        canvas.press(key)
    drawn = until(page, lambda: expected(training), len)
    assert drawn[0][1] > drawn[-1][1]
    assert drawn[-1][0] > 10 * drawn[0][0]
    expect(training.button(DRAW)).to_be_focused()
    assert training.update() == 0


def test_data_that_arrive_while_the_script_is_loaded_are_drawn_in_their_order(page: Page):
    """Chromium continues the imports that wait for one script in any order: fails in some runs without the time in the data."""
    frames, held = [], []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(frame)))
    page.route("**/components*.js", lambda route: held.append(route))
    visit(page, update=20, **SMALL)
    until(page, lambda: any(b'"playing":false' in frame for frame in frames), bool)  # the bar, drawn after the last update
    wait_until_idle(page)
    for route in held:
        route.continue_()
    page.get_by_role("button", name=PLAY).wait_for()
    expect(page.locator(".readout dl")).to_contain_text("update20epoch")
    expect(page.locator(".run_card")).to_contain_text("update 20")


def test_while_it_trains_the_sentence_of_the_preset_names_the_rate_of_the_knob(page: Page):
    visit(page)
    page.get_by_role("button", name=PLAY).click()
    page.get_by_role("button", name=PAUSE).wait_for()
    for _ in range(3):
        page.get_by_role("slider", name="Learning rate").press("ArrowRight")
    rate = page.locator(".knob.learning_rate .value").input_value()
    expect(page.get_by_text(f"but with rate {rate}.")).to_be_visible()
