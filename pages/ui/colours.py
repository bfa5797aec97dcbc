"""What a browser is told of the colours is put together once, not for every script that begins.

Streamlit tells it at the beginning of each script, of a look at a part of the page as well, and looks through all of its options
for it six times. They are read with its configuration, and stay as they are until that is read again.
"""

from functools import cache, wraps

from streamlit import config
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session


def put_colours_together() -> None:
    """From now on those of a section of the configuration are put together when they are told first. Once per process."""
    put = app_session._populate_theme_msg

    @cache
    def told(section: str) -> CustomThemeConfig:
        colours = CustomThemeConfig()
        put(colours, section)
        return colours

    @wraps(put)
    def tell(message: CustomThemeConfig, section: str = "theme") -> None:
        colours = told(section)
        if colours.ByteSize():  # a section that says nothing is left out
            message.MergeFrom(colours)

    config.on_config_parsed(told.cache_clear, force_connect=True)
    app_session._populate_theme_msg = tell
