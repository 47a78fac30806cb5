"""An exam that is written and read back is the same. The writer reports what a format cannot hold."""

import os
import re
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from html import escape
from xml.etree import ElementTree as ET

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from lms_tui.banks.collect import sections_by_subject
from lms_tui.banks.model import Exam, NumericKey, Option, Pair, Question, Section, TextKey
from lms_tui.banks.reader import read_exam
from lms_tui.banks.texts import plain
from lms_tui.banks.writers import Target, convert, write
from lms_tui.banks.writers.losses import canonical
from lms_tui.banks.writers.qti_item import item_xml
from lms_tui.banks.writers.word_text import with_lines
from lms_tui.banks.writers.write import ENDINGS
from lms_tui.banks.writers.xhtml import Files, xhtml
from lms_tui.common.calculator import Scope
from lms_tui.wire.question_types import QuestionType

D = Decimal
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
exam_settings = settings(
    max_examples=int(os.environ.get("LMS_TUI_EXAMPLES", "25")),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    phases=[Phase.explicit, Phase.generate, Phase.shrink],
)
Strategy = st.SearchStrategy[Question]

words = st.text("ab Xé\u0939<>&{}=~#:%*\\$\"'/.-1|^;,!?", min_size=1, max_size=12).map(
    lambda s: " ".join(s.split()) or "x"
)
html = st.one_of(
    words.filter(lambda text: plain(xhtml(text))),  # HTML without a visible text, such as `<?`, is no text
    words.map(lambda s: f"<p>{s}</p>\n<p>b</p>"),
    st.just(f'<p>See <img src="data:image/png;base64,{PNG}" alt="A"></p>'),
    st.just(r"\(\frac{1}{2}\) and <sub>2</sub>"),
)
maybe = st.one_of(st.just(""), html)
names = st.text("ab Xé$.-1", min_size=1, max_size=8).map(lambda s: " ".join(s.split()).strip("$ ") or "n")
shares = st.integers(1, 999).map(lambda n: D(n) / 1000)
numbers = st.decimals(-1000, 1000, places=3)


def common(**kinds: st.SearchStrategy[object]) -> dict[str, st.SearchStrategy[object]]:
    fields: dict[str, st.SearchStrategy[object]] = {
        "html": html,
        "title": st.one_of(st.just(""), words),
        "explanation_html": maybe,
        "direction_html": maybe,
        "subject": st.one_of(st.just(()), st.tuples(names), st.tuples(names, names)),
        "identifier": st.one_of(st.just(""), names),
        "tags": st.lists(names, max_size=2, unique=True).map(tuple),
    }
    return fields | kinds


def marked() -> dict[str, st.SearchStrategy[object]]:
    return {"marks": st.one_of(st.none(), st.integers(1, 9).map(D))}


def fully() -> dict[str, st.SearchStrategy[object]]:
    return marked() | {
        "negative_marks": st.one_of(st.none(), shares),
        "language": st.sampled_from(["", "en", "ta"]),
    }


def singles(**more: st.SearchStrategy[object]) -> Strategy:
    wrong = st.builds(Option, html, st.just(value=False), st.one_of(st.none(), shares.map(lambda s: -s)), maybe)
    right = st.builds(Option, html, st.just(value=True), st.none(), maybe)
    options = st.tuples(st.lists(wrong, min_size=1, max_size=2), right, st.lists(wrong, max_size=2))
    return st.builds(
        Question, st.just(QuestionType.SINGLE), **common(options=options.map(lambda o: (*o[0], o[1], *o[2]))), **more
    )


def multiples(**more: st.SearchStrategy[object]) -> Strategy:
    wrong = st.builds(Option, html, st.just(value=False), st.one_of(st.none(), shares.map(lambda s: -s)), maybe)
    right = st.builds(Option, html, st.just(value=True), shares, maybe)
    options = st.tuples(right, st.lists(wrong, max_size=2), right).map(lambda o: (o[0], *o[1], o[2]))
    return st.builds(Question, st.just(QuestionType.MULTIPLE), **common(options=options), **more)


