"""Create an attempt, find it in lists, send heartbeats, read its questions and answer them."""

from typing import Any, Final

from lms_tui.client.recording import Exchange
from lms_tui.qa.walk.checks import attempts, lists, questions, results
from lms_tui.qa.walk.user_client import ATTEMPTS, STATS, CannotWalkError, Listing, attempt, exam_attempts, question
from lms_tui.qa.walk.values import Tree, as_rows, at, integer, seconds
from lms_tui.qa.walk.walk_run import WalkRun, WalkStoppedError

_NOTHING: Final = "lms-tui walk: nothing is called this"
_APART: Final = 3.0
"""Seconds between two heartbeats."""
_MORE: Final = 8
"""Additional questions to answer, to test the counts."""
_NO_CLOCK: Final = "the exam has no clock"
_NO_QUESTION: Final = "the exam has no question of type {}"


async def start_attempt(run: WalkRun) -> Exchange:
    """Create the attempt. Raises CannotWalkError if it is refused, and WalkStoppedError if the server fails."""
    created = await run.create(run.slug)
    if created.status in {401, 403, 404}:
        raise CannotWalkError(
            f"The exam {run.slug} cannot be started: the server answered {created.outcome}.",
            "Choose an exam that this account can start, with --exam SLUG.",
        )
    run.succeeds("create.running", created)
    run.check("create.running", attempts.is_in_state(created, attempts.RUNNING), created)
    run.check("create.running", attempts.is_of_exam(created, run.slug), created)
    if not created.succeeded or not integer(at(created.tree(), "id")):
        run.watch_attempt(created, expanded=True)
        raise WalkStoppedError(created)
    run.created = created
    if created.method != "POST":
        run.verdicts.skip("the reply to the creation was lost", "create.timer", "create.score")
        run.watch_attempt(created, expanded=False)
        return created
    run.check("create.timer", attempts.starts_its_clock(created), created)
    run.check("create.score", attempts.has_number_for_score(created), created)
    run.check("attempt.exam-url", attempts.has_exam_url(created.tree()), created)
    run.watch_attempt(created, expanded=True)
    return created


async def check_lists(run: WalkRun, created: Exchange) -> None:
    """Check that lists and filters find the new attempt."""
    made = integer(at(created.tree(), "id"))
    read = await run.owner.get(attempt(made))
    run.succeeds("attempt.get", read)
    run.check("attempt.get", attempts.is_in_state(read, attempts.RUNNING), read)
    run.check("attempt.get", attempts.is_attempt(read, made), read)
    run.watch_attempt(read, expanded=False)
    listed = await read_list(run)
    run.check("attempts.list", lists.has_listed(listed.rows, made, attempts.RUNNING), listed.exchange)
    await check_exam_list(run, at(created.tree(), "exam"), made, attempts.RUNNING)
    if run.stats is not None:
        stats = await run.owner.get(STATS)
        before = {name: integer(at(run.stats.tree(), name)) for name in ("exams_attempted", "total_exams")}
        known = "exams_attempted"
        run.check("stats.running", results.count_is(stats, known, before[known]), run.stats, stats)
        ended = {at(row, "exam", "slug") for row in listed.rows if row.get("state") != attempts.RUNNING}
        run.check("stats.running", results.count_is(stats, known, len(ended)), listed.exchange, stats)
        run.check("stats.totals", results.count_is(stats, "total_exams", before["total_exams"]), run.stats, stats)


async def read_list(run: WalkRun) -> Listing:
    """Read and check the list of the caller's attempts."""
    listed = await run.owner.read_all(ATTEMPTS)
    run.watch_attempts(listed, expanded=False)
    run.succeeds("attempts.list", listed.exchange)
    run.check("attempts.list", lists.are_callers(listed.rows, run.owner.username), listed.exchange)
    return listed


