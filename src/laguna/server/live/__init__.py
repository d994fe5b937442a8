"""Tables in play: kept in memory, changed one request at a time, and sent to their followers."""