def shorts(*, feedback: bool, case: bool, **more: st.SearchStrategy[object]) -> Strategy:
    told = maybe if feedback else st.just("")
    sensitive = st.booleans() if case else st.just(value=False)
    text = words.map(lambda s: s.replace("*", "").replace("\\", "").replace("->", "").strip() or "x")
    first = st.builds(TextKey, text, st.just(0), sensitive, st.just(D(1)), told)
    others = st.lists(st.builds(TextKey, text, st.just(0), sensitive, shares, told), max_size=2)
    keys = st.tuples(first, others).map(lambda k: tuple({key.text.casefold(): key for key in (k[0], *k[1])}.values()))
    keys = keys.map(lambda k: (replace(k[0], weight=D(1)), *k[1:]))
    keys = keys.map(lambda k: tuple(replace(key, case_sensitive=k[0].case_sensitive) for key in k))
    return st.builds(Question, st.just(QuestionType.SHORT), **common(texts=keys), **more)


def numerics(*, feedback: bool, **more: st.SearchStrategy[object]) -> Strategy:
    span = st.tuples(numbers, numbers).map(sorted)
    told = maybe if feedback else st.just("")
    key = st.builds(lambda s, w, f: NumericKey(s[0], s[1], w, f), span, st.one_of(st.just(D(1)), shares), told)
    keys = st.lists(key, min_size=1, max_size=2).map(lambda k: (replace(k[0], weight=D(1)), *k[1:]))
    return st.builds(Question, st.just(QuestionType.NUMERIC), **common(numbers=keys), **more)


def essays(**more: st.SearchStrategy[object]) -> Strategy:
    return st.builds(Question, st.just(QuestionType.ESSAY), **common(), **more)


def files(*types: str, **more: st.SearchStrategy[object]) -> Strategy:
    """`types`: those that the format can name."""
    chosen = st.lists(st.sampled_from(types), unique=True).map(tuple)
    return st.builds(Question, st.just(QuestionType.FILES), file_types=chosen, **common(), **more)


def matches(**more: st.SearchStrategy[object]) -> Strategy:
    pairs = st.lists(st.builds(Pair, html, words), min_size=1, max_size=3)
    rows = st.tuples(pairs, st.lists(st.builds(Pair, st.just(""), words), max_size=1))
    return st.builds(Question, st.just(QuestionType.MATCH), **common(pairs=rows.map(lambda r: (*r[0], *r[1]))), **more)


def gaps(**more: st.SearchStrategy[object]) -> Strategy:
    text = words.map(lambda s: s.replace("*", "").replace("\\", "").strip() or "x")
    keys = st.tuples(text, text).map(lambda t: (TextKey(t[0], 1), TextKey(t[1], 2)))
    offered = keys.map(lambda k: ((k[0].text, f"{k[0].text}b"), (f"{k[1].text}c", k[1].text)))
    base = st.builds(Question, st.just(QuestionType.GAPS), **common(), **more)
    free = st.builds(lambda q, k: replace(q, html="<p>a [[1]] b [[2]]</p>", texts=k), base, keys)
    number = st.tuples(numbers, numbers).map(sorted).map(lambda s: (NumericKey(s[0], s[1], gap=2),))
    mixed = st.builds(lambda q, n: replace(q, texts=q.texts[:1], numbers=n), free, number)
    return st.one_of(
        free,
        mixed,
        st.builds(lambda q, k: replace(q, gap_choices=k), free, offered).map(
            lambda q: replace(q, texts=(TextKey(q.gap_choices[0][0], 1), TextKey(q.gap_choices[1][1], 2)))
        ),
    )


def by_subject(questions: list[Question]) -> Exam:
    return Exam("Exam", sections_by_subject(questions), slug="exam")


