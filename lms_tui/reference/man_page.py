"""Make the manual page lms-tui(1) from the parsers and the examples."""

from collections.abc import Iterator
from typing import Final

from lms_tui.commands.examples import examples
from lms_tui.commands.parser import Parser
from lms_tui.reference.command_pages import every_command, meaning, placeholder, synopsis

_ENDING: Final = r""".SH COMMON OPTIONS
Every command takes \fB\-\-data\-dir\fR. Every command that does not open the app takes \fB\-\-verbose\fR, which
prints each step with its time on standard error.
.SH EXIT STATUS
0: done. 1: not done, for a reason that is printed. 2: the command line is wrong, or nothing could be judged. 130: ended
by ctrl+c. \fBlms\-tui help exit\-codes\fR has the codes of each command.
.SH ENVIRONMENT
.TP
.B LMS_TUI_DATA_DIR
folder for answers, tokens and the demo institute
.TP
.B LMS_TUI_CONFIG_DIR
folder of settings.toml
.PP
\fBlms\-tui help settings\fR lists the variables of the settings.
.SH SEE ALSO
\fBlms\-tui help\fR lists the pages of the manual, which are installed with the program.
"""


def page(program: Parser) -> str:
    """Return the page in roff."""
    known = examples()
    words = ['.TH LMS-TUI 1 "" "lms-tui"', ".SH NAME", r"lms\-tui \- real timed exams in the terminal"]
    words += [".SH SYNOPSIS", r"\fBlms\-tui\fR [\fIOPTION\fR ...] [\fICOMMAND\fR ...]"]
    words += [".SH DESCRIPTION", _roff(program.description or ""), *_arguments(program, "lms-tui"), ".SH COMMANDS"]
    for parser in every_command(program):
        if parser is not program:
            words += [f'.SS "{_roff(synopsis(parser))}"', _roff(parser.description or "")]
            words += _arguments(parser, parser.prog)
        if parser.prog in known and parser is not program:
            words += [".PP", ".nf", *(_roff(line) for line in known[parser.prog].splitlines()), ".fi"]
    return "\n".join(words) + "\n" + _ENDING


def _arguments(parser: Parser, prog: str) -> Iterator[str]:
    for each in parser.arguments:
        if each.dest == "help" or (each.dest in {"data_dir", "verbose"} and prog != "lms-tui"):
            continue
        value = placeholder(each)
        names = ", ".join(rf"\fB{_roff(option)}\fR" for option in each.option_strings)
        shown = " ".join(filter(None, (names, rf"\fI{_roff(value)}\fR" if value else "")))
        if words := meaning(each).replace("\\|", "|"):
            yield from (".TP", shown, _roff(words))


def _roff(text: str) -> str:
    """Return a text in which roff finds no commands."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace('"', "\\(dq")
    escaped = "".join(char if char.isascii() else f"\\[u{ord(char):04X}]" for char in escaped)
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped
