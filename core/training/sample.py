"""What a network writes while it trains, or wrote then."""

from core.config.settings import Settings
from core.models.params import Params
from core.models.sampling import RnnReader, generate
from core.text.corpus import Corpus
from core.text.streams import Purpose, generator

LENGTH = {"char": 192, "word": 40}  # tokens


def sample_of(params: Params, corpus: Corpus, settings: Settings, update: int) -> str:
    """After this update, at temperature 1: with equal networks the same text. ``ValueError`` where numbers are not finite."""
    if not corpus.is_text:  # what it predicts is not what comes next
        return ""
    rng, tokenizer = generator(settings.seed, Purpose.DISPLAY, update), corpus.tokenizer
    start = rng.integers(tokenizer.size, size=1)
    reader = RnnReader(params, settings.activation)
    return tokenizer.decode(generate(reader, prompt=start, length=LENGTH[tokenizer.unit], temperature=1.0, rng=rng))
