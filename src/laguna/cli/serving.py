"""`laguna serve`, `worker`, `doctor` and `backup`: the server from the command line.

The server's modules are imported only when one of these commands runs.
"""

from __future__ import annotations

import time
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from laguna.errors import BadOption

if TYPE_CHECKING:
    from laguna.server.settings import ServerSettings

LIBRARIES = (
    "argon2",
    "fastapi",
    "nats",
    "openskill",
    "prometheus_client",
    "sqlalchemy",
    "structlog",
    "uvicorn",
)

out = Console(markup=False, highlight=False)

Database = Annotated[
    str | None,
    typer.Option(
        metavar="URL", help="sqlite:///FILE or postgresql://…; by default a file in your data folder."
    ),
]
Bus = Annotated[str | None, typer.Option(metavar="URL", help="nats://…, shared by servers and workers.")]
Config = Annotated[Path | None, typer.Option(metavar="FILE", help="Settings as TOML.")]
Setting = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="Any setting; see docs/hosting.md."),
]


def settings_from(config: Path | None, pairs: list[str] | None, **flags: Any) -> ServerSettings:
    """The settings; flags win over environment, file and defaults."""
    if not all(map(find_spec, LIBRARIES)):
        needed = "This needs the server's libraries: pip install 'laguna-table[server]'."
        raise BadOption("no-server", needed)
    from laguna.server.settings import load

    for pair in pairs or []:
        name, equals, value = pair.partition("=")
        if not equals:
            raise BadOption("setting", f"--set takes NAME=VALUE, not {pair!r:.60}.")
        flags[name.replace("-", "_")] = value
    return load({name: value for name, value in flags.items() if value is not None}, file=config)


def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on; 0.0.0.0 for all.")] = None,
    port: Annotated[int | None, typer.Option(help="0 picks a free port.")] = None,
    database: Database = None,
    bus: Bus = None,
    public_url: Annotated[
        str | None, typer.Option(metavar="URL", help="Public address, if behind a proxy.")
    ] = None,
    processes: Annotated[
        int | None, typer.Option(help="Processes that share the tables, on as many cores; by default 1.")
    ] = None,
    config: Config = None,
    setting: Setting = None,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
) -> None:
    """Serve tables to this computer, to your network or, behind a proxy, to everyone."""
    settings = settings_from(
        config,
        setting,
        host=host,
        port=port,
        database=database,
        bus=bus,
        public_url=public_url,
        processes=processes,
    )

    def started(url: str) -> None:
        out.print(f"Laguna is at {url} (Ctrl+C to stop).", soft_wrap=True)
        if open_page:
            typer.launch(url)

    if settings.processes > 1:  # the parent of several needs little of a server
        from laguna.server.processes.supervisor import spawn, supervise

        supervise(settings, started, spawn)
    else:
        from laguna.server.app import run

        run(settings, started)


def worker(
    bus: Bus = None,
    threads: Annotated[
        int | None, typer.Option(help="Bots running at once; by default one per core.")
    ] = None,
    config: Config = None,
    setting: Setting = None,
) -> None:
    """Compute bot moves for the servers on a bus."""
    settings = settings_from(config, setting, bus=bus, bot_threads=threads)
    if not settings.bus:
        raise BadOption("bus", "A worker needs a bus: laguna worker --bus nats://…")
    import asyncio

    from laguna.server import logs
    from laguna.server.worker import work

    logs.set_up(settings.log_format, settings.log_level)
    asyncio.run(work(settings.bus, settings.bot_threads or None))


def doctor(
    config: Config = None, database: Database = None, bus: Bus = None, setting: Setting = None
) -> None:
    """Check everything that a server needs. The exit code is 1 if something is wrong."""
    settings = settings_from(config, setting, database=database, bus=bus)
    from laguna.server.doctor import examine

    findings = []
    for found in examine(settings):
        out.print(f"{'✓' if found.fine else '✗'} {found.about}: {found.sentence}", soft_wrap=True)
        findings.append(found)
    if not all(found.fine for found in findings):
        raise typer.Exit(1)


def backup(
    target: Annotated[
        Path | None,
        typer.Argument(metavar="[TARGET]", help="A file or a folder; by default the backup folder."),
    ] = None,
    database: Database = None,
    config: Config = None,
    setting: Setting = None,
) -> None:
    """Copy the SQLite database, even while servers are using it."""
    settings = settings_from(config, setting, database=database)
    from laguna.server.storage import backup as copy

    path = target or settings.backups
    if target is None or path.is_dir():
        path /= time.strftime("laguna-%Y%m%d-%H%M%S.sqlite")
    copy(settings.database_url, path)
    out.print(f"Copied to {path}.", soft_wrap=True)
