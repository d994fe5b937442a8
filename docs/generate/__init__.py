"""The pages that are written by code, so that they cannot say anything else than the code does.

`make references` writes them: the protocol (from the messages) and a data sheet for each game (from its rules
and from games that are played for it). `tests/test_docs.py` fails when they are out of date.
"""
