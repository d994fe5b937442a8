"""The HTTP API, one file for each thing it is about."""

from __future__ import annotations

from fastapi import APIRouter

from laguna.server.network.routes import games, health, lessons, links, people, puzzles, replays, tables

routes = APIRouter()
for part in (health, games, lessons, puzzles, people, tables, links, replays):
    routes.include_router(part.routes)
