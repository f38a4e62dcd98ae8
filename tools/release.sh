#!/usr/bin/env bash
# Makes a release of the commit that is checked out, from a clone of it, so that nothing else gets in. Without a tag it
# is a snapshot.
# usage: tools/release.sh DIRECTORY-OF-GORELEASER OUT [here]; here: only for Linux on amd64
set -euo pipefail

tools=$1 out=$(realpath -m "$2")
clone=$(mktemp -d)
trap 'rm -rf "$clone"' EXIT
git clone --quiet --shared --no-checkout . "$clone"
git -C "$clone" checkout --quiet --detach "$(git rev-parse HEAD)"
git -C "$clone" remote set-url origin https://github.com/hermes-cdp/hermes-cdp
GOCACHE=$(go env GOCACHE) GOMODCACHE=$(go env GOMODCACHE)
export GOCACHE GOMODCACHE PATH="$tools:$PATH"
cd "$clone"

config=.goreleaser.yaml
if [ "${3:-}" = here ]; then
  config=bin/here.yaml
  mkdir -p bin
  sed 's/goos: \[.*\]/goos: [linux]/; s/goarch: \[.*\]/goarch: [amd64]/' .goreleaser.yaml >"$config"
fi
args=(--clean)
if ! git describe --tags --exact-match HEAD >/dev/null 2>&1; then
  args+=(--snapshot)
fi
"$tools/goreleaser" release --config "$config" "${args[@]}"
rm -rf "$out"
mkdir -p "$(dirname "$out")"
mv bin/dist "$out"
