"""The Training page in a browser: it moves without flicker, obeys while it moves, and runs nothing that a reader brings."""

import math
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.waiting import same_node, settled, until, visit

SMALL = {"max_tokens": 20_000, "hidden_size": 16, "batch_size": 4, "num_steps": 8, "cosine_until": 0}
PLOT = ".run_view .live_figure .plot"
JUDGED = "(plot.data ?? []).find(trace => trace.name === 'held-out text')"


class Training:
    """The page, as a reader sees it."""

    def __init__(self, page, **settings):
        self.page = page
        visit(page, **SMALL | settings)
        self.plot = page.locator(PLOT)
        self.plot.and_(page.locator("[data-drawn]")).wait_for()

    # What is on the screen

    def drawn(self):
        """How often the chart has been drawn."""
        return int(self.plot.get_attribute("data-drawn"))

    def redrawn(self, times=1):
        """Wait until the chart has been drawn this many times more."""
        goal = self.drawn() + times
        until(self.page, self.drawn, lambda drawn: drawn >= goal)

    def number(self, name):
        """A whole number of the readout, by its name."""
        row = self.page.locator(".readout dl .line").filter(has=self.page.get_by_text(name, exact=True))
        return int(re.sub(r"\D", "", row.locator("dd").inner_text()) or -1)

    def update(self):
        return self.number("update")

    def trained(self, more=1):
        """Wait until the run has done this many updates more."""
        goal = self.update() + more
        until(self.page, self.update, lambda update: update >= goal)

    def figure(self, expression):
        """Something of the chart as plotly has it: an expression in ``plot.data`` and ``plot.layout``."""
        return self.plot.evaluate(f"plot => {expression}")

    def traces(self, beginning):
        return self.figure(f"(plot.data ?? []).filter(trace => trace.name.startsWith({beginning!r})).length")

    def hidden(self):
        """What the chart says of earlier runs that are not in it."""
        return self.figure("plot.layout.annotations.map(a => a.text).find(text => text.includes('hidden')) ?? ''")

    def left_a_ghost(self):
        """Wait until the chart shows one earlier run."""
        until(self.page, lambda: self.traces("earlier run"), lambda ghosts: ghosts == 1)

    def flags(self):
        return self.figure("plot.layout.annotations.map(a => a.text).filter(text => text.includes('→'))")

    def rate(self):
        return float(self.page.locator(".knob.learning_rate .said").input_value())

    def query(self):
        return self.page.evaluate("Object.fromEntries(new URLSearchParams(location.search))")

    # What a reader does

    def button(self, name):
        return self.page.get_by_role("button", name=name, exact=True)

    def play(self):
        self.button("Play: train the network").click()
        self.button("Pause training").wait_for()

    def pause(self):
        self.button("Pause training").click()
        self.button("Play: train the network").wait_for()
        settled(self.page)

    def run_to(self, update):
        self.page.get_by_label("Update to run to").fill(str(update))
        self.button("Run to update").click()
        until(self.page, self.update, lambda now: now >= update)
        self.button("Play: train the network").wait_for()
        settled(self.page)

    def charted(self, update):
        """Wait until the chart shows the run up to this update."""
        until(self.page, lambda: self.figure(f"({JUDGED}?.customdata ?? []).at(-1)"), lambda last: last == update)

    @property
    def slider(self):
        return self.page.get_by_role("slider", name="Learning rate")

    def handle(self, slider):
        """Where the slider's handle is: x, y."""
        box = slider.bounding_box()
        share = slider.evaluate("input => (input.value - input.min) / (input.max - input.min)")
        return box["x"] + 9 + share * (box["width"] - 18), box["y"] + box["height"] / 2

    def choose_size(self, name, key, times=1):
        slider = self.page.get_by_role("slider", name=name)
        slider.focus()
        for _ in range(times):
            slider.press(key)


@pytest.fixture
def training(page):
    return Training(page)


# It moves in place


def test_the_chart_stays_the_same_node_while_it_trains(training):
    kept = same_node(training.plot)
    training.play()
    training.redrawn(20)
    assert kept()
    training.pause()
    assert kept()


