"""Collect the questions, passages, sections and findings of a file. All readers share this."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from lms_tui.banks.model import BankDraw, Exam, Finding, Question, Reading, Section, Severity
from lms_tui.banks.texts import counted, joined, listed, plain

UNSORTED: Final = "General"


@dataclass(slots=True)
class Collector:
    """Collects questions in order.

    `subject` and the passage apply to the questions that follow. `unused` is reported once for the whole file.
    """

    questions: list[Question] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    subject: tuple[str, ...] = ()
    passages: list[tuple[str, int]] = field(default_factory=list)
    passage_used: bool = False
    unused: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    lines: dict[str, int] = field(default_factory=dict)
    """The first line of each part in `unused`."""
    begun: list[tuple[Section, int]] = field(default_factory=list)
    """Sections without their questions, each with the index of its first question."""
    picks: list[int] = field(default_factory=list)
    """How many questions of each pool are drawn for an attempt."""

    @property
    def next_number(self) -> int:
        return len(self.questions) + 1

    def add(self, question: Question) -> None:
        """Add a question. It gets the current subject and passage unless it has its own.

        An answer without text or picture is left out, because nobody could choose it.
        """
        if any(not option.html.strip() for option in question.options):
            self.warn("An answer without text was left out.", question.line, self.next_number)
            question = replace(question, options=tuple(o for o in question.options if o.html.strip()))
        if not question.subject:
            question = replace(question, subject=self.subject)
        if self.passages and not question.direction_html:
            question = replace(question, direction_html=self.passage)
            self.passage_used = True
        self.questions.append(question)

    def describe(self, html: str, line: int) -> None:
        """Add a description. Several in a row are the passage of the questions after them."""
        if self.passage_used:
            self.end_passage()
        self.passages.append((html, line))

    def begin_section(self, section: Section) -> None:
        """Start a section for the questions that follow."""
        self.end_passage()
        self._end_section()
        self.begun.append((section, len(self.questions)))

    def _end_section(self) -> None:
        if self.begun and self.begun[-1][1] == len(self.questions) and not self.begun[-1][0].draws:
            section, _ = self.begun.pop()
            if section.name:
                self.warn(f"The section “{section.name[:60]}” has no question and was left out.")

    def pick(self, count: int, among: Iterable[int], line: int = 0, name: str = "") -> int:
        """Draw `count` of the questions with these indexes for each attempt. A question stays in its first pool.

        Return the number of the pool, or 0 if all are asked.
        """
        given = list(among)
        own = [at for at in given if not self.questions[at].pool]
        of_these = f"“{name[:60]}”" if name else "a pick"
        if len(own) < len(given):
            self.warn(f"Of {of_these}, only questions outside other picks are drawn.", line)
        if not 0 < count < len(own):
            if count != len(own):
                self.warn(f"Of {of_these}, all {counted(len(own), 'question')} are asked, not {count}.", line)
            return 0
        self.picks.append(count)
        for at in own:
            self.questions[at] = replace(self.questions[at], pool=len(self.picks))
        return len(self.picks)

    def since(self, start: int) -> range:
        """Return the indexes of the questions from `start` on."""
        return range(start, len(self.questions))

    def draw(self, draw: BankDraw) -> None:
        """Draw questions from a bank of the institute, in the current section."""
        if not self.begun:
            self.begun.append((Section("", ()), 0))
        section, start = self.begun[-1]
        self.begun[-1] = (replace(section, draws=(*section.draws, draw)), start)

    def sections(self) -> tuple[Section, ...]:
        """Return the sections. If the file has none, the broadest subjects are the sections."""
        if not self.begun:
            return sections_by_subject(self.questions)
        starts = [*self.begun]
        if starts[0][1]:
            starts.insert(0, (Section("", ()), 0))
        ends = [*(at for _, at in starts[1:]), len(self.questions)]
        filled = [
            replace(section, questions=tuple(self.questions[start:end]))
            for (section, start), end in zip(starts, ends, strict=True)
        ]
        return tuple(section for section in filled if section.questions or section.draws)

    def end_passage(self) -> None:
        if self.passages and not self.passage_used:
            for html, line in self.passages:
                self.warn(f"The description “{plain(html)[:60]}” has no question after it and was left out.", line)
        self.passages, self.passage_used = [], False

    @property
    def passage(self) -> str:
        return joined([html for html, _ in self.passages])

    def warn(self, message: str, line: int = 0, question: int = 0) -> None:
        self.findings.append(Finding(Severity.WARNING, message, line, question))

    def error(self, message: str, line: int = 0, question: int = 0) -> None:
        self.findings.append(Finding(Severity.ERROR, message, line, question))

    def left_out(self, what: str, question: int = 0, line: int = 0) -> None:
        """Record a part of a question that an exam cannot keep. `question` 0 is the next question."""
        self.lines.setdefault(what, line)
        numbers = self.unused[what]
        number = question or self.next_number
        if number not in numbers[-1:]:
            numbers.append(number)

    def account(self) -> None:
        """Report the parts that an exam cannot keep, with question numbers."""
        for what, numbers in self.unused.items():
            self.warn(f"Not imported, because exams cannot store it: {what} ({listed(numbers)}).", self.lines[what])
        self.unused.clear()

    def reading(self, title: str, **settings: Any) -> Reading:
        """Return the exam and all findings. Settings that are None have their default."""
        self.end_passage()
        self._end_section()
        self.account()
        sections = self.sections()
        if not self.questions and not any(section.draws for section in sections):
            self.warn("The file has no question that can be answered.")
        given = {name: value for name, value in settings.items() if value is not None}
        exam = Exam(title, sections, picks=tuple(self.picks), **{"said": frozenset(given), **given})
        return Reading(exam, tuple(self.findings))


def sections_by_subject(questions: Sequence[Question]) -> tuple[Section, ...]:
    """Group questions by broadest subject in order of first appearance, if there is more than one subject."""
    groups: dict[str, list[Question]] = defaultdict(list)
    for question in questions:
        groups[question.subject[0] if question.subject else UNSORTED].append(question)
    if len(groups) > 1:
        return tuple(Section(name, tuple(group)) for name, group in groups.items())
    return (Section("", tuple(questions)),) if questions else ()
