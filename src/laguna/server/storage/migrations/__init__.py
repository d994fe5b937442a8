"""The database's revisions, one file each, applied in order when a server starts.

A published revision is never edited: what changes later is a new file whose `down_revision` names the one
before, and `storage/schema.py` says what stands after the last. Log entries and summaries are JSON; a new
field in them has a default and needs no revision.
"""
