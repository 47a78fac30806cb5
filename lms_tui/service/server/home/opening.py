"""Open the first stage of the demo institute or of a dry run, and serve it."""

from contextlib import ExitStack, closing
from functools import partial

from lms_tui.service.auth.hashing import PasswordCheck
from lms_tui.service.auth.known_devices import KnownDevices
from lms_tui.service.core.database.callers import SqliteCallers
from lms_tui.service.core.keyfile import read_or_create
from lms_tui.service.core.passwords import Passwords
from lms_tui.service.core.settings import ServiceSettings
from lms_tui.service.core.signer import Signer
from lms_tui.service.core.tokens import Tokens
from lms_tui.service.server.home.institute import Institute
from lms_tui.service.server.home.replies import HomeReplies
from lms_tui.service.server.home.stage import LATEST, FirstStage
from lms_tui.service.server.serving import announce, clock_of, end_with, listen, server_for
from lms_tui.service.server.whole import Whole


def ready_institute(settings: ServiceSettings, stack: ExitStack) -> Institute | None:
    """Return the institute if it is complete and no tester needs more than the first stage, else None."""
    if settings.database_url or settings.fault_injection is not None or settings.workers > 1:
        return None
    file = settings.database_file
    institute = Institute.ready_in(file, demo=settings.demo) if file.exists() else None
    return None if institute is None else stack.enter_context(closing(institute))


def run_home(settings: ServiceSettings, institute: Institute, stack: ExitStack) -> int:
    """Serve the first replies at once, and build the service behind them. Return the exit code. Raises AdvisedError."""
    listener = stack.enter_context(closing(listen(settings)))
    clock = clock_of(settings)
    key = read_or_create(settings.key_file)
    limits = settings.limits
    replies = HomeReplies(
        institute,
        SqliteCallers(lambda: institute.connection),
        PasswordCheck(Passwords(limits.password), limits.concurrent_hashes),
        KnownDevices(Signer(key)),
        Tokens(key, clock, settings.timing.token_lifetime),
        clock,
        limits,
        settings.timing,
    )
    failures: list[Exception] = []

    def build() -> Whole:
        from lms_tui.service.server.building import build_behind  # noqa: PLC0415  # this is what takes long

        return build_behind(settings, clock, stack)

    def fail(error: Exception) -> None:
        failures.append(error)
        server.should_exit = True

    # A person begins the exam of a dry run soon, and only the whole service can do that.
    stage = FirstStage(replies, build, fail, LATEST if settings.demo else 0.0)
    server = server_for(stage, settings, partial(announce, listener))
    if settings.end_with_stdin:
        end_with(server, 0)
    server.run([listener])
    if failures:
        raise failures[0]
    return 0
