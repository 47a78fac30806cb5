"""Reviews as PDF files, which the tests read back."""

import io
import re
import time
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader

from lms_tui.banks.model import Exam, Option, Question, Section
from lms_tui.cli import main
from lms_tui.content.html import parse
from lms_tui.content.maths.strings import quoted
from lms_tui.content.model import Maths
from lms_tui.service.demo.data import institute_data
from lms_tui.service.papers import typesetter
from lms_tui.service.papers.markup import Writer
from lms_tui.wire.question_types import QuestionType
from tests.fakes.json_output import told
from tests.service.service_world import Caller, World, every_kind, exam_of, sums
from tests.service.shapes import data_address, picture


def text_of(content: bytes) -> str:
    reader = PdfReader(io.BytesIO(content))
    pages = [re.sub(r"\d+ / \d+\s*$", "", page.extract_text()) for page in reader.pages]
    return re.sub(r"\s+", " ", " ".join(pages))


def single(html: str, *options: str, explanation: str = "") -> Question:
    chosen = tuple(Option(text, place == 0) for place, text in enumerate(options or ("<p>yes</p>", "<p>no</p>")))
    return Question(QuestionType.SINGLE, html, chosen, explanation_html=explanation)


def printed(html: str) -> bytes:
    return typesetter.printed(lambda writer: writer.document(parse(html)))


async def reviewed(world: World, caller: Caller, exam: Exam, **answers: Any) -> bytes:
    """Take an exam as the caller, choose the first answer of the first question, end, and print."""
    world.add_exam(exam, allow_pdf=True)
    slug = re.sub(r"[^a-z0-9]+", "-", exam.title.lower()).strip("-")
    number = await caller.create(slug)
    for question in (await caller.questions(number))[:1]:
        if question["question"]["answers"]:
            await caller.answer(number, question["id"], question["question"]["answers"][0]["id"])
    for question in await caller.questions(number):
        body = answers.get(question["question"]["type"])
        if body:
            await caller.put(f"/api/v2.2/attempts/{number}/questions/{question['id']}", body)
    ended = await caller.put(f"/api/v2.2/attempts/{number}/end/")
    response = await caller.send("GET", ended["review_pdf_url"])
    assert response.status_code == 200, response.text
    assert response.headers["content-type"] == "application/pdf"
    assert response.headers["cache-control"] == "private, no-store"
    assert response.content.startswith(b"%PDF-")
    return response.content


async def test_a_review_holds_questions_answers_keys_and_explanations(world: World, asha: Caller) -> None:
    text = text_of(await reviewed(world, asha, sums()))
    assert "Asha Nair" in text
    assert "Score 4.00 of 12.00 (33.33 %) · 1 correct, 0 incorrect, 2 unanswered" in text
    assert "Question 1 Correct, 4.00 of 4.00" in text
    assert "✓ correct, ● yours" in text
    assert "Question 3 Unanswered, 0.00 of 4.00" in text
    assert text.count("because") == 3


async def test_formulas_tables_lists_and_pictures_are_set(world: World, asha: Caller) -> None:
    image = data_address(picture(60, 30))
    exam = exam_of(
        single(
            r"<p>Solve \(\frac{x^2 - 1}{\sqrt{x}} = \vec{p} \cdot \sum_{i=0}^{n} a_i\).</p>"
            f'<p><img src="{image}" alt="a flag" width="60"><img src="http://evil.test/x.png" alt="far away"></p>',
            r"\(\begin{pmatrix}1 & 2\\3 & 4\end{pmatrix}\)",
            r"\(\ce{H2SO4}\)",
            explanation="<ol><li>First <b>bold</b></li><li>Second <i>slanted</i> H<sub>2</sub>O</li></ol>"
            "<table><tr><th>a</th><td rowspan=2>b</td></tr><tr><td>c</td></tr></table><pre>x  =  1</pre>",
        ),
    )
    question = replace(exam.sections[0].questions[0], direction_html="<p>A text that two questions share.</p>")
    exam = Exam("On paper", (Section("", (question,)),), duration=timedelta(minutes=5), mark_per_question=Decimal(1))
    content = await reviewed(world, asha, exam)
    text = text_of(content)
    assert "A text that two questions share." in text
    assert "[far away]" in text
    assert "√" in text
    assert "∑" in text or "∑".encode() in content or "𝑖" in text
    assert "frac" not in text
    assert "1. First bold 2. Second slanted H2O" in text
    assert "x = 1" in text
    reader = PdfReader(io.BytesIO(content))
    assert sum(len(page.images) for page in reader.pages) == 1


