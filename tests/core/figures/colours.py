"""What the browser does with the colours of a figure."""

from core.figures.parts.style import THEMES, TOKENS, colour

_PREFIX = colour("text").removesuffix("text")


def resolve(spec: object, theme: str) -> object:
    """A figure with its colour tokens replaced by the hex values of ``theme`` ("light" or "dark")."""
    if isinstance(spec, dict):
        return {key: resolve(value, theme) for key, value in spec.items()}
    if isinstance(spec, (list, tuple)):
        return [resolve(value, theme) for value in spec]
    if isinstance(spec, str) and spec.startswith(_PREFIX):
        return TOKENS[spec.removeprefix(_PREFIX)][THEMES.index(theme)]
    return spec
