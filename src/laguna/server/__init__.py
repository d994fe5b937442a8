"""The place where people play: tables over HTTP and websockets, on any number of servers."""
