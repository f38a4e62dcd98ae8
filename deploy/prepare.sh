#!/usr/bin/env bash
# Makes what a release has beside the program: man pages, completions, the schema of the configuration, changelogs. The
# same commit gives the same bytes.
# usage: deploy/prepare.sh DIR VERSION SECONDS (since 1970, of the commit)
set -euo pipefail

out=$1 version=$2
export SOURCE_DATE_EPOCH=$3 TZ=UTC LC_ALL=C
rm -rf "$out"
mkdir -p "$out/completions" "$out/man-gz"

program=$out/hermes-cdp
CGO_ENABLED=0 GOOS= GOARCH= GOFLAGS=-buildvcs=false go build -trimpath -ldflags '-s -w -buildid=' -o "$program" ./cmd/hermes-cdp
"$program" completion bash >"$out/completions/hermes-cdp.bash"
"$program" completion zsh >"$out/completions/_hermes-cdp"
"$program" completion fish >"$out/completions/hermes-cdp.fish"
"$program" completion powershell >"$out/completions/hermes-cdp.ps1"
"$program" config schema >"$out/config.schema.json"
"$program" man "$out/man" >/dev/null
rm "$program"

for page in "$out"/man/*.1; do
  gzip -9n <"$page" >"$out/man-gz/${page##*/}.gz"
done
gzip -9n <CHANGELOG.md >"$out/changelog.gz"
gzip -9n >"$out/changelog.Debian.gz" <<END
hermes-cdp ($version) unstable; urgency=medium

  * See changelog.gz.

 -- The hermes-cdp authors <hermes-cdp@users.noreply.github.com>  $(date -u -R -d "@$SOURCE_DATE_EPOCH")
END
find "$out" -exec touch --no-dereference --date "@$SOURCE_DATE_EPOCH" {} +
