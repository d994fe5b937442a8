"""The naive referee: the games written a second time, from the spec alone."""
