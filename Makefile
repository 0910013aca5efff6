# A fresh machine needs only make and Python 3.11 or newer; everything else goes into .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
JOBS ?= 2

.DEFAULT_GOAL := help
.PHONY: long help setup playtest test fmt bench bless lock vsix clean

help: ## Show this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

setup: $(STAMP) ## Install the pinned packages and Rulewright itself into .venv

$(STAMP): requirements/lock.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Rulewright needs Python 3.11 or newer; name one with make PYTHON=...")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --requirement requirements/lock.txt
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

playtest: $(STAMP) ## Play 1,000 games among bots and print the balance report
	$(BIN)/rulewright playtest cthulhu --games 1000

test: $(STAMP) ## Format, lint, types, layers, tests, wheel: exactly what CI runs
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/pytest -n $(JOBS) -m "not long"

fmt: $(STAMP) ## Format the Python files and mend what lint can mend
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

long: $(STAMP) ## Run the long tests: thousands of games of everything, on both engines
	$(BIN)/pytest -n $(JOBS) -m long

bench: $(STAMP) ## Measure speed against the simulators in tests/benchmarks/peers
	$(BIN)/python tests/benchmarks/run.py
	$(BIN)/python tests/benchmarks/native.py

bless: $(STAMP) ## Rewrite the golden files from what comes out now; review the diff
	RULEWRIGHT_BLESS=1 $(BIN)/pytest -n $(JOBS) -k golden

lock: ## Pin the newest versions of all dependencies in requirements/lock.txt
	rm -rf $(VENV)-lock
	$(PYTHON) -m venv $(VENV)-lock
	$(VENV)-lock/bin/python -m pip install --quiet '.[native,lsp,watch,po,pdf,dev]'
	{ echo '# Every package of the default set-up, pinned. Made by: make lock'; \
	  $(VENV)-lock/bin/python -m pip freeze --exclude rulewright; } > requirements/lock.txt
	rm -rf $(VENV)-lock

vsix: $(STAMP) ## Pack the extension for Visual Studio Code: dist/rulewright.vsix
	$(BIN)/python -m dsl.editors.vsix dist/rulewright.vsix

clean: ## Remove .venv, caches and built files
	rm -rf $(VENV) $(VENV)-lock build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
