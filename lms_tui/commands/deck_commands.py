"""The commands of `lms-tui deck`."""

import csv
import io
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from lms_tui.attempt.clock import SystemClock
from lms_tui.commands.output_files import refuse_existing, replacing
from lms_tui.commands.parser import print_json
from lms_tui.commands.prompts import ask
from lms_tui.common.cleaning import clean_line
from lms_tui.common.formulas import looks_like_a_formula
from lms_tui.common.frozen import frozen
from lms_tui.common.settings import find_paths
from lms_tui.common.user_errors import AdvisedError
from lms_tui.practice.decks import Decks
from lms_tui.practice.schedule import Parameters
from lms_tui.practice.store import Deck, Row
from lms_tui.practice.tuning import FEWEST, Tuning, repetitions, tuning
from lms_tui.runtime.practising import decks_of
from lms_tui.views import deck as present
from lms_tui.views.deck_export import FIELDS, Exported, texts_of
from lms_tui.views.format import counted


class NoDeckError(AdvisedError):
    """The deck that is asked for does not exist, or cannot be exported."""


@frozen
class Chosen:
    """The deck to use: of a server and user name, or the one that was used last."""

    data_dir: Path | None
    server: str = ""
    user: str = ""

    @property
    def decks(self) -> Decks:
        return decks_of(find_paths(self.data_dir).journals, SystemClock())

    def open(self) -> Deck:
        """Raises NoDeckError and DeckError."""
        for path in self.decks.paths():
            deck = Deck(path)
            origin = deck.about("origin").lower().rstrip("/")
            if self.server.lower().rstrip("/") in {"", origin} and self.user in {"", deck.about("user")}:
                return deck
            deck.close()
        raise NoDeckError("There is no such deck on this computer.", "Practise first: lms-tui practise FILE")


def run_list(chosen: Chosen, words: str, *, as_json: bool) -> int:
    now = chosen.decks.now()
    with closing(chosen.open()) as deck:
        rows = list(deck.rows(words))
    if as_json:
        print_json([_card(row) for row in rows])
        return 0
    if not rows:
        print("No card contains these words." if words else "The deck has no cards.")
    for row in rows:
        subject = f"{row.subject}: " if row.subject else ""
        print(f"{row.card_id:>6}  {present.due_words(row, now):<11}  {subject}{row.words}")
    return 0


def _card(row: Row) -> dict[str, object]:
    return {
        "card": row.card_id,
        "subject": row.subject,
        "words": row.words,
        "exam": row.exam,
        "due": datetime.fromtimestamp(row.due, UTC).isoformat(timespec="seconds"),
        "suspended": bool(row.suspended),
    }


def run_stats(chosen: Chosen, *, as_json: bool) -> int:
    with closing(chosen.open()) as deck:
        facts = present.facts_of(deck, chosen.decks.now())
        can_tune = not deck.parameters() and len(repetitions(deck.histories())) >= FEWEST
    if as_json:
        print_json(asdict(facts))
        return 0
    for lines in (present.fact_words(facts), present.certain_words(facts), present.topic_words(facts)):
        for line in lines:
            print(line)
    if can_tune:
        print("You can now fit the deck to your memory: lms-tui deck tune")
    return 0


def run_tune(chosen: Chosen, *, defaults: bool, as_json: bool) -> int:
    """Fit the parameters of the deck, and keep them if they predict better. Raises NoDeckError and TuningError."""
    with closing(chosen.open()) as deck:
        found = None if defaults else tuning(deck.histories(), deck.parameters())
        if found is None or found.is_better:
            deck.tune(found.parameters if found else ())
        used = deck.parameters()
    if as_json:
        print_json(_tuned(found, used))
        return 0
    if found is None:
        print("The deck uses the default parameters.")
        return 0
    print(f"The deck has {found.repetitions:,} repetitions. The newest {found.tested:,} tested the predictions.")
    print(f"Log loss (lower is better): {found.before:.4f} with the old parameters, {found.after:.4f} with new ones.")
    print(
        "The deck uses the new parameters. Each card takes them at its next answer."
        if found.is_better
        else "The new parameters do not predict better. The deck keeps the old ones."
    )
    return 0


