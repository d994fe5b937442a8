# Two commands: `make play` and `make test`. Both set up what they need.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: help play test lint types layers tests bench wire strength golden locks clean

help:
	@echo "make play      play Neptune & Vesta in the terminal"
	@echo "make test      every check and every test"
	@echo "make bench     playouts and search beside OpenSpiel, the server beside boardgame.io"
	@echo "make strength  the tournaments of docs/bots.md (many hours; goes on after an interruption)"
	@echo "make wire      write the page's types of the server's messages anew"
	@echo "make golden    write the golden playthroughs anew, after a wanted change of the rules"
	@echo "make locks     resolve the locked versions anew"

play: $(VENV)/ready-to-play
	@$(BIN)/laguna play neptune-vesta

test: lint types layers tests

lint: $(VENV)/ready-to-test
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: $(VENV)/ready-to-test
	$(BIN)/mypy

layers: $(VENV)/ready-to-test
	$(BIN)/lint-imports --no-cache

tests: $(VENV)/ready-to-test
	$(BIN)/laguna warm-up --search
	$(BIN)/python -m laguna.server.preparing neptune-vesta venice-2099 atlantis mille-fiori
	$(BIN)/python -m pytest -q -n auto --dist worksteal

bench: $(VENV)/ready-to-test
	$(INSTALL) --require-hashes -r requirements/peers.txt
	$(BIN)/laguna bench --peers
	$(BIN)/laguna bench --search --peers
	$(BIN)/python -m benchmarks.targets
	$(BIN)/python -m benchmarks.server

strength: $(VENV)/ready-to-play
	$(BIN)/python -m benchmarks.strength

wire: $(VENV)/ready-to-test
	$(BIN)/python -m laguna.server.typescript > web/src/wire.ts

golden: $(VENV)/ready-to-test
	$(BIN)/python -m tests.golden

locks: $(VENV)/ready-to-test
	$(INSTALL) uv
	$(BIN)/uv pip compile -q --universal --generate-hashes --no-header --no-emit-index-url \
	    --extra server pyproject.toml -o requirements/run.txt
	$(BIN)/uv pip compile -q --universal --generate-hashes --no-header --no-emit-index-url \
	    --extra server --extra dev -c requirements/run.txt pyproject.toml -o requirements/dev.txt
	$(BIN)/uv pip compile -q --universal --generate-hashes --no-header --no-emit-index-url \
	    --extra peers -c requirements/run.txt pyproject.toml -o requirements/peers.txt

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/ready-to-play: requirements/run.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Laguna needs Python 3.11 or newer")'
	@echo "Setting up (once)…"
	@$(PYTHON) -m venv $(VENV)
	@$(INSTALL) --require-hashes -r requirements/run.txt
	@$(INSTALL) --no-deps --editable .
	@touch $@

$(VENV)/ready-to-test: $(VENV)/ready-to-play requirements/dev.txt
	@$(INSTALL) --require-hashes -r requirements/dev.txt
	@touch $@