async def test_hindi_and_tamil_are_printed_in_fonts_that_have_them(world: World, asha: Caller) -> None:
    exam = exam_of(single("<p>क्या आप हिन्दी पढ़ सकते हैं?</p>", "<p>ஸ்ரீ கேள்வி</p>", "<p>இல்லை</p>"), title="Scripts")
    content = await reviewed(world, asha, exam)
    reader = PdfReader(io.BytesIO(content))
    fonts = {
        str(font.get_object()["/BaseFont"])
        for page in reader.pages
        for font in page["/Resources"]["/Font"].values()  # type: ignore[index]  # PDF objects are dictionaries of anything
    }
    assert any("NotoSansDevanagari" in font for font in fonts)
    assert any("NotoSansTamil" in font for font in fonts)
    text = text_of(content)
    # Words that the reader puts together again from their glyphs.
    assert "पढ़" in text
    assert "ஸ்ரீ" in text
    assert "இல்லை" in text


async def test_the_given_text_is_printed_beside_the_correct_answer(world: World, asha: Caller) -> None:
    essay = 'A "quoted" #line\n= not a heading $x$ \\ [b] <script>'
    text = text_of(
        await reviewed(
            world,
            asha,
            every_kind(),
            S={"short_text": "Madras"},
            N={"short_text": "3.14"},
            E={"essay_text": essay, "essay_topic": "Two"},
            G={"gap_fill_responses": [{"order": "1", "answer": "x"}]},
            M={"gap_fill_responses": [{"order": "2", "answer": "2"}]},
        )
    )
    assert "Your answer: Madras Correct answer: Chennai" in text
    assert "Your answer: 3.14 Correct answer: 3.14 to 3.15" in text
    assert "Your topic: Two" in text
    assert 'A "quoted" #line = not a heading $x$ \\ [b] <script>' in text
    assert "Your answers: 1. x Correct answer: 1. a, 2. b" in text
    assert "Your answers: 2. 2 Correct answer: 1. 1, 2. 2" in text


async def test_only_the_owner_can_print_a_review_and_only_after_the_end(
    world: World, asha: Caller, ravi: Caller, attempt: int
) -> None:
    path = f"/api/v2.2/attempts/{attempt}/review/pdf/"
    await asha.get(path, 403)
    assert (await asha.get(f"/api/v2.2/attempts/{attempt}"))["review_pdf_url"] == ""
    await asha.put(f"/api/v2.2/attempts/{attempt}/end/")
    await asha.get(path, 403)
    world.add_exam(sums(title="Printed"), allow_pdf=True)
    printed = await asha.create("printed")
    path = f"/api/v2.2/attempts/{printed}/review/pdf/"
    await asha.get(path, 403)
    await asha.put(f"/api/v2.2/attempts/{printed}/end/")
    assert (await asha.send("GET", path)).status_code == 200
    assert await ravi.get(path, 403) == await ravi.get("/api/v2.2/attempts/4711/review/pdf/", 403)
    await world.stranger.get(path, 401)


