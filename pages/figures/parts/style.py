"""The palettes of both themes, the width of a page, and the escaping of user text, for all drawings.

Colours have four meanings. Blue (``forward``): text, carried state, probabilities, the held-out curve, controls.
Orange (``backward``): the loss and its gradients. Purple to green: sign. Grey dashes and scissors: cut.

A figure has colour tokens (``colour("forward")``), which the browser replaces by colours from the palette of the current
theme, so that one figure serves both themes.
"""

import html
from typing import Any

Part = dict[str, Any]  # of a plotly figure, as plain values
Parts = list[Part]
Pieces = list[list[str]]  # of a sentence or formula: [text, tone] each
DRAWING_WIDTH, GUTTER, NETWORK_RIGHT = 972, 92, 14  # px of a drawing as wide as the page, as in network/layout.js
TOKENS: dict[str, tuple[str, str]] = {  # name: (light, dark)
    "background": ("#FFFFFF", "#11161D"),
    "surface": ("#F4F6F9", "#1A212B"),
    "raised": ("#FFFFFF", "#222B37"),
    "line": ("#D5DBE3", "#323C49"),
    "text": ("#18212D", "#E9EEF4"),
    "muted": ("#525E6C", "#A3AFBD"),
    "forward": ("#1565B0", "#6CB4F5"),
    "backward": ("#B84E06", "#FF9F4A"),
    "cut": ("#687280", "#98A3B0"),
    "head-forward": ("#E6F0FA", "#1B2D40"),
    "head-backward": ("#FBEDE0", "#38281A"),
    "positive": ("#1B7837", "#63D392"),
    "negative": ("#6A3FA8", "#BFA0FA"),
    "baseline-0": ("#8A94A0", "#76818E"),
    "baseline-1": ("#747F8C", "#8994A1"),
    "baseline-2": ("#5F6A77", "#9DA8B4"),
    "baseline-3": ("#4A5562", "#B3BDC8"),
    "baseline-4": ("#36414D", "#C9D2DB"),
    "baseline-5": ("#18212D", "#E9EEF4"),
    "ghost": ("#6F93B8", "#4F7CA6"),
    "on-strong": ("#FFFFFF", "#11161D"),
}
SEQUENTIAL = (
    ("#FFF8EE", "#FDE4BF", "#FAC37D", "#EC9338", "#C9620F", "#8C3B07", "#4A1C05"),
    ("#231C17", "#4E3016", "#834A14", "#BC6C1C", "#EB9A40", "#FFCB8C", "#FFF3E2"),
)
DIVERGING = (
    ("#54278F", "#9173C2", "#CDBFE4", "#F1F2F3", "#B5DDBE", "#56AC70", "#136B33"),
    ("#D3BCFF", "#9778D6", "#524482", "#27303B", "#275A42", "#3D9E69", "#8BF0B4"),
)
THEMES = ("light", "dark")
BASELINE_DASHES = ("2px 6px", "6px 6px", "11px 5px", "18px 4px", "solid", "3px 2px")  # baselines of order 0 to 5
FONT = "'Source Sans', sans-serif"
_PREFIX = "token:"


def colour(token: str) -> str:
    """The token of a colour, for figures; ``KeyError`` for a name that is not in the palettes."""
    TOKENS[token]
    return _PREFIX + token


def in_theme(figure: Any, theme: str) -> Any:
    """A figure with the colours of ``theme``, "light" or "dark", in place of tokens, for use outside the dashboard."""
    if isinstance(figure, dict):
        return {key: in_theme(value, theme) for key, value in figure.items()}
    if isinstance(figure, (list, tuple)):
        return [in_theme(value, theme) for value in figure]
    if isinstance(figure, str) and figure.startswith(_PREFIX):
        return TOKENS[figure.removeprefix(_PREFIX)][THEMES.index(theme)]
    return figure


def css_tokens() -> str:
    """Both palettes and both scales (``--diverging-0`` to ``-6``) as CSS variables on ``.component``, by its ``data-theme``.

    Print uses the light palette in both themes.
    """
    blocks = []
    for i, theme in enumerate(THEMES):
        body = "".join(f"--{name}:{values[i]};" for name, values in TOKENS.items())
        scales = (("sequential", SEQUENTIAL[i]), ("diverging", DIVERGING[i]))
        body += "".join(f"--{name}-{stop}:{value};" for name, values in scales for stop, value in enumerate(values))
        blocks.append(f'.component[data-theme="{theme}"]{{color-scheme:{theme};{body}}}')
    on_paper = blocks[0].replace('="light"', "")
    return "\n".join([*blocks, f"@media print{{{on_paper}}}"])


def escape(text: str) -> str:
    """User text, escaped for HTML and for plotly's pseudo-HTML, which does not support ``&quot;``."""
    return html.escape(text, quote=True).replace("&quot;", "&#34;")
