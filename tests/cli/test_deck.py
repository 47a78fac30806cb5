"""`lms-tui deck` and `lms-tui practise` in a shell, and the package for Anki opened by Anki's own library."""

import base64
import csv
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from lms_tui.banks.scoring import Outcome
from lms_tui.cli import main
from lms_tui.practice.cards import Card
from lms_tui.practice.grading import Grade
from lms_tui.practice.store import Deck, Review
from lms_tui.views.deck_export import FIELDS, Exported
from tests.fakes.decks import START, Clocks, decks, every_type, sums
from tests.fakes.json_output import told

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
MAP = PNG + b"map"
PICTURE = f'<img src="data:image/png;base64,{base64.b64encode(PNG).decode()}" alt="a dot" onerror="x()">'
Shell = Callable[..., int]


def asked(card: Card, text: str) -> Card:
    return replace(card, asked=card.asked.model_copy(update={"question_html": text}))


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    """Run a command over a deck with a card of each type, one with a formula and some with a picture."""
    special = (
        asked(sums(1)[0], "<p>Is $x^2 &lt; 4$ or \\(y\\) {{c1::no}}?</p>"),
        asked(sums(2)[1], f"<p onclick='x()'>What is <script>evil()</script>{PICTURE}<a href='//x'>this</a>?"),
        asked(sums(3)[2], "<p>=1+1</p>"),
        asked(sums(4)[3], "<p><img src='/media/map.png' alt='a map'></p>"),
    )
    user = decks(tmp_path / "journals", Clocks()).open("https://a.example", 3, "asha")
    user.learn((card, Review(START, Outcome.INCORRECT, Grade.AGAIN)) for card in (*every_type().values(), *special))
    user.keep_picture("/media/map.png", MAP)
    user.close()
    return lambda *words: main(["deck", *words, "--data-dir", str(tmp_path)])


def cards(tmp_path: Path) -> list[Card]:
    deck = Deck(next(tmp_path.glob("journals/*/*/deck.sqlite3")))
    found = list(deck.cards([row.card_id for row in deck.rows()]).values())
    deck.close()
    return found


def test_the_cards_are_listed_searched_and_changed(shell: Shell, capsys: pytest.CaptureFixture[str]) -> None:
    assert shell("list") == 0
    assert len(capsys.readouterr().out.splitlines()) == 11
    for command in ("list", "stats"):
        assert shell(command, "--json") == 0
        found = told(capsys.readouterr().out, "deck", command)
        assert (len(found) if command == "list" else found["cards"]) == 11
    assert shell("search", "sea", "--json") == 0
    assert [row["suspended"] for row in told(capsys.readouterr().out, "deck", "search")] == [False]
    shell("search", "sea")
    (line,) = capsys.readouterr().out.splitlines()
    number = line.split()[0]
    assert shell("suspend", number) == 0
    assert shell("suspend", number) == 1
    shell("search", "sea")
    assert "resting" in capsys.readouterr().out
    assert shell("resume", number) == shell("reset", number) == shell("remove", number) == 0
    shell("search", "sea")
    assert "sea" not in capsys.readouterr().out
    shell("stats")
    assert "10 cards in all" in capsys.readouterr().out


def test_a_search_without_a_card_says_so(shell: Shell, capsys: pytest.CaptureFixture[str]) -> None:
    assert shell("search", "zebra") == 0
    assert capsys.readouterr().out == "No card contains these words.\n"


def test_the_list_of_an_empty_deck_says_so(shell: Shell, capsys: pytest.CaptureFixture[str]) -> None:
    shell("list", "--json")
    numbers = [str(row["card"]) for row in told(capsys.readouterr().out, "deck", "list")]
    assert shell("remove", *numbers) == 0
    capsys.readouterr()
    assert shell("list") == 0
    assert capsys.readouterr().out == "The deck has no cards.\n"


def test_a_card_that_the_deck_does_not_have_is_named(shell: Shell, capsys: pytest.CaptureFixture[str]) -> None:
    shell("search", "sea")
    number = capsys.readouterr().out.split()[0]
    for change in ("suspend", "resume", "reset", "remove"):
        assert shell(change, "998", number, "999") == 1
        told_of = capsys.readouterr()
        assert told_of.err == (
            "lms-tui: The deck has no card 998, 999. Nothing was changed.\nSee the numbers: lms-tui deck list\n"
        )
        assert told_of.out == ""
    shell("search", "sea")
    assert number in capsys.readouterr().out


