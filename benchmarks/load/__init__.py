"""The load generator: random-playing clients on the loopback, in a process of their own."""
