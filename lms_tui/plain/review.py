"""Result, review and statistics as sentences."""

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from datetime import datetime

from lms_tui.attempt.desk import note_of
from lms_tui.common.cleaning import clean, clean_line
from lms_tui.plain.line_io import LineIO
from lms_tui.plain.own_texts import highlighted
from lms_tui.plain.passages import Passages
from lms_tui.plain.speech import to_speech
from lms_tui.plain.typed_lines import Order
from lms_tui.views import format as say
from lms_tui.views.highlights import texts_of
from lms_tui.views.marks import most_of, unmarked, waiting_words
from lms_tui.views.outcomes import (
    Outcome,
    best_seconds,
    decision,
    outcome,
    outcome_words,
    own_seconds,
    share_correct,
    written_answer,
)
from lms_tui.views.ranks import rank_words, too_few
from lms_tui.views.result import is_published
from lms_tui.wire.attempt_states import AttemptState
from lms_tui.wire.attempts import Attempt, ReviewQuestion, SubjectAnalytics
from lms_tui.wire.base import Page
from lms_tui.wire.stats import StudentStats


def result(attempt: Attempt, now: datetime) -> list[str]:
    title = clean_line(attempt.exam.title)
    if attempt.state == AttemptState.RUNNING:
        return [f"{title}: the attempt is still running. There is no result yet."]
    most = most_of(attempt)
    of = f" of {say.number(most)}" if most is not None else ""
    lines = [f"Result of {title}.", f"Score {say.number(attempt.score)}{of}, {say.percent(attempt.percentage)}."]
    lines += _counts_of(attempt)
    if rank := rank_words(attempt):
        lines.append(f"Rank {rank}.")
    elif attempt.rank:
        lines.append("The rank is shown when five students have taken the exam.")
    elif attempt.rank_enabled:
        lines.append("The rank is not published yet.")
    if attempt.percentile is not None and is_published(attempt, now) and not too_few(attempt):
        lines.append(f"Percentile {say.number(attempt.percentile)}.")
    if attempt.accuracy is not None:
        among = "marked" if unmarked(attempt) else "given"
        lines.append(f"Accuracy {say.percent(attempt.accuracy)}: correct answers among those {among}.")
    if attempt.time_taken:
        lines.append(f"Time taken {say.duration(attempt.time_taken)}.")
    if attempt.date:
        lines.append(f"Date {say.moment_near(attempt.date, now)}.")
    return lines


def _counts_of(attempt: Attempt) -> list[str]:
    counts = _counts(attempt.correct_count, attempt.incorrect_count, attempt.unanswered_count)
    lines = [f"{counts}."]
    if waiting := unmarked(attempt):
        lines = [
            f"{counts}, {waiting} not marked yet.",
            f"{waiting_words(waiting)}; the score is without {'it' if waiting == 1 else 'them'}.",
        ]
    if attempt.incorrect_count:
        lines.append("A partly correct answer is counted as incorrect here.")
    return lines


def _counts(correct: int, incorrect: int, unanswered: int) -> str:
    return f"{correct} correct, {incorrect} incorrect, {unanswered} unanswered"


def subjects(found: Sequence[SubjectAnalytics]) -> list[str]:
    return [_subject(each) for each in found] or ["The server sends no subjects."]


def _subject(found: SubjectAnalytics) -> str:
    waiting = found.total - found.correct - found.incorrect - found.unanswered
    return (
        f"{clean_line(found.name)}: {_counts(found.correct, found.incorrect, found.unanswered)}, "
        f"{f'{waiting} not marked yet, ' if waiting > 0 else ''}score {say.number(found.score)}."
    )


def statistics(stats: StudentStats) -> list[str]:
    counts = (
        ("exams attempted", stats.exams_attempted, stats.total_exams),
        ("videos watched", stats.videos_watched, stats.total_videos),
        ("conferences attended", stats.video_conferences_attended, stats.total_video_conferences),
        ("live streams attended", stats.live_streams_attended, stats.total_live_streams),
    )
    lines = [f"{done} of {total} {name}." for name, done, total in counts]
    for report in stats.student_report.reports:
        lines.append(f"Report {clean_line(report.report_title)}: {say.number(report.total_score)}.")
        lines += [
            f"{clean_line(group.name)}: lowest {say.number(group.min_score)}, average "
            f"{say.number(group.average_score)}, highest {say.number(group.max_score)}."
            for group in report.groups
        ]
    return lines


