"""How a test puts its counts into the record of a run: the fixture `told` of `tests/conftest.py`."""

from collections.abc import Callable

Told = Callable[..., None]
