"""Moodle's text format GIFT, https://docs.moodle.org/en/GIFT_format."""

from lms_tui.banks.gift.build import read_gift
from lms_tui.banks.gift.grammar import parse

__all__ = ["parse", "read_gift"]
