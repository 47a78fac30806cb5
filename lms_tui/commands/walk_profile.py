"""The file `walk.yaml`: what a tester knows about a server. Its values are defaults of the options of a walk."""

import argparse
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

from lms_tui.client.connection import Access
from lms_tui.commands.yaml_models import read_model
from lms_tui.common.user_errors import AdvisedError, UsageError
from lms_tui.qa.walk.address_style import AddressStyle, Slash
from lms_tui.qa.walk.expected import Expected, KnownDeviation
from lms_tui.qa.walk.rules import load_rules, named_rules

_ADVICE: Final = "Correct the file. `lms-tui help walk` describes its format."
_HIGHEST_RATE: Final = 1000.0
_OPTIONS: Final = (("first", "user", "password"), ("second", "second_user", "second_password"))


def _is_rule_or_area(name: str) -> str:
    try:
        named_rules([name])
    except AdvisedError as error:
        raise PydanticCustomError("rule", "{message}", {"message": f"{error} {error.advice}"}) from None
    return name


def _is_rule(name: str) -> str:
    if name not in {rule.id for rule in load_rules()}:
        raise PydanticCustomError("rule", "There is no rule “{name}”.", {"name": name[:40]})
    return name


def _is_variable(value: str) -> str:
    if not value.startswith("$") or len(value) == 1:
        raise PydanticCustomError("variable", "A password must not be in this file. Write $LMS_PASSWORD, for example.")
    return value


def _is_path(value: str) -> str:
    value = value.rstrip("/")
    if value and (not value.startswith("/") or set(value) & set("?# ")):
        raise PydanticCustomError("path", "“prefix” needs a path such as /lms/api.")
    return value


def _is_header(value: str) -> str:
    if not value.replace("-", "").isalnum() or not value.isascii():
        raise PydanticCustomError("header", "This is not the name of a header or a scheme, such as X-Auth-Token.")
    return value


def _as_list(value: object) -> object:
    return (value,) if isinstance(value, str) else value


_Name = Annotated[str, AfterValidator(_is_header)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Account(_Part):
    """`$NAME` names an environment variable."""

    user: str
    password: Annotated[str, AfterValidator(_is_variable)]


class _Accounts(_Part):
    first: _Account
    second: _Account | None = None


class _Token(_Part):
    path: str = ""
    header: _Name = "Authorization"
    scheme: Literal["none"] | _Name = "JWT"


class _Known(_Part):
    rule: Annotated[str, AfterValidator(_is_rule)]
    reason: Annotated[str, Field(min_length=1)]
    found: str = ""


class WalkProfile(_Part):
    """The content of `walk.yaml`, or the defaults without a file."""

    server: str = ""
    prefix: Annotated[str, AfterValidator(_is_path)] = "/api"
    slash: Slash = Slash.DOCUMENT
    version: Literal["", "v2.2", "v2.3", "v2.5", "probe"] = ""
    token: _Token = _Token()
    accounts: _Accounts | None = None
    exam: str = ""
    also: Annotated[tuple[str, ...] | None, BeforeValidator(_as_list)] = None
    rate: Annotated[float, Field(gt=0, le=_HIGHEST_RATE)] | None = None
    user_agent: str = ""
    missing: Annotated[tuple[Annotated[str, AfterValidator(_is_rule_or_area)], ...], BeforeValidator(_as_list)] = ()
    known: tuple[_Known, ...] = ()

    @property
    def expected(self) -> Expected:
        known = tuple(KnownDeviation(one.rule, one.reason, one.found) for one in self.known)
        return Expected(named_rules(self.missing), known)

    def style(self, version: str) -> AddressStyle:
        """Return how the server writes paths. `version` is `probe`, one version, or empty for the document's."""
        return AddressStyle(self.prefix, self.slash, "" if version == "probe" else version)

    def access(self, access: Access) -> Access:
        """Return the settings of a connection with the header and the scheme of this server's tokens."""
        scheme = "" if self.token.scheme == "none" else self.token.scheme
        return replace(access, auth_header=self.token.header, auth_scheme=scheme)


def read_profile(file: Path) -> WalkProfile:
    """Return the content of a file. Raises AdvisedError with the wrong line."""
    profile = read_model(file, WalkProfile, _ADVICE)
    if not profile.server:
        raise UsageError(f"{file.name} names no server.", "Add `server: https://learn.example.edu` to the file.")
    return profile


def with_profile(
    options: argparse.Namespace, profile: WalkProfile, environment: Mapping[str, str]
) -> argparse.Namespace:
    """Return the options, completed by the profile. Options of the command line come first. Raises UsageError."""
    given: dict[str, Any] = dict(vars(options))
    if given["base_url"] is None and profile.server:
        given["base_url"] = profile.server
    for name, value in (
        ("exam", profile.exam),
        ("also", list(profile.also) if profile.also is not None else None),
        ("token_path", profile.token.path),
        ("rate", profile.rate),
        ("user_agent", profile.user_agent),
        ("api_version", profile.version),
    ):
        given[name] = given[name] or value
    if profile.accounts is not None and not given["user"]:
        accounts = {"first": profile.accounts.first, "second": profile.accounts.second}
        for name, user, password in _OPTIONS:
            account = accounts[name]
            if account is not None:
                given[user] = _value(account.user, environment)
                given[password] = _value(account.password, environment)
    return argparse.Namespace(**given)


def _value(text: str, environment: Mapping[str, str]) -> str:
    """Return the value of `$NAME`, or any other text unchanged. Raises UsageError."""
    if not text.startswith("$"):
        return text
    name = text[1:].strip("{}")
    if not environment.get(name):
        raise UsageError(f"The environment variable {name} is not set.", f"Set it, such as with `export {name}=…`.")
    return environment[name]
