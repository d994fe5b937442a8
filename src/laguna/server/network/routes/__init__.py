"""The HTTP API, one file for each thing it is about."""

from __future__ import annotations

from fastapi import APIRouter

from laguna.server.network.routes import (
    cards,
    games,
    health,
    lessons,
    links,
    me,
    people,
    positions,
    puzzles,
    replays,
    reviews,
    tables,
)

routes = APIRouter()
for part in (health, games, lessons, people, me, tables, links, replays, reviews, positions, puzzles, cards):
    routes.include_router(part.routes)
