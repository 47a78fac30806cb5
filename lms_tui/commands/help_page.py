"""The command `lms-tui help`: the help of a command, and the pages of the manual."""

import argparse
from collections.abc import Sequence
from functools import partial

from lms_tui.commands.manual import Page, near, pages, text_of
from lms_tui.commands.parser import Parser, Subcommands, add_command, nearest
from lms_tui.common.cleaning import clean_line


def register(commands: Subcommands, program: Parser) -> None:
    words = "print the help of a command or a page of the manual, or list the pages"
    shown = add_command(commands, "help", words, partial(_help, program))
    shown.add_argument("words", nargs="*", metavar="TOPIC", help="such as `exam check`, `student` or `certificates`")


def _help(program: Parser, options: argparse.Namespace) -> int:
    known = pages()
    if not options.words:
        program.print_help()
        print("\n".join(_contents(known)))
        return 0
    topic = " ".join(options.words)
    if options.words[0] not in program.commands:
        text = text_of(topic, known)
        if not text:
            _refuse(program, topic, known)
        return _show("", text)
    found = program
    for word in options.words:
        found = found.command(word)
    page = next((page for page in known if page.name == topic), None)
    if page is None:
        found.print_help()
        return 0
    return _show(found.format_help(), page.text)


def _contents(known: Sequence[Page]) -> list[str]:
    room = max((len(page.name) for page in known), default=0)
    return ["", "pages of the manual:", *(f"  {page.name:<{room}}  {page.title}" for page in known)] if known else []


def _refuse(program: Parser, topic: str, known: Sequence[Page]) -> None:
    """Print what is near the topic and end the process."""
    similar = nearest(topic, program.commands)
    names = near(topic, known)
    if not similar and names:
        similar = f" Near it: {', '.join(names)}."
    program.exit(2, f"lms-tui: No help on “{clean_line(topic)}”.{similar}\n`lms-tui help` lists commands and pages.\n")


def _show(before: str, page: str) -> int:
    from lms_tui.commands.manual_text import show

    show(before, page)
    return 0
