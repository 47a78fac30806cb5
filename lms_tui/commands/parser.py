"""The argument parser of all commands and their common options."""

import argparse
import os
import re
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn, cast

from lms_tui.commands import arguments
from lms_tui.common.cleaning import clean_line

if TYPE_CHECKING:
    from lms_tui.banks.file_options import FileOptions

_INVALID_CHOICE: Final = re.compile(r"argument (\S+): invalid choice: '(.*?)'")
_MISSING: Final = "the following arguments are required: "
_REWORDED: Final = (
    (re.compile(r"one of the arguments (.*) is required"), r"Give one of these: \1."),
    (re.compile(r"argument (\S+): expected (?:one|at least one) argument"), r"\1 needs a value."),
    (re.compile(r"argument (\S+): not allowed with argument (\S+)"), r"\1 cannot be used together with \2."),
    (re.compile(r"argument (\S+): ignored explicit argument .*", re.DOTALL), r"\1 takes no value."),
    (
        re.compile(r"ambiguous option: ([^\s=]+).* could match (.*)", re.DOTALL),
        r"\1 is short for more than one option: \2.",
    ),
)
"""Patterns for the messages of argparse, each with the sentence that replaces it."""
Subcommands = Any
"""The return type of `add_subparsers`, which is private in argparse."""
Run = Callable[[argparse.Namespace], int]


class UsageMistakeError(Exception):
    """A command line that a parser cannot read. `advice`: a sentence in place of the one that names the help."""

    def __init__(self, parser: "Parser", message: str, advice: str = "") -> None:
        super().__init__(message)
        self.parser = parser
        self.advice = advice


class Parser(argparse.ArgumentParser):
    """A parser of UTF-8 text that raises UsageMistakeError and knows its options and commands."""

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        self.register("type", None, arguments.text)
        self.set_defaults(parser=self)
        self.asks_for_password = False

    def error(self, message: str) -> NoReturn:
        raise UsageMistakeError(self, message)

    @property
    def options(self) -> set[str]:
        """Every option of this command, such as `--port`. Hidden options are left out."""
        return {name for name, action in self._option_string_actions.items() if action.help != argparse.SUPPRESS}

    @property
    def commands(self) -> dict[str, "Parser"]:
        """The commands of this command with their parsers."""
        groups = (action.choices for action in self._actions if action.nargs == argparse.PARSER)
        return {name: parser for choices in groups for name, parser in dict(choices or {}).items()}

    def command(self, name: str) -> "Parser":
        """Return the parser of a command below this one. Wrong usage prints two lines and exits with 2."""
        found = self.commands.get(name)
        if found is None:
            self.end(f"Unknown command “{name}”.{nearest(name, self.commands)}")
        return found

    @property
    def arguments(self) -> list[argparse.Action]:
        """The options and arguments of this command, in the order of its help. Hidden options are left out."""
        return [
            action
            for action in self._actions
            if action.nargs != argparse.PARSER and argparse.SUPPRESS not in {action.help, action.metavar}
        ]

    def format_help(self) -> str:
        """Return the help of argparse, with examples at its end."""
        from lms_tui.commands.examples import examples

        lines = examples().get(self.prog, "").splitlines()
        return super().format_help() + (
            "\n".join(["\nexamples:", *(f"  {line}" for line in lines), ""]) if lines else ""
        )

    def all_options(self) -> set[str]:
        """Every option of this command and of the commands below it."""
        return self.options.union(*(parser.all_options() for parser in self.commands.values()))

    def parse(self, words: Sequence[str]) -> argparse.Namespace:
        """Parse a command line. Wrong usage prints two lines and exits with 2."""
        try:
            _refuse_dashes(self, words)
            options, unknown = self.parse_known_args(words)
            _refuse_unknown(options.parser, unknown)
        except UsageMistakeError as mistake:
            mistake.parser.end(_plain_words(self, mistake, words), mistake.advice)
        return options

    def end(self, what: str, advice: str = "") -> NoReturn:
        """Print what is wrong and what to do, or where help is, and end the process."""
        self.exit(2, f"lms-tui: {clean_line(what)}\n{advice or f'See `{self.prog} --help`.'}\n")


