"""What is downloaded is the script and the text that it reads."""

import io
import zipfile

import numpy as np
import pytest

from core.settings import Settings
from core.text.corpus import load_corpus
from core.training.script.archive import FIRST, archive
from core.training.script.script import script
from core.training.tbptt import Trainer
from tests.core.training.script.scripts import ODD, SMALL, TEXT, printed


def unpacked(settings, own_text="", updates=5):
    corpus = load_corpus(settings, own_text)
    with zipfile.ZipFile(io.BytesIO(archive(settings, corpus, own_text, updates))) as zipped:
        assert zipped.testzip() is None
        return {name: zipped.read(name).decode("utf-8") for name in zipped.namelist()}


@pytest.mark.parametrize("text", [TEXT, ODD])
def test_the_archive_holds_all_that_the_script_needs(text, tmp_path):
    settings = SMALL.but(cleaning="keep", max_tokens=300)
    files = unpacked(settings, text)
    assert list(files) == ["train.py", "text.txt"]
    trainer = Trainer(settings, load_corpus(settings, text))
    ours = [next(trainer).perplexity for _ in range(5)]
    np.testing.assert_allclose(printed(files["train.py"], files["text.txt"], tmp_path), ours, rtol=1e-6)


def test_a_generated_language_needs_no_file_beside_the_script():
    assert list(unpacked(SMALL.but(corpus="echo", max_tokens=1000))) == ["train.py"]


def test_a_run_that_has_not_begun_is_taken_home_as_a_beginning():
    settings = Settings(max_tokens=5000)
    assert unpacked(settings, updates=0)["train.py"] == script(settings, load_corpus(settings), FIRST)
