from pathlib import Path
from typing import Any

import pytest
from textual.keys import _character_to_key
from textual.screen import Screen

from lms_tui.common.settings import Appearance
from lms_tui.tui.app import LmsApp
from lms_tui.tui.commands import COMMANDS, WHILE_WRITING, Where, commands_of, help_of, in_words, known_ids, sequences_of
from lms_tui.tui.screens.attempts.screen import AttemptsScreen
from lms_tui.tui.screens.courses.lists import CoursesScreen, VideosScreen
from lms_tui.tui.screens.courses.screen import CourseScreen, StaffCourseScreen
from lms_tui.tui.screens.help.screen import HelpScreen
from lms_tui.tui.screens.home.screen import HomeScreen
from lms_tui.tui.screens.inspector.screen import InspectorScreen
from lms_tui.tui.screens.instructions.screen import InstructionsScreen
from lms_tui.tui.screens.more.screen import MoreScreen
from lms_tui.tui.screens.posts.notices import NoticesScreen
from lms_tui.tui.screens.posts.screen import PostScreen
from lms_tui.tui.screens.practice.deck import DeckScreen
from lms_tui.tui.screens.practice.screen import PracticeScreen
from lms_tui.tui.screens.profile.screen import PersonScreen, ProfileScreen
from lms_tui.tui.screens.replay.screen import ReplayScreen
from lms_tui.tui.screens.resource.form import FormScreen
from lms_tui.tui.screens.result.screen import ResultScreen
from lms_tui.tui.screens.review.screen import ReviewScreen
from lms_tui.tui.screens.runner.screen import RunnerScreen
from lms_tui.tui.screens.settings.screen import SettingsScreen
from lms_tui.tui.screens.sign_in.screen import SignInScreen
from lms_tui.tui.screens.staff_batches.screen import BatchesScreen
from lms_tui.tui.screens.staff_exams.board import BoardScreen
from lms_tui.tui.screens.staff_exams.marking import MarkingScreen
from lms_tui.tui.screens.staff_exams.results import StaffResultsScreen, StaffStatisticsScreen
from lms_tui.tui.screens.staff_exams.screen import StaffExamScreen, StaffExamsScreen
from lms_tui.tui.screens.staff_mentors.screen import MentorsScreen
from lms_tui.tui.screens.staff_mentors.students import MentorStudentsScreen
from lms_tui.tui.screens.staff_posts.screen import PostForm, PostsScreen
from lms_tui.tui.screens.staff_tokens.screen import TokensScreen
from lms_tui.tui.screens.staff_users.screen import UsersScreen
from lms_tui.tui.screens.stats.screen import StatsScreen
from lms_tui.views.help import help_rows
from lms_tui.views.rows import plain
from tests.fakes import institute
from tests.fakes.lms import FakeLms
from tests.fakes.program import program

SCREENS: dict[Where, type[Screen[Any]]] = {
    Where.SIGN_IN: SignInScreen,
    Where.HOME: HomeScreen,
    Where.ATTEMPTS: AttemptsScreen,
    Where.INSTRUCTIONS: InstructionsScreen,
    Where.RUNNER: RunnerScreen,
    Where.RESULT: ResultScreen,
    Where.REVIEW: ReviewScreen,
    Where.REPLAY: ReplayScreen,
    Where.PRACTICE: PracticeScreen,
    Where.DECK: DeckScreen,
    Where.STATS: StatsScreen,
    Where.SETTINGS: SettingsScreen,
    Where.MORE: MoreScreen,
    Where.PROFILE: ProfileScreen,
    Where.PERSON: PersonScreen,
    Where.NOTICES: NoticesScreen,
    Where.POST: PostScreen,
    Where.COURSES: CoursesScreen,
    Where.VIDEOS: VideosScreen,
    Where.COURSE: CourseScreen,
    Where.STAFF_COURSE: StaffCourseScreen,
    Where.TOKENS: TokensScreen,
    Where.POSTS: PostsScreen,
    Where.USERS: UsersScreen,
    Where.MENTORS: MentorsScreen,
    Where.MENTOR_STUDENTS: MentorStudentsScreen,
    Where.BATCHES: BatchesScreen,
    Where.STAFF_EXAMS: StaffExamsScreen,
    Where.STAFF_EXAM: StaffExamScreen,
    Where.BOARD: BoardScreen,
    Where.STAFF_RESULTS: StaffResultsScreen,
    Where.STAFF_STATISTICS: StaffStatisticsScreen,
    Where.MARKING: MarkingScreen,
    Where.FORM: FormScreen,
    Where.POST_FORM: PostForm,
    Where.INSPECTOR: InspectorScreen,
    Where.HELP: HelpScreen,
}


def test_every_command_has_one_id() -> None:
    identities = [command.id for command in COMMANDS]
    assert len(identities) == len(set(identities))


@pytest.mark.parametrize("where", list(SCREENS))
def test_every_command_of_a_screen_has_an_action(where: Where) -> None:
    for command in commands_of(where):
        node = LmsApp if Where.EVERYWHERE in command.where else SCREENS[where]
        assert callable(getattr(node, f"action_{command.action}", None)), command.id


