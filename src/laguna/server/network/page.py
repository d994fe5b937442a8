"""The page, if it is installed (`laguna/page`); otherwise a short note about this server."""

from __future__ import annotations

import gzip
import hashlib
import os
import re
from mimetypes import guess_type
from pathlib import Path

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import Match, Mount
from starlette.staticfiles import NotModifiedResponse, StaticFiles
from starlette.types import Scope

from laguna.server.network import previews

FOLDER = Path(__file__).resolve().parents[2] / "page"
PARTS = (
    "new",
    "rules",
    "guide",
    "learn",
    "table",
    "replay",
    "me",
    "editor",
    "puzzles",
    "watch",
    "embed",
)  # /new/GAME and so on, /table/ID, /me
FOREVER = "public, max-age=31536000, immutable"  # for files whose names change with their content
PACKED = {"br": ".br", "gzip": ".gz"}  # of compressed copies beside a file, the best first
DESCRIPTION = re.compile(r'<meta name="description"[^>]*>')
WORDS = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Laguna</title>
<h1>Laguna</h1>
<p>The server is running. <a href="/api/games">What can be played here.</a>
<p>The web page is not installed. Programs can play here: see <a href="/api/openapi.json">the API</a>.
</html>
"""


class Page(StaticFiles):
    """The page's files; all of its client-side routes are answered with index.html."""

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder, html=True)
        self._folder = folder

    async def get_response(self, path: str, scope: Scope) -> Response:
        try:
            return await super().get_response(path, scope)
        except HTTPException as error:
            if error.status_code != 404 or Path(path).parts[0] not in PARTS:
                raise
            if found := await previews.tags(path, scope):
                return self._with_tags(found, scope)
            return await super().get_response("index.html", scope)

    def _with_tags(self, tags: str, scope: Scope) -> Response:
        """The page with these tags in its head instead of the description that it has otherwise."""
        html = (self._folder / "index.html").read_text(encoding="utf-8")
        body = DESCRIPTION.sub(lambda _: tags.strip(), html, count=1).encode()
        headers = {"cache-control": "no-cache", "vary": "accept-encoding"}
        asked = Headers(scope=scope)
        if "gzip" in _taken(asked.get("accept-encoding", "")):
            body = gzip.compress(body, mtime=0)
            headers["content-encoding"] = "gzip"
        headers["etag"] = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
        response = HTMLResponse(body, headers=headers)
        return (
            NotModifiedResponse(response.headers)
            if self.is_not_modified(response.headers, asked)
            else response
        )

    def file_response(
        self,
        full_path: str | os.PathLike[str],
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        asked = Headers(scope=scope)
        response = _packed(Path(full_path), stat_result, asked.get("accept-encoding", ""), status_code)
        lasting = "assets" in Path(full_path).parts
        response.headers["cache-control"] = FOREVER if lasting else "no-cache"
        response.headers["vary"] = "accept-encoding"
        if self.is_not_modified(response.headers, asked):
            return NotModifiedResponse(response.headers)
        return response


class Rest(Mount):
    """All addresses except the API's, where a wrong method must remain an error."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        return (Match.NONE, {}) if scope["path"].startswith("/api/") else super().matches(scope)


def _packed(file: Path, stat: os.stat_result, accepted: str, status: int) -> FileResponse:
    """The file, or the copy compressed by the build if the browser accepts it."""
    kind = guess_type(file)[0]
    for encoding in _taken(accepted):
        beside = file.with_name(file.name + PACKED[encoding])
        if beside.is_file():
            response = FileResponse(beside, status, {"content-encoding": encoding}, kind)
            response.set_stat_headers(beside.stat())
            response.headers["etag"] = f'{response.headers["etag"][:-1]}-{encoding}"'
            return response
    return FileResponse(file, status, media_type=kind, stat_result=stat)


def _taken(accepted: str) -> list[str]:
    """Our encodings that an Accept-Encoding header names and does not forbid."""
    named = (each.partition(";") for each in accepted.lower().split(","))
    weights = {name.strip(): weight.replace(" ", "") for name, _, weight in named}
    return [each for each in PACKED if each in weights and weights[each].rstrip("0.") != "q="]


async def words() -> Response:
    return HTMLResponse(WORDS)
