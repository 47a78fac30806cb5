"""The pages of lists, without a database."""

from typing import Any, Final

from lms_tui.wire.base import Page

PER_PAGE: Final = 20
ANY_PAGE: Final = Page[Any]
"""Kept here, because pydantic makes the class again for each page once nobody holds it."""
