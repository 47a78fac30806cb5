"""The commands `lms-tui login`, `logout` and `profiles`."""

import argparse
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from lms_tui.commands.parser import (
    Parser,
    Subcommands,
    add_command,
    add_group,
    add_json,
    data_dir_of,
    print_json,
    refuse_password,
)
from lms_tui.commands.prompts import ask, ask_secret
from lms_tui.common.cleaning import clean_line
from lms_tui.common.user_errors import UsageError

if TYPE_CHECKING:
    from lms_tui.common.settings import Profile, Settings
    from lms_tui.runtime.profiles import ProfileList
    from lms_tui.runtime.secrets import TokenStore


def register(commands: Subcommands) -> None:
    login = add_command(commands, "login", "sign in and save the token on this computer", _login)
    words = "address of the server (default: the server of the last profile)"
    login.add_argument("server", nargs="?", default="", metavar="SERVER", help=words)
    login.add_argument("--user", default="", metavar="NAME", help="user name (default: ask)")
    login.add_argument("--token", action="store_true", help="ask for a token instead of a password")
    refuse_password(login)
    logout = add_command(commands, "logout", "delete the saved token of a profile", _logout)
    _add_profile_argument(logout, nargs="?")
    logout.add_argument("--all", action="store_true", help="delete the tokens of all profiles")
    profiles = add_command(commands, "profiles", "list and change the saved servers and users", _list)
    actions = add_group(profiles, required=False)
    add = add_command(actions, "add", "add or change a profile without signing in", _add)
    add.add_argument("server", metavar="SERVER", help="address of the server")
    add.add_argument("user", metavar="USER", help="user name there")
    add.add_argument("--token-path", default="", metavar="PATH", help="path where the server issues tokens")
    for command in (login, add):
        words = "PEM file with certificates to trust for this server"
        command.add_argument("--ca-file", type=Path, metavar="FILE", help=words)
    add_json(add_command(actions, "list", "list the profiles", _list))
    _add_profile_argument(add_command(actions, "use", "open this profile at the next start", _use))
    _add_profile_argument(add_command(actions, "remove", "delete a profile and its token", _remove))


def _add_profile_argument(parser: Parser, nargs: str | None = None) -> None:
    words = "number in the list, name, or user name"
    argument = parser.add_argument("profile", nargs=nargs, default="", metavar="PROFILE", help=words)
    argument.completer = _complete_profile  # type: ignore[attr-defined]  # argcomplete reads this attribute


def _complete_profile(prefix: str, parsed_args: argparse.Namespace, **_: object) -> list[str]:
    """Return user names, or profile names where two user names are equal."""
    profiles = _profiles(parsed_args).all()
    users = [profile.username for profile in profiles]
    names = [profile.name if users.count(profile.username) > 1 else profile.username for profile in profiles]
    return [name for name in names if name.startswith(prefix)]


def settings_of(options: argparse.Namespace) -> "Settings":
    from lms_tui.common.settings import find_paths, load

    return load(find_paths(data_dir_of(options)))


def _profiles(options: argparse.Namespace) -> "ProfileList":
    from lms_tui.common.settings import find_paths
    from lms_tui.runtime.profiles import ProfileList

    return ProfileList(find_paths(data_dir_of(options)).profiles)


def token_store(options: argparse.Namespace) -> "TokenStore":
    from lms_tui.runtime.secrets import find_tokens

    return find_tokens(settings_of(options).paths.secrets)


def chosen_profile(options: argparse.Namespace) -> "Profile":
    """Return the profile of the command line, the last used by default. Raises UsageError."""
    known, wanted = _profiles(options).all(), options.profile
    if not known:
        raise UsageError("There are no profiles.", "Sign in with `lms-tui login SERVER`.")
    if not wanted:
        return known[0]
    if wanted.isascii() and wanted.isdigit() and 1 <= int(wanted) <= len(known):
        return known[int(wanted) - 1]
    found = [profile for profile in known if wanted in {profile.name, profile.username, profile.base_url}]
    if len(found) != 1:
        count = "No profile matches" if not found else f"{len(found)} profiles match"
        raise UsageError(f"{count} “{clean_line(wanted)}”.", "Give the number that `lms-tui profiles` shows.")
    return found[0]


def _ca_file(given: Path | None) -> Path | None:
    """Return the absolute path. Raises UsageError if there is no such file."""
    if given is None:
        return None
    file = given.expanduser().absolute()
    if not file.is_file():
        raise UsageError(f"There is no file {clean_line(str(given))}.", "Give the server's certificates as a PEM file.")
    return file


def _address(server: str, settings: "Settings") -> str:
    """Return the base address as profiles hold it. A name without scheme means https. Raises Invalid."""
    from lms_tui.client.address import parse_base_url

    return parse_base_url(server, allow_plain_http=settings.network.allow_plain_http)


