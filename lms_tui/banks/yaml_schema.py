"""A JSON Schema of the YAML format, for editors that complete names and mark mistakes."""

from typing import Any, Final

from lms_tui.banks.yaml_exam import KINDS
from lms_tui.common.calculator import Scope

Schema = dict[str, Any]

_TEXT: Final[Schema] = {"type": ["string", "number", "boolean"]}
"""YAML reads `no` and `12` as other types than text. The reader sees the written text."""
_MARKS: Final[Schema] = {"type": ["string", "number"]}
_FLAG: Final[Schema] = {"enum": [True, False, "yes", "no", "true", "false", "on", "off", "y", "n"]}


def schema() -> Schema:
    """Return the schema. Names are written as in the documentation: in small letters, with blanks."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "An exam for lms-tui",
        **_object(_exam()),
        "anyOf": [{"required": ["questions"]}, {"required": ["sections"]}],
        "$defs": {
            "question": {
                "anyOf": [
                    _TEXT,
                    _object(_question(), "question"),
                    _object(_pick(), "pick", "questions"),
                    _object(_draw(), "pick", "bank"),
                ]
            },
            "option": {"anyOf": [_TEXT, _object(_option()) | {"minProperties": 1}]},
            "key": {"anyOf": [_TEXT, _object(_key())]},
        },
    }


def _exam() -> Schema:
    return {
        "title": _TEXT,
        "slug": _told("The link name of the exam.", _TEXT),
        "description": _TEXT,
        "format": _format("How all texts are written. Without it, Markdown."),
        "language": _told("A language tag such as en or hi.", _TEXT),
        "duration": _told("The time limit: 45 min, 1 h 30 min, 1:30:00, minutes alone, or none.", _MARKS),
        "marks": _told("The marks of a question that names none.", _MARKS),
        "negative marks": _told("The marks that a wrong answer costs.", _MARKS),
        "retakes": _told("How often the exam can be taken again: no, a number, or unlimited.", _TEXT),
        "calculator": _told("The calculator that students may use.", {"enum": [*Scope, False, True, "no", "yes"]}),
        "reference sheet": _told("A text that students can read during the exam.", _TEXT),
        "show answers": _told(
            "When students see the answers: yes, no, or after closing.", {"enum": [*_FLAG["enum"], "after closing"]}
        ),
        "ranks": _FLAG,
        "immediate feedback": _FLAG,
        "end sections early": _FLAG,
        "passages": {
            "description": "Texts that several questions share, each with a name.",
            "type": "object",
            "additionalProperties": _TEXT,
        },
        "sections": {"type": "array", "items": _object(_section())},
        "questions": _QUESTIONS,
    }


def _section() -> Schema:
    return {
        "name": _TEXT,
        "duration": _told("The time limit of this section.", _MARKS),
        "cut off": _told("The marks that a student needs in this section.", _MARKS),
        "instructions": _TEXT,
        "questions": _QUESTIONS,
    }


def _question() -> Schema:
    return {
        "question": _told("The text of the question. [[1]] is the first gap.", _TEXT),
        "type": _told("The type, if it does not follow from the answers.", {"enum": list(KINDS)}),
        "title": _TEXT,
        "options": {"type": "array", "items": {"$ref": "#/$defs/option"}},
        "answer": _told("Correct texts. A star stands for any text.", _one_or_more({"$ref": "#/$defs/key"})),
        "true or false": _FLAG,
        "number": _told("Correct numbers: 5, 9.81 ± 0.02, or 9.7 to 9.9.", _one_or_more({"$ref": "#/$defs/key"})),
        "gaps": {"type": "array", "items": _gap()},
        "match": {
            "anyOf": [
                {"type": "object", "additionalProperties": _TEXT},
                {"type": "array", "items": {"anyOf": [_TEXT, {"type": "object", "additionalProperties": _TEXT}]}},
            ]
        },
        "essay": _FLAG,
        "topics": _told("Topics of an essay, to choose from.", _one_or_more(_TEXT)),
        "rubric": _told(
            "Criteria with their points, which add up to the marks of the question.",
            {"type": "object", "additionalProperties": _MARKS, "minProperties": 1},
        ),
        "files": {"anyOf": [_FLAG, _object(_files())]},
        "passage": _told("The name of a passage, or its text.", _TEXT),
        "explanation": _told("The text that students read in the review.", _TEXT),
        "subject": _SUBJECT,
        "marks": _MARKS,
        "negative marks": _MARKS,
        "language": _TEXT,
        "id": _TEXT,
        "tags": _one_or_more(_TEXT),
        "difficulty": _told("A tag such as easy, by which questions of a bank are drawn.", _TEXT),
        "format": _format("How the texts of this question are written."),
    }


def _files() -> Schema:
    return {
        "types": _told("Ends of file names, such as pdf. Without it, files of any type.", _one_or_more(_TEXT)),
        "most": _told("How many files a student can hand in.", _COUNT),
    }


def _pick() -> Schema:
    return {"pick": _told("How many of these questions each attempt asks.", _COUNT), "questions": _QUESTIONS}


def _draw() -> Schema:
    return {
        "pick": _told("How many questions of the bank each attempt asks.", _COUNT),
        "bank": _told("The link name of a question bank of the institute.", _TEXT),
        "subject": _SUBJECT,
        "difficulty": _one_or_more(_TEXT),
        "tags": _told("Tags that all questions have.", _one_or_more(_TEXT)),
        "marks": _MARKS,
    }


def _option() -> Schema:
    return {
        "right": _told("The text of a correct option.", _TEXT),
        "wrong": _told("The text of an incorrect option.", _TEXT),
        "weight": _told("The share of the marks, such as 50 % or -25 %.", _MARKS),
        "feedback": _TEXT,
        "fixed": _told("Whether it keeps its place where options are shuffled.", _FLAG),
    }


def _key() -> Schema:
    return {
        "text": _TEXT,
        "number": _TEXT,
        "weight": _told("The share of the marks, such as 50 %.", _MARKS),
        "feedback": _TEXT,
        "case": _told("Whether small and capital letters differ.", {"enum": [*_FLAG["enum"], "sensitive"]}),
    }


def _gap() -> Schema:
    fields = {"number": _key()["number"], "choices": _one_or_more(_TEXT), "answer": _one_or_more(_TEXT)}
    return {"anyOf": [_one_or_more({"$ref": "#/$defs/key"}), _object(fields)]}


def _object(properties: Schema, *required: str) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        **({"required": list(required)} if required else {}),
    }


def _one_or_more(one: Schema) -> Schema:
    return {"anyOf": [one, {"type": "array", "items": one}]}


def _told(description: str, schema: Schema) -> Schema:
    return {"description": description, **schema}


def _format(description: str) -> Schema:
    return _told(description, {"enum": ["markdown", "html", "plain"]})


_COUNT: Final[Schema] = {"type": ["integer", "string"]}
_SUBJECT: Final = _told("The subject, such as Physics / Mechanics.", _one_or_more(_TEXT))
_QUESTIONS: Final[Schema] = {"type": "array", "items": {"$ref": "#/$defs/question"}}
