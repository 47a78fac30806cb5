"""Turn the parameters of an H5P question type into questions."""

import random
import re
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Any, Final

from lms_tui.banks.collect import Collector
from lms_tui.banks.h5p.values import is_on, listed, text
from lms_tui.banks.markup import plain_to_html
from lms_tui.banks.model import NumericKey, Option, Question, TextKey
from lms_tui.banks.texts import BLANK, literal, plain
from lms_tui.banks.unreadable import Unreadable
from lms_tui.common.cleaning import clean_line
from lms_tui.wire.question_types import QuestionType

_STARRED: Final = re.compile(r"\*([^*\n]{1,400})\*")
_TIP: Final = re.compile(r"(?<!\\):(?!//)(.*)", re.DOTALL)
_FEEDBACK: Final = re.compile(r"\\[+-]([^\\]*)")
_MOST_SUMS: Final = 100
_SIGNS: Final = {"addition": "+", "subtraction": "−", "multiplication": "×", "division": "÷"}

Built = Iterator[Question]
Reader = Callable[[object, Collector], Built]


def _question(kind: QuestionType, html: str, **parts: Any) -> Question:
    if not plain(html) and "<img" not in html:
        raise Unreadable("It has no text.")
    return Question(kind, html.strip(), **parts)


def _multi_choice(params: object, collector: Collector) -> Built:
    options = []
    for answer in listed(params, "answers"):
        if text(answer, "tipsAndFeedback", "tip").strip():
            collector.left_out("hints")
        if text(answer, "tipsAndFeedback", "notChosenFeedback").strip():
            collector.left_out("feedback to answers that are not chosen")
        told = text(answer, "tipsAndFeedback", "chosenFeedback").strip()
        options.append(Option(_bare(text(answer, "text")), is_on(answer, "correct"), feedback_html=told))
    right = sum(option.correct for option in options)
    if not right:
        raise Unreadable("No answer is marked as right.")
    wanted = text(params, "behaviour", "type")
    several = wanted == "multi" or (wanted != "single" and right > 1)
    kind = QuestionType.MULTIPLE if several else QuestionType.SINGLE
    yield _question(kind, text(params, "question"), options=tuple(options))


def _first_is_right(question: str, answers: Iterator[str]) -> Question:
    """Return a choice whose first answer is right, with it in another place."""
    texts = [_bare(each) for each in answers]
    if len(texts) < 2:
        raise Unreadable("It has fewer than two answers.")
    place = sum(map(ord, plain(question))) % len(texts)
    options = [Option(each) for each in texts[1:]]
    options.insert(place, Option(texts[0], correct=True))
    return _question(QuestionType.SINGLE, question, options=tuple(options))


def _single_choice_set(params: object, _: Collector) -> Built:
    for choice in listed(params, "choices"):
        yield _first_is_right(
            text(choice, "question"), (each for each in listed(choice, "answers") if isinstance(each, str))
        )


def _summary(params: object, collector: Collector) -> Built:
    for choice in listed(params, "summaries"):
        if text(choice, "tip").strip():
            collector.left_out("hints")
        yield _first_is_right(
            text(params, "intro"), (each for each in listed(choice, "summary") if isinstance(each, str))
        )


def _true_false(params: object, _: Collector) -> Built:
    right = text(params, "correct")
    if right not in {"true", "false"}:
        raise Unreadable("It does not say whether it is true.")
    told = (text(params, "behaviour", "feedbackOnCorrect"), text(params, "behaviour", "feedbackOnWrong"))
    options = tuple(
        Option(
            plain_to_html(text(params, "l10n", f"{word}Text") or word.capitalize()),
            correct=word == right,
            feedback_html=plain_to_html(told[0] if word == right else told[1]),
        )
        for word in ("true", "false")
    )
    yield _question(QuestionType.SINGLE, text(params, "question"), options=options)


def _gapped(written: str, gap: Callable[[str], str]) -> str:
    return _STARRED.sub(lambda found: gap(found[1]), written)


def _solution(written: str, collector: Collector) -> str:
    """Return the solution of a gap without its tip and feedback."""
    bare = _FEEDBACK.sub("", written)
    if bare != written:
        collector.left_out("feedback to an answer in a gap")
    kept = _TIP.sub("", bare)
    if kept != bare:
        collector.left_out("hints")
    return plain(kept.replace("\\:", ":"))


