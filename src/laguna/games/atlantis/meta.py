"""Atlantis: what it is called, who plays, what can be chosen."""

from __future__ import annotations

from laguna.games.contract import Meta

META = Meta(
    id="atlantis",
    titles={"en": "Atlantis", "ru": "Атлантида", "it": "Atlantide"},
    author="Leo Colovini",
    players=(2, 3, 4),
    usual_players=3,
    about={
        "en": "Lead three people over a path that sinks behind them, and carry off what it is made of.",
        "ru": "Проведите троих жителей по дороге, что тонет за спиной, и унесите с собой её сокровища.",
        "it": "Guida tre abitanti su un sentiero che affonda alle loro spalle e porta via i suoi tesori.",
    },
)
