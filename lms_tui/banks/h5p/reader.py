"""Read an H5P package. It is a zip file with JSON and pictures."""

import html
import json
import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from lms_tui.banks.archive import Archive, BadArchive
from lms_tui.banks.collect import Collector
from lms_tui.banks.h5p.questions import READERS
from lms_tui.banks.h5p.values import inside, listed, text
from lms_tui.banks.model import NotAnExam, Question, Reading
from lms_tui.banks.pictures import Missing, Pictures
from lms_tui.banks.texts import counted, plain
from lms_tui.banks.unreadable import Unreadable
from lms_tui.banks.zip_kinds import H5P_CONTENT, H5P_HEAD
from lms_tui.common.cleaning import clean_line

_TEXTS: Final = frozenset({"H5P.AdvancedText", "H5P.Text", "H5P.Table"})
_LAYOUT: Final = frozenset(
    {"H5P.QuestionSet", "H5P.Column", "H5P.Row", "H5P.RowColumn", "H5P.InteractiveBook", "H5P.CoursePresentation",
     "H5P.InteractiveVideo", "H5P.Accordion", "H5P.BranchingScenario", "H5P.GameMap"}
)  # fmt: skip
"""Types that only hold others."""
_MEDIA: Final = frozenset({"H5P.Video", "H5P.Audio", "H5P.Link", "H5P.IFrameEmbed"})
_DEEPEST: Final = 60
_ADVICE: Final = (
    "Read are question sets, multiple choice, single choice sets, true/false, blanks, drag text and essays."
)


def read_h5p(data: bytes, shown: str, title: str) -> Reading:
    """Read a package. Raises NotAnExam."""
    try:
        archive = Archive.open(data)
        head, content = (json.loads(archive.read(path)) for path in (H5P_HEAD, H5P_CONTENT))
    except BadArchive as error:
        raise NotAnExam(f"{shown} {error}.", "Export the content from H5P again.") from None
    except Missing as error:
        raise NotAnExam(f"{shown} has no content. It {error}.", "Export the content from H5P again.") from None
    except (ValueError, RecursionError):
        raise NotAnExam(f"{shown} has broken JSON.", "Export the content from H5P again.") from None
    package = _Package(archive, Collector())
    library = clean_line(text(head, "mainLibrary"))
    package.take(library, content, clean_line(text(head, "title")), 0)
    package.tell_unread()
    if not package.collector.questions and not any(found.severity == "error" for found in package.collector.findings):
        raise NotAnExam(f"{shown} is H5P of the type “{library[:60]}” without questions that can be read.", _ADVICE)
    introduction = text(content, "introPage", "introduction") if library == "H5P.QuestionSet" else ""
    return package.collector.reading(clean_line(text(head, "title")) or title, description_html=introduction)


@dataclass(slots=True)
class _Package:
    archive: Archive
    collector: Collector
    pictures: Pictures = field(init=False)

    def __post_init__(self) -> None:
        self.pictures = Pictures(self._fetch)

    def _fetch(self, reference: str) -> bytes:
        return self.archive.read(self.archive.find(posixpath.join("content", reference)))

    def take(self, library: str, params: object, title: str, depth: int) -> None:
        """Read the content of one type, and what is inside it."""
        name = library.partition(" ")[0]
        if depth > _DEEPEST:
            self.collector.error("The content is nested too deeply.")
        elif name in READERS:
            self._questions(name, params, title)
        elif name in _TEXTS or name == "H5P.Image":
            shown = text(params, "text") if name in _TEXTS else _image(params)
            if plain(shown) or "<img" in shown:
                self.collector.describe(self.pictures.embed(shown), 0)
        elif name in _MEDIA:
            self.collector.warn(f"The content “{title[:60]}” of the type “{name}” was left out.")
        elif name in _LAYOUT:
            start = len(self.collector.questions)
            for child, inner, named in _children(params, 0):
                self.take(child, inner, named, depth + 1)
            self._draw(params, start)
        else:
            named = f" “{title[:60]}”" if title else ""
            self.collector.error(f"The content{named} of the type “{name[:60]}” is not supported.")

    def _draw(self, params: object, start: int) -> None:
        """Draw from the questions after `start` if a set asks only some of its questions. Tell who passes."""
        size, given = inside(params, "poolSize"), len(listed(params, "questions"))
        read = self.collector.since(start)
        if isinstance(size, int) and 0 < size < given:
            if len(read) == given:
                self.collector.pick(size, read)
            else:  # a part was left out, or holds several questions
                self.collector.warn(f"The set asks {size} of its {given} parts by chance. All questions are imported.")
        needed = inside(params, "passPercentage")
        if isinstance(needed, int | float) and needed not in {0, 50}:  # 50 is what the editor of H5P writes
            self.collector.warn("The share of the marks that passes was left out.")

    def _questions(self, name: str, params: object, title: str) -> None:
        media = self._media(params)
        told = [text(part, "feedback").strip() for part in listed(params, "overallFeedback")]
        if any(told):
            self.collector.left_out("feedback to the score")
        try:
            for question in READERS[name](params, self.collector):
                self.collector.add(self._finished(question, media, title))
        except Unreadable as error:
            self.collector.error(f"The question “{title[:60]}” ({name}) was left out. {error}")

    def _finished(self, question: Question, media: str, title: str) -> Question:
        embedded = replace(
            question,
            html=media + self.pictures.embed(question.html),
            options=tuple(replace(each, html=self.pictures.embed(each.html)) for each in question.options),
            title=title,
        )
        for problem in self.pictures.told():
            self.collector.warn(problem, 0, self.collector.next_number)
        return embedded

    def _media(self, params: object) -> str:
        """Return the picture above a question. Report a sound or a video."""
        media = inside(params, "media", "type")
        media = media if media is not None else inside(params, "media")
        library = text(media, "library").partition(" ")[0]
        if library == "H5P.Image":
            return self.pictures.embed(_image(inside(media, "params")))
        if library:
            self.collector.warn(
                f"A medium of the type “{clean_line(library)[:60]}” was left out.", 0, self.collector.next_number
            )
        return ""

    def tell_unread(self) -> None:
        """Report the files of the content that no question shows."""
        idle = [
            clean_line(posixpath.basename(path))
            for path in sorted(self.archive.names)
            if path.startswith("content/") and path not in self.archive.used
        ]
        if idle:
            more = ", …" if len(idle) > 12 else ""
            named = ", ".join(idle[:12])
            self.collector.warn(f"{counted(len(idle), 'file')} of the package left out: {named}{more}.")


def _image(params: object) -> str:
    """Return the picture of the type H5P.Image as HTML."""
    source, alt = html.escape(text(params, "file", "path")), html.escape(text(params, "alt"))
    return f'<p><img src="{source}" alt="{alt}"></p>' if source else ""


def _children(params: object, depth: int) -> Iterator[tuple[str, object, str]]:
    """Yield the types inside another one with their parameters and titles."""
    if depth > _DEEPEST:
        return
    for value in params.values() if isinstance(params, Mapping) else params if isinstance(params, list) else ():
        library = text(value, "library")
        if library and isinstance(value, Mapping) and "params" in value:
            yield clean_line(library), value["params"], clean_line(text(value, "metadata", "title"))
        else:
            yield from _children(value, depth + 1)
