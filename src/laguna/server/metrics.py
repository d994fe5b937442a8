"""The server's Prometheus metrics. All are cheap enough to update on every action."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter as Counts
from collections import defaultdict
from collections.abc import Iterator
from itertools import accumulate

from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

QUICK = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

tables = Gauge("laguna_tables", "Tables held in memory")
tables_unreadable = Gauge("laguna_tables_unreadable", "Requested tables that cannot be read")
sockets = Gauge("laguna_sockets", "Open websockets")
followers = Gauge("laguna_followers", "Tables followed, summed over all sockets")
processes = Gauge("laguna_processes", "Processes of this server that are up")
processes.set(1)
forwarded = Counter("laguna_forwarded", "Requests passed on to the process that owns the table")
moved = Counter("laguna_sockets_moved", "Websockets handed over to the process that owns their table")
cut_off = Counter("laguna_sockets_cut_off", "Sockets closed because they did not keep up")


class Requests(Collector):
    """Requests to tables, counted in the event loop alone: without locks, each takes half a microsecond."""

    def __init__(self) -> None:
        self._outcomes: Counts[tuple[str, str]] = Counts()
        self._slots: defaultdict[str, list[int]] = defaultdict(lambda: [0] * (len(QUICK) + 1))
        self._seconds: defaultdict[str, float] = defaultdict(float)

    def count(self, request: str, outcome: str, seconds: float) -> None:
        self._outcomes[request, outcome] += 1
        self._slots[request][bisect_left(QUICK, seconds)] += 1
        self._seconds[request] += seconds

    def collect(self) -> Iterator[Metric]:
        about = "Requests to tables, by HTTP or websocket"
        outcomes = CounterMetricFamily("laguna_requests", about, labels=["request", "outcome"])
        for labels, count in self._outcomes.items():
            outcomes.add_metric(labels, count)
        yield outcomes
        about = "Time from a request to its durable answer"
        times = HistogramMetricFamily("laguna_request_seconds", about, labels=["request"])
        for request, slots in self._slots.items():
            buckets = zip((*map(str, QUICK), "+Inf"), accumulate(slots), strict=True)
            times.add_metric([request], list(buckets), self._seconds[request])
        yield times


requests = Requests()
REGISTRY.register(requests)
actions = Counter("laguna_actions", "Game actions, once durable", ["by"])  # person or bot
http_seconds = Histogram(
    "laguna_http_seconds", "HTTP requests by route", ["method", "route", "status"], buckets=QUICK
)

bot_queue = Gauge("laguna_bot_queue", "Bot moves requested and not yet answered")
bot_seconds = Histogram("laguna_bot_seconds", "Thinking time of bots", ["level"], buckets=QUICK)
bot_failures = Counter("laguna_bot_failures", "Bot moves that crashed or were too slow", ["level"])

reviews = Gauge("laguna_reviews", "Games being reviewed here")
reviewed_actions = Counter("laguna_reviewed_actions", "Actions judged here in reviews, once durable")

storage_batch = Histogram(
    "laguna_storage_batch", "Appends in one commit", buckets=(1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
)
storage_commit_seconds = Histogram("laguna_storage_commit_seconds", "Duration of a commit", buckets=QUICK)
storage_failures = Counter("laguna_storage_failures", "Commits that failed", ["why"])  # stale, unavailable


def exposition() -> tuple[bytes, str]:
    """All metrics as text, and the content type."""
    return generate_latest(), CONTENT_TYPE_LATEST
