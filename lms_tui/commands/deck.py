"""`lms-tui deck`: the cards of practice on this computer. It needs no service and no network."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from lms_tui.commands import arguments
from lms_tui.commands.parser import Subcommands, add_command, add_group, add_json, data_dir_of

if TYPE_CHECKING:
    from lms_tui.commands.deck_commands import Chosen


def register(commands: Subcommands) -> None:
    actions = add_group(add_command(commands, "deck", "list, search, change and export your cards of practice"))
    listed = add_command(actions, "list", "list the cards, the next due first", _list)
    search = add_command(actions, "search", "list the cards that contain these words", _list)
    search.add_argument("words", nargs="+", type=arguments.text, metavar="WORD")
    stats = add_command(actions, "stats", "show how many cards are due, and how sure and correct answers were", _stats)
    tune = add_command(actions, "tune", "fit the days on which cards come back to your memory", _tune)
    tune.add_argument("--defaults", action="store_true", help="use the default parameters of FSRS again")
    export = add_command(actions, "export", "write the cards to a file for Anki or a spreadsheet", _export)
    export.add_argument("out", type=Path, metavar="OUT", help="a new file, such as deck.apkg or deck.csv")
    kind = export.add_mutually_exclusive_group(required=True)
    kind.add_argument("--anki", action="store_true", help="a package for Anki (needs the extra anki)")
    kind.add_argument("--csv", action="store_true", help="a table as plain text")
    export.add_argument("--force", action="store_true", help="overwrite an existing file")
    changed = [
        add_command(actions, "suspend", "let cards rest", _change),
        add_command(actions, "resume", "let resting cards come back", _change),
        add_command(actions, "reset", "forget when cards were known, so that they are due now", _change),
        add_command(actions, "remove", "remove cards", _change),
    ]
    for parser in changed:
        parser.add_argument("cards", nargs="+", type=arguments.identifier, metavar="CARD", help="number in `deck list`")
        parser.set_defaults(change=parser.prog.rpartition(" ")[2])
    forget = add_command(actions, "forget", "delete the whole deck with its history", _forget)
    forget.add_argument("--yes", action="store_true", help="delete it without a question")
    for parser in (listed, search, stats, tune):
        add_json(parser)
    for parser in (listed, search, stats, tune, export, *changed, forget):
        parser.add_argument("--server", default="", metavar="URL", help="server of the deck (default: last used)")
        parser.add_argument("--user", default="", metavar="NAME", help="user name of the deck (default: last used)")


def _list(options: argparse.Namespace) -> int:
    from lms_tui.commands import deck_commands

    return deck_commands.run_list(_chosen(options), " ".join(getattr(options, "words", ())), as_json=options.as_json)


def _stats(options: argparse.Namespace) -> int:
    from lms_tui.commands import deck_commands

    return deck_commands.run_stats(_chosen(options), as_json=options.as_json)


def _tune(options: argparse.Namespace) -> int:
    from lms_tui.commands import deck_commands

    return deck_commands.run_tune(_chosen(options), defaults=options.defaults, as_json=options.as_json)


def _export(options: argparse.Namespace) -> int:
    from lms_tui.commands import deck_commands

    return deck_commands.run_export(_chosen(options), options.out, anki=options.anki, force=options.force)


def _change(options: argparse.Namespace) -> int:
    from lms_tui.commands import deck_commands

    return deck_commands.run_change(_chosen(options), options.change, options.cards)


def _forget(options: argparse.Namespace) -> int:
    from lms_tui.commands import deck_commands

    return deck_commands.run_forget(_chosen(options), sure=options.yes)


def _chosen(options: argparse.Namespace) -> "Chosen":
    from lms_tui.commands.deck_commands import Chosen

    return Chosen(data_dir_of(options), options.server, options.user)
