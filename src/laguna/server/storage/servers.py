"""The names of servers in the database.

Processes of one server are called `RUN.INDEX.START`: of the same start of the server they share RUN, and a
process that was started again keeps its INDEX. Any other server has a name without a point.
"""

from __future__ import annotations

from sqlalchemy import ColumnElement, false


def of_neighbors(column: ColumnElement[str], server: str) -> ColumnElement[bool]:
    """Is it the name of another process of the same server, which owns other tables than this one?"""
    run, _, rest = server.partition(".")
    index = rest.partition(".")[0]
    if not index:
        return false()
    return column.startswith(f"{run}.") & ~column.startswith(f"{run}.{index}.")
