"""Metrics for Prometheus: the observed values, and their format."""

import pytest
import streamlit as st
from prometheus_client import CollectorRegistry
from prometheus_client.openmetrics.parser import text_string_to_metric_families as openmetrics
from prometheus_client.parser import text_string_to_metric_families as text
from starlette.requests import Request
from starlette.responses import Response

from pages.app.connection.admission_control import AdmissionController
from pages.app.server import prometheus
from tests.websocket_client import run_async


@pytest.fixture(autouse=True)
def registry(monkeypatch) -> CollectorRegistry:
    """All metrics of a process with 60 places for sessions, with three stored runs."""
    registry = CollectorRegistry(auto_describe=True)
    monkeypatch.setattr(prometheus, "REGISTRY", registry)
    registry.register(prometheus.DRAW_SECONDS)
    prometheus.expose_sessions(AdmissionController(60), "abc")
    return registry


def served(query: str = "", accept: str = "") -> Response:
    scope = {"type": "http", "query_string": query.encode(), "headers": [(b"accept", accept.encode("latin-1"))]}
    return run_async(prometheus.route().endpoint(Request(scope)))


def test_a_drawing_is_counted_also_when_an_exception_ends_it(registry):
    @prometheus.drawing("fragment")
    def stopped() -> None:
        raise KeyboardInterrupt  # not an Exception, like those of st.rerun and st.stop

    def observed(what: str) -> float:
        return registry.get_sample_value("rnn_draw_seconds_count", {"what": what}) or 0

    before = observed("page"), observed("fragment")
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            stopped()
    with prometheus.drawing("page"):
        pass
    assert (observed("page"), observed("fragment")) == (before[0] + 1, before[1] + 2)


@pytest.mark.parametrize(("accept", "kind", "parse"), [
    ("", "text/plain", text), ("text/html, */*", "text/plain", text), ("application/openmetrics-text", "", openmetrics),
])  # fmt: skip
def test_metrics_are_served_in_a_format_that_is_accepted(accept, kind, parse):
    answer = served(accept=accept)
    assert answer.headers["content-type"].startswith(kind or accept)
    families = parse(answer.body.decode())
    samples = {" ".join((one.name, *one.labels.values())): one.value for family in families for one in family.samples}
    assert samples["rnn_places"] == 60
    assert [samples[f"rnn_visitors {state}"] for state in ("inside", "waiting", "kept")] == [0, 0, 3]


def test_only_the_requested_metrics_are_served():
    families = list(text(served("name[]=rnn_places").body.decode()))
    assert {sample.name for family in families for sample in family.samples} == {"rnn_places"}


@pytest.mark.parametrize("version", ["x", "1.x", "²", "9" * 5000])
def test_a_version_that_cannot_be_read_is_refused(version):
    assert served(accept=f"text/plain;version={version}").status_code == 406


@pytest.mark.parametrize(("base", "path"), [("", "/metrics"), ("/rnn/", "/rnn/metrics")])
def test_metrics_are_below_the_base_path(monkeypatch, base, path):
    monkeypatch.setattr(st, "get_option", {"server.baseUrlPath": base}.get)
    assert prometheus.route().path == path
