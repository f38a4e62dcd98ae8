# Everything here works from a fresh checkout on Debian with Go, as root or as a user with sudo: what is missing is
# installed first, into .cache or from Debian's packages.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c

GO ?= go
CACHE  := $(CURDIR)/.cache
BIN    := $(CACHE)/bin
TINYGO := $(CACHE)/tinygo
ASC    := $(CACHE)/assemblyscript

# Checks of what is built and committed are not made again while their files stay as they are, unless CI is true.
ONCE := bash tools/check-once.sh $(CACHE)/checked

PLUGINBUILD := $(GO) run ./plugins/internal/build/pluginbuild -tinygo $(TINYGO)

.PHONY: help run test test-raced test-browsers test-browsers-raced test-browsers-at-once test-unraced test-extism test-long test-all-raced test-mutants fuzz sweep schedules lint words bench \
	bench-extism bench-extism-guests bench-peers tools chromium adversary assemblyscript rust zig corpus inspector plugins plugins-go plugins-check \
	examples examples-check fixtures fixtures-check release release-check docs docs-check clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## show what it does, in a real browser
	$(GO) run ./cmd/hermes-cdp demo

# Packages for the race detector: whose files start goroutines, or have channels, locks or parallel tests. It has nothing to
# find in the others, costs several times the processor and doubles what is compiled; test-long runs all with it.
CONCURRENT = $(GO) list -f '{{.ImportPath}} {{.Dir}}' ./... | while read -r package folder; do \
	if grep -qE '^\s*go (func|[a-zA-Z_.]+\()|\.Go\(|"sync"|"sync/atomic"|\bchan\b|t\.Parallel\(' "$$folder"/*.go; then echo $$package; fi; done

# Packages that have such words only where their tests run compilers side by side, or wait for a browser; and one whose
# goroutines the tests of host/agent start as well, which are raced.
UNRACED := /(plugins|plugins/bridge-script|plugins/examples|abi/conformance|internal/scaffold|host/internal/page)$$

# Packages that run with the race detector and without it, since some of their tests are too slow with it.
TWICE := /host/internal/plugin(|/lifecycle)$$

# Packages that keep the processors busy with browsers all by themselves: one after the other, so that none of their tests
# waits for those of another.
ALONE := /(cmd/hermes-cdp|host/agent|host/server/web|host/internal/(e2e|e2e/agents|e2e/network|e2e/pages|facts))$$

# Those of them that run with the race detector. Of the others only the tests in which much happens at once do: browsers take
# most of the time of the rest, and make test-long runs all of it with the detector. The tests of the command run the program
# as it is shipped, without the detector; what it is made of is raced in its own packages.
ALONE_RACED := /(host/agent|host/server/web|host/internal/e2e/network)$$
AT_ONCE := Two|Many|Hundred|Storm|Swap|Reconnect|AtOnce|Meanwhile|Lost|Killed

# Tests with browsers wait more than they compute: more of them at a time than there are processors. Two more take 12 % off
# the time, and leave each browser a third less of the processors.
BROWSERTEST = $(GOTEST) -p 1 -parallel 4 -timeout 60m

# go vet is part of make lint.
GOTEST := $(GO) test -vet=off

# A program with the race detector sleeps a second before it ends, for the goroutines that still run. No test leaves any, and
# each package and each child of a test is such a program.
export GORACE := atexit_sleep_ms=20

EACH := $(MAKE) --no-print-directory --keep-going

# All of it runs whatever fails, and fails at the end if anything has. What waits for nothing but the processor takes, at the
# lowest priority, what the tests beside it leave of that while they wait for browsers: on a slow machine that may be next to
# nothing until they end, so its time is that of the whole run.
test: tools chromium adversary inspector assemblyscript rust zig corpus ## run every test, with the race detector where it can find something
	+@nice -n 19 $(EACH) plugins-check examples-check fixtures-check test-unraced test-extism & beside=$$!; \
	trap "kill $$beside 2>/dev/null || true" EXIT; failed=0; \
	$(EACH) test-raced test-browsers test-browsers-raced test-browsers-at-once || failed=$$?; \
	wait $$beside || failed=$$?; exit $$failed

test-raced: tools chromium adversary inspector corpus
	$(GOTEST) -race -timeout 60m $$($(CONCURRENT) | grep -vE '$(UNRACED)|$(ALONE)')

test-browsers: tools chromium adversary inspector
	$(BROWSERTEST) $$($(CONCURRENT) | grep -E '$(ALONE)' | grep -vE '$(ALONE_RACED)')

test-browsers-raced: tools chromium adversary inspector
	$(BROWSERTEST) -race $$($(CONCURRENT) | grep -E '$(ALONE_RACED)')

test-browsers-at-once: tools chromium adversary inspector
	$(BROWSERTEST) -race -run '$(AT_ONCE)' ./host/internal/e2e ./host/internal/e2e/agents

test-unraced: tools chromium assemblyscript rust zig corpus
	$(GOTEST) -timeout 80m $$($(GO) list ./... | grep -vxF "$$($(CONCURRENT) | grep -vE '$(UNRACED)|$(TWICE)')")

test-extism: bench-extism-guests
	$(GO) -C $(EXTISM) test -timeout 10m ./...

# How long each fuzz test of test-long takes.
FUZZTIME := 2m

test-long: ## what a release passes beside make test: every message, new schedules, more mutants, all raced, fuzzing, two releases; hours
	+$(EACH) sweep schedules test-mutants test-all-raced fuzz release-check test-machine test-windows

test-all-raced: tools chromium adversary inspector assemblyscript rust zig corpus
	HERMES_CDP_TESTS=long $(GOTEST) -race -p 1 -timeout 3h ./...

test-machine: release-check ## boot a Debian machine with systemd, as root, and use the package in it
	bash tools/machine.sh $$(ls -t bin/dist/*.deb | head -1)

test-windows: ## run on Wine what differs on Windows, and hermes-cdp.exe
	@GO='$(GO)' bash tools/windows.sh

test-mutants:
	$(GOTEST) -run TestMutants -timeout 3h ./host/internal/plugin/wasmfile -mutants 5000 -mutants.seed $$RANDOM

fuzz:
	$(GO) list ./... | while read -r package; do for name in $$($(GOTEST) -list '^Fuzz' $$package | grep '^Fuzz' || true); do \
		$(GOTEST) -run '^$$' -fuzz "^$$name\$$" -fuzztime $(FUZZTIME) $$package; done; done

sweep: chromium ## break a connection at every message of a session; takes half an hour
	HERMES_CDP_TESTS=long $(GO) test -v -run TestAConnectionBreaksAtEveryMessage -parallel 4 -timeout 3h ./host/internal/e2e

schedules: ## play schedules of browser, plugins and agents that were never played to the state machine
	$(GO) test -run TestSchedules -schedule.new -rapid.checks=500 -timeout 1h ./host/internal/supervise

# The linters hold the whole program in memory anyway: collecting garbage less often takes a quarter off their time. They read
# what the compiler made for the tests, or make it for them.
lint: $(BIN)/golangci-lint ## check format, words and code, vet and staticcheck included
	@unformatted=$$(gofmt -l $$(find . -name '*.go' -not -path './.cache/*')); \
	if [ -n "$$unformatted" ]; then echo "not formatted (gofmt -w): $$unformatted"; exit 1; fi
	GOOS=wasip1 GOARCH=wasm $(GO) vet ./sdk/internal/guest
	GOGC=400 $(BIN)/golangci-lint run ./...
	$(GO) run ./tools/systems windows darwin
	$(GO) run ./tools/words
	$(MAKE) --no-print-directory --dry-run test | $(GO) run ./tools/testruns

docs: ## render the documents as HTML with a search, into bin/docs
	$(GO) run ./tools/book -out bin/docs

drawing: chromium ## draw the packages, for docs/architecture.md
	@bash tools/drawing.sh

docs-check: chromium ## follow the links of the documents, and run their commands, Go and configurations; a part of make test
	$(GOTEST) ./internal/book ./tools/book
	$(GOTEST) -run 'TestTheBook|TestTheConfigurationsOfTheBook|TestTheTutorial|TestTheSample|TestEveryCommandLine|TestTheDocumentation' ./cmd/hermes-cdp/...
	$(GOTEST) -run TestTheDocument ./host/fault ./host/view ./host/agent
	$(GOTEST) -run TestTheReference ./abi

words: ## find unclear phrases in comments, strings and documents
	$(GO) run ./tools/words

bench: ## run the benchmarks
	$(GO) test -run '^$$' -bench . -benchmem ./...

# The same policy as a plugin of this host and of Extism, by the same compiler.
EXTISM := host/internal/bench/extism

$(CACHE)/bench-extism/%.wasm: $(EXTISM)/guests/%/main.go $(EXTISM)/policy/policy.go | tools
	@mkdir -p $(@D)
	cd $(EXTISM) && TINYGOROOT=$(TINYGO) $(TINYGO)/bin/tinygo build -target $(CURDIR)/tools/tinygo/unknown.json \
		-opt 2 -panic trap -no-debug -o $@ ./guests/$*

bench-extism-guests: $(CACHE)/bench-extism/hermes.wasm $(CACHE)/bench-extism/extism.wasm

bench-extism: bench-extism-guests ## measure a hook call beside one of Extism
	$(GO) -C $(EXTISM) test -run '^$$' -bench . -benchmem

bench-peers: chromium ## measure reading, clicking and memory beside other servers, which come from npm's registry
	@bash tools/install-npm.sh tools/peers $(CACHE)/peers --engine-strict=false
	@chmod +x $(CACHE)/peers/node_modules/agent-browser/bin/agent-browser-linux-*
	$(GO) build -o $(BIN)/hermes-cdp-peers ./cmd/hermes-cdp
	$(GO) run ./host/internal/bench/peers -peers $(CACHE)/peers/node_modules -server $(BIN)/hermes-cdp-peers

tools: ## install TinyGo, the WebAssembly tools, minisign, microsocks, promtool, systemd-analyze and docker-registry
	@bash tools/install-tinygo.sh $(TINYGO)
	@bash tools/apt-install.sh minisign microsocks prometheus systemd docker-registry

chromium:
	@bash tools/install-chromium.sh

adversary:
	@bash tools/install-npm.sh host/internal/e2e/adversary $(CACHE)/adversary

assemblyscript: ## install AssemblyScript
	@bash tools/install-npm.sh plugins/examples/assemblyscript-policy $(ASC)

rust: ## install Rust with its target for WebAssembly
	@bash tools/install-rust.sh

zig: ## install Zig
	@bash tools/install-zig.sh $(CACHE)/zig

corpus:
	@bash tools/install-npm.sh tools/corpus $(CACHE)/corpus --legacy-peer-deps

# The MCP Inspector, a validator of OpenAPI documents, a Camofox server, and the Node.js that they need, which is newer than
# Debian's: the engines are asked of that one, not of the one that npm runs with.
inspector:
	@bash tools/install-npm.sh tools/inspector $(CACHE)/inspector --engine-strict=false
	@cd $(CACHE)/inspector && ln -sfn node_modules/node-linux-*/bin/node node

