"""What the server asks of the system: files, and connections whose socket names no protocol, as Streamlit's."""

import socket

import pytest

from pages.app.server.process_setup import DESCRIPTORS, raise_file_limit, set_tcp_no_delay


def test_the_limit_of_open_files_is_raised_to_what_the_system_allows():
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(before[0], 256), before[1]))  # as some systems begin
    try:
        raise_file_limit()
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (before[1], before[1])
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.mark.skipif(not DESCRIPTORS.is_dir(), reason="Windows lists no descriptors")
def test_what_is_accepted_sends_at_once():
    with socket.socket(socket.AF_INET) as server, socket.socket(socket.AF_INET) as client:
        server.bind(("127.0.0.1", 0))
        server.listen()
        set_tcp_no_delay()
        client.connect(server.getsockname())
        with server.accept()[0] as accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
