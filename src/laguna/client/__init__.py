"""A client for Laguna's server, in asyncio: join, act, follow. For example::

    async with Client("http://localhost:8099") as client:
        table_id = await client.open_table("neptune-vesta", seats=["me", "heron"], start=True)
        async with client.follow(table_id) as table:
            result = await play(table, lambda table: table.legal[0])

It reconnects and resumes automatically. If the server refuses a request, `Refused` is raised.
"""

from importlib.util import find_spec

if not (find_spec("httpx") and find_spec("websockets")):
    raise ImportError("laguna.client needs two more libraries: pip install 'laguna-table[client]'.")

from laguna.client.client import Client
from laguna.client.errors import Refused, Unanswered, Unfair, Unreachable
from laguna.client.play import play
from laguna.client.table import FollowedTable

__all__ = ["Client", "FollowedTable", "Refused", "Unanswered", "Unfair", "Unreachable", "play"]
