"""The sign-in with user name and password."""

import anyio.to_thread

from lms_tui.common.frozen import frozen
from lms_tui.service.auth.credentials import CredentialsBody
from lms_tui.service.auth.hashing import PasswordCheck
from lms_tui.service.auth.known_devices import KnownDevices
from lms_tui.service.auth.throttle import Throttle
from lms_tui.service.core.context import Service
from lms_tui.service.core.database.tables import User
from lms_tui.service.core.errors import WHOLE, Invalid
from lms_tui.service.core.naming import find_user
from lms_tui.wire.users import Token


@frozen
class SignIn:
    service: Service
    check: PasswordCheck

    async def token(self, body: CredentialsBody, address: str, device: str) -> tuple[Token, str]:
        """Return a token, and the name of the device for later sign-ins. Raises Invalid and TooMany.

        `address`: of the client. `device`: what the client gives as the name of its device, or "".
        """
        service = self.service
        devices = KnownDevices(service.signer)
        guess = devices.guess(body.username, address, device, service.clock())
        throttle = Throttle(service.database, guess)
        user = await anyio.to_thread.run_sync(self._admitted, throttle, body.username)
        stored = user.password_hash if user is not None and user.is_active else None
        if not await self.check.matches(stored, body.password) or user is None:
            await anyio.to_thread.run_sync(throttle.fail)
            raise Invalid({WHOLE: ["Wrong user name or password."]})
        await anyio.to_thread.run_sync(throttle.succeed)
        token = service.tokens.issue(
            user_id=user.id, username=user.username, email=user.email, not_before=user.tokens_valid_from
        )
        return Token(token=token), guess.device or devices.name(guess.account)

    def _admitted(self, throttle: Throttle, username: str) -> User | None:
        """Return the user who signs in. Raises TooMany."""
        with self.service.database.read() as session:
            is_settled = throttle.is_settled(session)
            user = find_user(session, username)
        if not is_settled:
            throttle.check()
        return user
