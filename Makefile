# What people run. `make demo` and `make test` work in a fresh clone.

SWIFT = swift
SOURCES = Package.swift Sources Tests Benchmarks Examples
# More arguments for the demo, as in: make demo ARGUMENTS=--json
ARGUMENTS =
# How the demo is built: debug builds soonest and shares its modules with the tests; release is for figures.
CONFIGURATION = debug
# Where `make install` puts the command.
PREFIX = /usr/local
# The port of `make docs-serve`; without one, a free one.
PORT =
# Which suites the benchmarks run, as in: make bench BENCH_ARGUMENTS="--only aggregate"
BENCH_ARGUMENTS =
# The file of `make bench` that `make plots` draws; without one, the published figures.
FIGURES =
# Which bugs are planted, all without names, as in: make mutants MUTANTS="window-limit route-or"
MUTANTS =
# Whether clients try each upcoming feature alone too, as in: make clients CLIENTS=--all
CLIENTS =
# How long the fuzzer runs and from which seed, as in: make fuzz FUZZ_ARGUMENTS="--seconds 600 --seed 1"; how many rounds in place of a time, as
# in: make fuzz FUZZ_ARGUMENTS="--rounds 16"; and with which server, as in: make fuzz-sync FUZZ_ARGUMENTS="--server kinto"
FUZZ_ARGUMENTS = --seconds 60

# The package with the command, the fuzzer and the benchmarks, which apps do without: see the end of Package.swift.
PACKAGE = SANDERLING_TOOLS=1 $(SWIFT)

.PHONY: help demo demo-sync install manual docs docs-serve test interface clients availability tsan corpus corpus-profiles fuzz fuzz-diagnosis fuzz-sync fuzz-neighbours mutants bench nightly format lint setup

help: ## Shows the targets.
	@sed -n 's/^\([a-z-]*\): .*## \(.*\)/  make \1	\2/p' Makefile

demo: setup ## Imports this project's own history into a store and shows who did what.
	@echo "Building the command ($(CONFIGURATION)). The first time takes, on two cores, 4 minutes; in release, 15."
	@$(PACKAGE) build -c $(CONFIGURATION) --product sanderling-command
	@"$$($(PACKAGE) build -c $(CONFIGURATION) --show-bin-path)/sanderling-command" demo --repo . $(ARGUMENTS)

demo-sync: setup ## Keeps two stores equal to a real server on loopback with 100,000 notes, while both are edited.
	@echo "Building the command ($(CONFIGURATION))."
	@$(PACKAGE) build -c $(CONFIGURATION) --product sanderling-command
	@Scripts/demo-sync "$$($(PACKAGE) build -c $(CONFIGURATION) --show-bin-path)/sanderling-command" $(ARGUMENTS)

install: setup ## Puts an optimized `sanderling` with its manual and completions under PREFIX, /usr/local unless you say.
	@SWIFT="$(SWIFT)" PREFIX="$(PREFIX)" Scripts/install

manual: setup ## Writes the manual's page again, after a change of the command's options.
	@SWIFT="$(SWIFT)" Scripts/manual

docs: setup ## Builds the site of all products into .build/docs, and checks its links and that each public symbol has a sentence.
	@$(PACKAGE) build
	@SWIFT="$(SWIFT)" Scripts/docs

docs-serve: ## Shows the site of `make docs` on this machine, at a free port or at PORT, as in: make docs-serve PORT=8000
	@Scripts/docs --serve $(PORT)

test: setup ## Runs all tests.
	@echo "Resolving an app that depends on the package: some seconds."
	@SWIFT="$(SWIFT)" Scripts/client-pins
	@echo "Building and running all tests. On two cores: 5 minutes to build after 'make demo', 9 without it; 6 to run."
	@SWIFT="$(SWIFT)" Scripts/test

interface: setup ## Writes the lists of the public interface again, after a change of it.
	@$(PACKAGE) build
	@SWIFT="$(SWIFT)" Scripts/interface --write

