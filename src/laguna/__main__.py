"""`python -m laguna` is the command `laguna`."""

from laguna.cli.main import main

main()