def test_a_deck_is_found_by_its_server_and_user(shell: Shell, capsys: pytest.CaptureFixture[str]) -> None:
    assert shell("list", "--user", "asha", "--server", "https://A.example/") == 0
    assert shell("list", "--user", "ravi") == 1
    assert "There is no such deck on this computer." in capsys.readouterr().err


def test_a_deck_is_forgotten_after_a_question(shell: Shell, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert shell("forget", "--yes") == 0
    assert not list(tmp_path.glob("journals/*/*/deck.sqlite3"))
    assert shell("stats") == 1


def test_a_table_has_every_card_and_no_formula(shell: Shell, tmp_path: Path) -> None:
    out = tmp_path / "deck.csv"
    assert shell("export", str(out), "--csv") == 0
    assert shell("export", str(out), "--csv") == 1
    rows = list(csv.reader(out.read_text("utf-8-sig").splitlines()))
    assert rows[0] == list(FIELDS)
    assert len(rows) == 12
    assert "'=1+1" in {row[0] for row in rows}
    assert ["A sea?", "", "North *; Baltic", "", "", "All"] in rows
    if os.name == "posix":
        assert out.stat().st_mode & 0o077 == 0


@pytest.mark.slow
def test_anki_opens_the_package_and_every_field_is_the_same(shell: Shell, tmp_path: Path) -> None:
    """Anki's library keeps its own state, so that it runs in a process of its own."""
    out = tmp_path / "deck.apkg"
    assert shell("export", str(out), "--anki") == 0
    program = """
import json, sys
from anki.collection import Collection, ImportAnkiPackageOptions, ImportAnkiPackageRequest
collection = Collection(sys.argv[2])
collection.import_anki_package(
    ImportAnkiPackageRequest(package_path=sys.argv[1], options=ImportAnkiPackageOptions())
)
notes = [collection.get_note(number) for number in collection.find_notes("")]
cards = [note.cards()[0] for note in notes]
told = {
    "fields": [note.fields for note in notes],
    "cards": collection.card_count(),
    "shown": [card.question() + card.answer() for card in cards],
    "media": {name: open(collection.media.dir() + "/" + name, "rb").read().hex()
              for name in __import__("os").listdir(collection.media.dir())},
}
print(json.dumps(told))
"""
    ended = subprocess.run(
        [sys.executable, "-c", program, str(out), str(tmp_path / "anki.anki2")],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip

    told = json.loads(ended.stdout.splitlines()[-1])
    expected = Exported()
    for card in cards(tmp_path):
        expected.add(card, {"/media/map.png": MAP}.get)
    assert sorted(map(tuple, told["fields"])) == sorted(expected.notes)
    assert told["cards"] == 11
    media = {bytes.fromhex(data): name for name, data in told["media"].items()}
    assert set(media) == {PNG, MAP}
    shown = "".join(told["shown"])
    assert "evil" not in shown
    assert "onerror" not in shown
    assert "\\(x^2 &lt; 4\\)" in shown
    assert f'<img src="{media[PNG]}"' in shown.replace("'", '"')


def test_an_exported_card_holds_no_script_link_or_attribute() -> None:
    exported = Exported()
    hostile = "<p style='x'>a<b>c<iframe src=x>d</iframe><svg onload=x>e</p><a href='javascript:x'>f</a>&lt;script&gt;"
    exported.add(asked(sums(1)[0], hostile), lambda _: None)
    assert exported.notes[0][0] == "<p>a<b>ce</b></p>f&lt;script&gt;"


def test_practise_reads_answers_from_a_pipe(tmp_path: Path) -> None:
    file = tmp_path / "sums.gift"
    file.write_text("::q:: 1 + 1 = { =2 ~3 }\n", encoding="utf-8")
    command = [sys.executable, "-m", "lms_tui", "practise", str(file), "--order", "file", "--plain"]
    ended = subprocess.run(
        [*command, "--data-dir", str(tmp_path / "data")],
        input="b\na\n\na\n\n", capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    assert "1 question added to your deck." in ended.stdout
    assert main(["deck", "list", "--data-dir", str(tmp_path / "data")]) == 0