def test_a_zoom_survives_updates_and_goes_with_a_double_click(training):
    training.run_to(30)
    training.charted(30)
    box = training.plot.locator(".nsewdrag").first.bounding_box()
    mouse = training.page.mouse
    mouse.move(box["x"] + 0.3 * box["width"], box["y"] + 0.2 * box["height"])
    mouse.down()
    mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 0.7 * box["height"], steps=5)
    mouse.up()
    zoomed = until(training.page, lambda: training.figure("plot.layout.xaxis.range"), lambda x: x[1] - x[0] < 1.0)
    training.play()
    training.redrawn(10)
    assert training.figure("plot.layout.xaxis.range") == zoomed
    training.pause()

    def out():  # once more where the two clicks came too slowly for one double click
        training.plot.locator(".nsewdrag").first.dblclick()
        return training.figure("plot.layout.xaxis.range")

    until(training.page, out, lambda x: x[1] - x[0] > 1.0)


def test_a_hover_label_stays_while_it_trains(training):
    training.run_to(30)
    training.charted(30)
    x, y = training.plot.evaluate(
        """plot => {
            const judged = plot.data.find(trace => trace.name === 'held-out text'), at = 1, {xaxis, yaxis} = plot._fullLayout;
            const box = plot.getBoundingClientRect();
            return [box.x + xaxis._offset + xaxis.l2p(Math.log10(judged.x[at])),
                    box.y + yaxis._offset + yaxis.l2p(Math.log10(judged.y[at]))];
        }"""
    )
    training.page.mouse.move(x, y)
    label = training.plot.locator(".hoverlayer .hovertext")
    label.first.wait_for()
    training.button("Play: train the network").press("Enter")  # the mouse stays where it is
    training.redrawn(10)
    expect(label).not_to_have_count(0)


# The bar


def test_play_and_pause(training):
    training.play()
    training.trained(10)
    training.pause()
    stopped = training.update()
    training.button("Start over: the same settings, untrained").focus()  # something else; the run does not go on meanwhile
    assert training.update() == stopped
    training.play()
    training.trained(5)


def test_run_to_an_update_stops_exactly_there(training):
    training.run_to(137)
    assert training.update() == 137
    training.run_to(250)
    assert training.update() == 250


def test_one_update_and_start_over(training):
    for done in (1, 2):
        training.page.get_by_role("button", name="one update").click()
        until(training.page, training.update, lambda update, done=done: update == done)
    expect(training.page.locator(".run_card")).not_to_contain_text("Untrained")  # the card has heard of it too
    training.button("Start over: the same settings, untrained").click()
    until(training.page, training.update, lambda update: update == 0)
    training.left_a_ghost()


def test_keys_work_while_the_bar_has_the_focus(training):
    one = training.page.get_by_role("button", name="one update")
    one.focus()
    one.press("ArrowRight")
    until(training.page, training.update, lambda update: update == 1)


@pytest.mark.parametrize("across", ["tokens", "seconds"])
def test_another_axis_keeps_the_run_and_is_in_the_link(training, across):
    training.run_to(20)
    training.page.get_by_role("button", name=across, exact=True).click()
    until(training.page, lambda: training.figure("plot.layout.xaxis.title.text"), lambda title: across in title)
    assert training.update() == 20
    assert training.traces("earlier run") == 0
    until(training.page, training.query, lambda query: query.get("across") == across)


def test_slow_motion_does_one_update_at_a_time_and_full_speed_returns(training):
    speed = training.page.get_by_role("slider", name="Speed")
    speed.focus()
    speed.press("Home")
    until(training.page, training.query, lambda query: "speed" in query)
    training.play()
    seen = []
    until(training.page, lambda: seen.append(training.update()) or seen[-1], lambda update: update >= 2)
    assert set(seen) >= {1, 2}  # each of them could be seen
    speed.press("End")
    training.trained(100)
    training.pause()


# Knobs