def _blanks(params: object, collector: Collector) -> Built:
    keys: list[TextKey] = []
    gaps = 0
    sensitive = is_on(params, "behaviour", "caseSensitive", usual=True)

    def gap(written: str) -> str:
        nonlocal gaps
        gaps += 1
        solutions = [part.strip() for part in _solution(written, collector).split("/")]
        keys.extend(TextKey(literal(part), gaps, sensitive) for part in solutions if part)
        return f"[[{gaps}]]"

    blocks = [_gapped(each, gap) for each in listed(params, "questions") if isinstance(each, str)]
    if not keys:
        raise Unreadable("Its text has no blank.")
    if is_on(params, "behaviour", "acceptSpellingErrors"):
        collector.warn("Spelling errors count as wrong here.", 0, collector.next_number)
    yield _of_gaps(text(params, "text") + "".join(blocks), keys, (), gaps)


def _drag_text(params: object, collector: Collector) -> Built:
    keys: list[TextKey] = []

    def gap(written: str) -> str:
        keys.append(TextKey(literal(_solution(written, collector)), len(keys) + 1, case_sensitive=True))
        return f"[[{len(keys)}]]"

    field = _gapped(text(params, "textField"), gap).strip().replace("\n", "<br>")
    if not keys:
        raise Unreadable("Its text has no blank.")
    more = [_solution(found[1], collector) for found in _STARRED.finditer(text(params, "distractors"))]
    words = tuple(sorted({key.text.replace(r"\*", "*") for key in keys} | set(more)))
    html = f"{text(params, 'taskDescription')}<p>{field}</p>"
    yield _of_gaps(html, keys, (words,) * len(keys), len(keys))


def _of_gaps(html: str, keys: list[TextKey], choices: tuple[tuple[str, ...], ...], gaps: int) -> Question:
    if gaps > 1 or choices:
        return _question(QuestionType.GAPS, html, texts=tuple(keys), gap_choices=choices)
    alone = tuple(TextKey(key.text, 0, key.case_sensitive) for key in keys)
    return _question(QuestionType.SHORT, html.replace("[[1]]", BLANK), texts=alone)


def _essay(params: object, collector: Collector) -> Built:
    if listed(params, "keywords"):
        collector.left_out("keywords that mark an essay")
    explanation = text(params, "solution", "introduction") + text(params, "solution", "sample")
    yield _question(QuestionType.ESSAY, text(params, "taskDescription"), explanation_html=explanation)


def _arithmetic(params: object, collector: Collector) -> Built:
    """Make the sums that H5P makes anew for each student. Here they are the same for all."""
    kind = text(params, "arithmeticType") or "addition"
    if kind not in _SIGNS or text(params, "quizType") not in {"", "arithmetic"}:
        raise Unreadable(
            f"Its sums of the kind “{clean_line(text(params, 'equationType') or kind)[:40]}” are made by chance."
        )
    wanted = params.get("maxQuestions") if isinstance(params, Mapping) else None
    count = wanted if isinstance(wanted, int) and 0 < wanted <= _MOST_SUMS else 20
    dice = random.Random(f"{kind} {count}")  # the same questions for the same file
    collector.warn(
        f"The arithmetic quiz makes its sums by chance. {count} of them were made, the same for all students."
    )
    for _ in range(count):
        first, second, result = _sum(kind, dice)
        html = f"{first} {_SIGNS[kind]} {second} = {BLANK}"
        yield _question(QuestionType.NUMERIC, html, numbers=(NumericKey(Decimal(result), Decimal(result)),))


def _sum(kind: str, dice: random.Random) -> tuple[int, int, int]:
    one, two = dice.randint(0, 50), dice.randint(0, 50)
    few, more = dice.randint(1, 10), dice.randint(0, 10)
    match kind:
        case "addition":
            return one, two, one + two
        case "subtraction":
            return one + two, two, one
        case "multiplication":
            return few, more, few * more
        case _:
            return few * more, few, more


def _bare(html: str) -> str:
    """Return the HTML of an answer without a lone block around it."""
    found = re.fullmatch(r"\s*<(p|div)>((?:(?!</?(?:p|div)\b).)*)</\1>\s*", html, re.DOTALL)
    return (found[2] if found else html).strip()


READERS: Final[Mapping[str, Reader]] = {
    "H5P.MultiChoice": _multi_choice,
    "H5P.SingleChoiceSet": _single_choice_set,
    "H5P.Summary": _summary,
    "H5P.TrueFalse": _true_false,
    "H5P.Blanks": _blanks,
    "H5P.DragText": _drag_text,
    "H5P.Essay": _essay,
    "H5P.ArithmeticQuiz": _arithmetic,
}
