"""The commands of someone at home in a terminal: `login`, `logout`, `profiles`, `completion`."""

import argparse
import os
import sys
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lms_tui.commands.arguments import Subcommands, typed
from lms_tui.common.cleaning import clean_line
from lms_tui.common.user_errors import UsageError

if TYPE_CHECKING:
    from lms_tui.common.settings import Profile, Settings
    from lms_tui.runtime.profiles import ProfileList
    from lms_tui.runtime.secrets import TokenStore

SHELLS: Final = ("bash", "zsh", "fish")


def add_commands(commands: Subcommands, data: argparse.ArgumentParser, parser: type[argparse.ArgumentParser]) -> None:
    """Add them; `data`: the option that says where everything is kept."""
    login = commands.add_parser("login", parents=[data], help="sign in and stay signed in on this computer")
    login.add_argument("server", nargs="?", default="", metavar="SERVER", help="its address (that of the last profile)")
    login.add_argument("--user", default="", metavar="NAME", help="who signs in (asked for where it is not known)")
    login.add_argument("--token", action="store_true", help="ask for a token instead of a password")
    login.add_argument("--ca-file", type=Path, metavar="FILE", help="certificates to trust for this server")
    login.set_defaults(run=_login)
    logout = commands.add_parser("logout", parents=[data], help="forget the token that keeps you signed in")
    _profile_argument(logout, nargs="?")
    logout.add_argument("--all", action="store_true", help="of every profile")
    logout.set_defaults(run=_logout)
    profiles = commands.add_parser("profiles", parents=[data], help="the servers and users known here")
    profiles.set_defaults(run=_list)
    actions = profiles.add_subparsers(title="commands", metavar="COMMAND", parser_class=parser)
    add = actions.add_parser("add", parents=[data], help="add one without signing in, or change it")
    add.add_argument("server", metavar="SERVER", help="the address of the server")
    add.add_argument("user", metavar="USER", help="the user name there")
    add.add_argument("--ca-file", type=Path, metavar="FILE", help="certificates to trust for this server")
    add.add_argument("--token-path", default="", metavar="PATH", help="where the server hands out tokens")
    add.set_defaults(run=_add)
    for name, words, run in (
        ("list", "the servers and users known here", _list),
        ("use", "begin with this one from now on", _use),
        ("remove", "forget a profile and its token", _remove),
    ):
        action = actions.add_parser(name, parents=[data], help=words)
        if name != "list":
            _profile_argument(action)
        action.set_defaults(run=run)
    words = "print what lets a shell complete these commands"
    completion = commands.add_parser("completion", parents=[data], help=words)
    completion.add_argument("shell", choices=SHELLS, metavar="SHELL", help="bash, zsh or fish")
    completion.set_defaults(run=_completion)


def _profile_argument(parser: argparse.ArgumentParser, nargs: str | None = None) -> None:
    words = "its number in the list, its name, or its user name"
    argument = parser.add_argument("profile", nargs=nargs, default="", metavar="PROFILE", help=words)
    argument.completer = _complete_profile  # type: ignore[attr-defined]  # what argcomplete looks for


def _complete_profile(prefix: str, parsed_args: argparse.Namespace, **_: object) -> list[str]:
    """The user names of the profiles; where two are alike, the names."""
    users = [profile.username for profile in _profiles(parsed_args).all()]
    names = [p.name if users.count(p.username) > 1 else p.username for p in _profiles(parsed_args).all()]
    return [name for name in names if name.startswith(prefix)]


# What is known here.


def _settings(options: argparse.Namespace) -> "Settings":
    from lms_tui.common.settings import find_paths, load

    return load(find_paths(getattr(options, "data_dir", None)))


def _profiles(options: argparse.Namespace) -> "ProfileList":
    from lms_tui.common.settings import find_paths
    from lms_tui.runtime.profiles import ProfileList

    return ProfileList(find_paths(getattr(options, "data_dir", None)).profiles)


def _tokens(settings: "Settings") -> "TokenStore":
    from lms_tui.runtime.secrets import find_tokens

    return find_tokens(settings.paths.secrets)


def _chosen(options: argparse.Namespace) -> "Profile":
    """The profile that was meant; raises UsageError."""
    known, wanted = _profiles(options).all(), options.profile
    if not known:
        raise UsageError("No server is known here yet.", "Sign in with `lms-tui login SERVER`.")
    if not wanted:
        return known[0]
    if wanted.isascii() and wanted.isdigit() and 1 <= int(wanted) <= len(known):
        return known[int(wanted) - 1]
    found = [p for p in known if wanted in {p.name, p.username, p.base_url}]
    if len(found) != 1:
        what = "No profile is" if not found else f"{len(found)} profiles are"
        raise UsageError(f"{what} called {clean_line(wanted)}.", "`lms-tui profiles` numbers them; give the number.")
    return found[0]


def _ca_file(given: Path | None) -> Path | None:
    """Where it is, whatever directory the program is started from later; raises UsageError."""
    if given is None:
        return None
    file = given.expanduser().absolute()
    if not file.is_file():
        raise UsageError(f"There is no file {clean_line(str(given))}.", "Give the PEM file of the server's authority.")
    return file


# The commands.


