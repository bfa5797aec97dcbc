"""Pages as HTML files that need no server: the open page, or the scenes as a folder (``python -m pages.export FOLDER``).

The rest of the app knows only ``pages/app/server/page_recording.py``, to which it gives what it draws.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as in dashboard.py: before NumPy is imported
