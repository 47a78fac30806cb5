"""Runs a keeper so that an internal error does not end the sending."""

import logging
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from lms_tui.attempt.keeper import Keeper

_RESTARTS: Final = 5
_log = logging.getLogger(__name__)


async def run_persistently(keeper: "Keeper") -> bool:
    """Run the keeper, and start it again after an error. Return False after too many errors."""
    for _ in range(1 + _RESTARTS):
        try:
            await keeper.run()
        except Exception:  # noqa: BLE001 - answers must be sent after any error
            _log.exception("the keeper failed")
        else:
            return True
    return False
