"""A short form of the attacks: `python -m tests.ssh` repeats them as often as you like."""

from tests.ssh.attacks import ATTACKS, attack
from tests.ssh.ssh_world import Host


async def test_attacks_harm_nobody(host: Host) -> None:
    assert [name async for name in attack(host, seed=1, times=1)] == list(ATTACKS)