async def check_exam_list(run: WalkRun, exam: object, made: int, state: str) -> None:
    """Check that the list of the exam and the filters find an attempt in this state."""
    of_exam = await run.owner.read_all(exam_attempts(run.slug))
    run.watch_attempts(of_exam, expanded=True)
    run.succeeds("attempts.of-exam", of_exam.exchange)
    run.check("attempts.of-exam", lists.has_listed(of_exam.rows, made, state), of_exam.exchange)
    run.check("attempts.of-exam", lists.are_of(of_exam.rows, "slug", run.slug, whole=True), of_exam.exchange)
    run.check("attempts.of-exam", lists.are_callers(of_exam.rows, run.owner.username), of_exam.exchange)
    for rule, parameter, field in (("attempts.course", "course", "course"), ("attempts.title", "q", "title")):
        await _filter(run, (made, state), rule, parameter, str(at(exam, field) or ""), field)


async def _filter(run: WalkRun, made: tuple[int, str], rule: str, parameter: str, wanted: str, field: str) -> None:
    if not wanted:
        run.verdicts.skip(f"the exam has no {field}", rule)
        return
    found = await run.owner.read_all(ATTEMPTS, **{parameter: wanted})
    run.check(rule, lists.has_listed(found.rows, *made), found.exchange)
    run.check(rule, lists.are_of(found.rows, field, wanted, whole=field == "course"), found.exchange)
    none = await run.owner.read_all(ATTEMPTS, **{parameter: _NOTHING})
    run.check(rule, lists.is_empty(none.rows), none.exchange)


async def check_heartbeat(run: WalkRun, made: int) -> None:
    """Check start and heartbeat, and that the attempt's time passes at the right speed."""
    await run.clock.let_pass(1.2)
    before = await run.owner.get(attempt(made))
    started = await run.owner.put(attempt(made, "start/"))
    run.succeeds("start.running", started)
    run.check("start.running", attempts.is_in_state(started, attempts.RUNNING), started)
    run.check("start.running", attempts.has_moved_on(before.tree(), started), before, started)
    run.watch_attempt(started, expanded=None)
    earliest = run.clock.now()
    first = await run.owner.put(attempt(made, "heartbeat/"))
    early = run.clock.now()
    await run.clock.let_pass(_APART)
    late = run.clock.now()
    second = await run.owner.put(attempt(made, "heartbeat/"))
    latest = run.clock.now()
    for beat in (first, second):
        run.succeeds("heartbeat.running", beat)
        run.check("heartbeat.running", attempts.is_in_state(beat, attempts.RUNNING), beat)
        run.check("attempt.exam-url", attempts.has_exam_url(beat.tree()), beat)
        run.watch_attempt(beat, expanded=True)
    # Latency hides the exact time between the two heartbeats at the server.
    shortest, longest = late - early, latest - earliest
    passed, slack = (shortest + longest) / 2, (longest - shortest) / 2 + 1.5
    if (
        first.succeeded
        and seconds(at(first.tree(), "remaining_time")) is None
        and not seconds(at(first.tree(), "exam", "duration"))
    ):
        run.verdicts.skip(_NO_CLOCK, "heartbeat.remaining")
    else:
        run.check("heartbeat.remaining", attempts.has_fallen(first, second, passed, slack), first, second)
    run.check("heartbeat.taken", attempts.has_grown(first, second, passed, slack), first, second)


async def check_questions(run: WalkRun, created: Exchange) -> Listing:
    """Check the questions of a new attempt."""
    listing = await run.owner.read_all(attempt(integer(at(created.tree(), "id")), "questions/"))
    first = listing.exchange
    run.succeeds("questions.pages", first)
    run.watch_list(listing)
    whole = integer(at(created.tree(), "total_questions"))
    run.check("questions.pages", lists.are_all_there(listing.rows, whole), first)
    run.check("questions.fields", questions.has_questions(listing.rows), first)
    run.check("questions.key", questions.hides_its_key(listing.rows), first)
    run.check("questions.fresh", questions.is_untouched(listing.rows), first)
    return listing


