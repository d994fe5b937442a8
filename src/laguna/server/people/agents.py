"""What somebody logged in with, in words from a short list: of a User-Agent nothing else is kept.

A browser says itself what it is, so this is for recognizing one's own devices, and for nothing more.
"""

from __future__ import annotations

from starlette.requests import HTTPConnection

from laguna.server.network.guard import bearer
from laguna.server.storage import Agent

PROGRAM = Agent("program")
BROWSER = "browser"  # one that is none of these

# The first of these in a User-Agent names the browser: most of them also claim to be Chrome and Safari.
CLIENTS = {
    "Firefox/": "Firefox",
    "FxiOS/": "Firefox",
    "Edg/": "Edge",
    "EdgA/": "Edge",
    "EdgiOS/": "Edge",
    "OPR/": "Opera",
    "OPT/": "Opera",
    "YaBrowser/": "Yandex Browser",
    "SamsungBrowser/": "Samsung Internet",
    "CriOS/": "Chrome",
    "Chrome/": "Chrome",
    "Safari/": "Safari",
}
SYSTEMS = {  # phones first: Android is a Linux, too, and an iPhone says "like Mac OS X"
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Windows": "Windows",
    "CrOS": "ChromeOS",
    "Macintosh": "macOS",
    "Linux": "Linux",
}


def agent_of(asked: HTTPConnection) -> Agent:
    """What the token of this request, or the one that it is given, is used with."""
    return PROGRAM if bearer(asked.headers) else recognized(asked.headers.get("user-agent", ""))


def recognized(user_agent: str) -> Agent:
    """The browser and the system that a User-Agent names, if they are on the list."""
    client = next((name for sign, name in CLIENTS.items() if sign in user_agent), BROWSER)
    return Agent(client, next((name for sign, name in SYSTEMS.items() if sign in user_agent), None))
