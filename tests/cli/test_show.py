"""`lms-tui exam show` prints questions as an exam shows them, and never the correct answers."""

from pathlib import Path

import pytest

from lms_tui.banks.model import Exam, Option, Pair, Question, Section
from lms_tui.cli import main
from lms_tui.commands.show import Look, opened, show, shown
from lms_tui.commands.show_pictures import protocol_in
from lms_tui.content.model import MathsStyle
from lms_tui.wire.question_types import QuestionType
from tests.banks.test_package import packed

GIFT = (
    "::One:: What is \\\\(\\\\frac\\{1\\}\\{2\\}+x\\\\)? {=half ~none}\n\n"
    "::Two:: [html]<b>Which</b>? {~%50%a ~%50%b ~c}\n"
)


def test_questions_are_printed_as_laid_out_with_letters_for_options(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "unit.gift"
    file.write_text(GIFT)
    assert main(["exam", "show", str(file), "--width", "40"]) == 0
    told = capsys.readouterr().out
    assert "Question 1\nWhat is 1/2 + x?\n\nA ( ) half\nB ( ) none\n" in told
    assert "Question 2 · several answers\nWhich?\n\nA [ ] a\n" in told
    assert "\x1b" not in told


def test_one_question_and_the_style_of_formulas_can_be_chosen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "unit.gift"
    file.write_text(GIFT)
    assert main(["exam", "show", str(file), "--question", "1", "--plain"]) == 0
    told = capsys.readouterr().out
    assert "What is 1 over 2 plus x?" in told
    assert "Question 2" not in told
    assert main(["exam", "show", str(file), "--question", "1", "--maths", "source"]) == 0
    assert r"What is \frac{1}{2}+x?" in capsys.readouterr().out


def test_a_page_of_html_is_one_question(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "page.html"
    file.write_text("<p>x<sup>2</sup> &amp; \x1b[31m</p>")
    assert main(["exam", "show", str(file)]) == 0
    assert "x² & ␛[31m" in capsys.readouterr().out


def test_an_encoding_columns_and_a_quiz_can_be_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "unit.gift").write_bytes("::One:: 力とは? {=重さ ~質量}\n".encode("shift_jis"))
    (tmp_path / "page.html").write_bytes("<p>力とは?</p>".encode("shift_jis"))
    (tmp_path / "sheet.csv").write_text("Which is a force?,Weight,Mass,1\n", "utf-8")
    (tmp_path / "units.zip").write_bytes(packed({"Optics.gift": "::o:: 1+1? {=2}", "Waves.gift": "::w:: 2+2? {=4}"}))

    def printed(name: str, *options: str) -> str:
        assert main(["exam", "show", str(tmp_path / name), *options]) == 0
        return capsys.readouterr().out

    assert "力とは?" in printed("unit.gift", "--encoding", "shift_jis")
    assert "力とは?" in printed("page.html", "--encoding", "shift_jis")
    assert "Which is a force?" in printed("sheet.csv", "--columns", "question=A,options=B-C,answer=D")
    assert "1+1?" not in printed("units.zip", "--quiz", "Waves")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nowhere.gift"], "nowhere.gift cannot be read (No such file or directory).\nCheck its name and folder.\n"),
        (["unit.gift", "--question", "9"], "There is no question 9.\nThe exam has 2 questions.\n"),
    ],
)
def test_each_error_of_show_has_two_sentences(
    arguments: list[str],
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "unit.gift").write_text(GIFT)
    monkeypatch.chdir(tmp_path)
    assert main(["exam", "show", *arguments]) == 1
    assert capsys.readouterr().err == f"lms-tui: {told}"


def test_sections_passages_and_pairs_are_shown_and_keys_are_not() -> None:
    exam = Exam(
        "E",
        (
            Section(
                "Physics",
                (Question(QuestionType.SINGLE, "Q", (Option("right", correct=True),), direction_html="Read."),),
            ),
            Section("Words", (Question(QuestionType.MATCH, "Match", pairs=(Pair("one", "ek"), Pair("two", "do"))),)),
        ),
    )
    assert list(shown(exam, Look(40, MathsStyle.LINE))) == [
        *("── Physics ──", "", "Question 1", "│ Read.", "Q", "", "A ( ) right", ""),
        *("── Words ──", "", "Question 2 · matching", "Match", "", "? one", "? two", "  with: do / ek", ""),
    ]


@pytest.mark.parametrize(
    ("most", "types", "line"),
    [(1, (), "files: 1, of any type"), (2, (".pdf", ".jpg"), "files: at most 2, of these types: .pdf, .jpg")],
)
def test_what_a_question_accepts_as_files_is_shown(most: int, types: tuple[str, ...], line: str) -> None:
    question = Question(QuestionType.FILES, "Hand in.", file_types=types, most_files=most)
    told = "\n".join(shown(Exam("T", (Section("", (question,)),)), Look(60)))
    assert f"  {line}\n" in told


def test_gaps_are_shown_with_their_choices() -> None:
    apart = Question(QuestionType.GAPS, "A [[1]] B [[2]].", gap_choices=(("x", "y < z"), ()))
    alike = Question(QuestionType.GAPS, "C [[1]] D [[2]].", gap_choices=(("on", "off"), ("on", "off")))
    lines = list(shown(Exam("E", (Section("", (apart, alike)),)), Look(60, MathsStyle.LINE)))
    assert "A [ 1 ______ ] (x / y < z) B [ 2 ______ ]." in lines
    assert "C [ 1 ______ ] D [ 2 ______ ]." in lines
    assert "(on / off)" in lines


def test_bold_text_is_printed_to_a_terminal_but_not_to_a_pipe() -> None:
    exam = Exam("E", (Section("", (Question(QuestionType.ESSAY, "<b>now</b>"),)),))
    assert "\x1b[1mnow\x1b[0m" in "\n".join(shown(exam, Look(40, colours=True)))
    assert "\x1b" not in "\n".join(shown(exam, Look(40)))


def test_formulas_are_pictures_if_the_terminal_reports_that_it_draws_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("typst")
    page = tmp_path / "page.html"
    page.write_text(r"<p>so \(x^2\), then</p>")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.delenv("NO_COLOR", raising=False)
    begins = {"kitty": "\x1b_Ga=T,", "iterm": "\x1b]1337;File=", "sixel": "\x1bP0;0;0q", "blocks": ""}
    for asked, drawn in begins.items():
        monkeypatch.setenv("LMS_TUI_PICTURES", asked)
        lines: list[str] = []
        assert show(opened(page), maths="picture", write=lines.append, width=40) == 0
        assert any("so x²" in line for line in lines)
        assert any(drawn in line for line in lines)
        assert not drawn or any(f"\x1b7\r\x1b[3C{drawn}" in line for line in lines)


def test_the_report_of_the_terminal_about_pictures_is_used() -> None:
    assert protocol_in({"TERM": "xterm-kitty"}) == "kitty"
    assert protocol_in({"TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"}) == "iterm"
    assert protocol_in({"TERM": "tmux-256color", "TERM_PROGRAM": "iTerm.app"}) == ""
    assert protocol_in({"TERM": "xterm-kitty", "LMS_TUI_PICTURES": "blocks"}) == ""
    assert protocol_in({"LMS_TUI_PICTURES": "Sixel"}) == "sixel"


def test_an_option_for_files_is_refused_for_an_exam_of_the_institute(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["exam", "show", "physics", "--encoding", "shift_jis"]) == 1
    assert "--encoding is for files, and there is no file physics." in capsys.readouterr().err
