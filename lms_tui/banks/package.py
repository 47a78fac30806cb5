"""Read zip packages: QTI with or without a manifest, or files of other formats."""

import posixpath
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

from lms_tui.banks.archive import Archive, BadArchive, Member
from lms_tui.banks.collect import Collector
from lms_tui.banks.model import Exam, Finding, NotAnExam, Reading, Section, Severity
from lms_tui.banks.pictures import Budget, Missing
from lms_tui.banks.qti.banks12 import Banks
from lms_tui.banks.qti.document2 import Labels
from lms_tui.banks.qti.manifest import Manifest, read_manifest
from lms_tui.banks.qti.reader import read_document, salvage
from lms_tui.banks.qti.source import Source
from lms_tui.banks.quiz_choice import QuizChoice, left_out_quizzes
from lms_tui.banks.texts import counted, number
from lms_tui.banks.xml_tree import Malformed, Node, Unsafe, decode_xml, parse_xml
from lms_tui.common.cleaning import clean_line

_ROOTS = frozenset(
    {
        "questestinterop", "assessmentItem", "assessmentTest", "assessmentSection", "qti-assessment-item",
        "qti-assessment-test", "qti-assessment-section",
    }
)  # fmt: skip
_NO_CONTENT = (".css", ".xsd", ".dtd", ".js", ".xsl")
"""Endings of files that say how other files look or are built."""
_MOST_NAMED = 12
_ADVICE = "Export the questions again, as a QTI package, GIFT or Moodle XML."

ReadText = Callable[[bytes, str, str], Reading]
"""Reads a member of another format from data, name and title. Raises NotAnExam."""


def read_package(data: bytes, shown: str, title: str, read_text: ReadText, quizzes: Sequence[str] = ()) -> Reading:
    """Read a zip file into one exam, or those `quizzes` of it with these titles. Raises NotAnExam."""
    choice = QuizChoice(shown, quizzes)
    try:
        archive = Archive.open(data)
        reading = _Package(archive, title, choice).read()
        if reading is None or not reading.exam.questions:
            reading = _others(archive, title, read_text, choice) or reading
    except BadArchive as error:
        raise NotAnExam(f"{shown} {error}.", _ADVICE) from None
    except Unsafe as error:
        raise NotAnExam(f"{shown} was not read. {error}", _ADVICE) from None
    if reading is None:
        raise NotAnExam(f"{shown} is a zip file without questions in a known format.", _ADVICE)
    return reading


