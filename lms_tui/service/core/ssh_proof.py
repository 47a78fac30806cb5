"""How the SSH host proves to the service beside it that it asks: with the key that only both can read."""

import base64
from typing import Final

from lms_tui.service.core.signer import Signer

SSH_SIGN_IN: Final = "/api/v2.5/auth-token/ssh-key/"
_PURPOSE: Final = "ssh sign-in"


def proof_of(signer: Signer, username: str, fingerprint: str, at: int) -> str:
    """Return the proof for a sign-in with a key. `at`: seconds of the epoch."""
    parts = (username.encode(errors="surrogatepass"), fingerprint.encode(errors="surrogatepass"), str(at).encode())
    return base64.urlsafe_b64encode(signer.sign(_PURPOSE, *parts)).decode()