class Review:
    """Every question with its correct answer, one at a time. Pages are fetched when needed.

    `desk` returns a text of the student's own in this attempt by its name, or "".
    """

    def __init__(
        self, io: LineIO, pages: AsyncIterator[Page[ReviewQuestion]], desk: Callable[[str], str] = lambda _: ""
    ) -> None:
        self._io = io
        self._pages = pages
        self._desk = desk
        self._read: list[ReviewQuestion] = []
        self._passages = Passages()

    @property
    def questions(self) -> Sequence[ReviewQuestion]:
        """The part of the review that has been read."""
        return self._read

    async def run(self) -> None:
        place, again = 0, False
        while True:
            if not await self._reach(place):
                self._io.say("There is no question to review." if not self._read else "That was the last question.")
                if not self._read:
                    return
                place = len(self._read) - 1
            else:
                self._show(self._read[place], again=again)
            moved = await self._ask(place)
            if moved is None:
                return
            place, again = moved, moved == place

    def _show(self, question: ReviewQuestion, *, again: bool) -> None:
        passage = self._passages.before(question.question.direction, again=again)
        self._io.say("", *reviewed(question, passage), *own_texts(question, self._desk))

    async def _ask(self, place: int) -> int | None:
        while True:
            line = (await self._io.ask("n, p, i for the next incorrect, a number, or back: ")).casefold()
            match line:
                case "" | "n" | "next":
                    return place + 1
                case "p" | "previous":
                    return max(0, place - 1)
                case "r" | Order.READ:
                    return place
                case "i" | "incorrect":
                    if (found := await self._incorrect(place + 1)) is not None:
                        return found
                    self._io.say("No incorrect or partly correct answer follows.")
                case "b" | "back" | "q" | "quit":
                    return None
                case _ if line.isdecimal() and int(line) and await self._reach(int(line) - 1):
                    return int(line) - 1
                case _:
                    self._io.say("Unknown choice.")

    async def _incorrect(self, place: int) -> int | None:
        while await self._reach(place):
            if outcome(self._read[place]) in {Outcome.INCORRECT, Outcome.PARTLY}:
                return place
            place += 1
        return None

    async def _reach(self, place: int) -> bool:
        """Fetch pages up to this question. False if there is no such question."""
        while place >= len(self._read):
            try:
                page = await anext(self._pages)
            except StopAsyncIteration:
                return False
            self._read += page.results
        return True


def reviewed(question: ReviewQuestion, passage: Sequence[str] = ()) -> list[str]:
    """The question and its answers. `passage`: the lines of its passage."""
    body = question.question
    subject = f" {clean_line(body.subject)}." if body.subject else ""
    lines = [f"Question {question.order}.{subject} {outcome_words(question).capitalize()}."]
    lines += [*passage, *to_speech(body.question_html)]
    lines += _options(question)
    if written := written_answer(question):
        lines.append(f"Your answer: {'; '.join(clean(written).splitlines())}")
    lines += [sentence for told in decision(question) for sentence in told.splitlines()]
    lines += _times(question)
    if body.explanation_html.strip():
        lines += ["Explanation:", *to_speech(body.explanation_html)]
    return lines


def own_texts(question: ReviewQuestion, desk: Callable[[str], str]) -> list[str]:
    """The highlights and the note of the student."""
    body = question.question
    lines = highlighted(texts_of(question.id, body.direction, body.question_html), desk)
    note = clean(desk(note_of(question.id)))
    return [*lines, *(["Your note:", *note.splitlines()] if note else [])]


def _options(question: ReviewQuestion) -> Iterator[str]:
    for place, option in enumerate(question.question.answers):
        signs = ["correct"] if option.is_correct else []
        signs += ["yours"] if option.id in question.selected_answers else []
        said = f" ({' and '.join(signs)})" if signs else ""
        yield f"{say.letter(place)}{said}: {' '.join(to_speech(option.text_html)) or '(nothing)'}"


def _times(question: ReviewQuestion) -> Iterator[str]:
    known = (("you", own_seconds(question)), ("average", question.average_duration), ("best", best_seconds(question)))
    if parts := [f"{name} {say.seconds(value)}" for name, value in known if value is not None]:
        yield f"Time: {', '.join(parts)}."
    if (share := share_correct(question)) is not None:
        yield f"{say.percent(round(share))} of all answered correctly."