@dataclass(slots=True)
class _Package:
    archive: Archive
    title: str
    choice: QuizChoice
    collector: Collector = field(default_factory=Collector)
    budget: Budget = field(default_factory=Budget)
    labels: dict[str, Labels] = field(default_factory=dict)
    read_so_far: set[str] = field(default_factory=set)
    wholes: list[dict[str, Any]] = field(default_factory=list)
    banks: Banks = field(default_factory=Banks)

    @property
    def _has_content(self) -> bool:
        return bool(self.wholes or self.collector.questions)

    def read(self) -> Reading | None:
        """Read the package as QTI. Returns None if it has no QTI."""
        if self.archive.outside:
            self.collector.warn(f"{counted(self.archive.outside, 'file')} ignored: path outside the package.")
        manifest, base = self._manifest()
        self.labels = {
            path: labels for reference, labels in manifest.labels.items() if (path := self._path(reference, base))
        }
        documents = [*manifest.tests, *manifest.older]
        listed = documents or [*manifest.items]
        self._find_banks({self._path(reference, base) for reference in listed})
        for reference in self._chosen(documents, base) if documents else listed:
            self._listed(reference, base)
        if manifest.tests and not self.choice.titles:
            self._beside(manifest, base)
        if not self._has_content:
            self._search()
        if not self._has_content and not self.read_so_far:
            return None
        if not self.choice.titles:
            self.banks.tell_unused()
            self._tell_unread()
        return self._reading(manifest)

    def _find_banks(self, listed: set[str]) -> None:
        """Collect the question banks that the manifest does not list as tests."""
        for path in sorted(self.archive.names):
            if path in listed or not path.lower().endswith((".xml", ".qti")) or not listed:
                continue
            data = self._bytes(path)
            if b"<objectbank" in data and (root := self._parse(path)) is not None:
                self.banks.add(root, Source.at(Member(self.archive, path), self.collector, self.budget))
                self.read_so_far.add(path)

    def _bytes(self, path: str) -> bytes:
        try:
            return self.archive.peek(path)
        except Missing:
            return b""

    def _tell_unread(self) -> None:
        """Report the files that are no part of any question."""
        idle = [path for path in sorted(self.archive.names) if path not in self.archive.used]
        idle = [path for path in idle if not path.lower().endswith(_NO_CONTENT)]
        if idle:
            self.collector.warn(_left_out(idle))

    def _manifest(self) -> tuple[Manifest, str]:
        paths = [path for path in self.archive.names if posixpath.basename(path).lower() == "imsmanifest.xml"]
        for path in sorted(paths, key=lambda path: path.count("/")):
            root = self._parse(path)
            if root is not None:
                return read_manifest(root), path
        return Manifest(), ""

    def _parse(self, path: str) -> Node | None:
        try:
            return parse_xml(decode_xml(self.archive.read(path)).text)
        except Unsafe:
            raise
        except Malformed as error:
            self.collector.error(f"{posixpath.basename(path)}: {error}", error.line)
        except Missing as error:
            self.collector.error(f"{posixpath.basename(path)} {error}.")
        return None

    def _path(self, reference: str, base: str) -> str:
        try:
            return self.archive.find(reference, base)
        except Missing:
            return ""

    def _listed(self, reference: str, base: str) -> None:
        path = self._path(reference, base)
        if path:
            self._take(path)
        else:
            self.collector.error(f"The manifest names “{clean_line(reference)[:80]}”, which is not in the package.")

    def _take(self, path: str) -> None:
        """Read one QTI file into the exam."""
        if path in self.read_so_far:
            return
        self.read_so_far.add(path)
        self.archive.used.add(path)
        fuller = f"non_cc_assessments/{posixpath.basename(posixpath.dirname(path))}.xml.qti"
        source = Source.at(Member(self.archive, path), self.collector, self.budget)
        read = fuller if fuller in self.archive.names else path
        try:
            text = decode_xml(self.archive.read(read)).text
        except Missing as error:
            self.collector.error(f"{posixpath.basename(path)} {error}.")
            return
        first = len(self.collector.begun)
        try:
            root, whole = read_document(text, source, self.labels, self.read_so_far, self.banks)
        except Unsafe:
            raise
        except Malformed as error:
            self.collector.error(f"{posixpath.basename(path)}: {error} Its questions were read one by one.", error.line)
            salvage(text, source)
            return
        whole = {**whole, **self._canvas(path)}
        if root not in {"assessmentItem", "qti-assessment-item"}:
            self.wholes.append({"first": first, **whole})

    def _beside(self, manifest: Manifest, base: str) -> None:
        """Report the items of the package that are in no test."""
        paths = [self._path(reference, base) for reference in manifest.items]
        idle = [path for path in paths if path and path not in self.read_so_far]
        if idle and self.collector.questions:
            self.collector.warn(f"{counted(len(idle), 'item')} of the package left out: not named by any test.")
        elif idle:
            for path in idle:
                self._take(path)

    def _search(self) -> None:
        """Read the QTI files of a package without a manifest: the tests, or else every item."""
        roots: dict[str, str] = {}
        for path in sorted(self.archive.names):
            if path.lower().endswith((".xml", ".qti")) and path not in self.read_so_far:
                name = _root_name(self.archive, path)
                if name in _ROOTS:
                    roots[path] = name
                    self.archive.used.add(path)
        tests = [path for path, name in roots.items() if name.lower().endswith("test")]
        for path in self._chosen(tests or list(roots), ""):
            self._take(path)

    def _chosen(self, references: Sequence[str], base: str) -> Sequence[str]:
        """Return the references whose quizzes are wanted. Raises NotAnExam."""
        if not self.choice.titles or not references:
            return references
        chosen = self.choice.of(self._quiz_title(self._path(reference, base)) for reference in references)
        if others := len(references) - len(chosen):
            self.collector.warn(left_out_quizzes(others))
        return [references[at] for at in chosen]

    def _quiz_title(self, path: str) -> str:
        """Return the title of a quiz, or the name of its file."""
        if title := self._canvas(path).get("title"):
            return str(title)
        root = self._parse(path) if path else None
        whole = None if root is None else next(root.walk("assessment"), root)
        return clean_line(whole.get("title") if whole else "") or posixpath.splitext(posixpath.basename(path))[0]

    def _canvas(self, path: str) -> dict[str, Any]:
        """Return the settings of a quiz that Canvas writes to a separate file."""
        beside = posixpath.join(posixpath.dirname(path), "assessment_meta.xml")
        if beside not in self.archive.names or (root := self._parse(beside)) is None:
            return {}
        settings: dict[str, Any] = {}
        if title := clean_line(root.text_of("title")):
            settings["title"] = title
        if description := root.text_of("description"):
            settings["description_html"] = description
        minutes = number(root.text_of("time_limit"))
        if minutes and 0 < minutes < 100_000:
            settings["duration"] = timedelta(minutes=float(minutes))
        attempts = number(root.text_of("allowed_attempts"))
        if attempts is not None:
            settings["max_retakes"] = int(attempts) - 1 if attempts > 0 else -1
            settings["allow_retake"] = attempts != 1
        if root.text_of("show_correct_answers") == "false":
            settings["show_answers"] = False
        return settings

    def _reading(self, manifest: Manifest) -> Reading:
        if len(self.wholes) > 1:
            self._name_sections()
            return self.collector.reading(manifest.title or self.title)
        whole = {key: value for key, value in (self.wholes or [{}])[0].items() if key != "first"}
        return self.collector.reading(whole.pop("title", "") or manifest.title or self.title, **whole)

    def _name_sections(self) -> None:
        """Join several assessments into one exam. A section without a name gets its assessment's."""
        ends = [whole["first"] for whole in self.wholes[1:]] + [len(self.collector.begun)]
        for whole, end in zip(self.wholes, ends, strict=True):
            for at in range(whole["first"], end):
                section, start = self.collector.begun[at]
                name = section.name or whole.get("title", "")
                self.collector.begun[at] = (replace(section, name=name), start)


