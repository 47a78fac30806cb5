"""Read the correct numbers of a QTI 2 or 3 item."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Final

from lms_tui.banks.model import NumericKey
from lms_tui.banks.qti.declared import Declaration, Scored
from lms_tui.banks.texts import number, ratio
from lms_tui.banks.unreadable import Unreadable
from lms_tui.common.cleaning import clean_line

_NONE: Final = Decimal(0)
_WHOLE: Final = Decimal(1)
_EXACTLY: Final = Scored("", _WHOLE, low=_NONE, high=_NONE, around=True)


def best(conditions: Sequence[Scored]) -> Decimal:
    """Return the highest score of the conditions."""
    return max((part.score for part in conditions), default=_WHOLE) or _WHOLE


def numeric_keys(
    declared: Declaration, conditions: Sequence[Scored], top: Decimal, gap: int = 0
) -> Iterator[NumericKey]:
    """Yield the keys of one response.

    `conditions` are those that name numbers. `top` is the score of the whole key. Raises Unreadable if a declared
    answer is not a number.
    """
    spans = [part for part in conditions if not part.around]
    for part in spans:
        yield NumericKey(part.low or _NONE, part.high or _NONE, ratio(part.score, top), gap=gap)
    if spans:
        return
    reaches = conditions or (_EXACTLY,)
    for name in dict.fromkeys((*declared.keys, *declared.mapping)):
        value = number(name)
        if value is None:
            raise Unreadable(f"“{clean_line(name)[:40]}” is not a number.")
        if declared.mapping:
            yield _around(value, reaches[0], declared.share(name) or _NONE, gap)
            continue
        for part in reaches:
            yield _around(value, part, ratio(part.score, best(reaches)) or _NONE, gap)


def _around(value: Decimal, reach: Scored, weight: Decimal, gap: int) -> NumericKey:
    """Return the key of a number and of those near it."""
    unit = abs(value) / 100 if reach.relative else _WHOLE
    low, high = (reach.low or _NONE) * unit, (reach.high or _NONE) * unit
    return NumericKey(value + low, value + high, weight, gap=gap)
