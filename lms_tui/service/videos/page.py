"""The page that plays a video in a frame of another website, without scripts."""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Final

from lms_tui.service.core.text import storable

_STYLE: Final = """
html,body{margin:0;height:100%;background:#000;overflow:hidden}
body{color:#fff;font:16px/1.5 system-ui,sans-serif}
video{width:100%;height:100%;display:block}
main{max-width:32em;margin:20vh auto;padding:0 1em}
.annotation{position:absolute;pointer-events:none;user-select:none;white-space:pre}
"""
_POSITIONS: Final = ((8, 12), (62, 70), (30, 40), (70, 15), (12, 78))
"""The positions of a moving text, in percent from the upper left corner."""


def player(title: str, source: str, annotations: Sequence[Mapping[str, Any]]) -> tuple[str, str]:
    """Return the page and its style. `source` is the address of the video on this server."""
    style = _STYLE + "".join(_rules(index, annotation) for index, annotation in enumerate(annotations))
    shown = "".join(
        f'<div class="annotation" id="a{index}">{_text(annotation["text"])}</div>'
        for index, annotation in enumerate(annotations)
    )
    video = f'<video src="{escape(source)}" controls controlslist="nodownload" playsinline preload="metadata"></video>'
    return _page(title, style, video + shown), style


def refusal(sentence: str, advice: str) -> tuple[str, str]:
    """Return a page that says why the video does not play, and its style."""
    body = f"<main><p>{escape(sentence)}</p><p>{escape(advice)}</p></main>"
    return _page("Video", _STYLE, body), _STYLE


def headers(style: str, embed_origins: Sequence[str]) -> dict[str, str]:
    """Return headers that allow only the page's own style and video. `embed_origins` may frame it, or all if empty."""
    fingerprint = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = (
        "default-src 'none'",
        "media-src 'self'",
        f"style-src 'sha256-{fingerprint}'",
        "base-uri 'none'",
        "form-action 'none'",
        f"frame-ancestors {' '.join(embed_origins) or '*'}",
    )
    return {
        "Cache-Control": "no-store",
        "Content-Security-Policy": "; ".join(policy),
        "Cross-Origin-Opener-Policy": "same-origin",
        "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
        # The address of the page grants the right to play and must not reach other sites.
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
        "X-Robots-Tag": "noindex",
    }


def _page(title: str, style: str, body: str) -> str:
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{_text(title)}</title><style>{style}</style></head><body>{body}</body></html>"
    )


def _text(text: str) -> str:
    return escape(storable(text))


def _rules(index: int, annotation: Mapping[str, Any]) -> str:
    """Return the style of one annotation. Every value in it is a number or six hexadecimal digits."""
    color = str(annotation["color"]).removeprefix("#").removeprefix("0x")
    opacity, size = float(annotation["opacity"]), int(annotation["size"])
    base = f"color:#{int(color, 16):06x};opacity:{opacity:.3f};font-size:{size}px"
    if annotation["type"] == "static":
        return f"#a{index}{{left:{float(annotation['x']):.1f}px;top:{float(annotation['y']):.1f}px;{base}}}\n"
    step = int(annotation["interval"]) + int(annotation["skip"])
    return _moving(index, step, int(annotation["interval"]) / step, base)


def _moving(index: int, step: int, shown: float, base: str) -> str:
    """Return the style that moves a text. `shown` is the visible share of a step."""
    share = 100 / len(_POSITIONS)
    frames = []
    for number, (left, top) in enumerate(_POSITIONS):
        frames.append(f"{number * share:.3f}%{{left:{left}%;top:{top}%;visibility:visible}}")
        if shown < 1:
            frames.append(f"{(number + shown) * share:.3f}%{{visibility:hidden}}")
    return (
        f"@keyframes k{index}{{{''.join(frames)}}}\n"
        f"#a{index}{{{base};animation:k{index} {step * len(_POSITIONS)}ms step-end infinite}}\n"
    )
