"""The command `lms-tui batch`, which manages batches."""

from lms_tui.commands.administration import add_action
from lms_tui.commands.parser import Subcommands, add_command, add_group


def register(commands: Subcommands) -> None:
    actions = add_group(add_command(commands, "batch", "manage batches of students"))
    add = add_action(
        actions, "add", "add a batch", lambda admin, options: [admin.add_batch(options.name)], creates=True
    )
    add.add_argument("name")
    add_action(actions, "list", "list batches", lambda admin, _: admin.batches(), quiet="")
    words = "add users to a batch"
    join = add_action(actions, "join", words, lambda admin, options: admin.join_batch(options.name, options.usernames))
    join.add_argument("name")
    join.add_argument("usernames", nargs="+", metavar="username")
