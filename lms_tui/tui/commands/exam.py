"""The commands of the exam screen, in the order of the footer."""

from functools import partial
from typing import Final

from lms_tui.tui.commands.command import ANSWERS, Command, Group, Where

_R: Final = Where.RUNNER
_QUESTIONS: Final = (_R, Where.REVIEW)
_TEXTS: Final = (_R, Where.REVIEW, Where.POST, Where.PRACTICE)
_SCROLLED: Final = (*_TEXTS, Where.INSPECTOR)
_OPTIONS: Final = (_R, Where.PRACTICE)
_answer = partial(Command, group=Group.ANSWER, where=(_R,))
_move = partial(Command, group=Group.MOVE, where=(_R,))
_view = partial(Command, group=Group.VIEW, where=(_R,))
_aid = partial(Command, group=Group.AID, where=(_R,))
_exam = partial(Command, group=Group.EXAM, where=(_R,))

WHILE_WRITING: Final = (
    ("letters", "At a question of words: write the answer (after escape, letters are commands)"),
    ("alt+letter", "The command of this letter, also while you write"),
)
"""Rows of the help about keys that no command has."""

EXAM: Final[tuple[Command, ...]] = (
    _answer(
        "choose",
        "",
        "choose",
        "Choose the option with this letter or number",
        shown_as="a-e",
        variants=ANSWERS,
        palette=False,
        where=_OPTIONS,
    ),
    _answer("toggle_option", "space", "toggle", "Choose the highlighted option, or clear it"),
    _move("next_question", "n,right", "next", "Next question", where=_QUESTIONS, palette=False),
    _move("previous_question", "p,left", "previous", "Previous question", where=_QUESTIONS, palette=False),
    _answer("mark", "m", "mark", "Mark for review, or remove the mark"),
    _answer("strike", "x", "strike", "Strike out the highlighted option, or restore it"),
    _answer("undo", "u", "undo", "Undo the last change of an answer"),
    _answer(
        "switch_answer", "s", "switch answer", "Use the answer from your other device, or your own again", footer=False
    ),
    _move("go_to", "g", "go to", "Go to a question by its number", where=_QUESTIONS),
    _move("next_unanswered", "N", "next unanswered", "Next question without an answer", shown_as="]u", sequence="]u"),
    _move("next_marked", "M", "next marked", "Next question marked for review", shown_as="]m", sequence="]m"),
    _move(
        "previous_unanswered",
        "",
        "previous unanswered",
        "Previous question without an answer",
        sequence="[u",
        footer=False,
    ),
    _move("previous_marked", "", "previous marked", "Previous question marked for review", sequence="[m", footer=False),
    _exam("end", "ctrl+e,f9", "end", "End the exam (shows unanswered questions first)"),
    _answer("clear", "backspace", "clear", "Clear the answer", footer=False),
    _answer(
        "pick",
        "enter",
        "choose or write",
        "Choose the highlighted option, write a text answer (escape to leave) or match rows",
        footer=False,
        palette=False,
    ),
    _answer(
        "option_down", "down,j", "next option", "Highlight the next option", where=_OPTIONS, footer=False, palette=False
    ),
    _answer(
        "option_up",
        "up,k",
        "previous option",
        "Highlight the previous option",
        where=_OPTIONS,
        footer=False,
        palette=False,
    ),
    _move(
        "page_down",
        "pagedown",
        "scroll down",
        "Scroll the text (in an exam the question, then the passage)",
        where=_SCROLLED,
        footer=False,
        palette=False,
    ),
    _move(
        "page_up",
        "pageup",
        "scroll up",
        "Scroll back",
        where=_SCROLLED,
        footer=False,
        palette=False,
    ),
    _move(
        "aside_right",
        ">,shift+right",
        "scroll right",
        "Show more of a wide table or formula",
        where=_SCROLLED,
        footer=False,
        palette=False,
    ),
    _move(
        "aside_left",
        "<,shift+left",
        "scroll left",
        "Scroll a wide table or formula back",
        where=_SCROLLED,
        footer=False,
        palette=False,
    ),
    _move(
        "passage_down",
        "shift+down",
        "passage down",
        "Scroll the passage beside the question, or move the line focus",
        footer=False,
        palette=False,
    ),
    _move("passage_up", "shift+up", "passage up", "Scroll the passage back", footer=False, palette=False),
    _view("read_passage", "r", "passage", "Show or hide the passage of this question", footer=False),
    _view(
        "overview", "o", "overview", "Show all questions with their states, to look over before the end", footer=False
    ),
    _exam("end_section", "ctrl+n", "end section", "End this section and start the next", footer=False),
    _view("hide_clock", "h", "hide clock", "Hide or show the clock", footer=False),
    _view("tell_time", "t", "tell time", "Show the time left", footer=False),
    _view(
        "maths_style",
        "v",
        "maths",
        "Show formulas in two dimensions, in one line, as source, in words or as pictures",
        where=_TEXTS,
        footer=False,
    ),
    _view("enlarge_picture", "z", "picture", "Enlarge the pictures of this question", where=_TEXTS, footer=False),
    _view("line_focus", "L", "line focus", "Fade all but one row, or all but three rows", footer=False),
    _view("pace", "w", "pace", "Show or hide your pace: time on this question, plan, ahead or behind", footer=False),
    _answer("note", "i", "note", "Write a note on this question (kept on this computer, never sent)", footer=False),
    _answer(
        "scratchpad", "I", "scratchpad", "Write on the scratchpad of the exam (kept on this computer)", footer=False
    ),
    _answer(
        "highlight",
        "H",
        "highlight",
        "Highlight words of the passage or the question, or remove it (kept on this computer, never sent)",
        footer=False,
    ),
    _view("filter_palette", "f", "filter", "Show all, unanswered, marked or not seen questions", footer=False),
    _aid("calculator", "equals_sign,f2", "calculator", "Open the calculator", shown_as="=", footer=False),
    _aid("calculator_unit", "f3,ctrl+t", "degrees or radians", "Switch the angles of the calculator", footer=False),
    _aid("use_result", "f4", "use result", "Put the last result of the calculator into the answer", footer=False),
    _aid("reference_sheet", "F", "reference sheet", "Show the reference sheet of the exam", footer=False),
    _exam("reconnect", "ctrl+r", "send now", "Send now, or sign in again if needed", footer=False),
    _exam("leave", "ctrl+q,f8", "leave", "Leave the exam without ending it", footer=False),
)
