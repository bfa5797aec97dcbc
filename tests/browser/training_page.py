"""The Training page as a page object."""

import re

from playwright.sync_api import Locator, Page

from tests.browser.waiting import until, visit, wait_until_idle

SMALL = {"max_tokens": 20_000, "hidden_size": 16, "batch_size": 4, "num_steps": 8, "cosine_until": 0}
PLOT = ".run_view .live_figure .plot"
HELD_OUT = "(plot.data ?? []).find(trace => trace.name === 'held-out text')"
PLAY, PAUSE, START_OVER = "Play: train the network", "Pause training", "Start over: the same settings, untrained"


class Training:
    """The Training page with a small network, open in a browser."""

    def __init__(self, page: Page, **settings: object) -> None:
        self.page = page
        visit(page, **SMALL | settings)
        self.plot = page.locator(PLOT)
        self.wait_until_drawn()

    def wait_until_drawn(self) -> None:
        self.plot.and_(self.page.locator("[data-drawn]")).wait_for()

    def draws(self) -> int:
        return int(self.plot.get_attribute("data-drawn"))

    def wait_for_draws(self, times: int = 1) -> None:
        goal = self.draws() + times
        until(self.page, self.draws, lambda draws: draws >= goal)

    def update(self) -> int:
        """The update that the readout shows; -1 if it shows none."""
        row = self.page.locator(".readout dl .line").filter(has=self.page.get_by_text("update", exact=True))
        return int(re.sub(r"\D", "", row.locator("dd").inner_text()) or -1)

    def wait_for_updates(self, more: int = 1) -> None:
        goal = self.update() + more
        until(self.page, self.update, lambda update: update >= goal)

    def wait_for_update(self, update: int) -> None:
        """Wait until the readout shows exactly this update."""
        until(self.page, self.update, lambda now: now == update)

    def figure(self, expression: str) -> object:
        """The value of a JavaScript expression in ``plot.data`` and ``plot.layout``."""
        return self.plot.evaluate(f"plot => {expression}")

    def traces(self, beginning: str) -> int:
        """The number of the chart's traces whose name starts with ``beginning``."""
        return self.figure(f"(plot.data ?? []).filter(trace => trace.name.startsWith({beginning!r})).length")

    def wait_for_traces(self, beginning: str, number: int) -> None:
        until(self.page, lambda: self.traces(beginning), lambda traces: traces == number)

    def wait_until_charted(self, update: int) -> None:
        """Wait until the held-out curve ends at this update."""
        until(self.page, lambda: self.figure(f"({HELD_OUT}?.customdata ?? []).at(-1)"), lambda last: last == update)

    def point(self, name: str, update: int) -> list[float]:
        """The window position of the point of this update in a curve of the chart."""
        return self.plot.evaluate(
            """(plot, [name, update]) => {
                const curve = plot.data.find(trace => trace.name === name), {xaxis, yaxis} = plot._fullLayout;
                const box = plot.getBoundingClientRect(), at = curve.customdata.indexOf(update);
                return [box.x + xaxis._offset + xaxis.d2p(curve.x[at]), box.y + yaxis._offset + yaxis.d2p(curve.y[at])];
            }""",
            [name, update],
        )

    def flags(self) -> list[str]:
        """The chart's annotations for changes of live settings."""
        return self.figure("plot.layout.annotations.map(a => a.text).filter(text => text.includes('→'))")

    def rate(self) -> float:
        return float(self.page.locator(".knob.learning_rate .value").input_value())

    def query(self) -> dict[str, str]:
        return self.page.evaluate("Object.fromEntries(new URLSearchParams(location.search))")

    def perplexity(self) -> Locator:
        return self.page.locator(".readout .number")

    def rate_slider(self) -> Locator:
        return self.page.get_by_role("slider", name="Learning rate")

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def play(self) -> None:
        self.button(PLAY).click()
        self.button(PAUSE).wait_for()

    def pause(self) -> None:
        self.button(PAUSE).click()
        self.button(PLAY).wait_for()
        wait_until_idle(self.page)

    def run_to(self, update: int) -> None:
        self.page.get_by_label("Update to run to").fill(str(update))
        self.button("Run to update").click()
        until(self.page, self.update, lambda now: now >= update)
        self.button(PLAY).wait_for()
        wait_until_idle(self.page)

    def train_on(self, text: str) -> None:
        self.page.get_by_text("Bring your own text").click()
        self.page.get_by_label("Paste it here").fill(text)
        self.page.keyboard.press("Control+Enter")
        wait_until_idle(self.page)
        self.button("Train on this text").click()
