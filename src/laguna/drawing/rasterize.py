"""From SVG to PNG. Run as a file, it reads the one from its input and writes the other to its output.

The library holds Python's lock while it draws, up to a second: a server has that done by another process,
which imports nothing else.
"""

from __future__ import annotations

import sys


def pixels(svg: str) -> bytes:
    """A PNG as large as the SVG says; only text needs the fonts of this machine."""
    from resvg_py import svg_to_bytes  # of the extra `svg`

    return bytes(svg_to_bytes(svg_string=svg, skip_system_fonts="<text" not in svg))


if __name__ == "__main__":
    sys.stdout.buffer.write(pixels(sys.stdin.buffer.read().decode()))
