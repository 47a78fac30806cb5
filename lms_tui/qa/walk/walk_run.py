"""The state of a walk: its users, its attempts and the verdicts."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from lms_tui.client.recording import Exchange
from lms_tui.qa.walk.checks import attempts, lists, replies
from lms_tui.qa.walk.clocks import ServerClock
from lms_tui.qa.walk.endpoints import endpoint
from lms_tui.qa.walk.patient_client import BUSY, PatientClient
from lms_tui.qa.walk.shapes import shape
from lms_tui.qa.walk.user_client import Listing, attempt, exam_attempts
from lms_tui.qa.walk.values import Tree, as_tree, at, field_problems, integer
from lms_tui.qa.walk.verdicts import Verdicts
from lms_tui.wire.errors import ApiError

TOO_MANY: Final = 429
CLEANING: Final = 60.0
"""Most seconds for the end of the running attempts after a walk, also after one that ctrl+c has cancelled."""


def _told(exchange: Exchange) -> str:
    return f"{exchange.method} {exchange.path} answered {exchange.outcome}"


class WalkStoppedError(Exception):
    """The walk cannot continue after a wrong reply. The verdicts contain the problem."""

    def __init__(self, exchange: Exchange) -> None:
        super().__init__(_told(exchange))


@dataclass(slots=True)
class WalkRun:
    """`made` holds the exam of each attempt of this walk, by id. `running` holds those that have not ended.

    `alone` is false if others are known to end attempts of the same exam meanwhile.
    """

    verdicts: Verdicts
    owner: PatientClient
    other: PatientClient | None
    clock: ServerClock
    alone: bool = True
    stats: Exchange | None = None
    exams: list[Tree] = field(default_factory=list)
    upcoming: list[str] = field(default_factory=list)
    earlier: list[Tree] = field(default_factory=list)
    exam: Tree = field(default_factory=dict)
    created: Exchange | None = None
    user_id: object = None
    made: dict[int, str] = field(default_factory=dict)
    running: dict[int, None] = field(default_factory=dict)
    left: list[str] = field(default_factory=list)
    refusals: list[tuple[str, Exchange, tuple[int, ...]]] = field(default_factory=list)

    @property
    def slug(self) -> str:
        return str(self.exam.get("slug", ""))

    def check(self, rule: str, problems: Iterable[str], *exchanges: Exchange) -> bool:
        """Judge what replies say. A request that failed says nothing, so the rule is not tested by it."""
        for exchange in exchanges:
            if not exchange.succeeded:
                self.verdicts.skip(_told(exchange), rule)
                return False
        return self.verdicts.judge(rule, problems, *exchanges)

    def succeeds(self, rule: str, exchange: Exchange) -> bool:
        """Judge whether a request succeeds, by the one rule that is broken if it fails."""
        if exchange.status == TOO_MANY:
            self.verdicts.skip(_told(exchange), rule)
            return False
        return self.verdicts.judge(rule, replies.succeeds(exchange), exchange)

    def fails(self, rule: str, exchange: Exchange, *statuses: int) -> None:
        """Judge whether a request is refused, with one of `statuses` if the source names them."""
        if exchange.status in BUSY or exchange.status >= 500:
            self.verdicts.skip(_told(exchange), rule)
        elif exchange.status < 400:
            self.verdicts.judge(rule, replies.fails(exchange), exchange)
        else:
            self.refusals.append((rule, exchange, statuses))

    def refused(self, rule: str, exchange: Exchange) -> None:
        """Judge whether a request is refused because of the attempt's state. Only the notes name the status."""
        self.fails(rule, exchange)
        if exchange.status >= 400:
            self.fails("end.status", exchange, 403)

    def judge_refusals(self, exchanges: Iterable[Exchange]) -> None:
        """Count the refusals of endpoints that also accept requests. An endpoint that is missing refuses everything."""
        accepting = {endpoint(exchange) for exchange in exchanges if exchange.succeeded}
        for rule, exchange, statuses in self.refusals:
            if endpoint(exchange) in accepting:
                self.verdicts.judge(rule, replies.has_status(exchange, *statuses) if statuses else (), exchange)
            else:
                self.verdicts.skip(f"{endpoint(exchange)} accepts no request at all", rule)

    async def create(self, slug: str) -> Exchange:
        """Start an exam and remember the attempt, which `clean_up` ends.

        If the reply is lost, the attempt is looked for first. Its reading is returned then.
        """
        exchange = await self.owner.send_once("POST", exam_attempts(slug), lambda: self._find_running(slug))
        made = integer(at(exchange.tree(), "id"))
        if exchange.succeeded and made:
            self.made[made] = slug
            self.running[made] = None
        return exchange

    async def _find_running(self, slug: str) -> Exchange | None:
        made = await self.running_attempt(slug)
        return await self.owner.get(attempt(made)) if made else None

    async def running_attempt(self, slug: str) -> int:
        """Return the running attempt of an exam that this walk does not know, or 0."""
        rows = (await self.owner.read_all(exam_attempts(slug))).rows
        running = [integer(row.get("id")) for row in rows if row.get("state") == attempts.RUNNING]
        return next((found for found in running if found not in self.made), 0)

    async def end(self, attempt_id: int) -> Exchange:
        """End an attempt. If the reply is lost and the attempt has ended, its reading is returned."""
        exchange = await self.owner.send_once("PUT", attempt(attempt_id, "end/"), lambda: self._find_ended(attempt_id))
        if exchange.succeeded:
            self.running.pop(attempt_id, None)
        return exchange

    async def _find_ended(self, attempt_id: int) -> Exchange | None:
        read = await self.owner.get(attempt(attempt_id))
        return read if read.succeeded and at(read.tree(), "state") != attempts.RUNNING else None

    def watch_attempt(self, exchange: Exchange, *, expanded: bool | None) -> None:
        """Check the rules for every attempt in every reply.

        `expanded` says whether its user is an object or a string. It is None if the document does not say.
        """
        if exchange.succeeded:
            self._watch(exchange.tree(), exchange, expanded=expanded)

    def watch_list(self, listing: Listing, size: int | None = lists.PAGE_SIZE) -> None:
        """Check the rules for every list. `size` is None if the document defines no page size."""
        for page in listing.pages:
            if self.check("list.envelope", lists.is_page(page), page):
                self.check("list.next", lists.next_has_page(page), page)
                if size is not None:
                    self.check("list.page-size", lists.is_of_size(page, size), page)
        if listing.broken:
            self.check("list.next", [listing.broken], listing.pages[-1])

    def watch_attempts(self, listing: Listing, *, expanded: bool) -> None:
        self.watch_list(listing)
        for row in listing.rows:
            self._watch(row, listing.exchange, expanded=expanded)

    def _watch(self, found: object, exchange: Exchange, *, expanded: bool | None) -> None:
        self.check("attempt.fields", attempts.has_attempt_fields(found), exchange)
        self.check("attempt.exam", attempts.has_exam_fields(found), exchange)
        self.check("format.datetime", field_problems(found, shape("attempt-moments")), exchange)
        self.check("format.duration", attempts.has_spans(found), exchange)
        if self.created is not None and self._is_of(self.created, found, exchange):
            self.check("attempt.same", attempts.is_same(self.created.tree(), found), self.created, exchange)
        if expanded is not None:
            self.check(
                "attempt.user", attempts.has_user(found, self.owner.username, self.user_id, expanded=expanded), exchange
            )
        if exchange.method != "POST":
            self.check("format.decimal", attempts.has_decimal_score(found), exchange)

    def _is_of(self, created: Exchange, found: object, exchange: Exchange) -> bool:
        made = at(created.tree(), "id")
        return at(found, "id") == made or f"/attempts/{made}/" in f"{exchange.path}/"

    async def clean_up(self) -> None:
        """End the running attempts, and list all attempts, because the API cannot delete them."""
        for attempt_id in tuple(self.running):
            try:
                read = await self.owner.get(attempt(attempt_id))
                if at(read.tree(), "state") == attempts.RUNNING:
                    read = await self.owner.put(attempt(attempt_id, "end/"))
            except ApiError as error:
                self.left.append(f"attempt {attempt_id} of {self.made.pop(attempt_id)}, which may still run: {error}")
                continue
            state = as_tree(read.tree()).get("state")
            if state == attempts.RUNNING or not read.succeeded:
                self.left.append(f"attempt {attempt_id} of {self.made.pop(attempt_id)}, which could not be ended")
        self.left += [f"attempt {made} of {slug}, ended" for made, slug in self.made.items()]