def test_a_dragged_knob_acts_before_it_is_released(training):
    training.play()
    training.trained(5)
    before, (x, y) = training.rate(), training.handle(training.slider)
    mouse = training.page.mouse
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + 40, y, steps=4)
    during = until(training.page, training.rate, lambda rate: rate > 1.5 * before)
    (flag,) = until(training.page, training.flags, lambda flags: len(flags) == 1)  # the run has it: the flag is its own
    assert "learning_rate" not in training.query()
    mouse.move(x + 60, y, steps=4)
    until(training.page, training.flags, lambda flags: flags and float(flags[-1].split("→")[1]) > float(flag.split("→")[1]))
    mouse.up()
    until(training.page, training.query, lambda query: float(query.get("learning_rate", 0)) > during)
    training.pause()


def test_a_knob_moves_by_keyboard_and_back_by_undo(training):
    training.run_to(10)
    before = training.rate()
    training.slider.focus()
    for _ in range(6):
        training.slider.press("ArrowRight")
    after = until(training.page, training.rate, lambda rate: rate > 1.5 * before)
    until(training.page, training.flags, lambda flags: len(flags) == 1 and flags[0].endswith(f" {after:g}"))
    assert training.slider.get_attribute("aria-valuetext") == f"{after:g}"
    training.page.get_by_role("button", name="undo").click()
    until(training.page, training.rate, lambda rate: rate == before)


def test_a_link_gives_another_visitor_the_same_settings(training, new_page):
    training.slider.focus()
    training.slider.press("ArrowLeft")
    training.page.get_by_role("button", name="reset", exact=True).click()
    query = until(training.page, training.query, lambda query: {"learning_rate", "carry_state"} <= query.keys())
    other = Training(new_page(), **query)
    assert other.rate() == training.rate()
    expect(other.page.get_by_role("button", name="reset", exact=True)).to_have_attribute("aria-pressed", "true")
    assert other.query() == query


def test_a_reload_keeps_the_settings(training):
    training.slider.focus()
    training.slider.press("ArrowLeft")
    until(training.page, training.query, lambda query: "learning_rate" in query)
    rate = training.rate()
    training.page.reload()
    settled(training.page)
    training.plot.and_(training.page.locator("[data-drawn]")).wait_for()
    until(training.page, training.rate, lambda now: now == rate)


def test_a_value_is_typed_and_escape_or_nonsense_leaves_it(training):
    field, page = training.page.get_by_label("Learning rate η: type a value"), training.page
    field.fill("0.0042")
    field.press("Enter")
    until(page, training.query, lambda query: query.get("learning_rate") == "0.0042")
    expect(field).to_have_value("0.0042")
    expect(training.slider).to_have_attribute("aria-valuetext", "0.0042")
    field.fill("5")
    field.press("Escape")
    expect(field).to_have_value("0.0042")
    field.fill("fast")
    field.press("Enter")
    expect(page.locator(".knob.learning_rate .remark")).to_contain_text("fast")
    expect(field).to_have_value("0.0042")
    assert training.query()["learning_rate"] == "0.0042"


@pytest.mark.parametrize(
    ("role", "name", "keys"),
    [
        ("slider", "Hidden units H", ("ArrowRight", "ArrowRight")),
        ("combobox", "Text", ("l", "ArrowDown")),  # two languages; a text from the internet would have to be fetched first
        ("button", "Memory has an exact value", ("Enter", "Enter")),
    ],
)
def test_what_is_changed_by_keyboard_keeps_the_focus_and_its_place(page, role, name, keys):
    """Away from a preset too, and where another control comes or goes."""
    training = Training(page)
    changed = page.get_by_role(role, name=name, exact=True)
    changed.focus()
    page.evaluate("document.fonts.ready")

    def places():
        return changed.bounding_box()["y"], training.plot.bounding_box()["y"]

    before = until(page, lambda: (places(), places()), lambda seen: seen[0] == seen[1])[0]
    for key in keys:
        query = training.query()
        changed.press(key)
        if role != "button" or query == training.query():
            until(page, training.query, lambda now, query=query: now != query or role == "button")
        settled(page)
        until(page, places, lambda now: now == pytest.approx(before, abs=1))
        expect(changed).to_be_focused()


