"""The same result everywhere: repeatable examples, no deadlines, one BLAS thread."""

import hypothesis
import numpy as np  # noqa: F401  its BLAS must be loaded before it can be limited
from threadpoolctl import threadpool_limits

threadpool_limits(limits=1)
hypothesis.settings.register_profile(
    "repeatable",
    derandomize=True,
    deadline=None,  # no test depends on a clock
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("repeatable")
