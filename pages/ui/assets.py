"""Puts what the browser loads by HTTP where Streamlit serves it: ``static/`` beside dashboard.py.

The components' own scripts and styles, and plotly.js from the installed plotly package, each in a folder named after its
content, so that a browser may keep a copy for ever and still never sees an old one. A component's inline script is then
one line (Streamlit sends it again with every update), and plotly.js is fetched once.
"""

import hashlib
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

import plotly

from core.figures.parts.style import css_tokens

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "static"
COMPONENTS = Path(__file__).parent / "components"
SERVED_AT = "app/static"  # relative to the page, so that a base path in front of it is kept


@cache
def components_url() -> str:
    """Where the browser finds every component's .js and .css; publishes them at the first call.

    Files keep their folders, so that a script's imports are those that an editor sees. Each style sheet is whole, with the
    palette and what all components share before its own rules: a component that is hidden until its sheet arrives is then
    never seen half-dressed.
    """
    files = sorted(path for path in COMPONENTS.rglob("*") if path.suffix in (".js", ".css"))
    look = css_tokens().encode() + (COMPONENTS / "shared" / "paper.css").read_bytes()
    content = {
        path.relative_to(COMPONENTS).as_posix(): (look if path.suffix == ".css" else b"") + path.read_bytes() for path in files
    }
    digest = hashlib.sha256(b"".join(name.encode() + data for name, data in content.items())).hexdigest()[:12]
    return _publish(f"components-{digest}", content)


@cache
def plotly_url() -> str:
    """Where the browser finds plotly.js, copied from the installed plotly package."""
    source = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
    return _publish(f"plotly-{plotly.__version__}", {"plotly.min.js": source.read_bytes()}) + "/plotly.min.js"


def _publish(folder: str, content: dict[str, bytes]) -> str:
    """Write the files into ``static/folder`` at once (two servers may start together) and return its URL."""
    target = STATIC / folder
    if not target.exists():
        STATIC.mkdir(exist_ok=True)
        scratch = Path(tempfile.mkdtemp(dir=STATIC))
        scratch.chmod(0o755)
        for name, data in content.items():
            (scratch / name).parent.mkdir(parents=True, exist_ok=True)
            (scratch / name).write_bytes(data)
        try:
            os.rename(scratch, target)
        except OSError:  # another server was faster
            shutil.rmtree(scratch)
    return f"{SERVED_AT}/{folder}"
