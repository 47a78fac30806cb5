"""Read a YAML file as a pydantic model. An error names the file and the line, and says what to do."""

import difflib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from lms_tui.banks.yaml_tree import BadYaml, Mapping, Scalar, Sequence, Tree, folded, parse_yaml, second_document
from lms_tui.common.cleaning import clean_line
from lms_tui.common.reading import read_file
from lms_tui.common.user_errors import UsageError

_LARGEST: Final = 256 * 1024
_LONGEST_VALUE: Final = 40
_SENTENCES: Final = {
    "missing": "“{name}” is missing.",
    "string_type": "“{name}” needs a text.",
    "tuple_type": "“{name}” needs a list.",
    "model_type": "“{name}” needs names and values.",
    "float_parsing": "“{name}” needs a number, not “{value}”.",
    "greater_than": "“{name}” must be more than {gt:g}.",
    "less_than_equal": "“{name}” must be at most {le:g}.",
    "enum": "“{name}” cannot be “{value}”. Write {expected}.",
    "literal_error": "“{name}” cannot be “{value}”. Write {expected}.",
}
_Model = TypeVar("_Model", bound=BaseModel)


def read_model(file: Path, model: type[_Model], advice: str) -> _Model:
    """Return the file as a model. Names may be written with blanks, hyphens or underscores.

    Raises UsageError with the first wrong line and `advice`, and UnreadableFileError.
    """
    name, content = clean_line(file.name), read_file(file, _LARGEST)
    if len(content) > _LARGEST:
        raise UsageError(f"{name} is larger than {_LARGEST // 1024} KB.", advice)
    try:
        tree = parse_yaml(content.decode())
        second = second_document(content.decode())
    except UnicodeDecodeError:
        raise UsageError(f"{name} is not UTF-8 text.", advice) from None
    except BadYaml as error:
        raise UsageError(f"{name}, line {error.line}: {error}", advice) from None
    if second:
        raise UsageError(f"{name}, line {second}: a second list of names begins here, which would not be read.", advice)
    if not isinstance(tree, Mapping):
        raise UsageError(f"{name}, line {tree.line}: this is not a list of names with values.", advice)
    try:
        return model.model_validate(_plain(tree))
    except ValidationError as error:
        found = [(_line(tree, one["loc"]), _sentence(one, model)) for one in error.errors(include_url=False)]
        line, words = min(found)
        more = f" ({len(found) - 1} more after it.)" if len(found) > 1 else ""
        raise UsageError(f"{name}, line {line}: {words}{more}", advice) from None


def _plain(tree: Tree) -> Any:
    """Return texts, lists and dictionaries. Values that are empty are left out of dictionaries."""
    match tree:
        case Scalar():
            return clean_line(tree.text)
        case Sequence():
            return tuple(map(_plain, tree.items))
        case Mapping():
            full = [(key, value) for key, value in tree.entries if value != Scalar("", value.line)]
            return {folded(key.text).replace(" ", "_"): _plain(value) for key, value in reversed(full)}


def _line(tree: Tree, place: Iterable[int | str]) -> int:
    """Return the line of the deepest part of a place that the file has."""
    line = tree.line
    for part in place:
        match tree:
            case Mapping():
                key = next((key for key, _ in tree.entries if folded(key.text).replace(" ", "_") == part), None)
                if key is None:
                    return line
                line, tree = key.line, tree.get(folded(key.text)) or tree
            case Sequence() if isinstance(part, int):
                tree = tree.items[part]
                line = tree.line
            case _:
                return line
    return line


def _sentence(error: ErrorDetails, model: type[BaseModel]) -> str:
    names = [part for part in error["loc"] if isinstance(part, str)]
    name = names[-1].replace("_", " ") if names else "the file"
    if error["type"] == "extra_forbidden":
        near = difflib.get_close_matches(names[-1], _names(model), 1)
        return f"“{clean_line(name)[:_LONGEST_VALUE]}” is unknown." + (
            f" Did you mean {near[0].replace('_', ' ')}?" if near else ""
        )
    if error["type"] not in _SENTENCES:
        return error["msg"]
    told = {**error.get("ctx", {}), "name": name, "value": str(error["input"])[:_LONGEST_VALUE]}
    return _SENTENCES[error["type"]].format(**told)


def _names(model: type[BaseModel]) -> set[str]:
    """Return the names of a model and of the models in it."""
    found = set(model.model_fields)
    for field in model.model_fields.values():
        for part in (field.annotation, *getattr(field.annotation, "__args__", ())):
            if isinstance(part, type) and issubclass(part, BaseModel):
                found |= _names(part)
    return found