async def test_staff_print_the_review_of_any_ended_attempt(
    world: World, asha: Caller, ravi: Caller, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    world.add_exam(sums(show_answers=False))
    number = await asha.create("sums")
    world.add_user("head", role="moderator")
    head, path = world.caller("head"), f"/api/v2.5/admin/attempts/{number}/review/pdf/"
    await head.get(path, 403)
    await asha.put(f"/api/v2.2/attempts/{number}/end/")
    assert "Question 1 Unanswered, 0.00 of 4.00" in text_of((await head.send("GET", path)).content)
    await asha.get(path, 403)
    await head.get("/api/v2.5/admin/attempts/4711/review/pdf/", 404)
    url = ["--database-url", world.settings.database_url] if world.settings.database_url else []
    where = ["--data-dir", str(world.settings.data_dir.parent), *url]
    command = ["exam", "results", "sums", "--pdf", str(tmp_path / "asha.pdf"), *where]
    assert main([*command, "--user", "asha", "--json"]) == 0
    assert told(capsys.readouterr().out, "exam", "results")[0]["slug"] == "sums"
    assert "Asha Nair" in text_of((tmp_path / "asha.pdf").read_bytes())
    for wrong, words in ((["--user", "ravi", "--force"], "ravi has not ended"), ([], "Give --user NAME.")):
        assert main([*command, *wrong]) == 1
        assert words in capsys.readouterr().err


async def test_a_review_is_not_printed_if_the_exam_hides_answers(world: World, asha: Caller) -> None:
    world.add_exam(sums(show_answers=False), allow_pdf=True)
    number = await asha.create("sums")
    await asha.put(f"/api/v2.2/attempts/{number}/end/")
    await asha.get(f"/api/v2.2/attempts/{number}/review/pdf/", 403)


@pytest.mark.parametrize(
    "html",
    [
        "",
        '<p>#read("/etc/passwd") $x$ #include "x" \\ ] } ; //</p>',
        '<p>"; #panic(); "</p>',
        r"<p>\(x_1^2 : y / z , a ; b .. c -> d => e\) \[\left\{\begin{matrix}a&b\\c\end{matrix}\right.\]</p>",
        r"<p>\(\text{say ``hi'' \#1 \$5}\) \(\unknown{x}\) \(\frac{}{}\) \(\sqrt[3]{}\) \(\binom{n}{k}\)</p>",
        r"<p>\(\overline{AB} \underbrace{x}_{n} \hat{i} \cancel{y} \boxed{E=mc^2}\)</p>",
        r"<p>\(\lim_{x\to 0} \left|\frac12\right| \int_0^1 f'(x)\,dx\)</p>",
        "<table><tr><td colspan=9>a</td></tr><tr><td rowspan=5>b</td><td>c</td></tr></table>",
        "<img src='data:image/png;base64,AAAA'><img src='data:image/svg+xml;base64,AAAA'><img src=''>",
        "<math><mfrac><mi>a</mi><mn>2</mn></mfrac></math>",
        "<ul><li></li><li><ul><li>x</li></ul></li></ul><blockquote><h1>y</h1></blockquote><hr>",
        "<p>\u0000\u202e\ufeff العربية 中文 🎉 &#27;[31m</p>",
    ],
)
def test_any_exam_content_can_be_printed(html: str) -> None:
    assert printed(html).startswith(b"%PDF-")


@given(st.text(max_size=200))
def test_no_text_ends_its_typst_string(text: str) -> None:
    written = quoted(text)
    assert written.startswith('"')
    assert not re.search(r'(?<!\\)(?:\\\\)*"', written[1:-1])


def test_demo_formulas_are_typeset_and_not_written_out() -> None:
    """Only rare formulas become a line of text, and none of the demo institute."""
    sources = [
        found
        for offer in institute_data().exams
        for question in offer.exam.questions
        for found in _formulas(question.html, question.explanation_html, *(option.html for option in question.options))
    ]
    assert len(sources) > 300
    begun = time.monotonic()
    written = "\n\n".join(Writer(lambda _: None)._maths(maths) for maths in sources)
    import typst  # noqa: PLC0415  # as above

    compile_: Any = typst.compile
    _, warnings = typst.Compiler().compile_with_warnings(written.encode())
    assert not [str(warning) for warning in warnings]
    assert compile_(written.encode()).startswith(b"%PDF-")
    assert time.monotonic() - begun < 30


def _formulas(*htmls: str) -> list[Maths]:
    found: list[Maths] = []

    def walk(value: object) -> None:
        if isinstance(value, Maths):
            found.append(value)
        elif isinstance(value, tuple):
            for item in value:
                walk(item)
        elif hasattr(value, "__dataclass_fields__"):
            for name in value.__dataclass_fields__:
                walk(getattr(value, name))

    for html in htmls:
        walk(parse(html))
    return found
