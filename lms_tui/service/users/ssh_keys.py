"""The public keys of users, with which they sign in over ssh.

A key is kept by its fingerprint, which is a digest of the whole key. The SSH host checks that the client has the
private half, and proves with the key of the service that it asks.
"""

import base64
import binascii
import hashlib
import hmac
from datetime import datetime, timedelta
from typing import Annotated, Final

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.dsa import DSAPublicKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.serialization import load_ssh_public_key
from pydantic import AfterValidator, Field
from sqlalchemy import delete, func, select

from lms_tui.common.frozen import frozen
from lms_tui.service.core.bodies import Body
from lms_tui.service.core.context import Service
from lms_tui.service.core.database.tables import SshKey, User
from lms_tui.service.core.errors import WHOLE, Invalid, NotFound
from lms_tui.service.core.naming import find_user
from lms_tui.service.core.settings import system_clock
from lms_tui.service.core.ssh_proof import proof_of
from lms_tui.service.core.text import storable
from lms_tui.wire import accounts as wire
from lms_tui.wire.users import Token

_MOST: Final = 20
_SHORTEST_RSA: Final = 2048
_LONGEST_NAME: Final = 100
_FRESH: Final = timedelta(seconds=60)


class SshKeyBody(Body):
    """A line of a file such as `id_ed25519.pub`."""

    key: Annotated[str, Field(strict=True, min_length=1, max_length=8192), AfterValidator(storable)]


class SshSignInBody(Body):
    """`at`: seconds of the epoch. `proof`: the signature of the SSH host."""

    username: Annotated[str, Field(strict=True, min_length=1, max_length=150), AfterValidator(storable)]
    fingerprint: Annotated[str, Field(strict=True, max_length=64), AfterValidator(storable)]
    at: Annotated[int, Field(strict=True, ge=0, lt=2**37)]
    proof: Annotated[str, Field(strict=True, max_length=64)]


@frozen
class SshKeys:
    """The keys of one user."""

    service: Service
    user_id: int
    now: datetime

    def all(self) -> wire.SshKeys:
        query = select(SshKey).where(SshKey.user_id == self.user_id).order_by(SshKey.created, SshKey.fingerprint)
        with self.service.database.read() as session:
            return wire.SshKeys(keys=tuple(_view(row) for row in session.scalars(query)))

    def add(self, body: SshKeyBody) -> wire.SshKey:
        """Add a key, or return it if the user has it. Raises Invalid."""
        fingerprint, name = _read(body.key)
        with self.service.database.write() as session:
            # Two additions at a time must not pass the limit.
            session.execute(select(User.id).where(User.id == self.user_id).with_for_update())
            row = session.get(SshKey, (self.user_id, fingerprint))
            if row is None:
                of_user = select(func.count()).select_from(SshKey).where(SshKey.user_id == self.user_id)
                if (session.scalar(of_user) or 0) >= _MOST:
                    raise Invalid({"key": [f"You have {_MOST} keys. Remove one of them first."]})
                row = SshKey(user_id=self.user_id, fingerprint=fingerprint, name=name, created=self.now)
                session.add(row)
            return _view(row)

    def remove(self, fingerprint: str) -> None:
        """Raises NotFound."""
        query = delete(SshKey).where(SshKey.user_id == self.user_id, SshKey.fingerprint == storable(fingerprint))
        with self.service.database.write() as session:
            if not session.execute(query.returning(SshKey.fingerprint)).all():
                raise NotFound


def token_for(service: Service, body: SshSignInBody) -> Token:
    """Return a token for the owner of a key. Raises Invalid, which does not tell what is wrong."""
    proof = proof_of(service.signer, body.username, body.fingerprint, body.at)
    proven = hmac.compare_digest(proof.encode(), body.proof.encode(errors="surrogatepass"))
    late = abs(system_clock().timestamp() - body.at) > _FRESH.total_seconds()
    with service.database.read() as session:
        user = find_user(session, body.username)
        known = user is not None and session.get(SshKey, (user.id, body.fingerprint)) is not None
        if user is None or not known or not user.is_active or late or not proven:
            raise Invalid({WHOLE: ["This key does not sign anybody in."]})
        return Token(
            token=service.tokens.issue(
                user_id=user.id, username=user.username, email=user.email, not_before=user.tokens_valid_from
            )
        )


def _read(line: str) -> tuple[str, str]:
    """Return the fingerprint and the name of a public key. Raises Invalid."""
    words = line.split(maxsplit=2)
    try:
        blob = base64.b64decode(words[1], validate=True)
        key = load_ssh_public_key(" ".join(words[:2]).encode("ascii"))
    except (IndexError, ValueError, binascii.Error, UnsupportedAlgorithm):
        raise Invalid({"key": ["This is not a public key. Send the line of a file such as id_ed25519.pub."]}) from None
    if isinstance(key, DSAPublicKey) or (isinstance(key, RSAPublicKey) and key.key_size < _SHORTEST_RSA):
        raise Invalid({"key": ["This key is too weak. Make one with ssh-keygen -t ed25519."]})
    digest = base64.b64encode(hashlib.sha256(blob).digest()).decode().rstrip("=")
    return f"SHA256:{digest}", words[2].strip()[:_LONGEST_NAME] if len(words) > 2 else ""


def _view(row: SshKey) -> wire.SshKey:
    return wire.SshKey(fingerprint=row.fingerprint, name=row.name, created=row.created)
