"""Signed names of devices from which an account has signed in. Failures of strangers do not block such a device.

OWASP calls this a device cookie. Ours is a header, because the program keeps no cookies. A name
does not sign anybody in. It only gives the device a separate limit.
"""

import base64
import binascii
import secrets
from datetime import datetime
from typing import Final

from lms_tui.common.frozen import frozen
from lms_tui.service.auth.guesses import Guess
from lms_tui.service.core.networks import network_of
from lms_tui.service.core.signer import Signer

HEADER: Final = "X-Known-Device"
_PURPOSE: Final = "known device"
_NONCE: Final = 16
_SIGNATURE: Final = 32


@frozen
class KnownDevices:
    """Names devices and recognises the names."""

    signer: Signer

    def guess(self, username: str, address: str, device: str, now: datetime) -> Guess:
        """Return an attempt to sign in. A name that was not given to a device of this account counts as none."""
        account = username.casefold()  # spellings of one name must not have limits of their own
        return Guess(account, network_of(address), device if self.recognises(device, account) else "", now)

    def name(self, account: str) -> str:
        """Return a new name for a device of this account."""
        nonce = secrets.token_bytes(_NONCE)
        return base64.urlsafe_b64encode(nonce + self.signer.sign(_PURPOSE, _bytes(account), nonce)).decode()

    def recognises(self, name: str, account: str) -> bool:
        """Return whether this service gave the name to a device of this account."""
        try:
            given = base64.b64decode(name.encode("ascii"), altchars=b"-_", validate=True)
        except (UnicodeError, binascii.Error):
            return False
        nonce, signature = given[:_NONCE], given[_NONCE:]
        return len(signature) == _SIGNATURE and self.signer.verify(signature, _PURPOSE, _bytes(account), nonce)


def _bytes(account: str) -> bytes:
    return account.encode(errors="surrogatepass")
