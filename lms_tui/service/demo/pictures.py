"""Pictures of the demo institute, small enough to travel inside the question."""

from typing import Final

_PNG: Final = (
    "iVBORw0KGgoAAAANSUhEUgAAAKAAAABgAQAAAACyXEQ0AAAA4ElEQVR42u3VMW7CMBgG0NyEo/gojB1BYkAdWh8lx2DkCD5C2DIyZIii"
    "GLsSEiDQq1gquvCPT5++OHIcNxXTvA5LfONzPGzPs24us7glD8Kkzk64u1J3w4Dk3cIumLX404jOWclB2AuTOjsl98IALBGdWdsxCWfh"
    "WNHZK5mErXCvzohkEWZ9YFNF56zkKOyFSZ2tkkEYgaWiM+vITMJBOKrzqGQStsKgzohk0XnPwvMLPXYOSvbCo7BTZ6tkAH5HYUXnl35r"
    "n8KN8EOdKyWXwoWunuZxwm9Y8fS/wX+5YX8A9IkHmNR6cdYAAAAASUVORK5CYII="
)

VELOCITY_GRAPH: Final = (
    f'<img src="data:image/png;base64,{_PNG}" width="160" height="96" '
    'alt="A graph of velocity against time: a straight line from 0 at 0 s to 12 m/s at 4 s, then level at 12 m/s '
    'until 10 s">'
)
