"""The server: tables over HTTP and websockets, on any number of machines."""
