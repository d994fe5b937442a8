"""The icons as PNG, from the drawn one: `python -m tests.page.icons`. Browsers want PNGs to install a page.

The maskable one is the same without its round corners: the system cuts it to its own shape.
"""

from __future__ import annotations

from tests.page.browser import WEB, browser

PUBLIC = WEB / "public"
ICONS = {"icon-192.png": (192, True), "icon-512.png": (512, True), "icon-maskable-512.png": (512, False)}


def main() -> None:
    drawn = (PUBLIC / "icon.svg").read_text()
    with browser() as opened:
        for name, (size, corners) in ICONS.items():
            page = opened.new_page(viewport={"width": size, "height": size})
            svg = drawn if corners else drawn.replace(' rx="112"', "")
            page.set_content(f"<style>body{{margin:0}}svg{{display:block;width:100vw}}</style>{svg}")
            page.screenshot(path=PUBLIC / name, omit_background=True)
            page.close()


if __name__ == "__main__":
    main()
