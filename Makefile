# Everything here works from a fresh checkout on Debian with Go, as root or as a user with sudo: what is missing is
# installed first, into .cache or from Debian's packages.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c

GO ?= go
CACHE  := $(CURDIR)/.cache
BIN    := $(CACHE)/bin
TINYGO := $(CACHE)/tinygo
ASC    := $(CACHE)/assemblyscript

# Packages that compile into guests; they are vetted for WebAssembly too.
GUESTS := ./abi ./sdk ./sdk/config ./sdk/glob ./sdk/dialog ./sdk/dialogclosed ./sdk/frames ./sdk/bridge ./sdk/navigate ./sdk/kv ./sdk/state ./sdk/tool ./sdk/json \
	./sdk/internal/guest ./sdk/sdktest/internal/notebook \
	./plugins/bridge-script ./plugins/dialog-policy ./plugins/frame-filter ./plugins/contrary/bridge \
	./plugins/contrary/dialog ./plugins/contrary/frames ./plugins/examples/ad-frames ./plugins/examples/dialog-memory \
	./plugins/examples/navigate-allowlist

PLUGINBUILD := $(GO) run ./plugins/internal/build/pluginbuild -tinygo $(TINYGO)

.PHONY: help run test test-raced test-browsers test-unraced test-extism sweep schedules lint words bench bench-extism bench-extism-guests tools chromium adversary assemblyscript inspector plugins plugins-go plugins-check \
	examples examples-check fixtures fixtures-check clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## show what it does, in a real browser
	$(GO) run ./cmd/hermes-cdp demo

# Packages whose tests only compile modules and call them from one goroutine: the race detector makes that many times
# slower and has nothing to find.
UNRACED := /(plugins|plugins/examples|sdk/sdktest|internal/scaffold|abi/conformance|host/replay|host/internal/plugin/wasmfile)$$

# Packages that run with the race detector and without it, since some of their tests are too slow with it.
TWICE := /host/internal/plugin$$

# Packages that keep the processors busy with browsers all by themselves: one after the other, so that none of their tests
# waits for those of another.
ALONE := /(cmd/hermes-cdp|host/agent|host/internal/(e2e|e2e/agents|e2e/pages|facts))$$

# All of it runs whatever fails, and fails at the end if anything has.
test: ## run every test, with the race detector
	$(MAKE) --no-print-directory --keep-going plugins-check examples-check fixtures-check \
		test-raced test-browsers test-unraced test-extism

test-raced: tools chromium adversary inspector
	$(GO) test -race -timeout 30m $$($(GO) list ./... | grep -vE '$(UNRACED)|$(ALONE)')

test-browsers: tools chromium adversary inspector
	$(GO) test -race -p 1 -timeout 30m $$($(GO) list ./... | grep -E '$(ALONE)')

test-unraced: tools chromium
	$(GO) test -timeout 30m $$($(GO) list ./... | grep -E '$(UNRACED)|$(TWICE)')

test-extism: bench-extism-guests
	$(GO) -C $(EXTISM) test -timeout 10m ./...

sweep: chromium ## break a connection at every message of a session; takes half an hour
	HERMES_CDP_SWEEP=all $(GO) test -run TestAConnectionBreaksAtEveryMessage -parallel 4 -timeout 3h ./host/internal/e2e

schedules: ## play schedules of browser, plugins and agents that were never played to the state machine
	$(GO) test -run TestSchedules -schedule.new -rapid.checks=500 -timeout 1h ./host/internal/supervise

lint: $(BIN)/golangci-lint ## check format and lint, vet and staticcheck included
	@unformatted=$$(gofmt -l $$(find . -name '*.go' -not -path './.cache/*')); \
	if [ -n "$$unformatted" ]; then echo "not formatted (gofmt -w): $$unformatted"; exit 1; fi
	GOOS=wasip1 GOARCH=wasm $(GO) vet $(GUESTS)
	$(BIN)/golangci-lint run ./...
	$(MAKE) --no-print-directory --dry-run test | $(GO) run ./tools/testruns

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

tools: ## install TinyGo, the WebAssembly tools and minisign
	@bash tools/install-tinygo.sh $(TINYGO)
	@bash tools/apt-install.sh minisign

chromium:
	@bash tools/install-chromium.sh

adversary:
	@bash tools/install-adversary.sh $(CACHE)/adversary

assemblyscript:
	@bash tools/install-assemblyscript.sh $(ASC)

inspector:
	@bash tools/install-inspector.sh $(CACHE)/inspector

plugins: tools ## build the shipped modules from their sources
	$(PLUGINBUILD)

plugins-go: ## build the same modules with the Go toolchain, into .cache/plugins-go
	$(PLUGINBUILD) -go $(CACHE)/plugins-go

plugins-check: tools ## check that the committed modules come from their sources
	$(PLUGINBUILD) -check

examples: tools assemblyscript ## build the examples in C and AssemblyScript from their sources
	$(PLUGINBUILD) -languages $(ASC)

examples-check: tools assemblyscript ## check that the committed examples come from their sources
	$(PLUGINBUILD) -languages $(ASC) -check
	$(GO) -C tools/publicsuffix run . -check

fixtures: tools ## compile the .wat fixtures
	$(GO) run ./tools/fixtures

fixtures-check: tools ## check that the committed fixtures come from their .wat
	$(GO) run ./tools/fixtures -check

clean: ## remove what the targets installed and built
	rm -rf $(CACHE)

$(BIN)/golangci-lint: tools/lint/go.mod tools/lint/go.sum
	$(GO) -C tools/lint build -o $@ github.com/golangci/golangci-lint/v2/cmd/golangci-lint
