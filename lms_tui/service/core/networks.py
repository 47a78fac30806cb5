"""Networks of addresses, where one subscriber has many addresses."""

from functools import lru_cache
from ipaddress import IPv6Network, ip_address
from typing import Final

_OWN_BITS: Final = 64
"""Bits of an IPv6 address that its owner may choose. A browser changes them every day or more often."""


@lru_cache(1024)  # a request asks several times
def network_of(address: str) -> str:
    """Return the address, of IPv6 only the network, because one subscriber has all addresses in it."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if found.version == 4:
        return address
    if (mapped := found.ipv4_mapped) is not None:
        return str(mapped)
    return str(IPv6Network((int(found), 128 - _OWN_BITS), strict=False))
