"""``python -m pages.export FOLDER``: writes all scenes, or those in a lecture file, as pages that open without a server."""

import argparse
import logging
import sys
import time
from pathlib import Path

from core.config.language import ENGLISH, languages, use_language
from pages.export.site import lecture_in, write_site
from pages.figures.parts.numbers import amount


def main() -> int:
    """Write the folder and print the name of each file. Returns the exit status."""
    logging.disable(logging.WARNING)  # Streamlit warns that no browser is connected
    parser = argparse.ArgumentParser("python -m pages.export", description="Scenes as pages that open without a server.")
    parser.add_argument("folder", type=Path, help="where to write; files of the same names are replaced")
    parser.add_argument("--lecture", type=Path, help="a lecture that was saved as a file, instead of the seventeen scenes")
    parser.add_argument("--title", default="", help="of the index")
    parser.add_argument("--live", default="", help="the address of a dashboard, to which each page leads")
    parser.add_argument("--lang", choices=languages(), default=ENGLISH, help="the language of the pages")
    options = parser.parse_args()
    use_language(options.lang)
    try:
        lecture = lecture_in(options.lecture)
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    if options.title:
        lecture = lecture._replace(title=options.title)
    began, total = time.monotonic(), len(lecture.scenes)
    for number, name in enumerate(write_site(options.folder, lecture, live=options.live), 1):
        size, seconds = amount((options.folder / name).stat().st_size), time.monotonic() - began
        print(f"{f'{number} of {total}' if number <= total else '':>9}  {name:<24}{size:>8}B{seconds:>7.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
