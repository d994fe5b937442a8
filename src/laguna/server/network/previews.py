"""What is shown where a link to a finished game is posted: Open Graph and Twitter tags for the page.

Whoever asks for them sends no cookie, so they contain only what everybody may know.
"""

from __future__ import annotations

import asyncio
import re
from html import escape
from urllib.parse import parse_qs

from starlette.types import Scope

from laguna import drawing
from laguna.errors import LagunaError
from laguna.games import find
from laguna.games.contract import LANGUAGES
from laguna.messages import SeatView, TableView
from laguna.server.network.guard import address_of, own_origin
from laguna.server.network.routes.common import TABLE_ID
from laguna.server.people.identity import NOBODY
from laguna.server.services import Services

PATH = re.compile(rf"(table|replay)/({TABLE_ID.strip('^$')})")
# As the page calls them (web/src/words/common); in English it is the level itself.
BOTS = {
    "ru": {
        "turtle": "Черепаха",
        "heron": "Цапля",
        "seal": "Тюлень",
        "dolphin": "Дельфин",
        "kraken": "Кракен",
    },
    "it": {
        "turtle": "Tartaruga",
        "heron": "Airone",
        "seal": "Foca",
        "dolphin": "Delfino",
        "kraken": "Kraken",
    },
}
SOMEONE = {"en": "Someone", "ru": "Кто-то", "it": "Qualcuno"}  # whose name was deleted
LOCALES = {"en": "en_US", "ru": "ru_RU", "it": "it_IT"}
PATIENCE = 1.0  # seconds to wait for a table that has to be read first: the page must not be late


async def tags(path: str, scope: Scope) -> str:
    """The tags of the page at this path; none unless it is about a game that is over."""
    found = PATH.fullmatch(path)
    if found is None:
        return ""
    at: Services = scope["app"].state.services
    try:
        at.rates.allow("request", None, address_of(scope))
        async with asyncio.timeout(PATIENCE):
            view = await at.tables.view(found[2], NOBODY)
    except (LagunaError, TimeoutError):
        return ""
    if view.status != "over":
        return ""
    return _written(_about(view, found[1], _language(scope), own_origin(scope, at.settings)))


def _language(scope: Scope) -> str:
    asked = parse_qs(scope["query_string"].decode("latin-1")).get("language", [""])[0]
    return asked if asked in LANGUAGES else "en"


def _about(view: TableView, page: str, language: str, origin: str | None) -> dict[str, str]:
    """The tags, by name; addresses only where it is known what they begin with."""
    title = f"{find(view.settings.game).meta.titles[language]} – Laguna"
    scores = _scores(view, language)
    about = {
        "description": scores,
        "og:type": "website",
        "og:site_name": "Laguna",
        "og:title": title,
        "og:description": scores,
        "og:locale": LOCALES[language],
        "twitter:title": title,
        "twitter:description": scores,
    }
    if origin is None:
        return about
    image = f"{origin}/api/tables/{view.table}/card.png?language={language}"
    about["og:url"] = f"{origin}/{page}/{view.table}"
    try:
        drawing.check_possible()
    except LagunaError:
        return about
    return about | {
        "og:image": image,
        "og:image:type": "image/png",
        "og:image:width": "1200",
        "og:image:height": "630",
        "og:image:alt": f"{title}: {scores}",
        "twitter:card": "summary_large_image",
        "twitter:image": image,
    }


def _scores(view: TableView, language: str) -> str:
    """Who has how many points, the winners first and marked."""
    assert view.result is not None
    won, scores = view.result.winners, view.result.scores
    ranked = sorted(view.seats, key=lambda each: (each.seat not in won, -scores[each.seat]))
    return " · ".join(
        f"{'★ ' if each.seat in won else ''}{_name(each, language)} {scores[each.seat]}" for each in ranked
    )


def _name(seat: SeatView, language: str) -> str:
    """Isolated, as it may be written from right to left."""
    if seat.kind == "bot":
        level = seat.level or ""
        name = BOTS.get(language, {}).get(level, level.capitalize())
    else:
        name = seat.name or SOMEONE[language]
    return f"\u2068{name}\u2069"


def _written(about: dict[str, str]) -> str:
    return "".join(
        f'<meta {"property" if name.startswith("og:") else "name"}="{name}" content="{escape(value)}" />\n'
        for name, value in about.items()
    )