def _login(options: argparse.Namespace) -> int:
    import asyncio

    from lms_tui.runtime.secrets import FileTokens, Place

    settings, profiles = _settings(options), _profiles(options)
    known = profiles.all()
    last = known[0] if known else None
    server = options.server or (last.base_url if last else "") or _ask("Server: ")
    if not server:
        raise UsageError("There is no server to sign in to.", "Give its address: `lms-tui login https://…`.")
    base_url = _address(server, settings)
    here = [profile for profile in known if profile.base_url == base_url]
    username = "" if options.token else options.user or (here[0].username if here and sys.stdin.isatty() else "")
    username = username or ("" if options.token else _ask("User name: "))
    secret = _ask_secret("Token: " if options.token else f"Password of {clean_line(username)}: ")
    if not secret:
        raise UsageError("Nothing was typed.", "Type the password, or give it as a line of standard input.")
    if (ca_file := _ca_file(options.ca_file)) is not None:
        settings = replace(settings, network=replace(settings.network, ca_file=ca_file))
    signed_in = asyncio.run(_sign_in(settings, profiles, base_url, username, secret, by_token=options.token))
    if ca_file is not None:
        profiles.remember(replace(profiles.all()[0], ca_file=ca_file))
    place = Place.FILE if isinstance(_tokens(settings), FileTokens) else Place.KEYRING
    print(f"Signed in to {base_url} as {clean_line(signed_in)}. The token is kept in {place}.")
    return 0


async def _sign_in(
    settings: "Settings", profiles: "ProfileList", base_url: str, username: str, secret: str, *, by_token: bool
) -> str:
    from lms_tui.runtime.service_process import ServiceProcess
    from lms_tui.runtime.session_provider import HttpSessionProvider

    session_provider = HttpSessionProvider(settings, profiles, ServiceProcess((), settings.paths.service_log))
    try:
        if by_token:
            lms = await session_provider.sign_in_with_token(base_url, secret, keep=True)
        else:
            lms = await session_provider.sign_in(base_url, username, secret, keep=True)
        return (await lms.me()).username
    finally:
        await session_provider.close()


def _address(server: str, settings: "Settings") -> str:
    """The base address in the form that profiles keep; a bare name means https. Raises Invalid."""
    from lms_tui.client.address import parse_base_url

    return parse_base_url(server, allow_plain_http=settings.network.allow_plain_http)


def _logout(options: argparse.Namespace) -> int:
    store = _tokens(_settings(options))
    meant = list(_profiles(options).all()) if options.all else [_chosen(options)]
    for profile in meant:
        store.forget(profile)
        print(f"Signed out: {clean_line(profile.name)}.")
    return 0


def _list(options: argparse.Namespace) -> int:
    from lms_tui.runtime.secrets import UnsafeSecretError

    known, store = _profiles(options).all(), _tokens(_settings(options))
    if not known:
        print("No server is known here yet. Sign in with `lms-tui login SERVER`, or practise with `lms-tui demo`.")
    for number, profile in enumerate(known, 1):
        signed_in = False
        with suppress(UnsafeSecretError, OSError):
            signed_in = store.read(profile) is not None
        facts = ["signed in" if signed_in else "asks for the password"]
        facts += ["begins with this one"] if number == 1 else []
        facts += [f"trusts {profile.ca_file}"] if profile.ca_file else []
        told = [clean_line(text) for text in (profile.username, profile.base_url, f"({', '.join(facts)})")]
        print(f"{number}  {'  '.join(told)}")
    return 0


def _add(options: argparse.Namespace) -> int:
    from lms_tui.common.settings import Profile

    base_url = _address(options.server, _settings(options))
    user = clean_line(options.user)
    name = f"{user} at {base_url.partition('://')[2]}"
    profile = Profile(name, base_url, user, ca_file=_ca_file(options.ca_file))
    _profiles(options).remember(replace(profile, token_path=options.token_path) if options.token_path else profile)
    print(f"Added {clean_line(name)}. Sign in with `lms-tui login`, or in the program.")
    return 0


def _use(options: argparse.Namespace) -> int:
    profile = _chosen(options)
    _profiles(options).remember(profile)
    print(f"The program begins with {clean_line(profile.name)}.")
    return 0


def _remove(options: argparse.Namespace) -> int:
    profile = _chosen(options)
    _tokens(_settings(options)).forget(profile)
    _profiles(options).remove(profile)
    print(f"Removed {clean_line(profile.name)}. Answers that it kept here stay.")
    return 0


def _completion(options: argparse.Namespace) -> int:
    from argcomplete.shell_integration import shellcode

    print(shellcode(["lms-tui"], shell=options.shell))
    return 0


def complete(parser: argparse.ArgumentParser) -> None:
    """Answer the shell where it is one that asks; then the process ends here."""
    if "_ARGCOMPLETE" in os.environ:
        import argcomplete

        argcomplete.autocomplete(parser)


def _ask(question: str) -> str:
    """One line, from whoever sits there or from standard input."""
    if not sys.stdin.isatty():
        return typed(sys.stdin.readline).strip()
    return typed(partial(input, question)).strip()


def _ask_secret(question: str) -> str:
    if not sys.stdin.isatty():
        return typed(sys.stdin.readline).rstrip("\n")
    from getpass import getpass

    return typed(partial(getpass, question))
