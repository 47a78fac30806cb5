"""The films of `screenshots.film` as casts of asciinema."""

import json

import pyte

from screenshots.film import COLUMNS, ROWS, Film, cast


def test_a_cast_draws_what_the_film_shows_at_each_time() -> None:
    film = Film(length=3.0)
    film.show(0, 0.5, ((2, "Home é", "ff8800", "default", True),))
    film.show(ROWS, 0.5, ((1, "key: n", "red", "0d1117", False),))
    film.show(0, 2.0, ())
    head, *frames = (json.loads(line) for line in cast(film, "An exam").splitlines())
    assert head == {"version": 2, "width": COLUMNS, "height": ROWS + 1, "title": "An exam"}
    screen = pyte.Screen(COLUMNS, ROWS + 1)
    stream = pyte.Stream(screen)
    shown = {}
    for at, kind, text in frames:
        assert kind == "o"
        stream.feed(text)
        shown[at] = (screen.display[0].rstrip(), screen.display[ROWS].rstrip())
        if at == 0.5:
            letter = screen.buffer[0][2]
            assert (letter.fg, letter.bg, letter.bold) == ("ff8800", "default", True)
    assert shown == {0.0: ("", ""), 0.5: ("  Home é", " key: n"), 2.0: ("", " key: n"), 3.0: ("", " key: n")}