def in_a_sheet(question: Question) -> Question:
    """A question as a sheet can hold it: without feedback, shares of marks, and separators in a key."""
    listed = {TextKey(re.sub(r"[|;]", "", key.text).strip() or "x").text: key for key in question.texts}
    return replace(
        question,
        options=tuple(Option(option.html, option.correct) for option in question.options),
        texts=tuple(TextKey(text) for text in listed),
        numbers=tuple(NumericKey(key.low, key.high) for key in question.numbers),
    )


HELD: dict[Target, Strategy] = {
    Target.GIFT: st.one_of(
        singles(), multiples(), shorts(feedback=True, case=False), numerics(feedback=True), essays(), matches()
    ),
    Target.MOODLE_XML: st.one_of(
        singles(**marked()),
        multiples(**marked()),
        shorts(feedback=True, case=True, **marked()),
        numerics(feedback=True, **marked()),
        essays(**marked()),
        files(".pdf", ".blend", ".jpg", most_files=st.integers(1, 20), **marked()),
        matches(**marked()),
        gaps(marks=st.just(D(2))),
    ),
    Target.QTI: st.one_of(
        singles(**fully()),
        multiples(**fully()),
        shorts(feedback=False, case=True, **fully()),
        numerics(feedback=False, **fully()),
        essays(**fully()),
        files(".pdf", ".docx", ".png", **fully()),
        matches(**fully()),
        gaps(**fully()),
    ),
    Target.YAML: st.one_of(
        singles(**fully()),
        multiples(**fully()),
        shorts(feedback=True, case=True, **fully()),
        numerics(feedback=True, **fully()),
        essays(essay_topics=st.lists(words, max_size=2).map(tuple), **fully()),
        files(".pdf", ".blend", ".jpg", most_files=st.integers(1, 20), **fully()),
        matches(**fully()),
        gaps(**fully()),
    ),
}
durations = st.one_of(st.none(), st.integers(1, 100_000).map(lambda s: timedelta(seconds=s)))


def sectioned(questions: Strategy) -> st.SearchStrategy[Exam]:
    section = st.builds(
        Section, words, st.lists(questions, min_size=1, max_size=2).map(tuple), durations, st.integers(0, 9), maybe
    )
    return st.builds(
        Exam,
        words,
        st.lists(section, min_size=1, max_size=2).map(tuple),
        slug=st.just("exam"),
        duration=durations,
        mark_per_question=shares,
        negative_marks=shares,
    )


def in_markdown(question: Question) -> Question:
    """A question as Markdown can hold it: the text, the answers and the explanation."""
    bare = replace(in_a_sheet(question), title="", subject=(), identifier="", tags=(), direction_html="")
    return replace(bare, marks=None, negative_marks=None, language="")


def in_word(question: Question) -> Question:
    """A question as a Word document can hold it: with texts of one line and of one style."""
    bare = in_markdown(question)
    options = tuple(replace(option, html=line_of(option.html) or "x") for option in bare.options)
    return replace(
        bare,
        html=line_of(bare.html) or "Q",
        options=options,
        explanation_html=line_of(bare.explanation_html),
        marks=question.marks,
    )


def in_a_cartridge(question: Question) -> Question:
    """A question as a cartridge can hold it: without shares of marks, subjects, tags, passages and a language."""
    return replace(
        question,
        options=tuple(replace(option, weight=None) for option in question.options),
        texts=tuple(replace(key, weight=D(1), feedback_html="") for key in question.texts),
        subject=(),
        tags=(),
        direction_html="",
        identifier=question.identifier or "q1",
    )


def line_of(html: str) -> str:
    return escape(plain(html), quote=False)


