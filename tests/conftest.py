"""For every test: shapes and types are checked, examples repeat, nothing has a deadline, BLAS has one thread."""

import hypothesis
import numpy as np  # noqa: F401  its BLAS must be loaded before it can be limited
from jaxtyping import install_import_hook
from threadpoolctl import threadpool_limits

# Here and nowhere else, annotations are checked at every call. Not in core.settings: it has to answer wrong types itself.
# An int will do for a float (is_pep484_tower).
install_import_hook(
    [f"core.{stage}" for stage in ("text", "models", "training", "analysis", "lessons", "figures")],
    "beartype.beartype(conf=beartype.BeartypeConf(is_pep484_tower=True))",
)
threadpool_limits(limits=1)
hypothesis.settings.register_profile(
    "repeatable", derandomize=True, deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("repeatable")
