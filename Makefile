# Thin lines over `snakemake`, `pytest` and the linters, which you can call yourself.
SHELL := /bin/bash
BIN := .venv/bin
export PATH := $(CURDIR)/$(BIN):$(PATH)
PYTHON ?= python3
PRESET ?= demo
CORES ?= all
RUN ?= results/demo
# `make test-slurm SLURM="slurm and not slow"` runs the tiny preset only.
SLURM ?= slurm
CONFIG = $(if $(filter demo,$(PRESET)),config/config.yaml,config/$(PRESET).yaml)
comma := ,
space := $() $()
listed = $(subst $(space),$(comma),$(strip $(1)))
CHANGED = $(if $(DATA_DIR),data_dir=$(abspath $(DATA_DIR))) $(if $(COMPUTE),compute=$(call listed,$(COMPUTE))) \
    $(if $(ONLY),'only=$(call listed,$(ONLY))') $(if $(REPETITIONS),repetitions=$(REPETITIONS))
# Experiments whose files are not there are left out; ABSENT=fetch stops where one cannot be had.
absent-is = snakemake --cores $(CORES) --configfile $(CONFIG) --config absent=$(1) $(CHANGED)
SNAKEMAKE = $(call absent-is,$(or $(ABSENT),leave_out))
# First all that can be fetched; with ABSENT=leave_out nothing is.
FETCH = $(if $(ABSENT),,$(call absent-is,fetch) --keep-going -- fetch >$(LOG) 2>&1 || \
    { cp $(LOG) $(dir $(LOG))fetch.log; echo "Not all files could be fetched: $(dir $(LOG))fetch.log says why."; };)
# One line of progress; all that Snakemake says is in the log, and its end here where it fails.
LOG = results/$(PRESET)/run.log
SHOWN = 2>&1 | tee $(LOG) | awk '/steps \(/ { printf "\r%s ", $$0; fflush() } /left out:|Neither/' \
    && echo || { tail -n 30 $(LOG); exit 1; }

