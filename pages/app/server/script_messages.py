"""The translated messages of the browser's scripts, as ``components/shared/messages.js`` reads them."""

import json
from functools import cache

from babel.messages.catalog import Message

from core.config.language import ENGLISH, catalogue, languages


@cache
def script_catalogues() -> dict[str, bytes]:
    """JSON for every language but English, by its code: the forms of each message by its English."""
    return {code: _forms(code) for code in languages() if code != ENGLISH}


def _forms(code: str) -> bytes:
    of_scripts = [one for one in catalogue(code) if one.id and any(path.endswith(".js") for path, _ in one.locations)]
    forms = {_key(one): one.string if one.pluralizable else [one.string] for one in of_scripts}
    return json.dumps(forms, ensure_ascii=False).encode()


def _key(message: Message) -> str:
    english = message.id[0] if message.pluralizable else message.id
    return f"{message.context}\x04{english}" if message.context else english
