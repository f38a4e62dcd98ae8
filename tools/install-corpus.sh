#!/usr/bin/env bash
# Installs what tools/corpus pins, from npm's registry: packages that come with pages, or that pages of tests use.
# usage: install-corpus.sh DEST    (DEST/node_modules has it)
set -euo pipefail

dest=${1:?usage: install-corpus.sh DEST}
here=$(cd "$(dirname "$0")" && pwd)
pins=$here/corpus

if ! command -v node >/dev/null; then
  bash "$here/apt-install.sh" nodejs
fi
if ! command -v npm >/dev/null; then
  bash "$here/apt-install.sh" npm
fi

# Up to date when installed from the same pins by the same recipe.
recipe=$(cat "$pins/package.json" "$pins/package-lock.json" "$0" | sha256sum | cut -d' ' -f1)
if [ "$(cat "$dest/.recipe" 2>/dev/null || true)" = "$recipe" ]; then
  exit 0
fi

echo "installing pages to read in $dest"
rm -rf "$dest"
mkdir -p "$dest"
cp "$pins/package.json" "$pins/package-lock.json" "$dest"
(cd "$dest" && npm ci --ignore-scripts --legacy-peer-deps --no-audit --no-fund --loglevel=error)
echo "$recipe" >"$dest/.recipe"
