"""Which ways to the sessions other computers can use."""

import pytest

from lms_tui.runtime.ssh.front import SshFront
from lms_tui.runtime.web.front import WebFront, WebSettings


@pytest.mark.parametrize(("host", "others"), [("127.0.0.1", False), ("localhost", False), ("::", True)])
def test_other_computers_reach_a_front_unless_it_listens_on_loopback(host: str, *, others: bool) -> None:
    assert SshFront(host, 22).for_others == others
    assert WebFront(WebSettings(host, 80)).for_others == others


def test_other_computers_reach_pages_behind_a_proxy() -> None:
    assert WebFront(WebSettings("127.0.0.1", 80, ("https://exam.school.example",))).for_others
