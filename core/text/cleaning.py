"""A text as it is trained on: whole characters, one kind of line end, and only its letters where that is asked for."""

import re

LINE_END = re.compile("\r\n|[\r\u0085\u2028\u2029]")  # beside \n: as other systems write it


def clean(text: str, cleaning: str) -> str:
    """A text as it is trained on (a prompt goes the same way). Line ends become newlines, half characters U+FFFD.

    ``letters`` then leaves only a to z in lower case; every run of anything else becomes one blank (Dive into Deep Learning,
    8.2).
    """
    text = LINE_END.sub("\n", whole_characters(text))
    return re.sub("[^A-Za-z]+", " ", text).lower() if cleaning == "letters" else text


def whole_characters(text: str) -> str:
    """The text with every half of a surrogate pair that stands alone replaced: it could not be sent to a screen."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