def _login(options: argparse.Namespace) -> int:
    import asyncio

    from lms_tui.runtime.secrets import FileTokens, Place

    if options.token and options.server.startswith("eyJ"):  # the start of every token, which no address has
        raise UsageError(
            "A token is given in place of the server's address.",
            "Leave the token out. The command asks for it, or reads it from standard input.",
        )
    settings, profiles = settings_of(options), _profiles(options)
    known = profiles.all()
    server = options.server or (known[0].base_url if known else "") or ask("Server: ")
    if not server:
        raise UsageError("No server is given.", "Give its address: `lms-tui login https://…`.")
    base_url = _address(server, settings)
    username = "" if options.token else options.user or _usual_user(known, base_url) or ask("User name: ")
    secret = ask_secret("Token: " if options.token else f"Password of {clean_line(username)}: ")
    if not secret:
        raise UsageError("Nothing was typed.", "Type the password, or send it as a line of standard input.")
    if (ca_file := _ca_file(options.ca_file)) is not None:
        settings = replace(settings, network=replace(settings.network, ca_file=ca_file))
    username = asyncio.run(_sign_in(settings, profiles, base_url, username, secret))
    if ca_file is not None:
        profiles.remember(replace(profiles.all()[0], ca_file=ca_file))
    place = Place.FILE if isinstance(token_store(options), FileTokens) else Place.KEYRING
    print(f"Signed in to {base_url} as {clean_line(username)}. The token is saved in {place}.")
    return 0


def _usual_user(known: "tuple[Profile, ...]", base_url: str) -> str:
    """Return the last user at this server. Standard input always names the user, so a script gets no other."""
    here = [profile.username for profile in known if profile.base_url == base_url]
    return here[0] if here and sys.stdin.isatty() else ""


async def _sign_in(settings: "Settings", profiles: "ProfileList", base_url: str, username: str, secret: str) -> str:
    """Sign in with a password, or with a token if there is no user name. Return the name that the server tells."""
    from lms_tui.runtime.service_process import ServiceProcess
    from lms_tui.runtime.session_provider import HttpSessionProvider

    provider = HttpSessionProvider(settings, profiles, ServiceProcess((), settings.paths.service_log))
    try:
        if username:
            session = await provider.sign_in(base_url, username, secret, keep=True, on_wait=_tell_wait)
        else:
            session = await provider.sign_in_with_token(base_url, secret, keep=True)
        return session.user.username
    finally:
        await provider.close()


def _tell_wait(seconds: float) -> None:
    from lms_tui.views.sign_in import waiting_words

    print(waiting_words(seconds), file=sys.stderr)


def _logout(options: argparse.Namespace) -> int:
    tokens, profiles = token_store(options), _profiles(options)
    for profile in profiles.all() if options.all else [chosen_profile(options)]:
        tokens.forget(profile)
        profiles.forget_user(profile)
        print(f"Signed out: {clean_line(profile.name)}.")
    return 0


def _list(options: argparse.Namespace) -> int:
    known = _profiles(options).all()
    signed_in = _signed_in(options, known)
    if getattr(options, "as_json", False):
        print_json([_as_json(profile, signed_in=profile in signed_in) for profile in known])
        return 0
    if not known:
        print("There are no profiles. Sign in with `lms-tui login SERVER`, or practise with `lms-tui demo`.")
    for number, profile in enumerate(known, 1):
        notes = ["signed in" if profile in signed_in else "signed out"]
        notes += ["opens at start"] if number == 1 else []
        notes += [f"trusts {profile.ca_file}"] if profile.ca_file else []
        cells = [clean_line(text) for text in (profile.username, profile.base_url, f"({', '.join(notes)})")]
        print(f"{number}  {'  '.join(cells)}")
    return 0


def _signed_in(options: argparse.Namespace, profiles: "tuple[Profile, ...]") -> "list[Profile]":
    """Return the profiles whose token is saved on this computer."""
    from lms_tui.runtime.secrets import UnsafeSecretError

    tokens, found = token_store(options), []
    for profile in profiles:
        with suppress(UnsafeSecretError, OSError):
            if tokens.read(profile) is not None:
                found.append(profile)
    return found


def _as_json(profile: "Profile", *, signed_in: bool) -> dict[str, object]:
    return {
        "name": profile.name,
        "server": profile.base_url,
        "username": profile.username,
        "signed_in": signed_in,
        "ca_file": None if profile.ca_file is None else str(profile.ca_file),
    }


def _add(options: argparse.Namespace) -> int:
    from lms_tui.common.settings import Profile

    base_url = _address(options.server, settings_of(options))
    user = clean_line(options.user).strip()
    if not user:
        raise UsageError("The user name is empty.", "Give the user name that the server knows.")
    name = f"{user} at {base_url.partition('://')[2]}"
    profiles = _profiles(options)
    new = Profile(name, base_url, user, options.token_path, _ca_file(options.ca_file))
    for known in profiles.all():
        if known.identity == new.identity:
            # The saved token stays too, and so does what was learned at the sign-in.
            new = replace(known, name=name, token_path=new.token_path, ca_file=new.ca_file)
    profiles.remember(new)
    print(f"Added {clean_line(name)}. Sign in with `lms-tui login`, or in the app.")
    return 0


def _use(options: argparse.Namespace) -> int:
    profile = chosen_profile(options)
    _profiles(options).remember(profile)
    print(f"The app opens with {clean_line(profile.name)}.")
    return 0


def _remove(options: argparse.Namespace) -> int:
    profile = chosen_profile(options)
    token_store(options).forget(profile)
    _profiles(options).remove(profile)
    print(f"Removed {clean_line(profile.name)}. Answers saved on this computer stay.")
    return 0
