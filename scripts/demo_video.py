"""Make the demo institute's video: a trolley gathers speed while its velocity–time graph is drawn, ten seconds long.

    uv run scripts/demo_video.py            # needs ffmpeg, or FFMPEG=/path/to/ffmpeg

Written to the package; run it again only to change the film.
"""

import os
import subprocess
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw, ImageFont

TARGET: Final = Path(__file__).parents[1] / "lms_tui/service/demo/media/velocity-time-graph.webm"
SIZE: Final = (320, 180)
RATE: Final = 10
SECONDS: Final = 10
GATHERING: Final = 4
FASTEST: Final = 12
PAPER: Final = (250, 250, 245)
INK: Final = (40, 44, 52)
LINE: Final = (200, 60, 40)
CART: Final = (40, 90, 170)
LEFT: Final = 36
FLOOR: Final = 120
ACROSS: Final = 25
UP: Final = 7


def velocity(moment: float) -> float:
    """In m/s, after so many seconds."""
    return FASTEST * min(1.0, moment / GATHERING)


def distance(moment: float) -> float:
    """In m: the area under the graph."""
    gathering = min(moment, GATHERING)
    return velocity(gathering) * gathering / 2 + FASTEST * max(0.0, moment - GATHERING)


def frame(moment: float) -> Image.Image:
    image = Image.new("RGB", SIZE, PAPER)
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(11)
    draw.line([(LEFT, 20), (LEFT, FLOOR), (LEFT + SECONDS * ACROSS + 12, FLOOR)], INK, 2)
    draw.text((6, 6), "v in m/s", INK, font)
    draw.text((LEFT + SECONDS * ACROSS - 14, FLOOR + 6), "t in s", INK, font)
    for second in range(0, SECONDS + 1, 2):
        draw.line([(LEFT + second * ACROSS, FLOOR), (LEFT + second * ACROSS, FLOOR + 4)], INK)
        if second < SECONDS:
            draw.text((LEFT + second * ACROSS - 3, FLOOR + 6), str(second), INK, font)
    for speed in (6, 12):
        draw.line([(LEFT - 4, FLOOR - speed * UP), (LEFT, FLOOR - speed * UP)], INK)
        draw.text((14, FLOOR - speed * UP - 6), str(speed), INK, font)
    steps = [step / RATE for step in range(int(moment * RATE) + 1)]
    points = [(LEFT + step * ACROSS, FLOOR - velocity(step) * UP) for step in steps]
    if len(points) > 1:
        draw.line(points, LINE, 3)
    draw.text((150, 50), f"v = {velocity(moment):.1f} m/s", LINE, font)
    draw.text((150, 66), f"s = {distance(moment):.1f} m", CART, font)
    place = 14 + distance(moment) / distance(SECONDS) * (SIZE[0] - 54)
    draw.line([(0, 170), (SIZE[0], 170)], INK, 2)
    draw.rectangle((place, 150, place + 28, 162), CART)
    for wheel in (place + 3, place + 17):
        draw.ellipse((wheel, 160, wheel + 8, 168), INK)
    return image


def main() -> None:
    pixels = b"".join(frame(number / RATE).tobytes() for number in range(SECONDS * RATE))
    width, height = SIZE
    raw = f"-f rawvideo -pix_fmt rgb24 -s {width}x{height} -r {RATE} -i -"
    coded = "-c:v libvpx-vp9 -b:v 0 -crf 42 -g 20 -pix_fmt yuv420p -an -fflags +bitexact -flags +bitexact"
    command = [os.environ.get("FFMPEG", "ffmpeg"), "-y", "-v", "error", *raw.split(), *coded.split(), str(TARGET)]
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(command, input=pixels, check=True)  # the caller's own ffmpeg
    print(f"{TARGET.name}: {TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    main()
