"""Write an exam as a QTI 2.1 package: a test, items, pictures and a manifest."""

from datetime import timedelta
from itertools import groupby

from lms_tui.banks.model import Exam, Question, Section
from lms_tui.banks.writers.package import packed
from lms_tui.banks.writers.qti_item import NAMESPACE, TOOL, item_xml
from lms_tui.banks.writers.xhtml import Files, escape, xhtml


def write_qti(exam: Exam) -> bytes:
    files = Files()
    members: dict[str, bytes] = {}
    resources: list[str] = []
    sections: list[str] = []
    number = 0
    for at, section in enumerate((part for part in exam.sections if part.questions), 1):
        references: list[str] = []
        for pool, questions in groupby(section.questions, key=lambda question: question.pool):
            of_pool = ""
            for question in questions:
                number += 1
                name = f"q{number:04d}"
                members[f"items/{name}.xml"] = item_xml(question, name, files).encode("utf-8", "replace")
                of_pool += f'<assessmentItemRef identifier="{name}" href="items/{name}.xml"/>'
                resources.append(_item_resource(question, name))
            references.append(_pool(pool, exam.picks[pool - 1], of_pool) if pool else of_pool)
        sections.append(_section(section, at, references, files))
    members["test.xml"] = _test(exam, sections).encode("utf-8", "replace")
    members |= {f"pictures/{name}": data for data, name in files.names.items()}
    members["imsmanifest.xml"] = _manifest(exam, resources, list(files.names.values())).encode("utf-8", "replace")
    return packed(members)


def _test(exam: Exam, sections: list[str]) -> str:
    values = {"MARK_PER_QUESTION": str(exam.mark_per_question), "NEGATIVE_MARKS": str(exam.negative_marks)}
    values |= {
        f"CUT_OFF_{at}": str(section.cut_off)
        for at, section in enumerate((part for part in exam.sections if part.questions), 1)
        if section.cut_off
    }
    outcomes = "".join(
        f'<outcomeDeclaration identifier="{name}" cardinality="single" baseType="float"><defaultValue>'
        f"<value>{value}</value></defaultValue></outcomeDeclaration>"
        for name, value in values.items()
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<assessmentTest xmlns="{NAMESPACE}" identifier="test" title="{escape(exam.title)}" toolName="{TOOL}">\n'
        f'{outcomes}\n<testPart identifier="part" navigationMode="nonlinear" submissionMode="simultaneous">'
        f"{_limit(exam.duration)}\n"
        f"{''.join(sections)}</testPart>\n</assessmentTest>\n"
    )


def _section(section: Section, at: int, references: list[str], files: Files) -> str:
    rubric = ""
    if section.instructions_html:
        text = xhtml(files.take_out(section.instructions_html, lambda name: f"pictures/{name}"))
        rubric = f'<rubricBlock view="candidate">{text}</rubricBlock>'
    return (
        f'<assessmentSection identifier="s{at}" title="{escape(section.name)}" visible="true">'
        f"{_limit(section.duration)}{rubric}{''.join(references)}</assessmentSection>\n"
    )


def _pool(pool: int, count: int, references: str) -> str:
    return (
        f'<assessmentSection identifier="pool{pool}" title="" visible="false"><selection select="{count}"/>'
        f"{references}</assessmentSection>"
    )


def _limit(duration: timedelta | None) -> str:
    return f'<timeLimits maxTime="{duration.total_seconds():.6f}"/>' if duration else ""


def _item_resource(question: Question, name: str) -> str:
    return (
        f'<resource identifier="{name}" type="imsqti_item_xmlv2p1" href="items/{name}.xml">{_labels(question)}'
        f'<file href="items/{name}.xml"/></resource>\n'
    )


def _labels(question: Question) -> str:
    """Write tags and subjects as learning object metadata."""
    tags = "".join(f"<keyword><string>{escape(tag)}</string></keyword>" for tag in question.tags)
    taxa = "".join(f"<taxon><entry><string>{escape(part)}</string></entry></taxon>" for part in question.subject)
    general = f"<general>{tags}</general>" if tags else ""
    discipline = "<purpose><source>LOMv1.0</source><value>discipline</value></purpose>"
    subject = f"<classification>{discipline}<taxonPath>{taxa}</taxonPath></classification>" if taxa else ""
    return (
        f'<metadata><lom xmlns="http://ltsc.ieee.org/xsd/LOM">{general}{subject}</lom></metadata>'
        if general or subject
        else ""
    )


def _manifest(exam: Exam, resources: list[str], pictures: list[str]) -> str:
    listed = "".join(f'<file href="pictures/{escape(name)}"/>' for name in pictures)
    named = f"<title><string>{escape(exam.title)}</string></title>"
    title = f'<lom xmlns="http://ltsc.ieee.org/xsd/LOM"><general>{named}</general></lom>'
    test = f'<file href="test.xml"/>{listed}'
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<manifest xmlns="http://www.imsglobal.org/xsd/imscp_v1p1" identifier="package"><metadata>'
        f"<schema>QTIv2.1 Package</schema><schemaversion>1.0.0</schemaversion>{title}</metadata><organizations/>\n"
        f'<resources><resource identifier="test" type="imsqti_test_xmlv2p1" href="test.xml">{test}</resource>\n'
        f"{''.join(resources)}</resources></manifest>\n"
    )
