# What one does with a checkout. `make help` lists it.
# Everything but help, lock and clean calls `setup` first, which costs nothing when it is up to
# date.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.setup-stamp
ARGS ?=

PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check --no-input

.DEFAULT_GOAL := help
.PHONY: help setup demo demo-console console-pictures floor-demo test quick night coverage bench bench-virtual bench-vm bench-table fuzz torture soak mutate agreement put-right models console-walk lint format types docs docs-check man site deb deb-check deb-trial box-drill releases torchwood lock clean

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo 'ARGS="..." is handed on by demo, demo-console, console-pictures, floor-demo, test, bench, bench-..., fuzz, torture, soak, mutate, agreement, put-right, models and console-walk.'

setup: $(STAMP)  ## .venv with tablectl and table-controller in .venv/bin
	@:

# The lock names every file by its hash and only ready-built ones are taken, so nothing is
# compiled here; setuptools is in the lock, so the project's own build downloads nothing. Its
# "compat" puts this folder on Python's path; its other ways import a finder at every start.
#
# The programs in a venv name its folder. In a checkout that was moved they are broken, and in a copy
# they run the other folder's code; so the stamp says for which folder it is, and elsewhere all is
# made anew.
ifneq ($(file <$(STAMP)),$(CURDIR))
.PHONY: $(STAMP)
endif
$(STAMP): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' || \
		{ echo 'setup: Python 3.11, 3.12 or 3.13 is needed; name it with PYTHON=python3.x' >&2; exit 1; }
	@made=$$(cat $@ 2>/dev/null) && [ "$$made" != "$$(pwd -P)" ] && \
		echo "setup: $(VENV) was made for $${made:-an earlier release}; it is made anew for $$(pwd -P)"; \
	{ [ "$$made" = "$$(pwd -P)" ] && $(BIN)/python -m pip --version >/dev/null 2>&1; } || \
		$(PYTHON) -m venv --clear $(VENV) || \
		{ echo 'setup: no venv module; on Debian: apt install python3-venv' >&2; exit 1; }
	@$(PIP) install --require-hashes --only-binary :all: -r requirements.lock
	@$(PIP) install --no-index --no-deps --no-build-isolation --config-settings editable_mode=compat --editable .
	@pwd -P >$@
	@echo 'setup: $(BIN)/tablectl and $(BIN)/table-controller are ready'

demo: setup  ## a whole table without hardware
	@$(BIN)/tablectl demo $(ARGS)

demo-console: setup  ## a whole table without hardware, dealt in a browser
	@$(BIN)/python -m hil_tests.console $(ARGS)

console-pictures: setup  ## every screen of a table looked at and photographed, in build/screens; needs Chromium; minutes
	@$(BIN)/python -m hil_tests.console.pictures $(ARGS)

floor-demo: setup  ## six tables at play, and the floor that has their journals; needs PostgreSQL
	@$(BIN)/python -m hil_tests.floor $(ARGS)

# Two workers a core: half the tests wait for a device's timeout or a process. Journals and devices'
# memories are kept in memory where 4 GiB of it are free: what tests look for in them after a kill
# does not depend on the disk, and waiting for it took as long as all else. Hundreds of processes are
# started, and each would compile all that it imports.
TESTERS = $$((2 * $$(nproc)))
MEMORY := /dev/shm
ROOM = $$(df --output=avail $(MEMORY) 2>/dev/null | awk 'NR == 2 && $$1 > 4194304 {print "yes"}')

test: setup  ## the tests that this machine can run, of long families some; ARGS="-n 0": in one process
	@scratch=; [ -z "$(ROOM)" ] || scratch=$$(mktemp -d -p $(MEMORY) tXXX 2>/dev/null) || \
		echo 'test: $(MEMORY) may not be written: the tests work on the disk, which takes longer' >&2; \
	: "$${scratch:=$$(mktemp -d -t tXXX)}" && [ -n "$$scratch" ] && chmod 755 "$$scratch" && trap 'rm -rf "$$scratch"' EXIT && \
		env -u PYTHONDONTWRITEBYTECODE TMPDIR="$$scratch" \
		$(BIN)/python -m pytest --basetemp "$$scratch/p" \
		-n $(TESTERS) --dist worksteal $(ARGS)

quick: setup  ## form, types, and the core's tests that files changed since the last commit can break; half a minute
	@$(BIN)/python -m tests.quick

torchwood: setup  ## other people's witness and proof programs, for the tests; needs apt's Debian
	@$(BIN)/python -m appliance.torchwood

