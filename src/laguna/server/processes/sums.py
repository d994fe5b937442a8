"""The metrics of all processes of a server, added up by whichever is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import Metric
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.registry import Collector
from prometheus_client.samples import Sample

from laguna.errors import LagunaError
from laguna.server import metrics
from laguna.server.processes.neighbors import Neighbor, Neighbors

PATIENCE = 2.0  # seconds for each process; one that is starting is left out
OF_ONE = ("python_info", "process_max_fds")  # are the same for all
EARLIEST = ("_created", "process_start_time_seconds")


async def exposition(neighbors: Neighbors) -> tuple[bytes, str]:
    """All metrics as text, and the content type."""
    if neighbors.place.alone:
        return metrics.exposition()
    others = await asyncio.gather(*map(_asked, neighbors))
    registry = CollectorRegistry()
    registry.register(_Sum([metrics.exposition()[0].decode(), *filter(None, others)]))
    return generate_latest(registry), CONTENT_TYPE_LATEST


async def _asked(neighbor: Neighbor) -> str:
    try:
        return await neighbor.call("metrics", seconds=PATIENCE) if neighbor.is_up else ""
    except LagunaError:
        return ""


class _Sum(Collector):
    def __init__(self, texts: list[str]) -> None:
        self._texts = texts

    def collect(self) -> Iterable[Metric]:
        families: dict[str, Metric] = {}
        values: dict[str, dict[tuple[str, tuple[tuple[str, str], ...]], float]] = {}
        for text in self._texts:
            for family in text_string_to_metric_families(text):
                families.setdefault(family.name, family)
                added = values.setdefault(family.name, {})
                for sample in family.samples:
                    key = sample.name, tuple(sorted(sample.labels.items()))
                    added[key] = _together(sample.name, added.get(key), sample.value)
        for name, family in families.items():
            family.samples = [
                Sample(sample, dict(labels), value) for (sample, labels), value in values[name].items()
            ]
            yield family


def _together(name: str, before: float | None, value: float) -> float:
    if before is None or name in OF_ONE:
        return value
    return min(before, value) if name.endswith(EARLIEST) else before + value
