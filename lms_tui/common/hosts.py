"""Names and addresses of hosts (standard library only)."""

import ipaddress


def is_loopback(host: str) -> bool:
    """Return whether a name or an address means this computer."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def in_url(host: str) -> str:
    """Return a host as URLs write it: IPv6 addresses stand in brackets."""
    return f"[{host}]" if ":" in host else host
