"""The sections of the Perplexity page."""

from pages.perplexity.against_counting import against_counting
from pages.perplexity.compression import compression
from pages.perplexity.continuations import KEEPS, continuations
from pages.perplexity.length import length
from pages.perplexity.number import another_token, number
from pages.perplexity.surprise import surprise
from pages.perplexity.writing import other_seeds, writing
from pages.ui.address import typed
from pages.ui.sections import Section, with_the_run

TWO = ("model", "beside")
SECTIONS = {
    "surprise": Section("Surprise", surprise, TWO, moves=with_the_run, keeps={"text": typed(None)}),
    "number": Section("The number", number, press="Another token", on_press=another_token, moves=with_the_run),
    "length": Section("Length", length, TWO, moves=with_the_run),
    "continuations": Section("Continuations", continuations, TWO, moves=with_the_run, keeps=KEEPS),
    "compression": Section("Compression", compression, moves=with_the_run),
    "counting": Section("Against counting", against_counting, moves=with_the_run),
    "writing": Section("Writing", writing, ("model",), "Other seeds", other_seeds, keeps={"prompt": typed(None)}),
}
