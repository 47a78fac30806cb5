"""The command `lms-tui api`, which describes the API in files and sends single requests."""

import argparse
import json
import sys
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from lms_tui.commands.connecting import access_of, accounts_of, add_server_options, guarded, names_server
from lms_tui.commands.parser import Subcommands, add_command, add_group
from lms_tui.commands.profiles import chosen_profile, token_store
from lms_tui.common.cleaning import clean, clean_line
from lms_tui.common.user_errors import UsageError

if TYPE_CHECKING:
    from lms_tui.client.recording import Exchange
    from lms_tui.qa.walk.user_client import UserClient


_LOCAL: Final = "http://127.0.0.1:8000"


def register(commands: Subcommands) -> None:
    group = add_group(add_command(commands, "api", "describe the API in files, or send a request to a server"))
    for name, words in (
        ("openapi", "print the API document as OpenAPI 3.1"),
        ("postman", "print the API document as a Postman collection 2.1, for Bruno and Insomnia too"),
    ):
        action = add_command(group, name, words, _describe)
        action.add_argument("--base-url", default=_LOCAL, metavar="URL", help=f"server in the file (default: {_LOCAL})")
        more = "add what the service of this program has beyond the document"
        action.add_argument("--extensions", action="store_true", help=more)
        action.set_defaults(form=name)
    send = add_command(group, "try", "send one request as a signed-in user, and print the reply without secrets", _try)
    send.add_argument("method", metavar="METHOD", help="such as GET or PUT")
    send.add_argument("path", metavar="PATH", help="such as /api/v2.2/me/")
    send.add_argument("--data", default="", metavar="JSON", help="body of the request, a JSON object")
    add_server_options(send, "server to ask (default: a temporary service of this program)")
    send.add_argument("--user", default="", metavar="NAME", help="user name (default: asha in the temporary service)")
    words = "ask the server of this profile with its saved sign-in: its number, name or user name"
    send.add_argument("--profile", default="", metavar="PROFILE", help=words)
    send.set_defaults(database_url="", second_user="")


def _describe(options: argparse.Namespace) -> int:
    from lms_tui.qa.api_files import to_openapi, to_postman

    convert = to_openapi if options.form == "openapi" else to_postman
    tree = convert(service_schema(), options.base_url.rstrip("/"), extensions=options.extensions)
    print(json.dumps(tree, ensure_ascii=False, indent=2))
    return 0


def service_schema() -> dict[str, Any]:
    """Return the OpenAPI document of the service, which needs a database to be made."""
    from contextlib import closing
    from tempfile import TemporaryDirectory

    from lms_tui.service.core.openapi import describe
    from lms_tui.service.core.settings import ServiceSettings
    from lms_tui.service.server.app import create_app
    from lms_tui.service.server.building import open_database

    with TemporaryDirectory(prefix="lms-tui-") as folder:
        settings = ServiceSettings(Path(folder), demo=True)
        with closing(open_database(settings)) as database:
            return describe(create_app(settings, database).routes)


def _try(options: argparse.Namespace) -> int:
    return guarded(options, _send)


def _send(options: argparse.Namespace) -> int:
    """Return 0 if the server accepted the request, and 1 if it refused it. Raises AdvisedError."""
    import anyio

    from lms_tui.views.inspector import text_of

    method = options.method.upper()
    if not (method.isascii() and method.isalpha()):
        raise UsageError(f"“{clean_line(options.method)}” is not a method.", "Use GET, POST, PUT, PATCH or DELETE.")
    if not options.path.startswith("/api/"):
        raise UsageError(f"“{clean_line(options.path)}” is not a path of the API.", "Write one such as /api/v2.2/me/.")
    reply = anyio.run(_exchange, options, method, _body(options.data)).without_secrets()
    print(clean_line(f"{reply.method} {reply.path} → {reply.outcome}"), file=sys.stderr)
    for name, value in reply.response_headers:
        print(clean_line(f"{name}: {value}"), file=sys.stderr)
    if reply.body:
        print(clean(text_of(reply.body)))
    return 0 if reply.status < 400 else 1


def _body(text: str) -> dict[str, Any] | None:
    """Return the body of a request, or None without one. Raises UsageError."""
    try:
        body = json.loads(text) if text else None
    except ValueError:
        body = text
    if body is not None and not isinstance(body, dict):
        raise UsageError("--data is not a JSON object.", """Write it like '{"selected_answers": [5]}'.""")
    return body


async def _exchange(options: argparse.Namespace, method: str, body: dict[str, Any] | None) -> "Exchange":
    async with AsyncExitStack() as stack:
        client = await _client(options, stack)
        return await client.send(method, options.path, body=body)


async def _client(options: argparse.Namespace, stack: AsyncExitStack) -> "UserClient":
    """Return a signed-in client of the named server, of a profile, or of a temporary service. Raises AdvisedError."""
    from lms_tui.client.address import parse_base_url
    from lms_tui.client.port import TOKEN_PATH
    from lms_tui.commands.practice import PASSWORD, open_practice
    from lms_tui.qa.walk.user_client import Account, UserClient

    access, token, account = access_of(options), "", Account("asha", PASSWORD)
    if options.profile and names_server(options):
        raise UsageError("A profile and a server are given.", "Leave out --profile, or --base-url and --user.")
    if options.profile:
        profile = chosen_profile(options)
        base_url, token = profile.base_url, token_store(options).read(profile) or ""
        access = replace(access, ca_file=access.ca_file or profile.ca_file)
        if not token:
            raise UsageError(f"{clean_line(profile.name)} is not signed in.", "Sign in with `lms-tui login`.")
    elif names_server(options):
        account, _ = accounts_of(options)
        base_url = parse_base_url(options.base_url, allow_plain_http=options.allow_plain_http)
    else:
        base_url = (await open_practice(options, stack)).base_url
    client = UserClient(base_url, access, account.username)
    stack.push_async_callback(client.close)
    if token:
        client.use(token)
    else:
        await client.sign_in(TOKEN_PATH, account)
    return client
