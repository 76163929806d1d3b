# What people run. `make demo` and `make test` work in a fresh clone.

SWIFT = swift
SOURCES = Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources
# More arguments for the demo, as in: make demo ARGUMENTS=--json
ARGUMENTS =
# How the demo and the benchmarks are built; debug builds sooner, and its figures mean nothing.
CONFIGURATION = release
# Which suites the benchmarks run, as in: make bench BENCH_ARGUMENTS="--only aggregate"
BENCH_ARGUMENTS =
# Which bugs are planted, all without names, as in: make mutants MUTANTS="window-limit route-or"
MUTANTS =
# How long the fuzzer runs and from which seed, as in: make fuzz FUZZ_ARGUMENTS="--seconds 600 --seed 1"
FUZZ_ARGUMENTS = --seconds 60

.PHONY: help demo test tsan corpus fuzz fuzz-diagnosis mutants bench format lint setup

help: ## Shows the targets.
	@sed -n 's/^\([a-z-]*\): .*## \(.*\)/  make \1	\2/p' Makefile

demo: setup ## Imports this project's own history into a store and shows who did what.
	@$(SWIFT) build -c $(CONFIGURATION) --product sanderling
	@"$$($(SWIFT) build -c $(CONFIGURATION) --show-bin-path)/sanderling" demo --repo . $(ARGUMENTS)

test: setup ## Runs all tests.
	@$(SWIFT) test

tsan: setup ## Runs the tests of the store and of live results under the thread sanitizer.
	@SANITIZE_THREAD=1 TSAN_OPTIONS=suppressions=$(CURDIR)/Scripts/tsan.suppressions \
	  $(SWIFT) test --sanitize=thread --scratch-path .build-tsan \
	  --filter 'WriteOrder|Cancellation|Operation|JSONLines|Commit|Read|Live|Capture|Recorder|ManualClock'

fuzz: setup ## Compares live results with fresh SELECTs while everything changes at random.
	@$(SWIFT) build --product sanderling-fuzz
	@"$$($(SWIFT) build --show-bin-path)/sanderling-fuzz" live $(FUZZ_ARGUMENTS)

corpus: setup ## Scores the diagnosis on its corpus of statements, beside the sqlite3 shell's .expert.
	@SANDERLING_CORPUS_SCORE=1 $(SWIFT) test --filter CorpusTests

fuzz-diagnosis: setup ## Diagnoses damaged databases with hostile statements and logs.
	@$(SWIFT) build --product sanderling-fuzz
	@"$$($(SWIFT) build --show-bin-path)/sanderling-fuzz" diagnose $(FUZZ_ARGUMENTS)

mutants: setup ## Plants known bugs, one after the other, each of which the fuzzer has to find.
	@Scripts/mutants $(MUTANTS)

bench: setup ## Measures the library beside its peers.
	@$(SWIFT) run -c $(CONFIGURATION) --package-path Benchmarks sanderling-bench $(BENCH_ARGUMENTS)

format: ## Formats the sources in place.
	@$(SWIFT) format --in-place --parallel --recursive $(SOURCES)

lint: ## Checks the format of the sources.
	@$(SWIFT) format lint --strict --parallel --recursive $(SOURCES)

setup: ## Installs what is missing to build, or says what to install.
	@Scripts/setup
