"""The sections of the page of the two books."""

from pages.app.navigation.section_tabs import Section
from pages.books import index
from pages.content.guide import Hint

SECTIONS = {
    "first": Section("Dive into Deep Learning", index.first, Hint(
        "Take the section that you read last, and press a place beside its first sentence.",
        "The page opens where the sentence can be seen. The reference below the title of a section leads back here.",
    )),
    "second": Section("Deep Learning from Scratch 2", index.second, Hint(
        "Read the sentences alone, from the first to the last: they are a summary of the chapter.",
        "Each of them can be seen somewhere: press the place beside it.",
    )),
    "questions": Section("Questions and errata", index.questions, Hint(
        "Answer a question yourself before you read on. Then press a place and check.",
        "Most of them come from counting steps, from names used twice, or from a mean that is not named.",
    )),
}  # fmt: skip
