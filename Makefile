# Two commands: `make play` and `make test`. Both set up what they need.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PAGE := src/laguna/page/index.html
PAGE_SOURCES := $(shell find web -path web/node_modules -prune -o -type f -print) $(wildcard docs/rules/*.svg)

# uv installs ten times faster than pip; if uv cannot reach its index, pip is used with its own configuration.
UV = $(BIN)/uv pip install --quiet --compile-bytecode --python $(BIN)/python
PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check
locked = $(UV) --require-hashes -r requirements/$(1).txt || $(PIP) --require-hashes -r requirements/$(1).txt
COMPILE = $(BIN)/uv pip compile -q --universal --generate-hashes --no-header --no-emit-index-url

.PHONY: help play test proof checked compiled lint types layers page-check tests page-tests full-tests full-page-tests \
	mutants fuzz torture pictures bench wire strength golden notebooks docs references sbom audit locks clean

help:
	@echo "make play      open the game in the browser"
	@echo "make test      run every check, and every test in its short form (ten to fifteen minutes on two cores)"
	@echo "make proof     run every check, and every test at full size (more than half an hour)"
	@echo "make torture   break servers, networks and disks ten thousand times in two thousand games (about an hour)"
	@echo "make mutants   make small mistakes in the rules, and see whether the tests notice them"
	@echo "make fuzz      feed every parser INPUTS inputs (100000) that nobody would send, each (docs/fuzzing.md)"
	@echo "make pictures  retake the pictures for the docs, also as color-blind people see them"
	@echo "make bench     compare playouts and search with OpenSpiel, the server with boardgame.io"
	@echo "make strength  play the tournaments of docs/bots.md (many hours; resumes after an interruption)"
	@echo "make wire      regenerate the page's types from the server's messages"
	@echo "make golden    rewrite the golden playthroughs after an intended change to the rules"
	@echo "make notebooks  run the notebooks again and store what they show"
	@echo "make docs      build the docs site in build/docs"
	@echo "make references  regenerate the docs made from the code: protocol, data sheets, boards in the rules"
	@echo "make sbom      write build/sbom.cdx.json: every locked package, as CycloneDX"
	@echo "make audit     ask the registries which locked packages are known to be vulnerable"
	@echo "make locks     update the locked versions"

# The Python side and the page are set up in parallel.
play:
	@$(MAKE) --no-print-directory -j2 $(VENV)/ready-to-play $(PAGE)
	@$(BIN)/laguna serve --open

# Compiling and the checks run in parallel; so do the tests and those of the page, which mostly wait.
test: checked
	@$(MAKE) --no-print-directory -j2 --output-sync tests page-tests

# One after the other: full size is for finding what a busy machine would hide.
proof: checked
	@$(MAKE) --no-print-directory full-tests
	@$(MAKE) --no-print-directory full-page-tests
	@$(MAKE) --no-print-directory docs

checked: $(VENV)/ready-to-test
	@$(MAKE) --no-print-directory -j2 --output-sync compiled types page-check lint layers $(PAGE)

compiled: $(VENV)/ready-to-test
	$(BIN)/laguna warm-up --server

lint: $(VENV)/ready-to-test
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: $(VENV)/ready-to-test
	$(BIN)/mypy

layers: $(VENV)/ready-to-test
	$(BIN)/lint-imports --no-cache

page-check: $(VENV)/ready-to-test
	$(BIN)/python hatch_build.py check

# Temporary files in memory, if there is room for them: the server waits for the disk at every action.
MEMORY = $(shell test "$$(df -Pk /dev/shm 2>/dev/null | awk 'END {print $$4}')" -gt 2000000 && echo TMPDIR=/dev/shm)
PYTEST = $(MEMORY) $(BIN)/python -m pytest -q --dist worksteal
# One worker more than cores: tests of the server wait now and then.
WORKERS = $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) + 1)))

# Tests that fail run once more, one after the other: that tells what is broken from what was too slow on a busy machine.
# (Exit code 1: all tests ran, and some failed.)
AGAIN = || { test $$? = 1 && echo "Once more, one after the other:" && \
	$(PYTEST) -n 0 --last-failed --last-failed-no-failures none --maxfail 3 -o cache_dir=build/$@-cache; }

tests: compiled
	$(PYTEST) -n $(WORKERS) -o cache_dir=build/$@-cache --ignore tests/page $(AGAIN)

# Separate from the others: Playwright cannot share a process with asyncio.
page-tests: compiled $(PAGE)
	$(PYTEST) -n 2 -o cache_dir=build/$@-cache tests/page $(AGAIN)

full-tests: compiled
	$(PYTEST) -n $(WORKERS) --ignore tests/page --proof

full-page-tests: compiled $(PAGE)
	$(PYTEST) -n 2 tests/page --proof

torture: compiled
	$(MEMORY) $(BIN)/python -m tests.torture --at-once $$(getconf _NPROCESSORS_ONLN) --journal build/torture/journal.jsonl

mutants: $(VENV)/ready-to-test
	$(BIN)/python -m tests.mutants

INPUTS ?= 100000

fuzz: compiled
	-@$(call locked,fuzz)
	$(MEMORY) $(BIN)/python -m tests.fuzz --inputs $(INPUTS)

pictures: $(VENV)/ready-to-test $(PAGE)
	$(BIN)/python -m tests.page.pictures docs/img

bench: $(VENV)/ready-to-test
	$(call locked,peers)
	$(BIN)/laguna bench --peers
	$(BIN)/laguna bench --search --peers
	$(BIN)/python -m benchmarks.targets
	$(BIN)/python -m benchmarks.server

strength: $(VENV)/ready-to-play
	$(BIN)/python -m benchmarks.strength

wire: $(VENV)/ready-to-test
	$(BIN)/python -m laguna.server.typescript web/src

golden: $(VENV)/ready-to-test
	$(BIN)/python -m tests.golden

notebooks: $(VENV)/ready-to-test $(PAGE)
	$(BIN)/python -m tests.notebooks

docs: $(VENV)/ready-to-play
	@$(call locked,docs)
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs build/docs
	@echo "The docs are at build/docs/index.html"

references: $(VENV)/ready-to-test $(PAGE)
	$(BIN)/python -m docs.generate

sbom: $(VENV)/ready-to-build
	@mkdir -p build
	$(BIN)/python requirements/sbom.py build/sbom.cdx.json

# Strict: a package that the registry does not tell anything about counts as a failure.
audit: $(VENV)/ready-to-test
	@$(call locked,audit)
	$(BIN)/pip-audit --strict --disable-pip --require-hashes -r requirements/run.txt
	$(BIN)/python hatch_build.py audit

locks: $(VENV)/ready-to-test
	echo uv | $(COMPILE) - -o requirements/uv.txt
	$(COMPILE) --extra server pyproject.toml -o requirements/run.txt
	$(COMPILE) --group build -o requirements/build.txt
	$(COMPILE) --extra server --extra svg --extra dev -c requirements/run.txt pyproject.toml -o requirements/dev.txt
	$(COMPILE) --extra audit -c requirements/run.txt -c requirements/dev.txt pyproject.toml -o requirements/audit.txt
	$(COMPILE) --extra fuzz -c requirements/run.txt pyproject.toml -o requirements/fuzz.txt
	$(COMPILE) --extra peers -c requirements/run.txt pyproject.toml -o requirements/peers.txt
	$(COMPILE) --extra docs -c requirements/run.txt -c requirements/dev.txt pyproject.toml -o requirements/docs.txt

clean:
	rm -rf $(VENV) build dist src/laguna/page web/node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/ready-to-build: requirements/uv.txt requirements/build.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Laguna needs Python 3.11 or newer")'
	@echo "Setting up (only once)…"
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) --require-hashes -r requirements/uv.txt
	@$(call locked,build)
	@touch $@

$(VENV)/ready-to-play: $(VENV)/ready-to-build requirements/run.txt pyproject.toml
	@echo "Installing what the server needs…"
	@$(call locked,run)
	@$(UV) --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/ready-to-test: $(VENV)/ready-to-play requirements/dev.txt web/package-lock.json
	@$(call locked,dev)
	@$(BIN)/python hatch_build.py install
	@touch $@

$(PAGE): $(VENV)/ready-to-build $(PAGE_SOURCES)
	@echo "Building the page…"
	@$(BIN)/python hatch_build.py