NIGHT := TABLE_NIGHT=1 TABLE_EXAMPLES=50 TABLE_WALKS=100

night: setup  ## every test, and three times as many examples; an hour
	@$(NIGHT) $(MAKE) --no-print-directory test

# Each process of pytest writes what it ran; the report joins that.
coverage: setup  ## the same, measured: every branch of the packages in pyproject.toml is run; an hour
	@rm -rf build/coverage
	@$(NIGHT) COVERAGE_PROCESS_START=$(CURDIR)/pyproject.toml $(MAKE) --no-print-directory test
	@$(BIN)/coverage report

bench: setup  ## the benchmarks
	@$(BIN)/python -m proof.benchmarks $(ARGS)

# The scenarios on one bench, and the report of the run (docs/rig.md).
bench-virtual: setup  ## scenarios on twins here; writes build/report-virtual.html
bench-vm: setup  ## the same on a Debian machine in QEMU; root, and docs/bench-vm.md's packages
bench-table: setup  ## the same on real devices, as hil_tests/benches/table.toml has them
bench-virtual bench-vm bench-table:
	@mkdir -p build
	@$(BIN)/python -m pytest hil_tests/scenarios --bench $(@:bench-%=%) \
		--html build/report-$(@:bench-%=%).html --self-contained-html $(ARGS)

torture: setup  ## shifts in virtual time, kills, unplugging, altered journals: over an hour
	@$(BIN)/python -m proof.torture $(ARGS)

soak: setup  ## a year of play: start time, size, memory
	@$(BIN)/python -m proof.torture play --entries $(ARGS)

fuzz: setup  ## hostile bytes at every surface, some minutes; ARGS="--seconds 3600": an hour each
	@$(BIN)/python -m proof.fuzzing $(ARGS)

mutate: setup  ## whether a test fails for every value of the rule files; for the night
	@$(BIN)/python -m proof.mutation $(ARGS)

agreement: setup  ## the kernel of the figures against the table's own rounds; for the night; ARGS=--mutants
	@$(BIN)/python -m proof.agreement $(ARGS)

put-right: setup  ## rounds with mistakes put right, against rounds that were never wrong; for the night; ARGS=--live
	@$(BIN)/python -m proof.put_right $(ARGS)

console-walk: setup  ## the dealer's page by touch: worked rounds, taps across restarts; Chromium, the night
	@$(BIN)/python -m hil_tests.console.walk $(ARGS)

models: setup  ## link, draw and what is stored, every state within bounds; ARGS=--large: wider, minutes
	@$(BIN)/python -m proof.models $(ARGS)

lint: setup  ## format, lint and import contracts
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/lint-imports

format: setup  ## put the code in form
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

types: setup  ## mypy, strict
	@$(BIN)/mypy

docs: setup  ## write the generated documentation anew
	@$(BIN)/python -m pages

docs-check: setup  ## whether the generated documentation is as the code says
	@$(BIN)/python -m pages --check

# The same commit gives the same bytes; a package sets SOURCE_DATE_EPOCH to its changelog's date.
MAN ?= build/man
man: setup  ## a man page for each command in build/man; MAN=DIR: there
	@rm -rf build/man
	@$(BIN)/python -m pages.man $(MAN)
	@echo 'man: $(MAN)/man1 and $(MAN)/man8; read one with "man -l $(MAN)/man1/tablectl.1"'

# In a venv of its own, from a lock of its own: setup stays small.
SITE := build/site-venv
SITE_STAMP := $(SITE)/.stamp
ifneq ($(file <$(SITE_STAMP)),$(CURDIR))
.PHONY: $(SITE_STAMP)
endif
$(SITE_STAMP): pages/mkdocs/requirements.lock
	@$(PYTHON) -m venv --clear $(SITE)
	@$(SITE)/bin/python -m pip --quiet --disable-pip-version-check --no-input install \
		--require-hashes --only-binary :all: -r pages/mkdocs/requirements.lock
	@pwd -P >$@

site: setup $(SITE_STAMP)  ## the documentation as a site in build/site; it needs no server
	@rm -rf build/documents
	@$(BIN)/python -m appliance.documents build/documents
	@cp -r pages/mkdocs/assets build/documents
	@PYTHONPATH=$(CURDIR) NO_MKDOCS_2_WARNING=1 $(SITE)/bin/mkdocs --quiet build --strict
	@rm build/site/404.html  # a server's page: its links go to the root of one
	@$(BIN)/python -m pages.site build/site
	@echo 'site: open build/site/index.html'

