"""The pages that are generated from code, so that they cannot contradict it.

`make references` writes them: the protocol (from the messages), a data sheet for each game (from its rules
and from sample games), and the boards in the rules (from positions, drawn as on the page).
`tests/test_docs.py` fails when they are out of date.
"""
