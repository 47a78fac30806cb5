"""Run a function that may never return, such as a read of a network drive that hangs."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Final, ParamSpec, TypeVar

Given = ParamSpec("Given")
Result = TypeVar("Result")

MOMENT: Final = 0.3
"""Seconds of waiting before the screen says so."""


async def run_detached(work: Callable[Given, Result], *args: Given.args, **kwargs: Given.kwargs) -> Result:
    """Run a function in a thread and return its result, or raise its error.

    When cancelled, the thread goes on and its result is dropped. The end of the program does not wait for it.
    """
    loop = asyncio.get_running_loop()
    result: asyncio.Future[Result] = loop.create_future()

    def settle(settled: Callable[[], None]) -> None:
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(lambda: None if result.done() else settled())

    def run() -> None:
        try:
            made = work(*args, **kwargs)
        except Exception as error:  # noqa: BLE001 - raised where the result is waited for
            told = error
            settle(lambda: result.set_exception(told))
        else:
            settle(lambda: result.set_result(made))

    threading.Thread(target=run, daemon=True).start()
    return await result