# The packages for one release of Debian, of the commit HEAD; the same commit gives the same bytes.
deb: setup  ## Debian packages in build/deb/out; root; ARGS="--release trixie --arch arm64"
	@$(BIN)/python -m appliance.build $(ARGS)

deb-check: setup  ## built twice and compared, lintian, autopkgtest, piuparts; root; ARGS=--thorough: upgraded, too
	@$(BIN)/python -m appliance.check $(ARGS)

deb-trial: setup  ## the packages on plain Debian 12 and 13 in QEMU, from install to purge; root, half an hour
	@$(BIN)/python -m appliance.trial $(ARGS)

box-drill: setup  ## a box that died replaced by a spare, in QEMU; writes the figures of the card; root
	@$(BIN)/python -m appliance.trial.replacing $(ARGS)

releases: setup  ## both commands of the README on bare Debian 12 and 13, as an ordinary user; root; ARGS=trixie: one
	@$(BIN)/python -m appliance.readme $(ARGS)

# --universal: one lock for Python 3.11 and later on every machine we build for. The header and
# index would name the machine that wrote the lock, so they are left out. A floor has no devices; a
# table's screens ask the daemon, and have neither devices nor keys nor a journal.
lock:  ## pin the newest versions that pyproject.toml allows (needs the network)
	@command -v uv >/dev/null || test -x build/lock/bin/uv || \
		{ $(PYTHON) -m venv build/lock && build/lock/bin/python -m pip --quiet install uv; }
	@PATH="$$PATH:$(CURDIR)/build/lock/bin" uv pip compile --quiet --upgrade --universal \
		--python-version 3.11 --extra cli --extra zones --extra exporter --extra floor --extra console --extra figures --extra dev --generate-hashes \
		--no-header --no-emit-index-url --no-emit-find-links --output-file requirements.lock pyproject.toml
	@sed -i '1i # Written by "make lock" from pyproject.toml; do not edit.' requirements.lock
	@PATH="$$PATH:$(CURDIR)/build/lock/bin" uv pip compile --quiet --upgrade --universal \
		--python-version 3.11 --generate-hashes --no-header --no-emit-index-url --no-emit-find-links \
		--output-file pages/mkdocs/requirements.lock pages/mkdocs/requirements.in
	@sed -i '1i # Written by "make lock" from requirements.in; do not edit.' pages/mkdocs/requirements.lock
	@PATH="$$PATH:$(CURDIR)/build/lock/bin" uv pip compile --quiet --universal \
		--python-version 3.11 --extra cli --extra exporter --constraint requirements.lock \
		--generate-hashes --no-header --no-annotate --no-emit-index-url --no-emit-find-links \
		--output-file appliance/runtime.lock pyproject.toml
	@sed -i '1i # Written by "make lock": what of requirements.lock a box has; do not edit.' appliance/runtime.lock
	@PATH="$$PATH:$(CURDIR)/build/lock/bin" uv pip compile --quiet --universal \
		--python-version 3.11 --extra floor --constraint requirements.lock \
		$(addprefix --no-emit-package=,libusb-package pyserial pyusb) \
		--generate-hashes --no-header --no-annotate --no-emit-index-url --no-emit-find-links \
		--output-file appliance/floor.lock pyproject.toml
	@sed -i '1i # Written by "make lock": what of requirements.lock a floor'"'s server has; do not edit." appliance/floor.lock
	@PATH="$$PATH:$(CURDIR)/build/lock/bin" uv pip compile --quiet --universal \
		--python-version 3.11 --extra console --constraint requirements.lock \
		$(addprefix --no-emit-package=,cffi cryptography importlib-resources libusb-package pycparser pyserial pyusb) \
		--generate-hashes --no-header --no-annotate --no-emit-index-url --no-emit-find-links \
		--output-file appliance/console.lock pyproject.toml
	@sed -i '1i # Written by "make lock": what of requirements.lock the screens of a table have; do not edit.' appliance/console.lock
	@PATH="$$PATH:$(CURDIR)/build/lock/bin" uv pip compile --quiet --upgrade --universal \
		--python-version 3.11 --generate-hashes --no-header --no-emit-index-url --no-emit-find-links \
		--output-file appliance/build-tools.lock appliance/build-tools.in
	@sed -i '1i # Written by "make lock" from build-tools.in; do not edit.' appliance/build-tools.lock

clean:  ## remove what setup and the tools have made
	rm -rf $(VENV) build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