class _RefusedPassword(argparse.Action):
    """An option that refuses a password, and never repeats it."""

    def __call__(self, parser: argparse.ArgumentParser, _: object, _value: object, name: str | None = None) -> None:
        parser = cast("Parser", parser)
        instead = "or use --password-stdin" if "--password-stdin" in parser.options else "or send it to standard input"
        raise UsageMistakeError(
            parser,
            f"{name} is refused: other users of this computer can see the command line.",
            f"Leave the password out and type it when you are asked, {instead}.",
        )


def refuse_password(command: Parser) -> None:
    """Let a command that asks for a password refuse one that is given on the command line."""
    command.asks_for_password = True
    names = ("-p", "--pass", "--passwd", "--password")
    command.add_argument(*names, nargs="?", action=_RefusedPassword, dest=argparse.SUPPRESS, help=argparse.SUPPRESS)


def _refuse_dashes(parser: Parser, words: Sequence[str]) -> None:
    """Raise UsageMistakeError for `--option=--`, which argparse turns into an empty list."""
    for word in words:
        if word == "--":
            return
        name, _, value = word.partition("=")
        if name.startswith("--") and value == "--":
            raise UsageMistakeError(parser, f"{name} needs a value.")


def _refuse_unknown(parser: Parser, words: Sequence[str]) -> None:
    """Raise UsageMistakeError if there are words that no parser knows."""
    if not words:
        return
    option = next((word.partition("=")[0] for word in words if word.startswith("-")), "")
    if option:
        raise UsageMistakeError(parser, f"Unknown option {option}.{nearest(option, parser.options)}")
    if parser.asks_for_password:
        raise UsageMistakeError(parser, "One argument is too many. It is not shown, because it may be a password.")
    raise UsageMistakeError(parser, f"Unexpected argument “{words[0]}”.")


def _plain_words(parser: Parser, mistake: UsageMistakeError, words: Sequence[str]) -> str:
    """Reword a message of argparse. `parser`: of the whole program, `words`: the whole command line."""
    message = str(mistake)
    if message.startswith(_MISSING):
        missing = message.removeprefix(_MISSING).split(", ")
        return f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing."
    for pattern, told in _REWORDED:
        if found := pattern.fullmatch(message):
            return found.expand(told)
    if not (found := _INVALID_CHOICE.match(message)):
        return message.removeprefix("argument ")
    argument, given = found.groups()
    if argument != "COMMAND":
        choices = re.findall("'(.*?)'", message)[1:]
        return f"{argument}: unknown value “{given}”. Use one of: {', '.join(choices)}."
    known = parser.all_options()
    for option in (word.partition("=")[0] for word in words[: words.index(given)] if word.startswith("--")):
        # argparse takes the value of an unknown option for the command.
        if not any(name.startswith(option) for name in known):
            return f"Unknown option {option}.{nearest(option, mistake.parser.options)}"
    return f"Unknown command “{given}”.{nearest(given, mistake.parser.commands)}"


def nearest(word: str, known: "Sequence[str] | set[str] | dict[str, Parser]") -> str:
    """Return a sentence with the most similar known word, after a space. Empty if none is similar."""
    from difflib import get_close_matches

    found = get_close_matches(word, known, 1)
    return f" Did you mean {found[0]}?" if found else ""


@cache
def data_options() -> Parser:
    """The option that every command has."""
    parser = Parser(add_help=False)
    words = "directory for answers, tokens and the demo institute (also LMS_TUI_DATA_DIR)"
    parser.add_argument("--data-dir", type=Path, metavar="DIR", default=argparse.SUPPRESS, help=words)
    return parser


