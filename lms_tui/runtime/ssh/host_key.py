"""The key by which clients recognise this host."""

from pathlib import Path

import asyncssh

from lms_tui.common.private_files import make_private_folder, write_new
from lms_tui.common.user_errors import AdvisedError


class UnusableHostKey(AdvisedError):
    """The host key cannot be read, or others can read it."""


def host_key(file: Path) -> asyncssh.SSHKey:
    """Return the key in this file. The first start makes it. Raises UnusableHostKey."""
    try:
        if not file.exists():
            make_private_folder(file.parent)
            write_new(file, asyncssh.generate_private_key("ssh-ed25519").export_private_key())
        if file.stat().st_mode & 0o077:
            raise UnusableHostKey(f"Other users can read the host key {file}.", "Set its mode to 600.")
        return asyncssh.read_private_key(file)
    except (OSError, asyncssh.KeyImportError) as error:
        words = "Restore it from a backup. If you remove it, a new one is made, and every client warns of it."
        raise UnusableHostKey(f"The host key {file} cannot be read ({error}).", words) from error
