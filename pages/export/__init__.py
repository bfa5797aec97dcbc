"""Scenes as a folder of HTML files, which any static web server serves: ``python -m pages.export FOLDER``."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as in dashboard.py: before NumPy is imported
