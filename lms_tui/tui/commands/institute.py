"""The commands of lists, results, forms and the sign-in screen, and those of every screen."""

from functools import partial
from typing import Final

from lms_tui.tui.commands.command import ANSWERS, Command, Group, Where

_FILTERED: Final = (
    Where.NOTICES,
    Where.COURSES,
    Where.VIDEOS,
    Where.COURSE,
    Where.STAFF_COURSE,
    Where.STAFF_EXAMS,
    Where.BOARD,
    Where.STAFF_RESULTS,
    Where.STAFF_STATISTICS,
    Where.MARKING,
)
_SORTED: Final = (
    Where.ATTEMPTS,
    Where.STAFF_EXAMS,
    Where.BOARD,
    Where.STAFF_RESULTS,
    Where.STAFF_STATISTICS,
    Where.MARKING,
)
_BOARD: Final = (Where.BOARD,)
_MARKING: Final = (Where.MARKING,)
_LISTS: Final = (
    *_FILTERED,
    Where.TOKENS,
    Where.POSTS,
    Where.USERS,
    Where.MENTORS,
    Where.MENTOR_STUDENTS,
    Where.BATCHES,
)
_EXAMS: Final = (Where.HOME, Where.ATTEMPTS)
_CARDS: Final = (Where.PROFILE, Where.PERSON, Where.POST)
_FORMS: Final = (Where.FORM, Where.POST_FORM)
_EVERY: Final = (Where.EVERYWHERE,)
_answer = partial(Command, group=Group.ANSWER)
_move = partial(Command, group=Group.MOVE)
_list = partial(Command, group=Group.LIST)
_view = partial(Command, group=Group.VIEW)
_exam = partial(Command, group=Group.EXAM)
_program = partial(Command, group=Group.PROGRAM)