clients: setup ## Compiles an app that uses the whole interface, in each language mode and with the main actor by default, and checks the example.
	@$(PACKAGE) build --build-tests
	@SWIFT="$(SWIFT)" Scripts/check-clients $(CLIENTS)
	@SANDERLING_TOOLS=1 SWIFT="$(SWIFT)" Scripts/check-example

availability: setup ## Checks on Linux that what the sources use exists on the oldest systems of the manifest.
	@{ command -v python3 && command -v nm; } >/dev/null || { echo "availability: install python3 and binutils, then run this again." >&2; exit 1; }
	@$(PACKAGE) build --build-tests
	@SWIFT="$(SWIFT)" Scripts/availability

tsan: setup ## Runs the tests of the store and of live results under the thread sanitizer.
	@SANITIZE_THREAD=1 TSAN_OPTIONS=suppressions=$(CURDIR)/Scripts/tsan.suppressions \
	  $(SWIFT) test --sanitize=thread --scratch-path .build-tsan \
	  --filter 'WriteOrder|WriteTurn|Cancellation|Operation|JSONLines|Commit|Read|Live|Capture|Recorder|ManualClock|SearchSession|SyncSession|Pull|Push|Outbox|Conflict|HTTPConnection'

fuzz: setup ## Compares live results with fresh SELECTs while everything changes at random.
	@$(PACKAGE) build --product sanderling-fuzz
	@"$$($(PACKAGE) build --show-bin-path)/sanderling-fuzz" live $(FUZZ_ARGUMENTS)

corpus: setup ## Scores the diagnosis on its corpus of statements, beside the sqlite3 shell's .expert.
	@SANDERLING_CORPUS_SCORE=1 $(PACKAGE) test --filter CorpusTests

corpus-profiles: setup ## Compares what is found on the corpus' databases with what is found on those made from their profiles.
	@SANDERLING_CORPUS_PROFILES=1 $(PACKAGE) test --filter ProfileCorpusTests

fuzz-diagnosis: setup ## Diagnoses damaged databases with hostile statements and logs.
	@$(PACKAGE) build --product sanderling-fuzz
	@"$$($(PACKAGE) build --show-bin-path)/sanderling-fuzz" diagnose $(FUZZ_ARGUMENTS)

fuzz-sync: setup ## Synchronises devices, in processes that are killed, with a server over a connection that fails.
	@$(PACKAGE) build --product sanderling-fuzz
	@"$$($(PACKAGE) build --show-bin-path)/sanderling-fuzz" sync $(FUZZ_ARGUMENTS)

fuzz-neighbours: setup ## Compares live results and the history while several processes write, some of which are killed.
	@$(PACKAGE) build --product sanderling-fuzz
	@"$$($(PACKAGE) build --show-bin-path)/sanderling-fuzz" neighbours $(FUZZ_ARGUMENTS)

mutants: setup ## Plants known bugs, one after the other, each of which the fuzzer has to find.
	@SWIFT="$(SWIFT)" Scripts/mutants $(MUTANTS)

bench: CONFIGURATION = release
bench: setup ## Measures the library beside its peers.
	@echo "Building the benchmarks ($(CONFIGURATION)). The first time takes, on two cores, 15 minutes; in debug, 4."
	@$(PACKAGE) build -c $(CONFIGURATION) --product sanderling-bench
	@"$$($(PACKAGE) build -c $(CONFIGURATION) --show-bin-path)/sanderling-bench" $(BENCH_ARGUMENTS)

nightly: setup ## Runs what takes longer than the gate, in parts that can be chosen by PARTS="mutants tsan", and writes one page about all.
	@SWIFT="$(SWIFT)" Scripts/nightly

format: ## Formats the sources in place.
	@$(SWIFT) format --in-place --parallel --recursive $(SOURCES)

lint: ## Checks the format, the layers of the library, the maps of folders, the links, the manifest and the fold's tables.
	@$(SWIFT) format lint --strict --parallel --recursive $(SOURCES)
	@Scripts/floors
	@Scripts/map
	@Scripts/links
	@Scripts/words
	@SWIFT="$(SWIFT)" Scripts/imports
	@Scripts/unicode-tables --check

setup: ## Installs what is missing to build, or says what to install.
	@Scripts/setup
