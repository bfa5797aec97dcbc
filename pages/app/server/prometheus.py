"""Metrics of this process for Prometheus, at ``/metrics``. Streamlit's own metrics are at ``/_stcore/metrics``."""

from collections.abc import Sized
from contextlib import AbstractContextManager
from typing import Any

import streamlit as st
from prometheus_client import CollectorRegistry, Gauge, Histogram
from prometheus_client.exposition import choose_encoder
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from core.training.memory import allowed_bytes, used_bytes
from core.training.run.live_run import how_many_train
from core.training.run.scheduler import scheduler

BUCKETS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # seconds
REGISTRY = CollectorRegistry(auto_describe=True)
DRAW_SECONDS = Histogram(
    "rnn_draw_seconds", "How long drawing a page or fragment took.", ["what"], unit="seconds", buckets=BUCKETS, registry=REGISTRY
)


def drawing(what: str) -> AbstractContextManager[object]:
    """A context manager and decorator that times the drawing of a "page" or a "fragment", also when an exception ends it."""
    return DRAW_SECONDS.labels(what).time()


def route() -> Route:
    """The route of the metrics, below the server's base path."""
    base = st.get_option("server.baseUrlPath").strip("/")
    return Route(f"{'/' * bool(base)}{base}/metrics", _answer, methods=["GET"])


async def _answer(request: Request) -> Response:
    """All metrics, or the metrics listed in ``name[]``, in the format requested by the Accept header."""
    names = request.query_params.getlist("name[]")
    try:
        encode, content_type = choose_encoder(request.headers.get("accept", ""))
    except (TypeError, ValueError):  # raised for a version that is not a number
        return Response(status_code=406)
    return Response(encode(REGISTRY.restricted_registry(names) if names else REGISTRY), media_type=content_type)


def expose_sessions(admission: Any, kept: Sized) -> None:
    """Register the gauges of this process: admitted and waiting tabs (of an ``AdmissionController``), ``kept`` sessions of closed
    tabs, training runs, waiting computations and memory."""
    visitors = _gauge("rnn_visitors", "Tabs that are admitted, tabs that wait, and runs that are kept for closed tabs.", "state")
    visitors.labels("inside").set_function(lambda: len(admission.admitted))
    visitors.labels("waiting").set_function(lambda: len(admission.waiting))
    visitors.labels("kept").set_function(lambda: len(kept))
    _gauge("rnn_places", "Tabs that can be admitted at once.").set_function(lambda: admission.limit)
    _gauge("rnn_runs_training", "Runs that train now, or wait for their turn.").set_function(how_many_train)
    _gauge("rnn_computations_waiting", "Computations that wait for their turn.").set_function(lambda: scheduler.waiting)
    _gauge("rnn_memory_bytes", "Memory of this process. 0 where the system does not tell.", unit="bytes").set_function(used_bytes)
    _gauge("rnn_memory_limit_bytes", "Memory from which on no tab is admitted.", unit="bytes").set_function(allowed_bytes)


def _gauge(name: str, about: str, *labels: str, unit: str = "") -> Gauge:
    return Gauge(name, about, labels, unit=unit, registry=REGISTRY)