INSTITUTE: Final[tuple[Command, ...]] = (
    # Lists.
    _list("open", "enter", "open", "Open the selected row: resume, start or review an exam", _EXAMS, palette=False),
    _move("exams", "e", "exams", "Show the list of all exams", (Where.HOME,)),
    _move("notices", "i", "notices", "Show what your institute announces", (Where.HOME,)),
    _list("search", "/", "filter", "Show exams with these words in the title", (Where.ATTEMPTS,)),
    _list("filter_course", "c", "course", "Show one course, or all", (Where.ATTEMPTS,)),
    _list("sort", "o", "sort", "Sort by the next column (a click on a heading sorts by it)", _SORTED),
    _program("statistics", "s", "statistics", "Your progress and scores", _EXAMS),
    _program("more", "m", "more", "Your details, notices, courses, videos and staff pages", _EXAMS),
    _move("deck", "p", "practice", "Practise what is due today, and show your deck", (Where.HOME,)),
    _move("courses", "c", "courses", "Show your courses", (Where.HOME,)),
    _move("videos", "v", "videos", "Show the videos of your courses", (Where.HOME,)),
    _list("by_slug", "n", "by name", "Open an exam by its link name", _EXAMS),
    _program("sign_out", "", "sign out", "Sign out", _EXAMS, footer=False),
    # Details, notices, courses, and pages for staff.
    _list(
        "open_item",
        "enter",
        "open",
        "Open the selected row",
        (Where.MORE, Where.STAFF_EXAM, *_LISTS),
        palette=False,
    ),
    _list("gradebook", "x", "gradebook", "Write a gradebook for a spreadsheet, Moodle or Canvas", (Where.STAFF_EXAMS,)),
    _list("export", "x", "export", "Write the results to a CSV or XLSX file", (Where.STAFF_RESULTS,)),
    _list("save_review", "p", "pdf", "Save the review of the selected student as a PDF", (Where.STAFF_RESULTS,)),
    _exam(
        "give_digit",
        "",
        "marks",
        "Give this many marks, or begin to type marks from 10 and points of a rubric",
        _MARKING,
        shown_as="0-9",
        variants=tuple("0123456789"),
        palette=False,
    ),
    _exam("full_marks", "f", "full", "Give full marks", _MARKING),
    _exam("type_marks", "m", "type marks", "Type the marks, such as 3.5, or points such as 2+1.5", _MARKING),
    _exam("comment", "c", "comment", "Write a comment for the student (saved as you type)", _MARKING),
    _exam("release_marks", "x", "release", "Let the marks count, and show them to students (asks first)", _MARKING),
    _move("next_unmarked", "n", "next", "Next answer without marks", _MARKING),
    _exam("save_files", "w", "files", "Save the files of the selected answer", _MARKING),
    _view("by_student", "s", "by student", "Student by student, or question by question", _MARKING),
    _view("hide_names", "h", "names", "Hide the names of students, or show them", _MARKING),
    _view("marker", "d", "marker", "Give first, second or final marks", _MARKING),
    _list("short_texts", "t", "question", "Mark the short texts or essays of one question", _MARKING),
    _exam("extra_time", "t", "extra time", "Give students more time in their running exam", _BOARD),
    _exam("outage", "i", "interruption", "Give back the time of an interruption, such as 10:05-10:17", _BOARD),
    _exam("message_students", "w", "message", "Write a message to students, which their app shows", _BOARD),
    _exam("pause_clock", "p", "pause", "Stop the clock of students (answers are still accepted)", _BOARD),
    _exam("go_on", "g", "go on", "Let stopped clocks run again", _BOARD),
    _exam("end_attempt", "x", "end", "End the exam of students (asks first)", _BOARD),
    _exam("reopen_attempt", "u", "reopen", "Let students continue their ended exam (asks first)", _BOARD),
    _list("mark_row", "space", "select", "Select or deselect a student for the next command", _BOARD),
    _list("mark_all", "a", "all", "Select all students in the list, or none", _BOARD, footer=False),
    # "edit" and "back" have room beside "more" in a footer of 40 cells.
    _list("change_setting", "enter,space", "edit", "Change the selected setting or key", (Where.SETTINGS,)),
    _list("reset_setting", "d,delete", "default", "Use the default of the selected setting", (Where.SETTINGS,)),
    _list("filter_rows", "/", "filter", "Show rows that contain these words", (*_FILTERED, Where.SETTINGS)),
    _list("notice_by_name", "n", "by name", "Open a notice by its link name", (Where.NOTICES,)),
    _list("course_by_id", "n", "by ID", "Open a course by its ID", (Where.COURSES, Where.VIDEOS)),
    _list(
        "find",
        "/",
        "find",
        "Find by name (users also by e-mail or ID)",
        (Where.USERS, Where.MENTORS, Where.MENTOR_STUDENTS, Where.BATCHES),
    ),
    _list(
        "create", "n", "new", "Add a new row", (Where.POSTS, Where.USERS, Where.MENTORS, Where.BATCHES, Where.TOKENS)
    ),
    _list("assign", "a", "assign", "Add students to this mentor", (Where.MENTOR_STUDENTS,)),
    _list("unassign", "d,delete", "remove", "Remove this student from the mentor", (Where.MENTOR_STUDENTS,)),
    _list("edit", "e", "edit", "Edit the selected row", (Where.PROFILE, Where.POSTS, Where.USERS)),
    _list(
        "delete",
        "d,delete",
        "delete",
        "Delete the selected row (asks you to type its name)",
        (Where.POSTS, Where.USERS),
    ),
    _list("change_photo", "p", "photo", "Change or remove the photo", (Where.PROFILE,)),
    _list("ssh_keys", "k", "ssh keys", "Add or remove a key for ssh", (Where.PROFILE,)),
    _list("play", "p", "play", "Play the video in the browser", (Where.STAFF_COURSE,)),
    _list("tokens", "t", "tokens", "Show the playback tokens of this video", (Where.STAFF_COURSE,)),
    _list("open_link", "o", "browser", "Open the playback link in the browser", (Where.TOKENS,)),
    _list("show_code", "c", "QR code", "Show the playback link as a QR code", (Where.TOKENS,)),
    _list("copy_link", "y", "copy", "Copy the playback link", (Where.TOKENS,)),
    _list("refresh", "r", "refresh", "Refresh", (*_EXAMS, Where.STATS, *_LISTS, *_CARDS)),
    _program("save", "ctrl+s", "save", "Save the form", _FORMS),
    _view("preview", "ctrl+o", "preview", "Show the post as its readers see it", (Where.POST_FORM,)),
    _program("cancel", "escape", "cancel", "Leave without saving (asks first)", _FORMS),
    # Before and after.
    _exam("start", "enter,s", "start the exam", "Start the exam and its clock", (Where.INSTRUCTIONS,)),
    _exam("review", "enter,v", "review", "Review every question with its correct answer", (Where.RESULT,)),
    _exam(
        "replay",
        "r",
        "replay",
        "Show the time on each question, and whether changed answers helped",
        (Where.RESULT, Where.REVIEW),
    ),
    _answer(
        "practise_missed",
        "m",
        "practise",
        "Practise what you did not know (not scored)",
        (Where.RESULT,),
        footer=False,
    ),
    _list("review_question", "enter", "review", "Review the selected question", (Where.REPLAY,), palette=False),
    _exam("retake", "t", "retake", "Start another attempt", (Where.RESULT,)),
    _exam("save_pdf", "p", "pdf", "Save the review as a PDF", (Where.RESULT,)),
    _move(
        "later_time",
        "right,l",
        "time chart",
        "Next question in the time chart (enter to review it)",
        (Where.RESULT,),
        shown_as="← →",
        palette=False,
    ),
    _move(
        "earlier_time",
        "left,h",
        "time chart back",
        "Previous question in the time chart",
        (Where.RESULT,),
        footer=False,
        palette=False,
    ),
    _move("next_incorrect", "i", "next incorrect", "Next incorrect or partly correct question", (Where.REVIEW,)),
    _view(
        "filter_outcome",
        "f",
        "filter",
        "Show all, incorrect (also partly), unanswered, marked or slow questions",
        (Where.REVIEW,),
    ),
    _view("filter_subject", "s", "subject", "Show one subject, or all", (Where.REVIEW,)),
    _view("find_text", "/", "find", "Show questions that contain these words", (Where.REVIEW,)),
    _answer("practise", "t", "practise", "Practise what you missed (not scored)", (Where.REVIEW,)),
    _answer(
        "try_option",
        "",
        "choose",
        "In practice: choose the option with this letter or number",
        (Where.REVIEW,),
        footer=False,
        shown_as="a-e",
        variants=ANSWERS,
        palette=False,
    ),
    _answer(
        "show_answer",
        "enter",
        "show the answer",
        "In practice: show the correct answer",
        (Where.REVIEW,),
        footer=False,
        palette=False,
    ),
    _move(
        "previous_incorrect",
        "I",
        "previous incorrect",
        "Previous incorrect or partly correct question",
        (Where.REVIEW,),
        footer=False,
    ),
    # Signing in.
    _program("sign_in", "ctrl+s", "sign in", "Sign in", (Where.SIGN_IN,)),
    _program(
        "use_token", "ctrl+t", "token or password", "Use a token instead of a password, or a password", (Where.SIGN_IN,)
    ),
    _program("remove_profile", "d", "remove", "Remove the selected profile and its token", (Where.SIGN_IN,)),
    # Everywhere.
    _list(
        "retry",
        "ctrl+r",
        "try again",
        "Retry",
        (*_EXAMS, Where.INSTRUCTIONS, Where.RESULT, Where.REVIEW, Where.REPLAY, Where.STATS, *_LISTS, *_CARDS),
        footer=False,
        palette=False,
    ),
    _program(
        "back",
        "escape,backspace",
        "back",
        "Go back",
        (
            Where.ATTEMPTS,
            Where.INSTRUCTIONS,
            Where.RESULT,
            Where.REVIEW,
            Where.REPLAY,
            Where.PRACTICE,
            Where.DECK,
            Where.STATS,
            Where.MORE,
            Where.STAFF_EXAM,
            *_LISTS,
            *_CARDS,
            Where.SETTINGS,
            Where.INSPECTOR,
            Where.HELP,
        ),
    ),
    # After "back", which has room in a footer of 80 cells that way. A click opens a subject too.
    _view("fold_subjects", "o", "subjects", "Open or close all subjects (tab to select one)", (Where.RESULT,)),
    _program("help", "?,f1", "help", "Show the keys of this screen", (Where.EVERYWHERE,)),
    _program("command_palette", "ctrl+p,f7", "commands", "Find a command by name", (Where.EVERYWHERE,), palette=False),
    _list("filter_requests", "/", "filter", "Show requests that contain these words", (Where.INSPECTOR,)),
    _list("copy_curl", "y", "copy as curl", "Copy the request as a curl command", (Where.INSPECTOR,)),
    _list("save_har", "w", "save", "Save the shown requests as HAR", (Where.INSPECTOR,)),
    _program("inspect", "f12", "requests", "Network log (secrets hidden)", (Where.EVERYWHERE,), footer=False),
    _view(
        "next_theme",
        "f2",
        "colours",
        "Change the colours (dark, light, high contrast)",
        (Where.EVERYWHERE,),
        footer=False,
    ),
    _view(
        "choose_theme", "", "theme and colours", "Choose the theme, with a preview", (Where.EVERYWHERE,), footer=False
    ),
    _program("settings", "", "settings", "Show and change the settings, also keys", _EVERY, footer=False),
    _program("quit", "ctrl+q,f8", "quit", "Quit (a running exam can be resumed)", (Where.EVERYWHERE,), priority=True),
)
