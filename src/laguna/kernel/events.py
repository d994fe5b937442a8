"""What the rules just did, noted in the record for the log.

A record has `events` (rows of numbers) and `event_count`; `words.py` puts them into sentences.
"""

from __future__ import annotations

from laguna.kernel.jit import rule


@rule
def say(s, clause, seat, points, place):
    """Note that a clause was applied: to whom, for how much, where."""
    event = s.events[s.event_count]
    event[0] = clause
    event[1] = seat
    event[2] = points
    event[3] = place
    s.event_count += 1
