"""An example request for each rule, as a curl command. The requests are listed in `examples.yaml`."""

import shlex
from functools import cache
from importlib.resources import files
from typing import Final

import yaml

from lms_tui.qa.walk.rules import Rule

_SIGN_IN: Final = "/auth-token/"


def request_of(rule: Rule) -> tuple[str, str, str]:
    """Return the method, the path and the body of an example request. Capitals stand for values."""
    examples = _examples()
    method, path, *body = examples.get(rule.id, examples[rule.area]).split(" ", 2)
    return method, path, body[0] if body else ""


def curl_of(rule: Rule) -> str:
    """Return the request as a command of a shell. The server and the token are in LMS_URL and LMS_TOKEN."""
    method, path, body = request_of(rule)
    words = ["curl", *(() if method == "GET" else ("-X", method)), f'"$LMS_URL{path}"']
    if _SIGN_IN not in path:
        words += ["-H", '"Authorization: JWT $LMS_TOKEN"']
    if body:
        words += ["-H", shlex.quote("Content-Type: application/json"), "-d", shlex.quote(body)]
    return " ".join(words)


@cache
def _examples() -> dict[str, str]:
    tree: dict[str, str] = yaml.safe_load(files(__package__).joinpath("examples.yaml").read_text("utf-8"))
    return tree
