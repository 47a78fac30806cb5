from functools import partial

from lms_tui.runtime.sessions.limits import Connections, Limits, Place, Sessions


def test_an_address_has_a_share_of_the_connections() -> None:
    connections = Connections(Limits(of_address=2, connections=3))
    first = Place("192.0.2.1")
    told = [connections.connect(place) for place in (first, Place("192.0.2.1"), Place("192.0.2.1"))]
    assert told == ["", "", "too many connections of one address"]
    assert connections.connect(Place("192.0.2.2")) == ""
    assert connections.connect(Place("192.0.2.3")) == "too many connections"
    connections.disconnect(first)
    assert connections.connect(Place("192.0.2.1")) == ""


def test_all_addresses_of_a_subscriber_count_as_one() -> None:
    connections = Connections(Limits(of_address=1))
    assert connections.connect(Place("2001:db8::1")) == ""
    assert connections.connect(Place("2001:db8::2")) == "too many connections of one address"


def test_connections_that_do_not_sign_in_are_few() -> None:
    connections = Connections(Limits(waiting=1))
    first = Place("192.0.2.1")
    assert connections.connect(first) == ""
    assert connections.connect(Place("192.0.2.2")) == "too many connections that have not signed in"
    connections.signed_in(first)
    assert connections.connect(Place("192.0.2.2")) == ""


def test_a_new_address_replaces_the_oldest_of_the_address_with_most() -> None:
    connections = Connections(Limits(waiting=4))
    cut: list[int] = []
    for number in range(4):
        assert connections.connect(Place("192.0.2.1", partial(cut.append, number))) == ""
    assert connections.connect(Place("192.0.2.1")) == "too many connections that have not signed in"
    assert [connections.connect(Place("192.0.2.2")) for _ in range(3)] == [
        "",
        "",
        "too many connections that have not signed in",
    ]
    assert cut == [0, 1]


def test_a_user_has_a_share_of_the_sessions() -> None:
    sessions = Sessions(Limits(of_user=1, sessions=2))
    assert [sessions.begin(user).partition(".")[0] for user in (1, 1, 2, 3)] == [
        "",
        "You have too many sessions",
        "",
        "This computer has too many sessions",
    ]
    sessions.end(1)
    assert sessions.begin(3) == ""