@cache
def look_options() -> Parser:
    """The options of every command that opens the app."""
    parser = Parser(add_help=False)
    words = "colour theme: dark, light or high-contrast"
    parser.add_argument("--theme", metavar="NAME", default=argparse.SUPPRESS, help=words)
    for name, words in (
        ("--reduced-motion", "turn animations off"),
        ("--ascii", "draw without box characters and symbols"),
        ("--plain", "use a dialogue of text lines, for screen readers and braille displays"),
    ):
        parser.add_argument(name, action="store_true", default=argparse.SUPPRESS, help=words)
    words = "record every request in a HAR file, without secrets"
    parser.add_argument("--record", type=Path, metavar="FILE", default=argparse.SUPPRESS, help=words)
    return parser


def look_of(options: argparse.Namespace) -> dict[str, object]:
    """Return the options of `look_options`, None for those that were not given.

    A terminal that cannot move its cursor gets the lines of `--plain`.
    """
    look = {name: getattr(options, name, None) for name in ("theme", "reduced_motion", "ascii", "plain", "record")}
    if not look["plain"] and os.environ.get("TERM") == "dumb" and "TEXTUAL_DRIVER" not in os.environ:
        look["plain"] = sys.stdin.isatty() or None
    return look


@cache
def _verbose_options() -> Parser:
    """The option of every command that does not open the app, whose screen the lines would spoil."""
    parser = Parser(add_help=False)
    words = "print each step with its time on standard error"
    parser.add_argument("--verbose", action="store_true", default=argparse.SUPPRESS, help=words)
    return parser


def data_dir_of(options: argparse.Namespace) -> Path | None:
    return getattr(options, "data_dir", None)


def add_quiet(action: Parser, words: str) -> None:
    """Give a command the option to print less. `words`: what it leaves out."""
    action.add_argument("--quiet", action="store_true", help=words)


def add_json(command: Parser) -> None:
    """Give a command the option to print JSON. `json_shapes` tells its form."""
    command.add_argument("--json", action="store_true", dest="as_json", help="print JSON")


def print_json(document: object) -> None:
    import json

    print(json.dumps(document, ensure_ascii=False, indent=2))


def add_reading(command: Parser) -> None:
    """Add the options of every command that reads an exam file."""
    words = "encoding of a text file, such as shift_jis (default: UTF-8, or a guess)"
    command.add_argument("--encoding", default="", metavar="NAME", help=words)
    words = "columns of a sheet, such as question=A,options=C-F,answer=G (default: by the headings)"
    command.add_argument("--columns", default="", metavar="NAMES", help=words)
    words = "only the quiz of this title of a package with several; repeat it for more"
    command.add_argument("--quiz", action="append", default=[], metavar="TITLE", help=words)


def reading_of(options: argparse.Namespace) -> "FileOptions":
    """Return the options of `add_reading`."""
    from lms_tui.banks.file_options import FileOptions

    return FileOptions(options.encoding, options.columns, tuple(options.quiz))


def add_command(
    commands: Subcommands, name: str, words: str, run: Run | None = None, parents: Sequence[Parser] = ()
) -> Parser:
    """Add a command with a sentence of help, `--data-dir`, `--verbose` and the options of `parents`."""
    about = f"{words[0].upper()}{words[1:]}."
    opens_app = any("--theme" in parent.options for parent in parents)
    common = [data_options()] if opens_app else [data_options(), _verbose_options()]
    command: Parser = commands.add_parser(name, parents=[*common, *parents], help=words, description=about)
    if run is not None:
        command.set_defaults(run=run)
    return command


def add_group(command: Parser, *, required: bool = True) -> Subcommands:
    """Add commands to a command."""
    group = command.add_subparsers(title="commands", metavar="COMMAND", required=required, parser_class=Parser)
    group.type = str  # each command's own parser checks its words: paths may be any bytes
    return group