def test_presets_chart_and_the_bar_that_plays_are_seen_at_once(page):
    training = Training(page)
    play, presets = training.button("Play: train the network"), page.get_by_role("group", name="Presets").get_by_role("button")
    presets.first.wait_for()
    for part in (*presets.all(), training.plot, play):
        until(page, part.bounding_box, lambda box: box["y"] >= 0 and box["y"] + box["height"] <= 720)


# What restarts training


def test_another_size_starts_a_new_run_and_leaves_a_ghost(training):
    training.run_to(30)
    training.choose_size("Hidden units", "ArrowRight")
    training.left_a_ghost()
    until(training.page, training.update, lambda update: update == 0)
    until(training.page, training.query, lambda query: query.get("hidden_size") == "32")
    training.page.get_by_role("button", name="one update").click()
    until(training.page, training.update, lambda update: update == 1)


def test_a_preset_is_loaded_by_name(training):
    training.run_to(5)
    training.page.get_by_role("button", name="Memory has an exact value").click()
    expect(training.button("Memory has an exact value")).to_have_attribute("aria-pressed", "true")
    until(training.page, training.query, lambda query: query.get("corpus") == "lag")
    until(training.page, lambda: training.figure("plot.layout.annotations.map(a => a.text).join()"), lambda text: "best" in text)


def test_a_diverged_run_says_so_and_a_remedy_goes_on(page):
    training = Training(page, activation="relu", gain=1.0, num_steps=20, optimizer="sgd", clip_norm=0.0, learning_rate=1e6)
    training.button("Play: train the network").click()
    remedy = page.locator(".readout").get_by_role("button", name="Clip at 1")
    remedy.wait_for()
    expect(page.locator(".readout .notice")).to_contain_text("At update")
    remedy.click()
    until(page, training.query, lambda query: query.get("clip_norm", "1.0") == "1.0")


# The reader's own text


HOSTILE = (
    "<img src=x onerror=\"window.executed='img'\"><script>window.executed='script'</script>"
    "<svg onload=\"window.executed='svg'\"></svg> $\\href{javascript:window.executed='tex'}{x}$ "
    "[a](javascript:window.executed='link') "
)


def bring(training, text):
    page = training.page
    page.get_by_text("Bring your own text").click()
    page.get_by_label("Paste it here").fill(text)
    page.keyboard.press("Control+Enter")
    settled(page)
    page.get_by_role("button", name="Train on this text").click()


def test_markup_in_an_own_text_is_only_ever_text(training):
    page, dialogs = training.page, []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    page.evaluate("window.executed = null")
    bring(training, HOSTILE * 40)
    until(page, training.query, lambda query: query.get("corpus") == "own")
    training.run_to(300)
    sample = page.get_by_label("What the network writes now")
    until(page, sample.inner_text, lambda text: "<" in text)
    assert sample.locator("*").count() == 0
    rows = "list => [list.querySelectorAll('*').length, list.querySelectorAll('.row').length]"
    parts, rows = page.locator(".writing .list").evaluate(rows)
    assert parts == 3 * rows
    assert page.locator("img[src=x], svg[onload], a[href^=javascript], .katex").count() == 0
    assert page.evaluate("window.executed") is None
    assert dialogs == []


def test_a_text_that_cannot_be_learnt_is_refused_and_the_run_stays(training):
    training.run_to(20)
    kept = same_node(training.plot)
    bring(training, "a")
    expect(training.page.locator(".page-notice")).to_have_count(1)
    assert kept()
    assert training.update() == 20
    assert training.traces("earlier run") == 0


def test_an_upload_that_is_no_text_is_refused(training, tmp_path: Path):
    training.run_to(5)
    binary = tmp_path / "picture.txt"
    binary.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20)
    page = training.page
    page.get_by_text("Bring your own text").click()
    page.get_by_test_id("stExpander").filter(has_text="Paste it here").locator("input[type=file]").set_input_files(binary)
    page.get_by_text("picture.txt").wait_for()
    expect(page.locator(".page-notice")).to_have_count(1)
    page.get_by_role("button", name="Train on this text").click()
    settled(page)
    expect(page.locator(".page-notice")).to_have_count(1)
    assert training.update() == 5