def test_every_screen_has_commands_and_every_command_a_screen() -> None:
    assert set(SCREENS) | {Where.EVERYWHERE} == set(Where)
    assert all(command.where for command in COMMANDS)


@pytest.mark.parametrize("where", list(SCREENS))
def test_no_key_means_two_things_on_one_screen(where: Where) -> None:
    keys = [
        _character_to_key(key) if len(key) == 1 else key
        for command in commands_of(where)
        for group in (command.keys, *command.variants)
        for key in group.split(",")
        if key
    ]
    assert sorted(keys) == sorted(set(keys))


@pytest.mark.parametrize("where", list(SCREENS))
def test_the_first_key_of_a_sequence_has_no_command(where: Where) -> None:
    keys = {key for command in commands_of(where) for key in command.keys.split(",")}
    assert not {sequence[0] for sequence in sequences_of(where)} & keys


@pytest.mark.parametrize("where", list(SCREENS))
def test_help_lists_every_command_of_the_screen(where: Where) -> None:
    told = [text for _, entries in help_of(where) for _, text in entries]
    assert told == [text for text in told if text]
    more = {text for _, text in WHILE_WRITING} if where is Where.RUNNER else set()
    told = [text.removesuffix(" (by its name in the list of commands)") for text in told]
    assert {command.help for command in commands_of(where)} == set(told) - more


def test_settings_can_name_every_command_and_each_option() -> None:
    assert {"mark", "choose.1", "choose.9", "quit"} <= known_ids()


def test_replaced_keys_are_shown_in_help() -> None:
    rows = {text: keys for _, entries in help_of(Where.RUNNER, {"mark": "f5"}) for keys, text in entries}
    assert rows["Mark for review, or remove the mark"] == "f5"


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ("← →", "left right"),
        ("n · →", "n or right"),
        ("↑↓", "up down"),
        ("> · shift+→", "> or shift+right"),
        ("a-e · 1-9", "a-e or 1-9"),
        ("ctrl+s", "ctrl+s"),
    ],
)
def test_keys_in_ascii_are_unique_words(keys: str, told: str) -> None:
    assert in_words(keys) == told


@pytest.mark.parametrize("where", list(SCREENS))
def test_keys_in_words_fit_the_help(where: Where) -> None:
    groups = [(group, [(in_words(keys), text) for keys, text in entries]) for group, entries in help_of(where)]
    told = "\n".join(plain(line) for line in help_rows(groups, 76))
    assert all(keys + " " in told for _, entries in groups for keys, _ in entries)
    assert told.isascii()


def test_two_columns_of_help_keep_each_description_beside_its_keys() -> None:
    told = [plain(line) for line in help_rows(help_of(Where.INSTRUCTIONS), 96)]
    assert any("esc · backspace   Go back" in line for line in told)


async def test_ascii_mode_shows_no_unusable_keys(tmp_path: Path) -> None:
    long = institute.exam("long", "A very long title " * 8)
    lms = FakeLms()
    lms.attempts.known = [institute.finished(1, long, 50, 10)]
    async with program(tmp_path, lms, size=(100, 24), appearance=Appearance(ascii=True)) as run:
        await run.press("end", "enter")
        await run.settle()
        assert run.screen == "ResultScreen"
        assert "left right time chart" in run.rows()[-1]
        assert run.rows()[0].rstrip().endswith("~")
        await run.press("question_mark")
        assert "left or h" in run.words
        await run.press("escape", "ctrl+p")
        await run.type("go back")
        await run.pilot.pause(0.3)
        assert "(esc or backspace)" in run.words


async def test_a_key_from_the_settings_replaces_the_declared_one(tmp_path: Path) -> None:
    async with program(tmp_path, keys={"statistics": "f6"}) as run:
        assert "f6 statistics" in run.text()
        await run.press("s")
        assert run.screen == "AttemptsScreen"
        await run.press("f6")
        assert run.screen == "StatsScreen"


async def test_settings_for_an_unknown_command_are_reported(tmp_path: Path) -> None:
    async with program(tmp_path, keys={"fly": "f7"}) as run:
        assert "Unknown commands under [keys] in the settings: fly" in run.notices


async def test_the_palette_offers_the_commands_of_the_screen_only(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        await run.pilot.press("ctrl+p")
        await run.pilot.pause(0.3)
        assert "Show one course, or all" in run.text()
        assert "Screenshot" not in run.text()
        assert "Maximize" not in run.text()
        await run.type("your progress")
        await run.pilot.pause(0.5)
        await run.pilot.press("enter")
        await run.settle()
        assert run.screen == "StatsScreen"


async def test_a_click_on_the_footer_runs_its_command(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        column = run.rows()[-1].index("statistics")
        await run.pilot.click(offset=(column, 39))
        await run.settle()
        assert run.screen == "StatsScreen"


async def test_help_shows_the_keys_of_the_screen_below_and_goes_back(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        await run.press("?")
        assert "Keys of this screen: exams" in run.text()
        assert "Open an exam by its link name" in run.words
        await run.press("escape")
        assert run.screen == "AttemptsScreen"


async def test_one_key_changes_between_dark_light_and_high_contrast(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        seen = []
        for _ in range(3):
            await run.press("f2")
            seen.append(run.app.theme)
        assert seen == ["light", "high-contrast", "dark"]
