"""The two palettes, number formats, and the escaping of user text: everything the drawings agree on.

Four meanings, no more. Blue (``forward``): text, state handed on, probabilities, the held-out curve, what can be pressed.
Orange (``backward``): the loss and all that flows back from it. Purple to green: sign. Grey dashes and scissors: cut.

A figure names its colours by token (``colour("forward")``); the browser, or :func:`resolve` in Python, looks them up in
the palette of the theme in use, so a figure is built once for both.
"""

import html
import math

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
DASHES = ("2px 6px", "6px 6px", "11px 5px", "18px 4px", "solid", "3px 2px")  # baselines of order 0 to 5
FONT = "'Source Sans', sans-serif"
_PREFIX = "token:"


def colour(token: str) -> str:
    """A colour by name, for figures; ``KeyError`` for a name that no palette has."""
    TOKENS[token]
    return _PREFIX + token


def resolve(spec: object, theme: str) -> object:
    """A figure with its colour tokens replaced by the hex values of ``theme`` ("light" or "dark")."""
    if isinstance(spec, dict):
        return {key: resolve(value, theme) for key, value in spec.items()}
    if isinstance(spec, (list, tuple)):
        return [resolve(value, theme) for value in spec]
    if isinstance(spec, str) and spec.startswith(_PREFIX):
        return TOKENS[spec.removeprefix(_PREFIX)][THEMES.index(theme)]
    return spec


def css_tokens() -> str:
    """Both palettes and both scales (``--diverging-0`` to ``-6``) as CSS variables on ``.paper``, by its ``data-theme``."""
    blocks = []
    for i, theme in enumerate(THEMES):
        body = "".join(f"--{name}:{values[i]};" for name, values in TOKENS.items())
        scales = (("sequential", SEQUENTIAL[i]), ("diverging", DIVERGING[i]))
        body += "".join(f"--{name}-{stop}:{value};" for name, values in scales for stop, value in enumerate(values))
        blocks.append(f'.paper[data-theme="{theme}"]{{color-scheme:{theme};{body}}}')
    return "\n".join(blocks)


def escape(text: str) -> str:
    """User text, safe inside HTML and inside plotly's pseudo-HTML."""
    return html.escape(text, quote=True)


def number(value: float, digits: int = 3) -> str:
    """A number for the screen: ``digits`` significant digits, a true minus sign, ∞ and – for what is no number."""
    if value is None or math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if value != 0 and not 1e-4 <= abs(value) < 1e6:
        mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
        factor = "" if float(mantissa) == 1 else f"{float(mantissa):g}·"
        return f"{factor}10{_superscript(int(exponent))}".replace("-", "−")
    value = float(f"{value:.{digits - 1}e}")  # 0.9999 is 1.00, as 1 is
    decimals = max(0, digits - 1 - (math.floor(math.log10(abs(value))) if value else 0))
    return f"{value:,.{decimals}f}".replace("-", "−").replace(",", "\u2009")


def short(value: float) -> str:
    """A knob's value as people say it: 0.004, 1, 0.5 (no trailing zeros)."""
    if isinstance(value, float) and abs(value) >= 1e5:
        return number(value, 2)
    return f"{value:.4g}".replace("-", "−") if isinstance(value, float) else str(value)


def count(value: int) -> str:
    """A whole number with thin spaces between thousands; from ten million on in powers of ten."""
    if value < 10_000_000:
        return f"{value:,}".replace(",", "\u2009")
    exponent = int(math.log10(value)) if value < 10**300 else len(str(value)) - 1
    return f"{value / 10**exponent:.1f}·10{_superscript(exponent)}"


def amount(value: float) -> str:
    """A large amount in three figures: 950, 137 k, 6.66 M."""
    if value < 1000:
        return f"{value:.0f}"
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{number(value / size)} {letter}"
    return number(value)


def _superscript(exponent: int) -> str:
    return str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
