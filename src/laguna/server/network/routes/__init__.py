"""The HTTP API, one file for each thing it is about."""

from __future__ import annotations

from fastapi import APIRouter

from laguna.server.network.routes import (
    cards,
    games,
    health,
    lessons,
    links,
    people,
    replays,
    reviews,
    tables,
)

routes = APIRouter()
for part in (health, games, lessons, people, tables, links, replays, reviews, cards):
    routes.include_router(part.routes)
