"""A prepared database for institutes of the shell. Migrations took a third of the time of their tests."""

from tests.service.conftest import prepared_file

__all__ = ["prepared_file"]
