"""Bytes in and out: HTTP routes, websockets, limits, and what every request must pass first."""
