"""Bytes in and out: HTTP routes, websockets, limits, and the checks that every request passes first."""