class Answering:
    """Answers the questions of an attempt. `sent` holds the last answer to each, by its id.

    `late` holds the options that were sent after the end.
    """

    def __init__(self, run: WalkRun, attempt_id: int, rows: tuple[Tree, ...]) -> None:
        self._run = run
        self._attempt = attempt_id
        self.rows = rows
        self.sent: dict[int, dict[str, Any]] = {}
        self.late: dict[int, list[int]] = {}

    async def send(self, row: Tree, **body: object) -> Exchange:
        """Send an answer and check its echo."""
        found = integer(row.get("id"))
        exchange = await self._run.owner.put(question(self._attempt, found), body)
        self._run.succeeds("answer.echo", exchange)
        self._run.check("answer.echo", questions.has_echo(exchange, row), exchange)
        if exchange.succeeded:
            self.sent[found] = {**self.sent.get(found, {}), **body}
        return exchange

    def of_type(self, kind: str) -> list[Tree]:
        """Return the questions of a type. A choice needs at least two options."""
        rows = [row for row in self.rows if at(row, "question", "type") == kind]
        return [row for row in rows if kind not in questions.CHOICES or len(options_of(row)) > 1]

    @property
    def count(self) -> int | None:
        """Return the number of answered questions, or None if the document does not define the marking of a type."""
        if any(at(row, "question", "type") not in questions.CHOICES for row in self.rows):
            return None
        return sum(bool(body.get("selected_answers")) for body in self.sent.values())

    async def read_again(self) -> None:
        """Check that the server has every answer."""
        listing = await self._run.owner.read_all(attempt(self._attempt, "questions/"))
        self._run.check("answer.kept", questions.has_answers(listing.rows, self.sent), listing.exchange)


def options_of(row: Tree) -> list[int]:
    return [integer(option.get("id")) for option in as_rows(at(row, "question", "answers"))]


async def answer_questions(run: WalkRun, work: Answering) -> None:
    """Check answers of each type, then changed, cleared, repeated and marked answers."""
    single, several = work.of_type("R"), work.of_type("C")
    if single:
        await _answer_single(run, work, single)
    else:
        run.verdicts.skip(_NO_QUESTION.format("R"), "answer.single", "answer.cleared", "answer.again", "answer.flag")
    if several:
        chosen = options_of(several[0])[:2]
        echo = await work.send(several[0], selected_answers=chosen, review=False)
        run.check("answer.several", questions.is_answered(echo, {"selected_answers": chosen}), echo)
    else:
        run.verdicts.skip(_NO_QUESTION.format("C"), "answer.several")
    for row in [row for row in (*single, *several) if integer(row.get("id")) not in work.sent][:_MORE]:
        await work.send(row, selected_answers=options_of(row)[-1:], review=False)
    await _answer_in_words(run, work)
    await work.read_again()


async def _answer_single(run: WalkRun, work: Answering, single: list[Tree]) -> None:
    first, last = single[0], single[-1]
    chosen: dict[str, object] = {}
    echoes = []
    # Chosen, changed, and sent a second time.
    for option in (options_of(first)[0], options_of(first)[1], options_of(first)[1]):
        chosen = {"selected_answers": [option]}
        echoes.append(await work.send(first, **chosen, review=False))
        run.check("answer.single", questions.is_answered(echoes[-1], chosen), echoes[-1])
    if echoes[1].succeeded:
        run.succeeds("answer.again", echoes[2])
    run.check("answer.again", questions.has_same_reply(*echoes[1:]), *echoes[1:])
    for flag in (True, False, True):
        flagged = {**chosen, "review": flag}
        echo = await work.send(first, **flagged)
        run.check("answer.flag", questions.is_answered(echo, flagged), echo)
    if last is first:
        run.verdicts.skip("the exam has one question of type R only", "answer.cleared")
        return
    await work.send(last, selected_answers=options_of(last)[:1], review=False)
    echo = await work.send(last, selected_answers=[], review=False)
    run.check("answer.cleared", questions.is_answered(echo, {"selected_answers": []}), echo)


async def _answer_in_words(run: WalkRun, work: Answering) -> None:
    given: dict[str, tuple[str, dict[str, object]]] = {
        "S": ("answer.text", {"short_text": "Chennai"}),
        "N": ("answer.text", {"short_text": "42"}),
        "E": ("answer.essay", {"essay_text": "One sentence.\nAnd another one."}),
        "G": ("answer.gaps", {"gap_fill_responses": [{"order": "1", "answer": "one"}]}),
    }
    for kind, (rule, body) in given.items():
        for row in work.of_type(kind)[:1]:
            echo = await work.send(row, **body)
            run.check(rule, questions.is_answered(echo, body), echo)
