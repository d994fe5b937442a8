"""The load generator: clients that play at random over the loopback, in a separate process."""