QUICK = $(addprefix tests/,utils scores observed identification)
# Of benchmarks, which no test runs, only what calls a name that is not there.
LOOSE = arg-type assignment call-overload dict-item has-type misc no-untyped-call
define lint-python
@ruff check .
@ruff format --check --quiet .
@mypy
@mypy --cache-dir=.mypy_cache/benchmarks benchmarks/*/*.py $(addprefix --disable-error-code=,$(LOOSE))
@PYTHONPATH=workflow lint-imports --no-logo >/dev/null || PYTHONPATH=workflow lint-imports
endef

.DEFAULT_GOAL := help
.PHONY: help setup check demo paper named-preset figures beside redraw changed report docs test test-slow test-slurm lint bench bench-memory verify publish audit lock unlock clean

help: ## List the targets.
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 13

setup: ## Install R (with apt-get, as root) and the locked environment in .venv.
	@PYTHON="$(PYTHON)" PATH="$(subst $(CURDIR)/$(BIN):,,$(PATH))" envs/setup.sh

# An environment that `make setup` has made has all of it.
check: ## The linters and the quick tests of the library, without R, TensorFlow and Snakemake: two minutes.
	@test -e .venv || { $(PYTHON) -m venv .venv && pip install --quiet --editable '.[check]'; }
	$(lint-python)
	@pytest -m "not slow" $(QUICK)

demo: ## Ten kinds of figures, in minutes: results/, figures/, results/report.html.
	@$(MAKE) --no-print-directory figures PRESET=demo

paper: ## The simulations and experiments of ICLR 2021 (days on 2 cores; resumes).
	@$(MAKE) --no-print-directory figures PRESET=paper

named-preset:
	@test -e $(CONFIG) || { echo "There is no $(CONFIG): presets are $$(ls config/*.yaml | xargs)" >&2; exit 1; }

figures: named-preset setup ## Run a preset, or a part: make figures PRESET=real DATA_DIR=path ONLY=hcp COMPUTE=auto REPETITIONS=2.
	@mkdir -p $(dir $(LOG)); $(FETCH) set -o pipefail; $(SNAKEMAKE) $(SHOWN)
	@$(MAKE) --no-print-directory report PRESET=$(PRESET)
	@grep 'left out:' $(LOG) || true

beside: named-preset setup ## Compute METHODS alone, beside the published errors of the others: make beside PRESET=paper METHODS=auto.
	@$(MAKE) --no-print-directory figures COMPUTE="$(or $(METHODS),none)"

redraw: named-preset ## Draw a published preset anew, without its data, R and TensorFlow: make redraw PRESET=paper.
	@command -v snakemake >/dev/null || { echo "make redraw needs pip install '.[redraw]', or make setup" >&2; exit 1; }
	@mkdir -p $(dir $(LOG)); set -o pipefail; $(call absent-is,leave_out) compute=none $(SHOWN)

publish: named-preset setup ## Copy a run's tables, figures and curves to results/published and figures/published, to be committed.
	@python workflow/publish.py $(CONFIG)

report: named-preset ## Gather a preset that has run into results/report.html.
	@$(SNAKEMAKE) --quiet all --report results/report.html
	@echo "Figures:"; find figures/$(PRESET) -name '[!.]*.pdf' -o -name '[!.]*.png' | sort | sed 's/^/  /'
	@echo "Report: results/report.html"

docs: setup ## The documentation, offline: docs/_build/index.html.
	@sphinx-build --fail-on-warning --keep-going --quiet docs docs/_build
	@echo "Documentation: docs/_build/index.html"

test: setup lint ## The linters, then the whole fast suite.
	@pytest -m "not slow and not slurm" --numprocesses=2 --dist=worksteal

test-slow: setup ## The slow, real runs.
	@pytest -m "slow and not slurm"

test-slurm: setup ## Through a real one-node Slurm, started and stopped (root on Debian).
	@tests/slurm/cluster.sh install
	@pytest -m "$(SLURM)"

lint: setup ## ruff, mypy, import-linter, snakefmt, snakemake --lint.
	$(lint-python)
	@snakefmt --check Snakefile workflow/rules
	@snakemake --lint --quiet

bench: setup ## Timings, both sides in one run, as ratios beside their targets.
	@PYTHONPATH=workflow python benchmarks/timings/bench.py

# REPETITIONS=1 is quicker, COMPUTE=cleanex is of one method; PRESET=real needs its data.
verify: PRESET = verify
verify: setup ## Recompute published results in .verify and compare: minutes; PRESET=real DATA_DIR=... REPETITIONS=1.
	@rm -rf .verify
	@snakemake --cores $(CORES) --configfile $(CURDIR)/$(CONFIG) --directory .verify \
	    --config absent=leave_out $(CHANGED) --quiet all -- results/$(PRESET)/errors.csv
	@PYTHONPATH=workflow python -m experiments.verify .verify/results/$(PRESET)
	@rm -rf .verify

bench-memory: setup ## Memory and time of predict and identify on memory-mapped matrices of 20 MB to 4 GB.
	@PYTHONPATH=workflow python benchmarks/timings/bench_memory.py

audit: setup ## Known vulnerabilities of the locked packages (asks the package index).
	@pip-audit --requirement requirements.txt --require-hashes --disable-pip --strict

lock: ## Compile requirements.txt anew from pyproject.toml (needs uv).
	@uv pip compile pyproject.toml --extra cluster --extra dev --extra docs --universal --python-version 3.11 \
	    --generate-hashes --no-emit-index-url --custom-compile-command "make lock" \
	    --quiet --output-file requirements.txt

# Snakemake shows the digests of all modules before and now: those with two have changed.
changed: named-preset ## Name the modules whose change runs jobs again: make changed PRESET=paper.
	@$(SNAKEMAKE) --dry-run 2>&1 | grep -oE "'[a-z0-9_.]+': '[0-9a-f]{12}'" | sort -u | cut -d: -f1 | uniq -d

unlock: ## After a run was killed: release Snakemake's lock on this folder.
	@$(SNAKEMAKE) --unlock

clean: ## Remove the documentation and the caches; results stay.
	@rm -rf docs/_build docs/generated docs/api/generated .verify .pytest_cache .mypy_cache .ruff_cache
