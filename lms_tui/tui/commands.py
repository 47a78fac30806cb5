"""Every command of a person, declared once: from here come bindings, footer, palette entries and help rows.

A screen says `BINDINGS = bindings(Where.REVIEW)` and has a method `action_<id>` for each of its commands. Settings
replace keys by command id (`App.set_keymap`); a command with `variants` has one binding id each: `choose.1`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from textual.binding import Binding, BindingType


class Where(StrEnum):
    """The screen on which a command means something."""

    EVERYWHERE = "everywhere"
    SIGN_IN = "sign in"
    ATTEMPTS = "attempts"
    INSTRUCTIONS = "instructions"
    RUNNER = "exam"
    RESULT = "result"
    REVIEW = "review"
    STATS = "stats"
    MORE = "more"
    PROFILE = "profile"
    PERSON = "person"
    POST = "post"
    COURSE = "course"
    STAFF_COURSE = "course, for staff"
    TOKENS = "playback tokens"
    POSTS = "posts"
    ACCOUNTS = "accounts"
    MENTORS = "mentors"
    MENTOR_STUDENTS = "students of a mentor"
    BATCHES = "batches"
    FORM = "form"
    POST_FORM = "post form"
    HELP = "help"


class Group(StrEnum):
    """Headings of the help, in this order."""

    ANSWER = "Answering"
    MOVE = "Moving"
    LIST = "Lists"
    VIEW = "What is shown"
    EXAM = "The exam"
    PROGRAM = "The program"


@dataclass(frozen=True, slots=True)
class Command:
    """`keys`: separated by commas, as Textual names them or as one character; "" leaves the palette alone.

    `sequence`: two characters typed one after the other. `variants`: the keys of each numbered form, whose action gets
    the number from 0. `footer`: shown there, in the order of declaration, as far as there is room.
    """

    id: str
    keys: str
    label: str
    help: str
    group: Group
    where: frozenset[Where]
    footer: bool = True
    shown_as: str = ""
    sequence: str = ""
    variants: tuple[str, ...] = ()
    palette: bool = True
    priority: bool = False

    @property
    def action(self) -> str:
        return self.id

    def keys_label(self, keymap: Mapping[str, str] | None = None) -> str:
        """The keys as people read them, after what settings replaced: `n · →`."""
        if (replaced := (keymap or {}).get(self.id)) is not None:
            return " · ".join(_readable(key) for key in replaced.split(","))
        if self.shown_as:
            return self.shown_as
        names = [_readable(key) for key in self.keys.split(",") if key]
        return " · ".join(names + ([self.sequence] if self.sequence else []))

    def first_key(self, keymap: Mapping[str, str] | None = None) -> str:
        """The one key that the footer has room for."""
        if (replaced := (keymap or {}).get(self.id)) is not None:
            return _readable(replaced.split(",")[0])
        return self.shown_as or (_readable(self.keys.split(",")[0]) if self.keys else self.sequence)


_READABLE: Final[Mapping[str, str]] = {
    "left": "←",
    "right": "→",
    "up": "↑",
    "down": "↓",
    "escape": "esc",
    "enter": "enter",
    "pageup": "pgup",
    "pagedown": "pgdn",
    "question_mark": "?",
    "slash": "/",
    "delete": "del",
}


def _readable(key: str) -> str:
    *modifiers, name = key.strip().split("+")
    return "+".join([*modifiers, _READABLE.get(name, name)])


def _command(
    identity: str,
    keys: str,
    label: str,
    help_text: str,
    group: Group,
    *where: Where,
    footer: bool = True,
    shown_as: str = "",
    sequence: str = "",
    variants: tuple[str, ...] = (),
    palette: bool = True,
    priority: bool = False,
) -> Command:
    return Command(
        identity,
        keys,
        label,
        help_text,
        group,
        frozenset(where),
        footer,
        shown_as,
        sequence,
        variants,
        palette,
        priority,
    )


_LISTS: Final = (
    Where.COURSE,
    Where.STAFF_COURSE,
    Where.TOKENS,
    Where.POSTS,
    Where.ACCOUNTS,
    Where.MENTORS,
    Where.MENTOR_STUDENTS,
    Where.BATCHES,
)
_CARDS: Final = (Where.PROFILE, Where.PERSON, Where.POST)
_FORMS: Final = (Where.FORM, Where.POST_FORM)
_ANSWERS: Final = ("a,1", "b,2", "c,3", "d,4", "e,5", "6", "7", "8", "9")
_R: Final = Where.RUNNER

COMMANDS: Final[tuple[Command, ...]] = (
    # The exam.
    _command(
        "choose",
        "",
        "choose",
        "Choose the option with this letter or number",
        Group.ANSWER,
        _R,
        shown_as="a-e",
        variants=_ANSWERS,
        palette=False,
    ),
    _command("toggle_option", "space", "toggle", "Choose the highlighted option, or take it back", Group.ANSWER, _R),
    _command(
        "next_question",
        "n,right",
        "next",
        "Next question",
        Group.MOVE,
        _R,
        Where.REVIEW,
        palette=False,
    ),
    _command(
        "previous_question",
        "p,left",
        "previous",
        "Previous question",
        Group.MOVE,
        _R,
        Where.REVIEW,
        palette=False,
    ),
    _command("mark", "m", "mark", "Mark for review, or take the mark away", Group.ANSWER, _R),
    _command("strike", "x", "strike", "Strike the highlighted option out, or take it back", Group.ANSWER, _R),
    _command("undo", "u", "undo", "Undo the last change of an answer", Group.ANSWER, _R),
    _command("go_to", "g", "go to", "Go to a question by its number", Group.MOVE, _R, Where.REVIEW),
    _command(
        "next_unanswered",
        "N",
        "next unanswered",
        "Next question without an answer",
        Group.MOVE,
        _R,
        shown_as="]u",
        sequence="]u",
    ),
    _command(
        "next_marked",
        "M",
        "next marked",
        "Next question marked for review",
        Group.MOVE,
        _R,
        shown_as="]m",
        sequence="]m",
    ),
    _command(
        "previous_unanswered",
        "",
        "previous unanswered",
        "Previous question without an answer",
        Group.MOVE,
        _R,
        sequence="[u",
        footer=False,
    ),
    _command(
        "previous_marked",
        "",
        "previous marked",
        "Previous question marked for review",
        Group.MOVE,
        _R,
        sequence="[m",
        footer=False,
    ),
    _command("end", "ctrl+e", "end", "End the exam, after a look at what is unanswered", Group.EXAM, _R),
    _command("clear", "backspace", "clear", "Take the whole answer back", Group.ANSWER, _R, footer=False),
    _command("pick", "enter", "pick", "Choose the highlighted option", Group.ANSWER, _R, footer=False, palette=False),
    _command(
        "option_down",
        "down,j",
        "next option",
        "Highlight the next option",
        Group.ANSWER,
        _R,
        footer=False,
        palette=False,
    ),
    _command(
        "option_up",
        "up,k",
        "previous option",
        "Highlight the previous option",
        Group.ANSWER,
        _R,
        footer=False,
        palette=False,
    ),
    _command(
        "page_down",
        "pagedown",
        "scroll down",
        "Scroll the question, or the passage where the question has room",
        Group.MOVE,
        _R,
        Where.POST,
        footer=False,
        palette=False,
    ),
    _command("page_up", "pageup", "scroll up", "Scroll back", Group.MOVE, _R, Where.POST, footer=False, palette=False),
    _command(
        "aside_right",
        ">,shift+right",
        "scroll right",
        "Show more of a wide table or formula",
        Group.MOVE,
        _R,
        Where.REVIEW,
        Where.POST,
        footer=False,
        palette=False,
    ),
    _command(
        "aside_left",
        "<,shift+left",
        "scroll left",
        "Scroll a wide table or formula back",
        Group.MOVE,
        _R,
        Where.REVIEW,
        Where.POST,
        footer=False,
        palette=False,
    ),
    _command(
        "passage_down",
        "shift+down",
        "passage down",
        "Scroll the passage beside the question",
        Group.MOVE,
        _R,
        footer=False,
        palette=False,
    ),
    _command(
        "passage_up",
        "shift+up",
        "passage up",
        "Scroll the passage back",
        Group.MOVE,
        _R,
        footer=False,
        palette=False,
    ),
    _command(
        "read_passage",
        "r",
        "passage",
        "Unfold the passage of this question, or fold it up",
        Group.VIEW,
        _R,
        footer=False,
    ),
    _command(
        "overview",
        "o",
        "overview",
        "Show all questions at once, where the window has no room for them",
        Group.VIEW,
        _R,
        footer=False,
    ),
    _command(
        "end_section",
        "ctrl+n",
        "end section",
        "End this section before its time and begin the next",
        Group.EXAM,
        _R,
        footer=False,
    ),
    _command("hide_clock", "h", "hide clock", "Hide or show the clock", Group.VIEW, _R, footer=False),
    _command("tell_time", "t", "tell time", "Say how much time is left", Group.VIEW, _R, footer=False),
    _command(
        "maths_style",
        "v",
        "maths",
        "Show formulas in two dimensions, in one line, or as their source",
        Group.VIEW,
        _R,
        Where.REVIEW,
        Where.POST,
        footer=False,
    ),
    _command(
        "enlarge_picture",
        "z",
        "picture",
        "Show the pictures of this question as large as the screen",
        Group.VIEW,
        _R,
        Where.REVIEW,
        Where.POST,
        footer=False,
    ),
    _command(
        "filter_palette",
        "f",
        "filter",
        "Show all questions, only unanswered or only marked ones",
        Group.VIEW,
        _R,
        footer=False,
    ),
    _command(
        "reconnect",
        "ctrl+r",
        "send now",
        "Try the server again now, signing in again where it asks for that",
        Group.EXAM,
        _R,
        footer=False,
    ),
    _command(
        "leave",
        "ctrl+q",
        "leave",
        "Leave the exam running and go back to the list; the clock goes on",
        Group.EXAM,
        _R,
        footer=False,
    ),
    # Lists.
    _command(
        "open", "enter", "open", "Resume, start or review the chosen one", Group.LIST, Where.ATTEMPTS, palette=False
    ),
    _command("search", "/", "search", "Search by title", Group.LIST, Where.ATTEMPTS),
    _command("filter_course", "c", "course", "Show one course, or all", Group.LIST, Where.ATTEMPTS),
    _command("by_slug", "n", "by name", "Start an exam by the name in its address", Group.LIST, Where.ATTEMPTS),
    _command("more", "m", "more", "Profile, posts, courses, and what staff looks after", Group.PROGRAM, Where.ATTEMPTS),
    _command("statistics", "s", "statistics", "What you have done so far", Group.PROGRAM, Where.ATTEMPTS),
    _command("sign_out", "", "sign out", "Go back to signing in", Group.PROGRAM, Where.ATTEMPTS, footer=False),
    # Profile, posts, courses, and what staff looks after.
    _command("open_item", "enter", "open", "Open the chosen one", Group.LIST, Where.MORE, *_LISTS, palette=False),
    _command(
        "find",
        "/",
        "find",
        "Find by a part of the name; accounts by e-mail address or number",
        Group.LIST,
        Where.ACCOUNTS,
        Where.MENTORS,
        Where.MENTOR_STUDENTS,
        Where.BATCHES,
    ),
    _command(
        "create",
        "n",
        "new",
        "Make a new one",
        Group.LIST,
        Where.POSTS,
        Where.ACCOUNTS,
        Where.MENTORS,
        Where.BATCHES,
        Where.TOKENS,
    ),
    _command("assign", "a", "assign", "Give students to this mentor", Group.LIST, Where.MENTOR_STUDENTS),
    _command(
        "unassign", "d,delete", "take away", "Take this student from the mentor", Group.LIST, Where.MENTOR_STUDENTS
    ),
    _command("edit", "e", "edit", "Change it", Group.LIST, Where.PROFILE, Where.POSTS, Where.ACCOUNTS),
    _command(
        "delete", "d,delete", "delete", "Delete it, after its name is typed", Group.LIST, Where.POSTS, Where.ACCOUNTS
    ),
    _command("change_photo", "p", "photo", "Put up another photo, or take it down", Group.LIST, Where.PROFILE),
    _command("play", "p", "play", "Play the video in the browser, once", Group.LIST, Where.STAFF_COURSE),
    _command("tokens", "k", "tokens", "The playback tokens of this video", Group.LIST, Where.STAFF_COURSE),
    _command("open_link", "o", "open", "Open the playback link in the browser", Group.LIST, Where.TOKENS),
    _command("show_code", "c", "QR code", "Show the playback link as a QR code", Group.LIST, Where.TOKENS),
    _command("copy_link", "y", "copy", "Copy the playback link, for whoever may watch", Group.LIST, Where.TOKENS),
    _command(
        "refresh", "r", "refresh", "Ask the server again", Group.LIST, Where.ATTEMPTS, Where.STATS, *_LISTS, *_CARDS
    ),
    _command("save", "ctrl+s", "save", "Save what is filled in", Group.PROGRAM, *_FORMS),
    _command("preview", "ctrl+o", "preview", "Show the post as its readers see it", Group.VIEW, Where.POST_FORM),
    _command("cancel", "escape", "cancel", "Leave without saving, after a question", Group.PROGRAM, *_FORMS),
    # Before and after.
    _command("begin", "enter,s", "start the exam", "Start: the clock runs from here", Group.EXAM, Where.INSTRUCTIONS),
    _command("review", "enter,v", "review", "Look at every question with its right answer", Group.EXAM, Where.RESULT),
    _command("retake", "t", "take it again", "Begin another attempt at this exam", Group.EXAM, Where.RESULT),
    _command("save_pdf", "p", "pdf", "Save the review as a PDF", Group.EXAM, Where.RESULT),
    _command(
        "later_time",
        "right,l",
        "time chart",
        "Go on in the chart of times; enter opens that question in the review",
        Group.MOVE,
        Where.RESULT,
        shown_as="← →",
        palette=False,
    ),
    _command(
        "earlier_time",
        "left,h",
        "time chart back",
        "Go back in the chart of times",
        Group.MOVE,
        Where.RESULT,
        footer=False,
        palette=False,
    ),
    _command(
        "fold_subjects",
        "o",
        "subjects",
        "Open or close all subjects; tab goes to them, and there enter opens one",
        Group.VIEW,
        Where.RESULT,
    ),
    _command(
        "next_incorrect", "i", "next incorrect", "Next question that was answered wrongly", Group.MOVE, Where.REVIEW
    ),
    _command(
        "filter_outcome",
        "f",
        "filter",
        "Show all, incorrect, unanswered, marked or slow questions",
        Group.VIEW,
        Where.REVIEW,
    ),
    _command("filter_subject", "s", "subject", "Show one subject, or all", Group.VIEW, Where.REVIEW),
    _command("find_text", "/", "find", "Show questions in which these words stand", Group.VIEW, Where.REVIEW),
    _command(
        "practise",
        "t",
        "once more",
        "Ask what was not right once more, here; nothing is sent and nothing counts",
        Group.ANSWER,
        Where.REVIEW,
    ),
    _command(
        "try_option",
        "",
        "choose",
        "While asked once more: choose the option with this letter or number",
        Group.ANSWER,
        Where.REVIEW,
        footer=False,
        shown_as="a-e",
        variants=_ANSWERS,
        palette=False,
    ),
    _command(
        "uncover",
        "enter",
        "show the answer",
        "While asked once more: show the right answer",
        Group.ANSWER,
        Where.REVIEW,
        footer=False,
        palette=False,
    ),
    _command(
        "previous_incorrect",
        "I",
        "previous incorrect",
        "Previous question that was answered wrongly",
        Group.MOVE,
        Where.REVIEW,
        footer=False,
    ),
    # Signing in.
    _command("sign_in", "ctrl+s", "sign in", "Sign in with what is filled in", Group.PROGRAM, Where.SIGN_IN),
    _command(
        "use_token",
        "ctrl+t",
        "token or password",
        "Paste a token instead of a password, or back",
        Group.PROGRAM,
        Where.SIGN_IN,
    ),
    # Everywhere.
    _command(
        "retry",
        "ctrl+r",
        "try again",
        "Try again what did not work",
        Group.LIST,
        Where.ATTEMPTS,
        Where.INSTRUCTIONS,
        Where.RESULT,
        Where.REVIEW,
        Where.STATS,
        *_LISTS,
        *_CARDS,
        footer=False,
        palette=False,
    ),
    _command(
        "back",
        "escape,backspace",
        "back",
        "Go back",
        Group.PROGRAM,
        Where.INSTRUCTIONS,
        Where.RESULT,
        Where.REVIEW,
        Where.STATS,
        Where.MORE,
        *_LISTS,
        *_CARDS,
        Where.HELP,
    ),
    _command("help", "?,f1", "help", "Show every key of this screen", Group.PROGRAM, Where.EVERYWHERE),
    _command(
        "command_palette",
        "ctrl+p",
        "commands",
        "Find any command by its name",
        Group.PROGRAM,
        Where.EVERYWHERE,
        palette=False,
    ),
    _command(
        "next_theme",
        "f2",
        "colours",
        "Dark, light or high-contrast colours",
        Group.VIEW,
        Where.EVERYWHERE,
        footer=False,
    ),
    _command(
        "quit",
        "ctrl+q",
        "quit",
        "Leave the program; a running exam goes on and can be resumed",
        Group.PROGRAM,
        Where.EVERYWHERE,
        priority=True,
    ),
)


def commands_of(where: Where) -> tuple[Command, ...]:
    """The commands of a screen, its own before those of every screen; a key of its own hides the general one."""
    own = [command for command in COMMANDS if where in command.where]
    taken = {key for command in own for key in command.keys.split(",") if key}
    general = [
        command
        for command in COMMANDS
        if Where.EVERYWHERE in command.where and where is not Where.EVERYWHERE
        if command.keys.split(",")[0] not in taken
    ]
    return (*own, *general)


def bindings(where: Where) -> list[BindingType]:
    """What a screen's class takes as `BINDINGS`; for `Where.EVERYWHERE` the app's."""
    return [binding for command in COMMANDS if where in command.where for binding in _bindings(command)]


def _bindings(command: Command) -> Iterable[Binding]:
    if command.keys:
        yield Binding(
            command.keys, command.action, command.label, show=command.footer, id=command.id, priority=command.priority
        )
    for number, keys in enumerate(command.variants):
        yield Binding(keys, f"{command.action}({number})", show=False, id=f"{command.id}.{number + 1}")


def sequences_of(where: Where) -> dict[str, str]:
    """Two characters typed one after the other, and the action they stand for."""
    return {command.sequence: command.action for command in commands_of(where) if command.sequence}


def help_of(where: Where, keymap: Mapping[str, str] | None = None) -> list[tuple[Group, list[tuple[str, str]]]]:
    """Rows of keys and words under their headings, as the help shows them."""
    rows: dict[Group, list[tuple[str, str]]] = {group: [] for group in Group}
    for command in commands_of(where):
        keys = command.keys_label(keymap) or "ctrl+p"
        if command.variants:
            keys = f"{command.shown_as} · 1-{len(command.variants)}"
        elif command.sequence and command.keys and command.id not in (keymap or {}):
            keys = f"{command.sequence} · {command.keys}"
        rows[command.group].append((keys, command.help))
    return [(group, entries) for group, entries in rows.items() if entries]


def known_ids() -> frozenset[str]:
    """The names that settings may give keys to."""
    variants = {f"{c.id}.{number}" for c in COMMANDS for number in range(1, len(c.variants) + 1)}
    return frozenset({c.id for c in COMMANDS} | variants)
