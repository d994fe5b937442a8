"""The games as environments of other libraries, each with its own extra."""
