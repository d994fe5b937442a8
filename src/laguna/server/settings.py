"""Server settings: flags override LAGUNA_… variables, which override a TOML file and the defaults."""

from __future__ import annotations

import ipaddress
import os
import re
import socket
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta, Struct

from laguna.errors import BadOption, either, short
from laguna.server.network.rate_limits import read_limits

PREFIX = "LAGUNA_"
OTHERS = {"CACHE", "JIT", "CONFIG", "NETWORKS"}  # variables that are not server settings
INJECTED = re.compile(r".*(_SERVICE_|_PORT_\d).*|SERVICE_.*|PORT_\d.*")  # added by container platforms
DATABASES = ("sqlite", "postgresql")
BUSES = ("nats", "tls", "ws", "wss")

Text = Annotated[str, Meta(max_length=1000)]


class ServerSettings(Struct, frozen=True, kw_only=True):
    """All settings of a server, complete and valid when made by `load`."""

    host: Text = "127.0.0.1"
    processes: Annotated[int, Meta(ge=1, le=64)] = 1  # that share the tables among themselves
    port: Annotated[int, Meta(ge=0, le=65535)] = 8099  # 0: any free port
    data: Text = ""  # folder of the embedded database and the backups; by default the user's
    database: Text = ""  # sqlite:///FILE or postgresql://…; by default an SQLite file in `data`
    bus: Text = ""  # nats://…; empty: everything runs in this process
    public_url: Text = ""  # the public address, if it is not host and port
    origins: tuple[Text, ...] = ()  # additional origins whose pages may use this server
    trusted_proxies: tuple[Text, ...] = ()  # addresses or networks whose X-Forwarded headers are trusted
    bot_threads: Annotated[int, Meta(ge=0, le=1024)] = 0  # 0: one less than the number of cores
    max_sockets: Annotated[int, Meta(ge=1, le=1_000_000)] = 20_000
    live_tables: Annotated[int, Meta(ge=1, le=1_000_000)] = 2_000  # kept in memory; others are read anew
    token_days: Annotated[int, Meta(ge=1, le=3650)] = 180  # that an unused token or cookie lasts
    session_days: Annotated[int, Meta(ge=1, le=3650)] = 365  # then an account's owner logs in again
    limits: dict[str, str] = {}  # see `laguna.server.network.rate_limits`; all=off turns them off
    log_format: Literal["auto", "json", "readable"] = "auto"  # auto: readable on a terminal
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    metrics: bool = True  # serve /metrics to local addresses, or to anyone with the token
    metrics_token: Text = ""
    backup_folder: Text = ""  # by default `backups` in `data`
    shutdown_seconds: Annotated[float, Meta(ge=0, le=600)] = 10.0  # for requests in progress

    @property
    def data_folder(self) -> Path:
        return Path(self.data) if self.data else user_data_folder()

    @property
    def database_url(self) -> str:
        return self.database or f"sqlite:///{self.data_folder / 'laguna.sqlite'}"

    @property
    def backups(self) -> Path:
        return Path(self.backup_folder) if self.backup_folder else self.data_folder / "backups"

    @property
    def allowed_origins(self) -> frozenset[str]:
        """The configured origins; pages from an address of this machine are allowed as well."""
        return frozenset(filter(None, (self.public_url and origin_of(self.public_url), *self.origins)))

    @property
    def own_names(self) -> frozenset[str]:
        """The names of this machine, locally and on its network."""
        machine = socket.gethostname().lower()
        return frozenset((machine, f"{machine}.local", self.host.lower()))

    @property
    def threads_for_bots(self) -> int:
        return self.bot_threads or max(1, (os.cpu_count() or 2) - 1)

    def describe(self) -> dict[str, Any]:
        """Every setting in effect, without secrets, for the log and `laguna doctor`."""
        shown: dict[str, Any] = msgspec.to_builtins(self)
        return shown | {
            "database": without_password(self.database_url),
            "bus": without_password(self.bus),
            "metrics_token": "(set)" if self.metrics_token else "",
            "backup_folder": str(self.backups),
            "data": str(self.data_folder),
            "bot_threads": self.threads_for_bots,
        }


FIELDS = {field.name: field for field in msgspec.structs.fields(ServerSettings)}