def _root_name(archive: Archive, path: str) -> str:
    try:
        return parse_xml(decode_xml(archive.peek(path)).text).name
    except Unsafe:
        raise
    except (Malformed, Missing):
        return ""


def _others(archive: Archive, title: str, read_text: ReadText, choice: QuizChoice) -> Reading | None:
    """Read files of other formats. Several files become sections of one exam."""
    readings: list[tuple[str, Reading]] = []
    idle: list[str] = []
    for path in sorted(archive.names):
        name = posixpath.basename(path)
        with suppress(NotAnExam, Missing):
            reading = read_text(archive.read(path), name, title)
            if reading.exam.questions:
                readings.append((posixpath.splitext(name)[0], reading))
                continue
        idle.append(path)
    if not readings:
        return None
    wanted = choice.of(name for name, _ in readings)
    others = len(readings) - len(wanted)
    readings = [readings[at] for at in wanted]
    findings = tuple(finding for _, reading in readings for finding in reading.findings)
    if others:
        findings = (*findings, Finding(Severity.WARNING, left_out_quizzes(others)))
    if idle and not choice.titles:
        findings = (*findings, Finding(Severity.WARNING, _left_out(idle)))
    return Reading(_joined(title, [(name, reading.exam) for name, reading in readings]), findings)


def _joined(title: str, exams: Sequence[tuple[str, Exam]]) -> Exam:
    """Return the only exam, or one exam with a section for each of several."""
    if len(exams) == 1:
        return exams[0][1]
    picks: tuple[int, ...] = ()
    sections = []
    for name, exam in exams:
        questions = tuple(replace(each, pool=each.pool and each.pool + len(picks)) for each in exam.questions)
        sections.append(Section(clean_line(name), questions, draws=exam.draws))
        picks += exam.picks
    return Exam(title, tuple(sections), picks=picks)


def _left_out(paths: list[str]) -> str:
    named = ", ".join(clean_line(posixpath.basename(path))[:60] for path in paths[:_MOST_NAMED])
    more = ", …" if len(paths) > _MOST_NAMED else ""
    return f"{counted(len(paths), 'file')} of the package left out: {named}{more}."