plugins: tools ## build the shipped modules from their sources
	$(PLUGINBUILD)

plugins-go: ## build the same modules with the Go toolchain, into .cache/plugins-go
	$(PLUGINBUILD) -go $(CACHE)/plugins-go

plugins-check: tools ## check that the committed modules come from their sources
	$(ONCE) plugins '$(PLUGINBUILD) -check' go.mod abi sdk plugins tools/tinygo tools/install-tinygo.sh

examples: tools assemblyscript ## build the examples in C and AssemblyScript from their sources
	$(PLUGINBUILD) -languages $(ASC)

examples-check: tools assemblyscript ## check that the committed examples come from their sources
	$(ONCE) examples '$(PLUGINBUILD) -languages $(ASC) -check; $(GO) -C tools/publicsuffix run . -check' go.mod abi plugins tools/publicsuffix

fixtures: tools ## compile the .wat fixtures
	$(GO) run ./tools/fixtures

fixtures-check: tools ## check that the committed fixtures come from their .wat
	$(ONCE) fixtures '$(GO) run ./tools/fixtures -check' $$(find . -path ./.cache -prune -o -path '*/testdata/*.wa[st]*' -print) tools/fixtures

# What makes releases. Two releases of a commit are the same, byte by byte.
release: $(BIN)/goreleaser $(BIN)/cyclonedx-gomod ## build archives, Debian packages, SBOMs and checksums for all systems, into bin/dist
	@bash tools/release.sh $(BIN) bin/dist

release-check: $(BIN)/goreleaser $(BIN)/cyclonedx-gomod ## check a release for this system: the same twice, and the Debian package with lintian
	@bash tools/apt-install.sh lintian
	@bash tools/release.sh $(BIN) bin/dist here
	@bash tools/release.sh $(BIN) bin/again here
	diff bin/dist/SHA256SUMS bin/again/SHA256SUMS
	lintian --fail-on error,warning bin/dist/*.deb

clean: ## remove what the targets installed and built
	rm -rf $(CACHE)

$(BIN)/goreleaser: tools/release/go.mod tools/release/go.sum
	$(GO) -C tools/release build -o $@ github.com/goreleaser/goreleaser/v2

$(BIN)/cyclonedx-gomod: tools/release/go.mod tools/release/go.sum
	$(GO) -C tools/release build -o $@ github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod

$(BIN)/golangci-lint: tools/lint/go.mod tools/lint/go.sum
	$(GO) -C tools/lint build -o $@ github.com/golangci/golangci-lint/v2/cmd/golangci-lint
