"""The sign-in of a connection at the service beside the host."""

import time
from dataclasses import field

from lms_tui.client.auth import sign_in, sign_in_with_token
from lms_tui.client.connection import Access, Connection
from lms_tui.client.pages import parse
from lms_tui.common.frozen import frozen
from lms_tui.service.core.signer import Signer
from lms_tui.service.core.ssh_proof import SSH_SIGN_IN, proof_of
from lms_tui.wire.users import CurrentUser, Token


@frozen
class SignedInUser:
    """A user of the service, with a token."""

    user_id: int
    username: str
    token: str = field(repr=False)


@frozen
class SignIn:
    """Asks the service for tokens. `signer`: with the key of the service. The address is of the person's computer."""

    base_url: str
    signer: Signer

    async def by_password(self, username: str, password: str, address: str) -> SignedInUser:
        """Sign in with the limits that the service has for this address. Raises ApiError."""
        kept: list[SignedInUser] = []

        async def remember(_base_url: str, user: CurrentUser, token: str, _device: str) -> None:
            kept.append(SignedInUser(user.id, user.username, token))

        access = Access(forwarded_for=address)
        signed_in = await sign_in(self.base_url, username, password, access=access, remember=remember)
        await signed_in.lms.close()
        return kept[0]

    async def by_key(self, username: str, fingerprint: str, address: str) -> SignedInUser:
        """Return the owner of a key, who has yet to prove that it is theirs. Raises ApiError."""
        access = Access(forwarded_for=address)
        at = int(time.time())
        proof = proof_of(self.signer, username, fingerprint, at)
        body = {"username": username, "fingerprint": fingerprint, "at": at, "proof": proof}
        connection = Connection(self.base_url, access)
        try:
            token = parse(await connection.send("POST", SSH_SIGN_IN, body=body), Token).token
        finally:
            await connection.close()
        signed_in = await sign_in_with_token(self.base_url, token, access=access)
        await signed_in.lms.close()
        return SignedInUser(signed_in.user.id, signed_in.user.username, token)
