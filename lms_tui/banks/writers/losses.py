"""Find what a written file lost, by reading it back."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, replace
from typing import Any, Final

from lms_tui.banks.model import Exam, Finding, Question, Section, Severity
from lms_tui.banks.texts import listed
from lms_tui.banks.writers.xhtml import xhtml

_WORDS: Final = {
    "kind": "the type of the question",
    "html": "the text",
    "options": "options, or the share, feedback or fixed place of one",
    "numbers": "correct numbers, or the share or feedback of one",
    "texts": "correct texts, or the share, case or feedback of one",
    "pairs": "matching rows",
    "essay_topics": "topics of essays",
    "gap_choices": "choices of gaps",
    "title": "titles of questions",
    "direction_html": "passages",
    "explanation_html": "explanations",
    "subject": "subjects",
    "marks": "marks of questions",
    "negative_marks": "negative marks of questions",
    "language": "languages of questions",
    "identifier": "ids of questions",
    "tags": "tags",
    "rubric": "rubrics",
    "file_types": "types of files",
    "most_files": "numbers of files",
    "pool": "which questions are drawn at random",
}
_OF_EXAM: Final = {
    "description_html": "the description",
    "duration": "the duration",
    "mark_per_question": "the marks for each question",
    "negative_marks": "the negative marks",
    "allow_retake": "whether retakes are allowed",
    "max_retakes": "the number of retakes",
    "show_answers": "whether answers are shown",
    "answers_after_closing": "that answers are shown after closing",
    "enable_ranks": "whether there are ranks",
    "immediate_feedback": "immediate feedback",
    "allow_preemptive_section_ending": "whether sections can be ended early",
    "language": "the language",
    "calculator": "which calculator is allowed",
    "reference_html": "the reference sheet",
}
_OF_SECTION: Final = {
    "name": "names of sections",
    "duration": "durations of sections",
    "cut_off": "cut-offs of sections",
    "instructions_html": "instructions of sections",
    "draws": "what is drawn from question banks",
}

Settled = Callable[[str], str]


def canonical(exam: Exam, settled: Settled = xhtml) -> Exam:
    """Return the exam with `settled` HTML: well-formed as XML formats need it. Its meaning is unchanged."""
    return replace(
        exam,
        sections=tuple(_section(section, settled) for section in exam.sections),
        description_html=settled(exam.description_html),
        reference_html=settled(exam.reference_html),
    )


def _section(section: Section, settled: Settled) -> Section:
    return replace(
        section,
        questions=tuple(_question(question, settled) for question in section.questions),
        instructions_html=settled(section.instructions_html),
    )


def _question(question: Question, settled: Settled) -> Question:
    return replace(
        question,
        html=settled(question.html),
        direction_html=settled(question.direction_html),
        explanation_html=settled(question.explanation_html),
        options=tuple(
            replace(option, html=settled(option.html), feedback_html=settled(option.feedback_html))
            for option in question.options
        ),
        numbers=tuple(replace(key, feedback_html=settled(key.feedback_html)) for key in question.numbers),
        texts=tuple(replace(key, feedback_html=settled(key.feedback_html)) for key in question.texts),
        pairs=tuple(replace(pair, left_html=settled(pair.left_html)) for pair in question.pairs),
    )


def losses(exam: Exam, back: Exam, left_out: Sequence[int], name: str, settled: Settled = xhtml) -> Iterator[Finding]:
    """Compare an exam with the exam read back. `left_out` holds the numbers of questions that were not written.

    `settled` gives two texts that mean the same one form.
    """
    for number in left_out:
        yield Finding(
            Severity.ERROR, f"{name} cannot hold a question of this type or size. It was left out.", 0, number
        )
    before, after = canonical(exam, settled), canonical(back, settled)
    kept = [(number, question) for number, question in enumerate(before.questions, 1) if number not in left_out]
    if len(kept) != len(after.questions):
        yield Finding(Severity.ERROR, f"{len(after.questions)} of {len(kept)} questions can be read back.")
        return
    for what in _differing(before, after, _OF_EXAM):
        yield Finding(Severity.WARNING, f"{name} does not keep {what}.")
    sections = [section for section in before.sections if section.questions]
    if len(left_out) == 0:
        yield from _of_sections(sections, after.sections, name)
    differing: dict[str, list[int]] = defaultdict(list)
    for (number, question), other in zip(kept, after.questions, strict=True):
        own = question if question.identifier else replace(question, identifier=other.identifier)
        for what in _differing(own, other, _WORDS):  # that a question gets an id is no loss
            differing[what].append(number)
    for what, numbers in differing.items():
        yield Finding(Severity.WARNING, f"{name} changes {what} ({listed(numbers)}).")


def _of_sections(before: Sequence[Section], after: Sequence[Section], name: str) -> Iterator[Finding]:
    if [len(section.questions) for section in before] != [len(section.questions) for section in after]:
        yield Finding(Severity.WARNING, f"{name} does not keep the sections.")
        return
    told = dict.fromkeys(
        what for mine, other in zip(before, after, strict=True) for what in _differing(mine, other, _OF_SECTION)
    )
    for what in told:
        yield Finding(Severity.WARNING, f"{name} does not keep {what}.")


def _differing(mine: Any, other: Any, words: dict[str, str]) -> Iterator[str]:
    get: Callable[[Any, str], object] = getattr
    for each in fields(mine):
        if each.name in words and get(mine, each.name) != get(other, each.name):
            yield words[each.name]
