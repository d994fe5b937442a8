"""What the rules just did, noted in the record for the log.

A record has `events` (rows of five numbers) and `event_count`. What the numbers of each kind mean is up to
the game: its `components.py` names the kinds, its `events.py` puts them into words.
"""

from __future__ import annotations

from laguna.kernel.jit import rule


@rule
def say(s, kind, seat, first, second, third):
    """Note that something of this kind happened to a seat (-1: to nobody), with up to three numbers."""
    event = s.events[s.event_count]
    event[0] = kind
    event[1] = seat
    event[2] = first
    event[3] = second
    event[4] = third
    s.event_count += 1
