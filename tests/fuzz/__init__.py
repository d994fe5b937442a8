"""Fuzzing: everything that reads what strangers send is fed nonsense; it answers with a result or a sentence.

`python -m tests.fuzz` runs it (docs/fuzzing.md); `test_fuzz.py` replays what was ever found, and tries a
little more.
"""
