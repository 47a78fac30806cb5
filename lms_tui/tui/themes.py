"""The colour themes of the program: dark, light and high contrast."""

from typing import Final

from textual.theme import Theme

_CURSOR: Final = {"block-cursor-text-style": "bold", "border-blurred": "#3a4150"}

THEMES: Final[tuple[Theme, ...]] = (
    Theme(
        name="dark",
        primary="#6cb6ff",
        secondary="#8ddb8c",
        accent="#f0b429",
        warning="#f0b429",
        error="#ff7b72",
        success="#57cc8a",
        foreground="#dfe6ee",
        background="#10141b",
        surface="#161c25",
        panel="#1e2631",
        variables={
            **_CURSOR,
            "text-muted": "#93a1b1",
            "text-disabled": "#6b7888",
            "block-cursor-background": "#2b4c73",
            "block-cursor-foreground": "#ffffff",
            "block-cursor-blurred-background": "#232d3a",
            "border": "#6cb6ff",
            "input-selection-background": "#2b4c73",
            "scrollbar": "#34404f",
            "scrollbar-background": "#161c25",
            "scrollbar-hover": "#4a5a6e",
            "scrollbar-active": "#6cb6ff",
        },
    ),
    Theme(
        name="light",
        primary="#0a5cad",
        secondary="#1b7f3b",
        accent="#9a5b00",
        warning="#9a5b00",
        error="#b3261e",
        success="#1b7f3b",
        foreground="#1b1f24",
        background="#fbfbf9",
        surface="#f2f2ee",
        panel="#e6e7e2",
        dark=False,
        variables={
            "block-cursor-text-style": "bold",
            "text-muted": "#59626c",
            "text-disabled": "#838c95",
            "block-cursor-background": "#bcd8f5",
            "block-cursor-foreground": "#0b1a2b",
            "block-cursor-blurred-background": "#dfe3e0",
            "border": "#0a5cad",
            "border-blurred": "#c3c7c0",
            "input-selection-background": "#bcd8f5",
            "scrollbar": "#c0c5bd",
            "scrollbar-background": "#f2f2ee",
            "scrollbar-hover": "#9aa39a",
            "scrollbar-active": "#0a5cad",
        },
    ),
    Theme(
        name="high-contrast",
        primary="#ffff00",
        secondary="#00ffff",
        accent="#ffff00",
        warning="#ffff00",
        error="#ff8080",
        success="#00ff00",
        foreground="#ffffff",
        background="#000000",
        surface="#000000",
        panel="#000000",
        text_alpha=1.0,
        variables={
            "block-cursor-text-style": "bold",
            "block-cursor-background": "#ffff00",
            "block-cursor-foreground": "#000000",
            "block-cursor-blurred-background": "#5a5a00",
            "block-cursor-blurred-foreground": "#ffffff",
            "border": "#ffff00",
            "border-blurred": "#ffffff",
            "text-muted": "#ffffff",
            "text-disabled": "#c0c0c0",
            "input-selection-background": "#00ffff",
            "scrollbar": "#ffffff",
            "scrollbar-background": "#000000",
            "scrollbar-hover": "#00ffff",
            "scrollbar-active": "#ffff00",
        },
    ),
)
NAMES: Final = tuple(theme.name for theme in THEMES)


def following(name: str) -> str:
    """The name of the next theme. The first one for an unknown name."""
    return NAMES[(NAMES.index(name) + 1) % len(NAMES)] if name in NAMES else NAMES[0]