def _tuned(found: Tuning | None, used: Parameters) -> dict[str, object]:
    return {
        "repetitions": found.repetitions if found else None,
        "tested": found.tested if found else None,
        "log_loss_before": found.before if found else None,
        "log_loss_after": found.after if found else None,
        "changed": found is None or found.is_better,
        "parameters": list(used),
    }


def run_change(chosen: Chosen, change: str, cards: Sequence[int]) -> int:
    """Change these cards and return the exit code. Raises NoDeckError, also if the deck lacks one of the cards."""
    with closing(chosen.open()) as deck:
        known = {row.card_id for row in deck.rows()}
        if missing := [str(card) for card in dict.fromkeys(cards) if card not in known]:
            raise NoDeckError(
                f"The deck has no card {', '.join(missing)}. Nothing was changed.", "See the numbers: lms-tui deck list"
            )
        match change:
            case "remove":
                count = deck.remove(cards)
            case "reset":
                count = deck.reset(cards, chosen.decks.now())
            case _:
                count = deck.suspend(cards, suspended=change == "suspend")
    print(f"{counted(count, 'card')} changed.")
    return 0 if count else 1


def run_forget(chosen: Chosen, *, sure: bool) -> int:
    with closing(chosen.open()) as deck:
        path, whose = deck.path, deck.about("user") or "this computer"
        count = len(deck.rows())
    asked = f"Delete the deck of {clean_line(whose)} with {counted(count, 'card')}? Type yes: "
    if not sure and ask(asked) != "yes":
        print("Nothing was deleted.")
        return 1
    path.unlink()
    print("The deck and its history are deleted.")
    return 0


def run_export(chosen: Chosen, out: Path, *, anki: bool, force: bool) -> int:
    """Write the cards to a private file. Raises NoDeckError and CannotWriteError."""
    refuse_existing(out, force=force)
    exported = Exported()
    with closing(chosen.open()) as deck:
        cards = list(deck.cards([row.card_id for row in deck.rows()]).values())
        if anki:
            for card in cards:
                exported.add(card, deck.picture)
    if anki:
        _write_package(exported, out)
    else:
        table = io.StringIO()
        rows = csv.writer(table)
        rows.writerow(FIELDS)
        rows.writerows([_cell(text) for text in texts_of(card)] for card in cards)
        with replacing(out) as new:
            new.write_bytes(table.getvalue().encode("utf-8-sig"))
    print(f"{counted(len(cards), 'card')} written to {clean_line(str(out))}.")
    return 0


def _cell(text: str) -> str:
    return f"'{text}" if looks_like_a_formula(text) else text


def _write_package(exported: Exported, out: Path) -> None:
    try:
        import genanki
    except ModuleNotFoundError as error:
        words = "The package for Anki needs the extra anki."
        raise NoDeckError(words, "Install it: python3 -m pip install 'lms-tui[anki]'") from error
    from tempfile import TemporaryDirectory

    model = genanki.Model(
        1_607_392_319,
        "lms-tui",
        fields=[{"name": name} for name in FIELDS],
        templates=[
            {
                "name": "Question",
                "qfmt": "{{Question}}{{Options}}",
                "afmt": "{{FrontSide}}<hr id=answer>{{Answer}}<br>{{Explanation}}",
            }
        ],
    )
    deck = genanki.Deck(2_059_400_110, "lms-tui")
    for digest, fields in zip(exported.digests, exported.notes, strict=True):
        deck.add_note(genanki.Note(model=model, fields=list(fields), guid=genanki.guid_for(digest)))
    with TemporaryDirectory() as place, replacing(out) as new:
        package = genanki.Package(deck)
        for name, data in exported.files.items():
            Path(place, name).write_bytes(data)
        package.media_files = [str(Path(place, name)) for name in exported.files]
        package.write_to_file(str(new))