def test_a_hand_edited_link_shows_its_notice_as_text(page):
    training = Training(page, seed="<img src=x onerror=alert(1)>", nonsense="$\\href{javascript:alert(1)}{x}$")
    expect(page.locator(".page-notice")).to_contain_text(re.compile("onerror.*nonsense", re.DOTALL))
    assert page.locator("img[src=x], .katex").count() == 0
    until(page, training.query, lambda query: query.keys() == SMALL.keys())


# Coming and going


def threads(server):
    """How many threads the server has, seen from outside."""
    return len(list(Path(f"/proc/{server.process.pid}/task").iterdir()))


def fewest_threads(page, server, looks=60):
    """Those that stay: every look at a run has a thread of its own for a moment."""
    seen = []
    until(page, lambda: seen.append(threads(server)) or seen, lambda seen: len(seen) >= looks)
    return min(seen)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="threads are counted in /proc")
def test_a_closed_tab_leaves_no_thread(new_page, server):
    stays = Training(new_page())  # the server's own threads come and go; a second visitor keeps them there
    stays.run_to(5)
    leaves = Training(new_page())
    leaves.run_to(5)
    before = fewest_threads(leaves.page, server)
    leaves.play()
    leaves.trained(20)
    during = fewest_threads(leaves.page, server)
    assert during > before
    leaves.page.close()
    until(stays.page, lambda: threads(server), lambda now: now < during)
    assert stays.update() == 5


def test_two_visitors_train_at_once(new_page):
    one, other = Training(new_page()), Training(new_page(), hidden_size=32)
    one.play()
    other.play()
    one.trained(30)
    other.trained(30)
    one.pause()
    other.pause()


# How it looks


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_nothing_is_wider_than_the_window(new_page, scheme, width):
    page = new_page(color_scheme=scheme, viewport={"width": width, "height": 720})
    training = Training(page)
    training.run_to(20)
    expect(page.locator(".readout .paper, .paper.readout").first).to_have_attribute("data-theme", scheme)
    for part in ("document.scrollingElement", "document.querySelector('[data-testid=\"stMain\"]')"):
        until(page, lambda part=part: page.evaluate(f"{part}.scrollWidth - {part}.clientWidth"), lambda beyond: beyond <= 0)
    until(page, training.plot.bounding_box, lambda box: box["x"] >= 0 and box["x"] + box["width"] <= width)


def test_the_curve_is_drawn_from_the_untrained_network_on(training):
    training.run_to(20)
    training.charted(20)
    xs, ys = training.figure(f"(judged => [judged.x, judged.y])({JUDGED})")
    assert len(xs) == len(ys) > 2
    assert all(math.isfinite(y) for y in ys)


def test_presets_pressed_while_it_trains_start_one_run_each(training):
    training.run_to(5)
    training.play()
    card, size = training.page.locator(".run_card .lines"), training.page.get_by_role("slider", name="Hidden units")
    for number, (name, text) in enumerate(
        {"Memory has an exact value": "lag-4", "The price of forgetting": "echo-4", "Start here": "Python manual"}.items(), 1
    ):
        training.button(name).click()
        expect(card).to_contain_text(text)
        training.trained(3)
        expect(card).to_contain_text(text)
        until(training.page, training.hidden, lambda said, number=number: said.startswith(f"{number} "))
    expect(size).to_have_attribute("aria-valuetext", "128")
    expect(training.button("Start here")).to_be_focused()


def test_the_name_of_the_page_opens_it_too_with_the_run_of_the_link(page):
    visit(page, "training", hidden_size=17, max_tokens=20_000)
    expect(page.get_by_role("heading", name="Training", exact=True)).to_be_visible()
    expect(page).to_have_url(re.compile(r"/training\?.*hidden_size=17"))
    expect(page.get_by_text("Page not found")).to_have_count(0)