IN_SHEETS = st.lists(
    st.one_of(
        singles(**fully()),
        multiples(**fully()),
        shorts(feedback=False, case=False, **fully()),
        numerics(feedback=False, **fully()),
        essays(**fully()),
    ).map(in_a_sheet),
    min_size=1,
    max_size=4,
).map(by_subject)
EXAMS: dict[Target, st.SearchStrategy[Exam]] = {
    Target.GIFT: st.lists(HELD[Target.GIFT], min_size=1, max_size=4).map(by_subject),
    Target.MOODLE_XML: st.lists(HELD[Target.MOODLE_XML], min_size=1, max_size=4).map(by_subject),
    Target.QTI: sectioned(HELD[Target.QTI]),
    Target.YAML: st.tuples(
        sectioned(HELD[Target.YAML]), html, st.booleans(), st.one_of(st.none(), st.integers(-1, 5))
    ).map(
        lambda t: replace(
            t[0],
            description_html=t[1],
            show_answers=t[2],
            enable_ranks=not t[2],
            immediate_feedback=t[2],
            allow_preemptive_section_ending=t[2],
            max_retakes=t[3],
            language="ta",
            calculator=Scope.BASIC if t[2] else Scope.NONE,
            reference_html=t[1],
        )
    ),
    Target.IMSCC: st.one_of(
        singles(**marked()), multiples(**marked()), shorts(feedback=False, case=True, **marked()), essays(**marked())
    ).map(lambda question: by_subject([in_a_cartridge(question)])),
    Target.CSV: IN_SHEETS,
    Target.DOCX: IN_SHEETS.map(lambda exam: by_subject([in_word(question) for question in exam.questions])),
    Target.MARKDOWN: IN_SHEETS.map(lambda exam: by_subject([in_markdown(question) for question in exam.questions])),
}
DRAWN = [target for target in Target if target is not Target.XLSX]
"""Formats that take drawn exams. A workbook has the rows of a CSV file, and a process of its own reads it."""


def without_lines(exam: Exam, target: Target = Target.YAML) -> Exam:
    settled = canonical(exam, with_lines if target is Target.DOCX else xhtml)
    sections = tuple(
        replace(section, questions=tuple(replace(question, line=0) for question in section.questions))
        for section in settled.sections
    )
    return replace(settled, sections=sections)


@pytest.mark.parametrize("target", DRAWN)
@exam_settings
@given(data=st.data())
def test_reading_back_what_was_written_gives_the_same_exam(target: Target, data: st.DataObject) -> None:
    exam = data.draw(EXAMS[target])
    written = write(exam, target)
    back = read_exam(written.data, f"exam{ENDINGS[target]}").exam
    assert without_lines(back, target) == without_lines(exam, target)
    assert written.findings == ()


@pytest.mark.parametrize("target", DRAWN)
@exam_settings
@given(exam=EXAMS[Target.YAML])
def test_every_loss_of_a_format_is_reported_and_every_question_is_counted(target: Target, exam: Exam) -> None:
    written = write(exam, target)
    left_out = {finding.question for finding in written.findings if finding.question}
    if len(left_out) == len(exam.questions):
        return
    back = read_exam(written.data, f"exam{ENDINGS[target]}").exam
    assert len(back.questions) + len(left_out) == len(exam.questions)
    if not written.findings:
        assert without_lines(back).questions == without_lines(exam).questions


@pytest.mark.parametrize("texts", [("b", "1"), ("2", "1"), ("c", "a", "b"), ("Option B", "x")])
def test_a_sheet_names_the_right_option_though_others_read_like_its_place(texts: tuple[str, ...]) -> None:
    for right in range(len(texts)):
        options = tuple(Option(text, correct=at == right) for at, text in enumerate(texts))
        back = read_exam(write(one(QuestionType.SINGLE, options=options), Target.CSV).data, "exam.csv").exam
        assert [question.options for question in back.questions] == [options]


def one(kind: QuestionType, **parts: object) -> Exam:
    return Exam("Exam", (Section("", (Question(kind, "Q", **parts),)),), slug="exam")  # type: ignore[arg-type] # by name


