"""Connections of a server whose socket names no protocol, as Streamlit's."""

import socket

import pytest

from pages.app.server.tcp_no_delay import DESCRIPTORS, set_tcp_no_delay


@pytest.mark.skipif(not DESCRIPTORS.is_dir(), reason="Windows lists no descriptors")
def test_what_is_accepted_sends_at_once():
    with socket.socket(socket.AF_INET) as server, socket.socket(socket.AF_INET) as client:
        server.bind(("127.0.0.1", 0))
        server.listen()
        set_tcp_no_delay()
        client.connect(server.getsockname())
        with server.accept()[0] as accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
