"""Entities are decoded as the standard library does it."""

import html

from hypothesis import given
from hypothesis import strategies as st

from lms_tui.common.entities import unescape

TEXTS = st.lists(st.text("ax;&#12 ") | st.sampled_from(["&lt;", "&amp", "&#8722;", "&notit;", "&", "−"])).map("".join)


@given(TEXTS)
def test_every_text_is_decoded_as_the_standard_library_does_it(text: str) -> None:
    assert unescape(text) == html.unescape(text)
