"""The sections of the page of exercises."""

from pages.app.navigation.section_tabs import Section, run_is_live
from pages.content.guide import Hint
from pages.exercises import book, live_run, question_set

SECTIONS = {
    "set": Section("Ten questions", question_set.show, Hint(
        "Answer first, then take a hint.",
        "A wrong answer that is a known mistake is told which one. The number of the set is in the address, your answers stay in "
        "this tab, also when it is loaded again.",
    ), params=question_set.PARAMS),
    "run": Section("Predictions about the run", live_run.show, Hint(
        "Predict, then let the run or the same computation tell. Train for a while and predict again.",
        "The right answer changes while the network learns.",
    ), needs_refresh=run_is_live),
    "book": Section("The book's exercises", book.show, Hint(
        "Write an answer of your own before you compare it with the model answer.",
        "A model answer is made of points: how many of them are in yours?",
        first="8.4.6",
    )),
}  # fmt: skip
