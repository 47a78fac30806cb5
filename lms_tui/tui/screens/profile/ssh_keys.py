"""The public keys with which the user signs in over ssh: one line adds a key, or removes one."""

from typing import TYPE_CHECKING, Any

from lms_tui.tui import dialogs
from lms_tui.views.error_messages import error_message
from lms_tui.wire.errors import ApiError, NotFound

if TYPE_CHECKING:
    from textual.app import App

    from lms_tui.client.port import Users


async def change_ssh_keys(app: "App[Any]", users: "Users") -> None:
    """Ask for a key to add or for the number of one to remove, until the user leaves."""
    try:
        while given := await _ask(app, fingerprints := [(key.fingerprint, key.name) for key in await users.ssh_keys()]):
            if given.isdecimal():
                await users.remove_ssh_key(fingerprints[int(given) - 1][0])
                app.notify("The key is removed.", timeout=3, markup=False)
            else:
                added = await users.add_ssh_key(given)
                app.notify(f"Added: {added.fingerprint}", timeout=6, markup=False)
    except NotFound:
        await dialogs.notice(app, "No ssh", "This server has no sign-in over ssh.")
    except ApiError as error:
        await dialogs.notice(app, "Nothing was changed", error_message(error).text, error=True)


async def _ask(app: "App[Any]", keys: list[tuple[str, str]]) -> str | None:
    def wrong(text: str) -> str:
        if not text:
            return "Paste a key, or type a number."
        return "There is no key with this number." if text.isdecimal() and not 1 <= int(text) <= len(keys) else ""

    listed = "".join(f"\n{number}  {name}  {print_}".rstrip() for number, (print_, name) in enumerate(keys, 1))
    words = "Paste the line of a file such as id_ed25519.pub to add a key."
    more = f" Type a number to remove a key:{listed}" if keys else ""
    return await dialogs.ask_text(app, "Keys for ssh", words + more, placeholder="ssh-ed25519 AAAA…", check=wrong)
