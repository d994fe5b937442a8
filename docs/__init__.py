"""The sources of the docs site; `make docs` builds it."""
