"""For every test: shapes and types are checked, examples repeat, nothing has a deadline, BLAS has one thread."""

import hypothesis
import numpy as np  # noqa: F401  its BLAS must be loaded before it can be limited
from threadpoolctl import threadpool_limits

from tests.annotations import check_annotations

check_annotations()
threadpool_limits(limits=1)
hypothesis.settings.register_profile(
    "repeatable", derandomize=True, deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("repeatable")
