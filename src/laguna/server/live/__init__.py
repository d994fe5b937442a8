"""Tables that are being played: kept in memory, changed one request at a time, told to their followers."""