def load(
    flags: Mapping[str, Any] | None = None,
    environ: Mapping[str, str] = os.environ,
    file: Path | None = None,
) -> ServerSettings:
    """Load the settings from all sources; BadOption names the wrong one and where it was set."""
    named = environ.get(PREFIX + "CONFIG")
    path = file or (Path(named) if named else None)
    values: dict[str, Any] = {}
    if path is not None:
        values |= {name: _field(name, value, f"in {path}") for name, value in _read(path).items()}
    for name, value in environ.items():
        setting = name.removeprefix(PREFIX)
        if name.startswith(PREFIX) and setting not in OTHERS and not INJECTED.fullmatch(setting):
            values[setting.lower()] = _field(setting.lower(), value, f"in the environment as {short(name)}")
    for name, value in (flags or {}).items():
        values[name] = _field(name, value, "as a flag")
    return _checked(ServerSettings(**values))


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadOption("settings", f"{str(path)!r} cannot be read: {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadOption("settings", f"{str(path)!r} is not a valid TOML file: {error}.") from None
    except (ValueError, RecursionError):
        text = "a number in it has too many digits, or it is nested too deeply"
        raise BadOption("settings", f"{str(path)!r} cannot be read: {text}.") from None


def _field(name: str, value: Any, where: str) -> Any:
    """Read one setting, converting it from text if necessary: lists as a,b and tables as a=b,c=d."""
    if name not in FIELDS:
        known = either(sorted(FIELDS), "and")
        raise BadOption(
            "unknown-setting", f"There is no setting {name!r:.60} ({where}); the settings are {known}."
        )
    kind = FIELDS[name].type
    if isinstance(value, str) and not _is_text(value):
        text = f"The setting {name} ({where}) is wrong: it is not UTF-8 text."
        raise BadOption("setting", text, setting=name)
    if isinstance(value, str) and name in ("origins", "trusted_proxies", "limits"):
        value = [part.strip() for part in value.split(",") if part.strip()]
        if name == "limits":
            value = {part.partition("=")[0]: part.partition("=")[2] for part in value}
    try:
        return msgspec.convert(value, kind, strict=False)
    except msgspec.ValidationError as error:
        text = f"The setting {name} ({where}) is wrong: {short(str(error), 80)}."
        raise BadOption("setting", text, setting=name) from None


def _is_text(value: str) -> bool:
    """Command-line bytes that are not UTF-8 become characters that cannot be written anywhere."""
    return not any("\ud800" <= character <= "\udfff" for character in value)


def _checked(settings: ServerSettings) -> ServerSettings:
    """Checks that types cannot express."""
    if settings.database:
        _check_url("database", settings.database, DATABASES)
    if settings.bus:
        _check_url("bus", settings.bus, BUSES)
    for name, url in [("public_url", settings.public_url), *(("origins", each) for each in settings.origins)]:
        if url:
            _check_url(name, url, ("http", "https"))
            if origin_of(url) != url:
                raise _wrong(name, f"write it as scheme://host or scheme://host:port, not {url!r:.100}")
    for network in settings.trusted_proxies:
        try:
            ipaddress.ip_network(network)
        except ValueError:
            raise _wrong("trusted_proxies", f"{network!r:.60} is neither an address nor a network") from None
    read_limits(settings.limits)
    if settings.processes > 1 and sys.platform == "win32":
        raise _wrong("processes", "on Windows a server has one process")
    return settings


def _check_url(name: str, url: str, schemes: tuple[str, ...]) -> None:
    scheme, separator, rest = url.partition("://")
    if scheme not in schemes or not separator or not rest:
        beginnings = either([f"{scheme}://…" for scheme in schemes])
        raise _wrong(name, f"it must begin with {beginnings}")


def _wrong(name: str, reason: str) -> BadOption:
    return BadOption("setting", f"The setting {name} is wrong: {reason}.", setting=name)


def origin_of(url: str) -> str:
    """Scheme, host and port of an address, as browsers write an Origin."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}".lower()


def without_password(url: str) -> str:
    """A URL without its password."""
    return re.sub(r"(?<=://)[^/@]*@", "***@", url)


def user_data_folder() -> Path:
    """The user's data folder on this system."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "laguna"
