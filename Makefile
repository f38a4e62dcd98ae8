# Everything here works from a fresh checkout on Debian with Go, as root or as a user with sudo: what is missing is
# installed first, into .cache or from Debian's packages.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c

GO ?= go
CACHE  := $(CURDIR)/.cache
BIN    := $(CACHE)/bin
TINYGO := $(CACHE)/tinygo

# Packages that compile into guests; they are vetted for WebAssembly too.
GUESTS := ./abi ./sdk ./sdk/config ./sdk/glob ./sdk/dialog ./sdk/dialogclosed ./sdk/frames ./sdk/bridge ./sdk/internal/guest \
	./plugins/bridge-script ./plugins/dialog-policy ./plugins/frame-filter ./plugins/contrary/bridge \
	./plugins/contrary/dialog ./plugins/contrary/frames

PLUGINBUILD := $(GO) run ./plugins/internal/build/pluginbuild -tinygo $(TINYGO)

.PHONY: help run test sweep lint bench tools chromium adversary plugins plugins-go plugins-check fixtures fixtures-check clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## show what it does, in a real browser
	$(GO) run ./cmd/hermes-cdp demo

# Packages whose tests only compile modules and call them from one goroutine: the race detector makes that many times
# slower and has nothing to find.
UNRACED := /(plugins|sdk/sdktest)$$

test: tools chromium adversary plugins-check fixtures-check ## run every test, with the race detector
	$(GO) test -race -timeout 30m $$($(GO) list ./... | grep -vE '$(UNRACED)')
	$(GO) test -timeout 30m $$($(GO) list ./... | grep -E '$(UNRACED)')

sweep: chromium ## break a connection at every message of a session; takes half an hour
	HERMES_CDP_SWEEP=all $(GO) test -run TestAConnectionBreaksAtEveryMessage -parallel 4 -timeout 3h ./host/internal/e2e

lint: $(BIN)/staticcheck $(BIN)/golangci-lint ## check format, vet and lint
	@unformatted=$$(gofmt -l $$(find . -name '*.go' -not -path './.cache/*')); \
	if [ -n "$$unformatted" ]; then echo "not formatted (gofmt -w): $$unformatted"; exit 1; fi
	$(GO) vet ./...
	GOOS=wasip1 GOARCH=wasm $(GO) vet $(GUESTS)
	$(BIN)/staticcheck ./...
	$(BIN)/golangci-lint run ./...

bench: ## run the benchmarks
	$(GO) test -run '^$$' -bench . -benchmem ./...

tools: ## install TinyGo and the WebAssembly tools
	@bash tools/install-tinygo.sh $(TINYGO)

chromium:
	@bash tools/install-chromium.sh

adversary:
	@bash tools/install-adversary.sh $(CACHE)/adversary

plugins: tools ## build the shipped modules from their sources
	$(PLUGINBUILD)

plugins-go: ## build the same modules with the Go toolchain, into .cache/plugins-go
	$(PLUGINBUILD) -go $(CACHE)/plugins-go

plugins-check: tools ## check that the committed modules come from their sources
	$(PLUGINBUILD) -check

fixtures: tools ## compile the .wat fixtures
	$(GO) run ./tools/fixtures

fixtures-check: tools ## check that the committed fixtures come from their .wat
	$(GO) run ./tools/fixtures -check

clean: ## remove what the targets installed and built
	rm -rf $(CACHE)

$(BIN)/staticcheck: tools/lint/go.mod tools/lint/go.sum
	$(GO) -C tools/lint build -o $@ honnef.co/go/tools/cmd/staticcheck

$(BIN)/golangci-lint: tools/lint/go.mod tools/lint/go.sum
	$(GO) -C tools/lint build -o $@ github.com/golangci/golangci-lint/v2/cmd/golangci-lint
