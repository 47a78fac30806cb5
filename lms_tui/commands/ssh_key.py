"""The command `lms-tui ssh-key`, which manages the public keys that sign a user in over ssh."""

import argparse
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from lms_tui.commands.parser import Parser, Subcommands, add_command, add_group, add_json, print_json
from lms_tui.commands.profiles import chosen_profile, settings_of, token_store
from lms_tui.common.cleaning import clean_line
from lms_tui.common.user_errors import UsageError

if TYPE_CHECKING:
    from lms_tui.client.port import Users
    from lms_tui.wire.accounts import SshKey

_LONGEST: Final = 8192
_Reply = TypeVar("_Reply")


def register(commands: Subcommands) -> None:
    words = "add, list and remove the public keys that sign you in over ssh"
    actions = add_group(add_command(commands, "ssh-key", words))
    add = add_command(actions, "add", "add a public key", _add)
    add.add_argument("file", type=Path, metavar="FILE", help="public key, such as ~/.ssh/id_ed25519.pub")
    listed = add_command(actions, "list", "list your keys", _list)
    remove = add_command(actions, "remove", "remove a key", _remove)
    remove.add_argument("key", metavar="KEY", help="number in the list, or fingerprint (SHA256:…)")
    add_json(listed)
    for command in (add, listed, remove):
        _add_profile_option(command)


def _add_profile_option(command: Parser) -> None:
    words = "profile whose saved sign-in is used: number, name or user name (default: the last one)"
    command.add_argument("--profile", default="", metavar="PROFILE", help=words)


def _add(options: argparse.Namespace) -> int:
    line = _public_key(options.file)
    added = _ask(options, lambda users: users.add_ssh_key(line))
    print(f"Added {_shown(added)}.")
    return 0


def _list(options: argparse.Namespace) -> int:
    keys = _ask(options, lambda users: users.ssh_keys())
    if options.as_json:
        print_json([key.model_dump(mode="json") for key in keys])
        return 0
    for number, key in enumerate(keys, 1):
        print(f"{number}  {_shown(key)}")
    if not keys:
        print("You have no keys. Add one with `lms-tui ssh-key add FILE`.")
    return 0


def _remove(options: argparse.Namespace) -> int:
    async def remove(users: "Users") -> "SshKey":
        key = _chosen(await users.ssh_keys(), options.key)
        await users.remove_ssh_key(key.fingerprint)
        return key

    print(f"Removed {_shown(_ask(options, remove))}.")
    return 0


def _ask(options: argparse.Namespace, question: "Callable[[Users], Awaitable[_Reply]]") -> _Reply:
    """Ask the server of a profile with its saved sign-in. Raises AdvisedError."""
    import asyncio

    return asyncio.run(_exchange(options, question))


async def _exchange(options: argparse.Namespace, question: "Callable[[Users], Awaitable[_Reply]]") -> _Reply:
    from lms_tui.client.auth import sign_in_with_token
    from lms_tui.client.connection import Access
    from lms_tui.wire.errors import NotFound

    profile, network = chosen_profile(options), settings_of(options).network
    token = token_store(options).read(profile)
    if not token:
        raise UsageError(f"{clean_line(profile.name)} is not signed in.", "Sign in with `lms-tui login`.")
    access = Access(
        network.timeout, ca_file=profile.ca_file or network.ca_file, allow_plain_http=network.allow_plain_http
    )
    signed_in = await sign_in_with_token(profile.base_url, token, access=access)
    try:
        return await question(signed_in.lms.users)
    except NotFound as error:
        raise UsageError("This server has no such key, or no sign-in over ssh.", "Ask your institute.") from error
    finally:
        await signed_in.lms.close()


def _public_key(file: Path) -> str:
    """Return the line of a public key. Raises UsageError."""
    try:
        with file.expanduser().open("rb") as opened:
            text = opened.read(_LONGEST + 1).decode("utf-8", "replace").strip()
    except OSError as error:
        raise UsageError(f"{clean_line(str(file))} cannot be read ({error.strerror}).", "Give a .pub file.") from error
    if "PRIVATE KEY" in text:
        raise UsageError(
            f"{clean_line(str(file))} is a private key, which was not sent.", "Give the file that ends with .pub."
        )
    if not text or len(text) > _LONGEST or len(text.splitlines()) != 1:
        raise UsageError(f"{clean_line(str(file))} is not a public key.", "Make one with ssh-keygen -t ed25519.")
    return text


def _chosen(keys: "tuple[SshKey, ...]", wanted: str) -> "SshKey":
    """Return the key with this number or fingerprint. Raises UsageError."""
    for number, key in enumerate(keys, 1):
        if wanted in {str(number), key.fingerprint}:
            return key
    raise UsageError(f"You have no key “{clean_line(wanted)}”.", "Give the number that `lms-tui ssh-key list` shows.")


def _shown(key: "SshKey") -> str:
    return "  ".join(filter(None, (clean_line(key.fingerprint), clean_line(key.name))))
