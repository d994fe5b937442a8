"""The server's Prometheus metrics. All are cheap enough to update on every action."""

from __future__ import annotations

from prometheus_client import CONTENT_TYPE_LATEST, Counter, Gauge, Histogram, generate_latest

QUICK = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

tables = Gauge("laguna_tables", "Tables held in memory")
tables_unreadable = Gauge("laguna_tables_unreadable", "Requested tables that cannot be read")
sockets = Gauge("laguna_sockets", "Open websockets")
followers = Gauge("laguna_followers", "Tables followed, summed over all sockets")
cut_off = Counter("laguna_sockets_cut_off", "Sockets closed because they did not keep up")

requests = Counter("laguna_requests", "Requests to tables, by HTTP or websocket", ["request", "outcome"])
actions = Counter("laguna_actions", "Game actions, once durable", ["by"])  # person or bot
request_seconds = Histogram(
    "laguna_request_seconds", "Time from a request to its durable answer", ["request"], buckets=QUICK
)
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