@pytest.mark.parametrize(
    ("target", "exam", "words_told"),
    [
        (Target.GIFT, one(QuestionType.GAPS, texts=(TextKey("a", 1),)), "cannot hold a question of this type"),
        (Target.GIFT, one(QuestionType.ESSAY, marks=D(2)), "marks of questions"),
        (Target.GIFT, replace(one(QuestionType.ESSAY), duration=timedelta(hours=1)), "the duration"),
        (Target.GIFT, one(QuestionType.MULTIPLE, options=(Option("a", True), Option("b"))), "options, or the share"),
        (Target.MOODLE_XML, one(QuestionType.ESSAY, essay_topics=("a",)), "topics of essays"),
        (Target.QTI, one(QuestionType.SHORT, texts=(TextKey("a*"),)), "correct texts"),
        (Target.QTI, replace(one(QuestionType.ESSAY), show_answers=False), "whether answers are shown"),
        (Target.QTI, replace(one(QuestionType.ESSAY), calculator=Scope.NONE), "which calculator is allowed"),
        (Target.GIFT, replace(one(QuestionType.ESSAY), reference_html="<p>F = ma</p>"), "the reference sheet"),
        (
            Target.YAML,
            replace(one(QuestionType.ESSAY), allow_retake=False, max_retakes=3),
            "the number of retakes",
        ),
    ],
)
def test_each_loss_is_named(target: Target, exam: Exam, words_told: str) -> None:
    assert words_told in " ".join(finding.message for finding in write(exam, target).findings)


def test_each_written_gap_adds_its_share_of_the_marks() -> None:
    question = Question(
        QuestionType.GAPS,
        "[[1]] [[2]] [[3]] [[4]]",
        texts=(TextKey("a", 1), TextKey("b", 2)),
        numbers=(NumericKey(D(1), D(2), gap=3),),
        gap_choices=((), ("b", "c"), ()),
        marks=D(6),
    )
    written = item_xml(question, "i1", Files())
    processing = ET.fromstring(written).find("{*}responseProcessing")  # noqa: S314 - written by us
    assert processing is not None
    assert processing.get("template") is None
    conditions = processing.findall("{*}responseCondition")
    assert len(conditions) == 3
    for condition, weight in zip(conditions, ("mapResponse", "mapResponse", "baseValue"), strict=True):
        added = condition.find("{*}responseIf/{*}setOutcomeValue[@identifier='SCORE']/{*}sum")
        assert added is not None
        assert [each.tag.partition("}")[2] for each in added.iter()][1:] == ["variable", "product", weight, "baseValue"]
        assert [value.text for value in added.iter() if value.tag.endswith("baseValue")][-1] == "1.5"


def test_same_exam_gives_the_same_bytes() -> None:
    exam = one(QuestionType.SINGLE, options=(Option("a", True), Option("b")))
    for target in Target:
        assert write(exam, target).data == write(exam, target).data


def test_a_conversion_reports_findings_of_reader_and_writer() -> None:
    written = convert(b"Q?{=a ~b ~b}", "bank.gift", Target.YAML)
    assert b"right: a" in written.data
    assert [finding.message for finding in written.findings] == ["Two answers are the same."]


def test_an_exam_is_unchanged_after_conversion_through_every_format() -> None:
    picture = f'<p>What is <img src="data:image/png;base64,{PNG}" alt="A">?</p>'
    options = (Option("$x^2$", correct=True, feedback_html="yes"), Option("<b>2</b>"))
    exam = Exam("Exam", (Section("", (Question(QuestionType.SINGLE, picture, options, title="T"),)),), slug="exam")
    back = exam
    for target in (Target.GIFT, Target.MOODLE_XML, Target.YAML, Target.QTI):
        back = read_exam(write(back, target).data, f"exam{ENDINGS[target]}").exam
    assert without_lines(back) == without_lines(exam)
