"""Make `docs/commands.md` from the parsers and the examples."""

import argparse
from collections.abc import Iterator
from typing import Final

from lms_tui.commands.examples import examples
from lms_tui.commands.parser import Parser
from lms_tui.reference.tables import MADE, cell, table

_HEAD: Final = f"""# Commands

{MADE}

Every command also takes `--help`, and `--data-dir DIR` or the variable `LMS_TUI_DATA_DIR` for the folder of answers,
tokens and the demo institute. Every command that does not open the app takes `--verbose`, which prints each step with
its time on standard error: files that are read and written, the database and requests to servers. `--quiet` prints
nothing but what went wrong or was left out. [The output of `--json`](json.md) has its form for each command, and
[exit codes](exit-codes.md) has the codes. The [settings](settings.md) page has the environment variables.
`lms-tui completion bash`, `zsh` or `fish` prints a script with which the shell completes commands and options.
"""
_EVERYWHERE: Final = frozenset({"help", "data_dir", "verbose"})


def page(program: Parser) -> str:
    return "\n".join([_HEAD, *_command(program, examples(), 2)]).rstrip("\n") + "\n"


def every_command(program: Parser) -> Iterator[Parser]:
    """Yield a command and all commands below it."""
    yield program
    for below in program.commands.values():
        yield from every_command(below)


def _command(parser: Parser, known: dict[str, str], level: int) -> Iterator[str]:
    yield f"{'#' * level} `{synopsis(parser)}`\n\n{parser.description}\n"
    if parser.prog in known:
        yield f"```sh\n{known[parser.prog]}\n```\n"
    rows = [(named(each), meaning(each)) for each in parser.arguments if each.dest not in _EVERYWHERE]
    if rows:
        yield table(("argument", "meaning"), rows)
    deeper = 3 if level == 3 or " " in parser.prog else 2
    for below in parser.commands.values():
        yield from _command(below, known, deeper)


def synopsis(parser: Parser) -> str:
    """Return the command with its arguments, such as `lms-tui exam check FILE …`. Options are left out."""
    words = [_positional(each) for each in parser.arguments if not each.option_strings]
    return " ".join([parser.prog, *words])


def _positional(argument: argparse.Action) -> str:
    name = placeholder(argument)
    return {"?": f"[{name}]", "*": f"[{name} …]", "+": f"{name} …"}.get(str(argument.nargs), name)


def placeholder(argument: argparse.Action) -> str:
    """Return the name of the value, such as FILE. Empty for a switch."""
    if argument.nargs == 0:
        return ""
    name = argument.metavar or ("|".join(map(str, argument.choices)) if argument.choices else argument.dest.upper())
    return str(name) if argument.option_strings else str(name).upper()


def named(argument: argparse.Action) -> str:
    """Return an argument as it is typed, such as `--port N`."""
    if not argument.option_strings:
        return f"`{cell(placeholder(argument))}`"
    value = placeholder(argument)
    if value and argument.nargs == "?":
        value = f"[{value}]"
    return ", ".join(f"`{cell(f'{option} {value}'.strip())}`" for option in argument.option_strings)


def meaning(argument: argparse.Action) -> str:
    words = (argument.help or "").replace("%%", "%")
    if argument.choices and argument.metavar:
        shown = ", ".join(str(choice) for choice in argument.choices)
        words = words if all(str(choice) in words for choice in argument.choices) else f"{words} ({shown})".strip()
    return cell(words)
