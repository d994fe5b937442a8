"""The server's log: one line per event, as JSON or as readable text.

It never contains anything secret: no tokens, cookies, passwords, hashes, seat links, table secrets or chat.
Callers do not pass them; if one does anyway, it is redacted here, by its name or by its form.
"""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Mapping, MutableMapping
from typing import Any, TextIO

import structlog
from structlog.typing import Processor

WITHHELD = "(withheld)"
SECRET_NAMES = re.compile(
    r"token|cookie|password|secret|authorization|(^|_)(link|text|hash|body|headers|query|seed|action)$", re.I
)
SECRET_LOOKS = re.compile(
    r"(?<![\w-])(?:[A-Za-z0-9_-]{43}|[0-9a-f]{64})(?![\w-])"  # tokens and seat links; secrets and hashes
    r"|\$argon2[^\s\"']*"
    r"|(?<=://)[^\s/@\"']+(?=@)"  # user and password in a URL
)


def without_secrets(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Redact values whose names suggest a secret."""
    for name, value in event.items():
        if SECRET_NAMES.search(name):
            event[name] = WITHHELD
        elif isinstance(value, Mapping):
            event[name] = without_secrets(None, "", dict(value))
    return event


def _scrubbed(render: Processor) -> Processor:
    """Redact anything that looks like a secret anywhere in the finished line, such as in a traceback."""

    def rendered(logger: Any, name: str, event: MutableMapping[str, Any]) -> str:
        return SECRET_LOOKS.sub(WITHHELD, str(render(logger, name, event)))

    return rendered


def _naming(process: int) -> Processor:
    def named(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        event.setdefault("process", process)
        return event

    return named


def set_up(
    form: str = "auto", level: str = "info", stream: TextIO | None = None, process: int | None = None
) -> None:
    """Send everything that this process logs to `stream` (by default standard error).

    `process`: which one it is of a server that has several, which every line then says.
    """
    stream = stream or sys.stderr
    as_json = form == "json" or (form == "auto" and not stream.isatty())
    shared: list[Processor] = [
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.StackInfoRenderer(),
        without_secrets,
    ]
    if process is not None:
        shared.insert(0, _naming(process))
    render: list[Processor] = (
        [
            structlog.processors.format_exc_info,
            _scrubbed(structlog.processors.JSONRenderer(ensure_ascii=False)),
        ]
        if as_json
        # Plain tracebacks: rich ones would print local variables.
        else [
            _scrubbed(
                structlog.dev.ConsoleRenderer(
                    colors=stream.isatty(), exception_formatter=structlog.dev.plain_traceback
                )
            )
        ]
    )
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=shared,
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *render],
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(formatter)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    # Only our own log may be more verbose than info: libraries would print frames, headers and cookies.
    root.setLevel(max(logging.INFO, logging.getLevelName(level.upper())))
    logging.getLogger("laguna").setLevel(level.upper())
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )


def get_log(name: str) -> structlog.stdlib.BoundLogger:
    """The logger with that name: `log.info("table opened", table=id)`."""
    log: structlog.stdlib.BoundLogger = structlog.stdlib.get_logger(f"laguna.{name}")
    return log
