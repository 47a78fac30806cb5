"""The command `lms-tui user`, which manages users."""

import argparse
from functools import partial
from typing import TYPE_CHECKING

from lms_tui.commands import user_allow, user_import
from lms_tui.commands.administration import Rows, add_action
from lms_tui.commands.parser import Subcommands, add_command, add_group, refuse_password
from lms_tui.commands.prompts import new_password

if TYPE_CHECKING:
    from lms_tui.service.admin.administration import Administration

_ROLES = ("student", "mentor", "moderator", "admin")


def register(commands: Subcommands) -> None:
    user = add_command(commands, "user", "manage users of the institute on this computer: roles, passwords, batches")
    actions = add_group(user)
    add = add_action(actions, "add", "add a user and ask for the password", _add, creates=True)
    add.add_argument("username")
    add.add_argument("--role", choices=_ROLES, default="student")
    for name in ("first-name", "last-name", "email"):
        add.add_argument(f"--{name}", default="", metavar="TEXT")
    add.add_argument("--batch", action="append", default=[], metavar="NAME", dest="batches")
    listed = add_action(actions, "list", "list users", _list, quiet="")
    listed.add_argument("--role", choices=_ROLES)
    listed.add_argument("--batch", metavar="NAME")
    password = add_action(actions, "password", "set a new password", _set_password)
    password.add_argument("username")
    for action in (add, password):
        action.add_argument("--password-stdin", action="store_true", help="read the password from standard input")
        refuse_password(action)
    role = add_action(actions, "role", "change the role of a user", _change_role)
    role.add_argument("username")
    role.add_argument("role", choices=_ROLES, metavar="ROLE", help=", ".join(_ROLES))
    disable = add_action(actions, "disable", "block a user from signing in", partial(_set_active, active=False))
    enable = add_action(actions, "enable", "let a blocked user sign in again", partial(_set_active, active=True))
    for action in (disable, enable):
        action.add_argument("username")
    user_allow.register(actions)
    user_import.register(actions)


def _add(admin: "Administration", options: argparse.Namespace) -> Rows:
    from lms_tui.service.core.principal import Role

    names = ("username", "first_name", "last_name", "email", "batches")
    password = new_password(from_stdin=options.password_stdin)
    fields = {name: getattr(options, name) for name in names} | {"password": password}
    return [admin.add_user(Role(options.role), fields)]


def _list(admin: "Administration", options: argparse.Namespace) -> Rows:
    from lms_tui.service.core.principal import Role

    return admin.users(Role(options.role) if options.role else None, options.batch)


def _set_password(admin: "Administration", options: argparse.Namespace) -> Rows:
    return [admin.change_user(options.username, password=new_password(from_stdin=options.password_stdin))]


def _change_role(admin: "Administration", options: argparse.Namespace) -> Rows:
    from lms_tui.service.core.principal import Role

    return [admin.change_role(options.username, Role(options.role))]


def _set_active(admin: "Administration", options: argparse.Namespace, *, active: bool) -> Rows:
    return [admin.change_user(options.username, is_active=active)]
