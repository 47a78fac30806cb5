"""A practice institute for tests, whose clock and faults can be changed."""

import argparse
import time
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from lms_tui.client.address import is_loopback, parse_base_url
from lms_tui.client.connection import Access
from lms_tui.client.port import TOKEN_PATH
from lms_tui.commands.connecting import access_of
from lms_tui.common.frozen import frozen
from lms_tui.common.user_errors import UsageError
from lms_tui.qa.walk.clocks import MovableClock
from lms_tui.qa.walk.user_client import Account, CannotWalkError, UserClient
from lms_tui.runtime.service_process import ServiceProcess

PASSWORD: Final = "practice"  # noqa: S105 - public, and the service listens on this computer only
BENCH: Final = "/bench/"


@frozen
class Practice:
    """A running practice institute. `folder` is deleted when it ends."""

    base_url: str
    folder: Path
    clock: MovableClock
    admin: UserClient

    async def fault(self, text: str) -> None:
        """Add a fault, or remove all faults if the text is empty. Raises UsageError."""
        path = f"{BENCH}faults/"
        reply = await (self.admin.post(path, {"fault": text}) if text else self.admin.delete(path))
        if not reply.succeeded:
            raise UsageError(f"“{text}” is not a fault.", "Write it like 'PUT */heartbeat/ 503 30%'.")


async def open_practice(options: argparse.Namespace, stack: AsyncExitStack) -> Practice:
    """Start a practice institute that ends with the stack."""
    folder = Path(stack.enter_context(TemporaryDirectory(prefix="lms-tui-", ignore_cleanup_errors=True)))
    arguments = ["--data-dir", str(folder), "--demo", "--bench"]
    if options.database_url:
        arguments += ["--database-url", options.database_url]
    service = ServiceProcess(arguments, folder / "service.log")
    stack.callback(service.stop)
    base_url = await service.start()
    admin = await sign_in(stack, base_url, access_of(options), Account("admin", PASSWORD))

    async def move(seconds: float) -> None:
        moved = await admin.post(f"{BENCH}clock/", {"advance": seconds})
        if not moved.succeeded:
            raise CannotWalkError(f"The clock did not move: {moved.outcome}.", "Report this fault of lms-tui.")

    return Practice(base_url, folder, MovableClock(time.monotonic, move), admin)


async def sign_in(stack: AsyncExitStack, base_url: str, access: Access, account: Account) -> UserClient:
    """Sign in to a service on this computer. Raises UsageError for any other address."""
    base_url = parse_base_url(base_url)
    if not is_loopback(base_url):
        raise UsageError("Faults work only on this computer.", "Give an address such as http://127.0.0.1:PORT.")
    client = UserClient(base_url, access, account.username)
    stack.push_async_callback(client.close)
    await client.sign_in(TOKEN_PATH, account)
    return client
