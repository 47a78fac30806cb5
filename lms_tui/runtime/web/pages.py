"""The pages for browsers: the sign-in and the terminal. Neither page contains an inline script or style."""

from html import escape
from typing import Final

from lms_tui.common.cleaning import clean_line

_LONGEST_NAME: Final = 150
SIGN_IN_POLICY: Final = (
    "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEAD: Final = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css">
"""
_SIGN_IN: Final = """</head>
<body class="sign-in">
<main>
<h1>Sign in</h1>
<p>Use the user name and password of your institute.</p>
{trouble}<form method="post" action="/sign-in">
<label for="username">User name</label>
<input id="username" name="username" value="{username}" autocomplete="username" autocapitalize="none"
 autocorrect="off" spellcheck="false" maxlength="150" required{focus_name}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required{focus_password}>
<label class="choice"><input type="checkbox" name="plain" value="yes"{plain}> Text lines in place of screens</label>
<button type="submit">Sign in</button>
</form>
<p class="note">If this page closes, sign in again and resume. Your saved answers are kept.
The time of an exam goes on.</p>
</main>
</body>
</html>
"""
_TERMINAL: Final = """<link rel="stylesheet" href="/xterm.css">
<link rel="stylesheet" href="/terminal.css">
<script src="/textual.js"></script>
<script src="/focus.js"></script>
</head>
<body class="terminal">
<div id="terminal" class="textual-terminal" data-session-websocket-url="{socket}" data-font-size="16"></div>
<div id="ended" role="status">
<span>The session has ended, or the connection was lost. Your saved answers are kept.
The time of an exam goes on.</span>
<a href="/">Open again</a>
<form method="post" action="/sign-out"><button type="submit">Sign out</button></form>
</div>
</body>
</html>
"""
STYLE: Final = """:root { color-scheme: dark; }
* { box-sizing: border-box; }
body { margin: 0; background: #101418; color: #e6e6e6; }
body.sign-in { font: 1.0625rem/1.5 system-ui, sans-serif; display: grid; min-height: 100vh; place-items: center; }
main { width: min(26rem, 100%); padding: 1.5rem; }
h1 { font-size: 1.75rem; margin: 0 0 .5rem; }
p { margin: 0 0 1.25rem; }
label { display: block; font-weight: 600; margin: 0 0 .25rem; }
input { width: 100%; font: inherit; color: inherit; background: #1c232b; border: 1px solid #8b98a5;
 border-radius: 4px; padding: .6rem .7rem; margin: 0 0 1rem; }
input[type="checkbox"] { width: auto; margin: 0 .5rem 0 0; }
label.choice { font-weight: 400; margin: 0 0 1rem; }
button { font: inherit; font-weight: 600; color: #0b1016; background: #8ab4f8; border: 0; border-radius: 4px;
 padding: .6rem 1.2rem; cursor: pointer; }
main button { width: 100%; }
input:focus-visible, button:focus-visible, a:focus-visible { outline: 3px solid #ffd75f; outline-offset: 2px; }
.trouble { border-left: 4px solid #ff8a80; background: #2a1c1e; padding: .6rem .8rem; }
.note { color: #b4bec8; font-size: .9375rem; margin: 1.25rem 0 0; }
"""
TERMINAL_STYLE: Final = """@font-face { font-family: "Roboto Mono"; src: url("/font.ttf"); }
body.terminal { font-family: "Roboto Mono", monospace; overflow: hidden; }
.textual-terminal { width: 100vw; height: 100vh; height: 100dvh; }
#ended { display: none; position: fixed; inset: auto 0 0 0; padding: .75rem 1rem; gap: 1rem; flex-wrap: wrap;
 align-items: center; background: #1c232b; border-top: 1px solid #8b98a5; }
body.-closed #ended { display: flex; }
#ended form { margin: 0; }
#ended a { color: #0b1016; background: #8ab4f8; border-radius: 4px; padding: .6rem 1.2rem; font-weight: 600;
 text-decoration: none; }
#ended button { color: #e6e6e6; background: none; border: 1px solid #8b98a5; }
"""
FOCUS: Final = """// Focus the app, so keys work without a click.
new MutationObserver((_, observer) => {
  const keys = document.querySelector(".xterm-helper-textarea");
  if (keys) { observer.disconnect(); keys.focus(); }
}).observe(document, { childList: true, subtree: true });
// Focus "Open again" when the socket has closed, so enter opens the app again.
new MutationObserver((_, observer) => {
  if (document.body && document.body.classList.contains("-closed")) {
    observer.disconnect();
    document.querySelector("#ended a").focus();
  }
}).observe(document, { attributes: true, attributeFilter: ["class"], subtree: true });
"""


def sign_in_page(username: str = "", trouble: str = "", *, plain: bool = False) -> str:
    """Return the sign-in page. `trouble`: why the last sign-in failed. `plain`: whether text lines are chosen."""
    name = clean_line(username)[:_LONGEST_NAME]
    told = f'<p class="trouble" role="alert">{escape(trouble)}</p>\n' if trouble else ""
    focus = (" autofocus", "") if not name else ("", " autofocus")
    return _HEAD.format(title="Sign in · lms-tui") + _SIGN_IN.format(
        trouble=told,
        username=escape(name),
        focus_name=focus[0],
        focus_password=focus[1],
        plain=" checked" if plain else "",
    )


def terminal_page(origin: str) -> str:
    """Return the page with the terminal, which opens a socket of this origin."""
    return _HEAD.format(title="lms-tui") + _TERMINAL.format(socket=escape(f"{socket_of(origin)}/ws"))


def terminal_policy(origin: str) -> str:
    """Return what the page with the terminal may load. The terminal writes styles itself."""
    return (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src data:; "
        f"connect-src {socket_of(origin)}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )


def socket_of(origin: str) -> str:
    """Return the origin of sockets: `ws` in place of `http`."""
    return f"ws{origin.removeprefix('http')}"
