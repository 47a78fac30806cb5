"""A signed-in service in memory: `lms_tui.client.port.Lms` over the models of `tests.fakes.institute`."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, TypeVar, cast

from lms_tui.client.port import Batches, ExamState, Mentors, Pictures, Posts, StaffExams, Users, Videos
from lms_tui.wire.attempt_states import AttemptState
from lms_tui.wire.attempts import (
    AnswerInput,
    Attempt,
    AttemptQuestion,
    AttemptSection,
    ExamAids,
    ReviewQuestion,
    SubjectAnalytics,
)
from lms_tui.wire.base import Page
from lms_tui.wire.errors import ApiError, Forbidden, Invalid, NotFound
from lms_tui.wire.exams import ListedExam, SingleExam
from lms_tui.wire.posts import Post, PostSummary
from lms_tui.wire.stats import StudentStats
from lms_tui.wire.users import CurrentUser
from tests.fakes import institute
from tests.fakes.files import FilesInMemory
from tests.fakes.notices import WithoutNotices
from tests.fakes.pictures import FakePictures
from tests.fakes.resources import Nothing

PER_PAGE = 20
Item = TypeVar("Item", Attempt, ListedExam, ReviewQuestion)


@dataclass
class Faults:
    """What goes wrong: an error for the next calls of a method, by name; and which methods were called how often."""

    coming: dict[str, list[ApiError]] = field(default_factory=dict)
    calls: Counter[str] = field(default_factory=Counter)

    def fail(self, method: str, *errors: ApiError) -> None:
        self.coming.setdefault(method, []).extend(errors)

    def called(self, method: str) -> None:
        self.calls[method] += 1
        if waiting := self.coming.get(method):
            raise waiting.pop(0)


def page_of(items: list[Item], number: int) -> Page[Item]:
    shown = items[(number - 1) * PER_PAGE : number * PER_PAGE]
    more = f"https://lms.example.org/?page={number + 1}" if number * PER_PAGE < len(items) else None
    envelope: Page[Any] = Page[Any].model_construct(
        count=len(items), next=more, previous=None, per_page=PER_PAGE, results=tuple(shown)
    )
    return envelope


class FakeAttempts(WithoutNotices, FilesInMemory):
    def __init__(self, faults: Faults) -> None:
        self.faults = faults
        self.known: list[Attempt] = list(institute.ATTEMPTS)
        self.exams: dict[str, ListedExam] = {}
        self.asked: dict[int, list[AttemptQuestion]] = {}
        self.review_pages = 0
        self.told_aids: ExamAids | None = None
        self.access_codes: dict[str, str] = {}

    async def page(self, number: int = 1, *, course: str = "", title: str = "") -> Page[Attempt]:
        self.faults.called("attempts.page")
        found = [a for a in self.known if course in {"", a.exam.course} and title.casefold() in a.exam.title.casefold()]
        return page_of(found, number)

    async def of_exam(self, slug: str) -> list[Attempt]:
        self.faults.called("attempts.of_exam")
        return [a for a in self.known if a.exam.slug == slug]

    async def read(self, attempt_id: int) -> Attempt:
        self.faults.called("attempts.read")
        return self._find(attempt_id)

    async def create(self, slug: str, access_code: str = "") -> Attempt:
        self.faults.called("attempts.create")
        if access_code != self.access_codes.get(slug, ""):
            raise Invalid("Wrong access code.", status=400)
        return self.begin(slug)

    def begin(self, slug: str) -> Attempt:
        """What a POST does, also where its answer is lost."""
        listed = self.exams.get(slug)
        if listed is None:
            raise NotFound("The server could not find this.", status=404)
        number = max((a.id for a in self.known), default=0) + 1
        made = institute.attempt(
            number, listed, AttemptState.RUNNING, date=institute.NOW, remaining_time=listed.duration
        )
        self.known.insert(0, made)
        return made

    async def start(self, attempt_id: int) -> Attempt:
        self.faults.called("attempts.start")
        return self._running(attempt_id)

    async def heartbeat(self, attempt_id: int) -> Attempt:
        self.faults.called("attempts.heartbeat")
        return self._running(attempt_id)

    async def end(self, attempt_id: int) -> Attempt:
        self.faults.called("attempts.end")
        over = self._find(attempt_id).model_copy(
            update={"state": AttemptState.COMPLETED, "score": 12, "remaining_time": timedelta(), "percentage": "100.00"}
        )
        self.known = [over if a.id == attempt_id else a for a in self.known]
        return over

    async def questions(self, attempt_id: int) -> list[AttemptQuestion]:
        self.faults.called("attempts.questions")
        return self._questions(attempt_id)

    async def aids(self, attempt_id: int) -> ExamAids:
        self.faults.called("attempts.aids")
        if self.told_aids is None:
            raise NotFound("There is nothing here.")
        return self.told_aids

    async def section_questions(self, section: AttemptSection) -> list[AttemptQuestion]:
        self.faults.called("attempts.section_questions")
        return []

    async def start_section(self, section: AttemptSection) -> None:
        self.faults.called("attempts.start_section")

    async def end_section(self, section: AttemptSection) -> None:
        self.faults.called("attempts.end_section")

    async def save(
        self, attempt_id: int, question_id: int, answer: AnswerInput, stamp: str = "", chosen_at: int | None = None
    ) -> AttemptQuestion:
        self.faults.called("attempts.save")
        self._running(attempt_id)
        questions = self._questions(attempt_id)
        place = next(n for n, question in enumerate(questions) if question.id == question_id)
        saved = questions[place].model_copy(
            update={
                "selected_answers": answer.selected_answers,
                "review": answer.review,
                "short_text": answer.short_text,
                "essay_text": answer.essay_text,
                "gap_fill_responses": answer.gap_fill_responses or (),
            }
        )
        self.asked[attempt_id] = [*questions[:place], saved, *questions[place + 1 :]]
        return saved

    async def review(self, attempt_id: int) -> AsyncIterator[Page[ReviewQuestion]]:
        count = self._find(attempt_id).total_questions
        items = [institute.reviewed(number) for number in range(1, count + 1)]
        for number in range(1, max(1, -(-count // PER_PAGE)) + 1):
            self.faults.called("attempts.review")
            self.review_pages += 1
            yield page_of(items, number)

    async def subjects(self, attempt_id: int) -> list[SubjectAnalytics]:
        self.faults.called("attempts.subjects")
        return institute.subjects()

    async def review_pdf(self, attempt: Attempt, progress: Callable[[int, int | None], None]) -> bytes:
        self.faults.called("attempts.review_pdf")
        content = b"%PDF-1.7 " + attempt.exam.title.encode()
        progress(len(content), len(content))
        return content

    def _find(self, attempt_id: int) -> Attempt:
        found = next((a for a in self.known if a.id == attempt_id), None)
        if found is None:
            raise Forbidden("The server does not allow this.", status=403)
        return found

    def _running(self, attempt_id: int) -> Attempt:
        found = self._find(attempt_id)
        if found.state != AttemptState.RUNNING:
            raise Forbidden("The exam has already ended.", status=403)
        return found

    def _questions(self, attempt_id: int) -> list[AttemptQuestion]:
        count = self._find(attempt_id).total_questions
        return self.asked.setdefault(attempt_id, [institute.question(number) for number in range(1, count + 1)])


class FakeExams:
    def __init__(self, faults: Faults, attempts: FakeAttempts) -> None:
        self.faults = faults
        self.lists: dict[ExamState, list[ListedExam]] = {
            ExamState.AVAILABLE: [institute.QUICK, institute.HINDI],
            ExamState.UPCOMING: [institute.LATER],
            ExamState.HISTORY: [institute.JEE, institute.LITERACY],
        }
        self._attempts = attempts
        self.sync()

    def sync(self) -> None:
        """Let attempts be created for every listed exam; call it after changing `lists`."""
        self._attempts.exams = {listed.slug: listed for exams in self.lists.values() for listed in exams}

    async def page(self, state: ExamState, number: int = 1, *, course: str = "", title: str = "") -> Page[ListedExam]:
        self.faults.called("exams.page")
        found = [e for e in self.lists[state] if course in {"", e.course} and title.casefold() in e.title.casefold()]
        return page_of(found, number)

    async def read(self, slug: str) -> ListedExam:
        self.faults.called("exams.read")
        if slug not in self._attempts.exams:
            raise NotFound("The server could not find this.", status=404)
        return self._attempts.exams[slug]


class FakeLms:
    @classmethod
    def with_access_code(cls) -> "FakeLms":
        """Return a server that has one available exam, whose access code is `tiger`."""
        lms = cls._with_exam(SingleExam(**institute.QUICK.model_dump(), needs_access_code=True))
        lms.attempts.access_codes[institute.QUICK.slug] = "tiger"
        return lms

    @classmethod
    def with_aids(cls) -> "FakeLms":
        """Return a server that has one available exam, with a calculator and a reference sheet."""
        return cls._with_exam(
            SingleExam(**institute.QUICK.model_dump(), calculator="scientific", has_reference_sheet=True)
        )

    @classmethod
    def _with_exam(cls, exam: SingleExam) -> "FakeLms":
        lms = cls()
        lms.exams.lists[ExamState.AVAILABLE] = [exam]
        lms.exams.sync()
        return lms

    def __init__(self, user: CurrentUser = institute.ASHA, *, secret: str = institute.PASSWORD) -> None:
        self.origin = "https://lms.example.org"
        self.faults = Faults()
        self.attempts = FakeAttempts(self.faults)
        self.exams = FakeExams(self.faults, self.attempts)
        self.posts: Posts = cast("Posts", Nothing())
        self.users: Users = cast("Users", Nothing())
        self.mentors: Mentors = cast("Mentors", Nothing())
        self.batches: Batches = cast("Batches", Nothing())
        self.videos: Videos = cast("Videos", Nothing())
        self.staff_exams: StaffExams = cast("StaffExams", Nothing())
        self.pictures: Pictures = FakePictures()
        self.closed = False
        self.busy: asyncio.Event | None = None
        """A renewed sign-in waits for this event, as for a busy server."""
        self._password = secret
        self._user = user

    async def me(self) -> CurrentUser:
        self.faults.called("me")
        return self._user

    async def stats(self) -> StudentStats:
        self.faults.called("stats")
        return institute.STATS

    async def sign_in_again(self, password: str, on_wait: Callable[[float], None] | None = None) -> None:
        self.faults.called("sign_in_again")
        if self.busy is not None and on_wait is not None:
            on_wait(11.5)
            await self.busy.wait()
        if password != self._password:
            words = "Wrong user name or password."
            raise Invalid(words, advice="Correct the user name or the password.", fields={"": (words,)})

    async def close(self) -> None:
        self.closed = True


def without_exam_lists(lms: FakeLms) -> FakeLms:
    """A server that has attempts and no exam lists: they answer 404 for ever."""
    lms.faults.fail("exams.page", *[NotFound("The server could not find this.", status=404) for _ in range(50)])
    lms.faults.fail("exams.read", *[NotFound("The server could not find this.", status=404) for _ in range(50)])
    return lms


NOTICES = tuple(
    PostSummary(id=n, title=f"Notice {n}", url=f"https://lms.example.org/posts/n{n}/", published_date=institute.NOW)
    for n in range(1, 6)
)


class FakePosts:
    async def readable(self, number: int = 1) -> Page[PostSummary]:
        return cast("Page[PostSummary]", page_of(cast("Any", list(NOTICES)), number))

    async def read(self, slug: str) -> Post:
        return Post(title=f"The whole text of {slug}", url=slug)


def school() -> FakeLms:
    """A server that also lists notices."""
    lms = FakeLms()
    lms.posts = cast("Posts", FakePosts())
    return lms
