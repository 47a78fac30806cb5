"""The start of the program in a bundle, which has no separate Python.

The program starts its own modules with `sys.executable -m MODULE`. In a bundle this is the program itself, which reads
`-m` here as Python does.
"""

import runpy
import sys


def main() -> int:
    words = sys.argv[1:]
    if words[:2] == ["-X", "utf8"]:
        words = words[2:]
    if len(words) > 1 and words[0] == "-m":
        sys.argv = words[1:]
        runpy.run_module(words[1], run_name="__main__", alter_sys=True)
        return 0
    from lms_tui.cli import run  # noqa: PLC0415 - a helper process needs its own module only

    return run()


if __name__ == "__main__":
    sys.exit(main())
