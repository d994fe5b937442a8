"""The database's revisions, one file each, applied in order when a server starts.

A published revision is never edited: later changes go into a new file whose `down_revision` names the
previous one, and `storage/schema.py` describes the result of the last. Log entries and summaries are JSON; a
new field in them has a default and needs no revision.
"""
