"""Ed25519 signatures. Import this module where one is made or checked, because the library is slow to import."""

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey


def public_key_of(seed: bytes) -> bytes:
    """Return the public key of a private key of 32 bytes."""
    return Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()


def sign(seed: bytes, content: bytes) -> bytes:
    return Ed25519PrivateKey.from_private_bytes(seed).sign(content)


def is_signed(public_key: bytes, content: bytes, signature: bytes) -> bool:
    """Return whether the owner of this public key signed the content."""
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, content)
    except (InvalidSignature, ValueError):
        return False
    return True
