"""Makes the screen for each message that asks for one."""

from functools import cached_property, partial
from typing import TYPE_CHECKING, cast

from lms_tui.attempt.desk import desk_text
from lms_tui.attempt.ports import AttemptKey, JournalError
from lms_tui.tui.messages import (
    ExamAsked,
    ExamsAsked,
    HomeAsked,
    PracticeAsked,
    ReplayAsked,
    ResultAsked,
    ReviewAsked,
    StatisticsAsked,
)
from lms_tui.tui.permissions import Permissions
from lms_tui.views.more import Destination

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.screen import Screen

    from lms_tui.attempt.own_times import OwnTimes
    from lms_tui.practice.decks import UserDeck
    from lms_tui.tui.messages import DestinationAsked, ScreenAsked
    from lms_tui.views.ports import Dependencies, UserSession
    from lms_tui.views.staff_exams import ExamLine
    from lms_tui.wire.attempts import Attempt
    from lms_tui.wire.mentors import Mentor
    from lms_tui.wire.videos import ContentDetails, CourseContent


class Router:
    """Makes the screens of one signed-in user. Screens are imported when they are first needed.

    `may_keep`: see `HomeScreen`.
    """

    def __init__(
        self, dependencies: "Dependencies", session: "UserSession", may_keep: "Callable[[], bool]", *, badge: str = ""
    ) -> None:
        self._dependencies = dependencies
        self._session = session
        self._lms = session.lms
        self._user = session.user
        self._clock = dependencies.clock
        self._badge = badge
        self._may_keep = may_keep
        self.permissions = Permissions(session.lms)

    @cached_property
    def _deck(self) -> "UserDeck | None":
        """The deck of the user, None where there is no practice."""
        from lms_tui.views.deck import deck_of  # noqa: PLC0415 - the first paint does without

        return deck_of(self._dependencies, self._session)

    def screen_for(self, message: "ScreenAsked") -> "Screen[None]":
        """Return the home screen, the exam list, the instructions, what follows an exam, or the statistics."""
        match message:
            case ExamAsked():
                from lms_tui.tui.screens.instructions.screen import InstructionsScreen  # noqa: PLC0415 - when needed

                return InstructionsScreen(self._lms, message.slug, self._session.first_exam, badge=self._badge)
            case ResultAsked() | ReviewAsked() | ReplayAsked():
                return self._afterwards(message)
            case PracticeAsked():
                from lms_tui.tui.screens.practice.screen import PracticeScreen  # noqa: PLC0415 - the same

                return PracticeScreen(message.run, badge=self._badge)
            case StatisticsAsked():
                from lms_tui.tui.screens.stats.screen import StatsScreen  # noqa: PLC0415 - the same

                return StatsScreen(self._lms, badge=self._badge)
            case ExamsAsked():
                from lms_tui.tui.screens.attempts.screen import AttemptsScreen  # noqa: PLC0415 - the same

                journals = self._dependencies.journals
                return AttemptsScreen(self._session, journals, self._clock, message.known, badge=self._badge)
            case HomeAsked():
                from lms_tui.tui.screens.home.screen import HomeScreen  # noqa: PLC0415 - the same

                journals, kept_lists = self._dependencies.journals, self._dependencies.kept_lists
                return HomeScreen(
                    self._session,
                    journals,
                    self._clock,
                    self.permissions,
                    kept_lists,
                    message.seen,
                    count_due=self._count_due,
                    may_keep=self._may_keep,
                    badge=self._badge,
                )

    def picture(self, source: str) -> bytes | None:
        """Return a picture that the deck of the user keeps."""
        return None if self._deck is None else self._deck.picture(source)

    def _count_due(self) -> int:
        return 0 if self._deck is None else self._deck.count_due()

    def _afterwards(self, message: "ResultAsked | ReviewAsked | ReplayAsked") -> "Screen[None]":
        match message:
            case ResultAsked():
                from lms_tui.tui.screens.result.screen import ResultScreen  # noqa: PLC0415 - the same

                downloads = self._dependencies.settings.paths.downloads
                return ResultScreen(
                    self._lms,
                    message.attempt_id,
                    self._clock,
                    downloads,
                    badge=self._badge,
                    deck=self._deck,
                    times=self._times_of(message.attempt_id),
                )
            case ReviewAsked():
                from lms_tui.tui.screens.review.screen import ReviewScreen  # noqa: PLC0415 - the same

                maths = self._dependencies.settings.appearance.maths
                return ReviewScreen(
                    self._lms,
                    message.attempt,
                    message.question_id,
                    maths=maths,
                    badge=self._badge,
                    desk=self._desk_of(message.attempt.id),
                    deck=self._deck,
                    times=self._times_of(message.attempt.id),
                )
            case ReplayAsked():
                from lms_tui.tui.screens.replay.screen import ReplayScreen  # noqa: PLC0415 - the same

                look = partial(self._dependencies.journals.look, self._key_of(message.attempt.id))
                return ReplayScreen(self._lms, message.attempt, look, message.question_id, badge=self._badge)

    def _desk_of(self, attempt_id: int) -> "Callable[[str], str]":
        """Return a function from a name to the student's own text in the journal of this computer."""
        try:
            journal = self._dependencies.journals.look(self._key_of(attempt_id))
        except JournalError:
            return lambda _: ""
        return lambda name: desk_text(journal, name)

    def _times_of(self, attempt_id: int) -> "OwnTimes":
        """Return how long each question was on the screen of this computer."""
        from lms_tui.attempt.own_times import NO_TIMES, own_times  # noqa: PLC0415 - the same

        try:
            return own_times(self._dependencies.journals.look(self._key_of(attempt_id)))
        except JournalError:
            return NO_TIMES

    def _key_of(self, attempt_id: int) -> AttemptKey:
        return AttemptKey(self._lms.origin, self._user.id, attempt_id)

    async def destination(self, asked: "DestinationAsked") -> "Screen[None]":
        """Return a screen beyond the exams. Asks the server for the user's permissions where the screen needs them."""
        match asked.place:
            case Destination.DECK | Destination.MORE | Destination.PROFILE | Destination.PERSON | Destination.COURSE:
                return await self._for_everyone(asked)
            case Destination.NOTICES | Destination.POST | Destination.COURSES | Destination.VIDEOS:
                return self._to_read(asked)
            case Destination.STAFF_EXAMS | Destination.STAFF_EXAM | Destination.BOARD:
                return self._of_staff_exams(asked)
            case Destination.STAFF_RESULTS | Destination.STAFF_REVIEW | Destination.STAFF_STATISTICS:
                return self._of_results(asked)
            case Destination.MARKING:
                from lms_tui.tui.screens.staff_exams.marking import MarkingScreen  # noqa: PLC0415 - when first asked for

                downloads = self._dependencies.settings.paths.downloads
                return MarkingScreen(self._lms, cast("ExamLine", asked.about), downloads, badge=self._badge)
            case _:
                return self._for_staff(asked)

    def _to_read(self, asked: "DestinationAsked") -> "Screen[None]":
        match asked.place:
            case Destination.POST:
                from lms_tui.tui.screens.posts.screen import PostScreen  # noqa: PLC0415 - when first asked for

                return PostScreen(self._lms, self._clock, asked.name, badge=self._badge)
            case Destination.COURSES:
                from lms_tui.tui.screens.courses.lists import CoursesScreen  # noqa: PLC0415 - the same

                return CoursesScreen(self._lms, badge=self._badge)
            case Destination.VIDEOS:
                from lms_tui.tui.screens.courses.lists import VideosScreen  # noqa: PLC0415 - the same

                return VideosScreen(self._lms, badge=self._badge)
            case _:
                from lms_tui.tui.screens.posts.notices import NoticesScreen  # noqa: PLC0415 - the same

                return NoticesScreen(self._lms, self._clock, badge=self._badge)

    async def _for_everyone(self, asked: "DestinationAsked") -> "Screen[None]":
        match asked.place:
            case Destination.DECK if self._deck is not None:
                from lms_tui.tui.screens.practice.deck import DeckScreen  # noqa: PLC0415 - when first asked for

                return DeckScreen(self._deck, badge=self._badge)
            case Destination.PROFILE:
                from lms_tui.tui.screens.profile.screen import ProfileScreen  # noqa: PLC0415 - when first asked for

                return ProfileScreen(self._lms, badge=self._badge)
            case Destination.PERSON:
                from lms_tui.tui.screens.profile.screen import PersonScreen, ProfileScreen  # noqa: PLC0415 - the same

                if asked.number == self._user.id:
                    return ProfileScreen(self._lms, badge=self._badge)
                return PersonScreen(self._lms, asked.number, badge=self._badge)
            case Destination.COURSE:
                from lms_tui.tui.screens.courses import screen  # noqa: PLC0415 - the same

                staff = await self.permissions.lets_play(asked.number)
                kind = screen.StaffCourseScreen if staff else screen.CourseScreen
                content = cast("CourseContent | None", asked.about)
                return kind(self._lms, asked.number, asked.name, content, badge=self._badge)
            case _:
                from lms_tui.tui.screens.more.screen import MoreScreen  # noqa: PLC0415 - the same

                return MoreScreen(self.permissions, badge=self._badge)

    def _for_staff(self, asked: "DestinationAsked") -> "Screen[None]":
        match asked.place:
            case Destination.POSTS:
                from lms_tui.tui.screens.staff_posts.screen import PostsScreen  # noqa: PLC0415 - when first asked for

                return PostsScreen(self._lms, self._clock, badge=self._badge)
            case Destination.USERS:
                from lms_tui.tui.screens.staff_users.screen import UsersScreen  # noqa: PLC0415 - the same

                return UsersScreen(self._lms, badge=self._badge)
            case Destination.MENTORS:
                from lms_tui.tui.screens.staff_mentors.screen import MentorsScreen  # noqa: PLC0415 - the same

                return MentorsScreen(self._lms, badge=self._badge)
            case Destination.STUDENTS:
                from lms_tui.tui.screens.staff_mentors.students import MentorStudentsScreen  # noqa: PLC0415 - the same

                return MentorStudentsScreen(self._lms, cast("Mentor", asked.about), badge=self._badge)
            case Destination.TOKENS:
                from lms_tui.tui.screens.staff_tokens.screen import TokensScreen  # noqa: PLC0415 - the same

                video = cast("ContentDetails", asked.about)
                return TokensScreen(self._lms, video, asked.name, self._clock, badge=self._badge)
            case _:
                from lms_tui.tui.screens.staff_batches.screen import BatchesScreen  # noqa: PLC0415 - the same

                return BatchesScreen(self._lms, badge=self._badge)

    def _of_staff_exams(self, asked: "DestinationAsked") -> "Screen[None]":
        line = cast("ExamLine", asked.about)
        match asked.place:
            case Destination.STAFF_EXAM:
                from lms_tui.tui.screens.staff_exams.screen import StaffExamScreen  # noqa: PLC0415 - when first asked for

                return StaffExamScreen(line, badge=self._badge)
            case Destination.BOARD:
                from lms_tui.tui.screens.staff_exams.board import BoardScreen  # noqa: PLC0415 - the same

                return BoardScreen(self._lms, line, self._clock, badge=self._badge)
            case _:
                from lms_tui.tui.screens.staff_exams.screen import StaffExamsScreen  # noqa: PLC0415 - the same

                downloads = self._dependencies.settings.paths.downloads
                return StaffExamsScreen(self._lms, self._clock, downloads, badge=self._badge)

    def _of_results(self, asked: "DestinationAsked") -> "Screen[None]":
        match asked.place:
            case Destination.STAFF_REVIEW:
                from lms_tui.tui.screens.staff_exams.review import StaffReviewScreen  # noqa: PLC0415 - when first asked for

                maths = self._dependencies.settings.appearance.maths
                return StaffReviewScreen(self._lms, cast("Attempt", asked.about), maths=maths, badge=self._badge)
            case Destination.STAFF_STATISTICS:
                from lms_tui.tui.screens.staff_exams.results import StaffStatisticsScreen  # noqa: PLC0415 - the same

                return StaffStatisticsScreen(self._lms, cast("ExamLine", asked.about), badge=self._badge)
            case _:
                from lms_tui.tui.screens.staff_exams.results import StaffResultsScreen  # noqa: PLC0415 - the same

                downloads = self._dependencies.settings.paths.downloads
                return StaffResultsScreen(self._lms, cast("ExamLine", asked.about), downloads, badge=self._badge)
