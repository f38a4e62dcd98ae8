#!/usr/bin/env bash
# Installs the npm packages of the end-to-end tests' second client, in the versions of its lock file, and Node where there
# is none. usage: install-adversary.sh DEST
set -euo pipefail

dest=$1
source=$(cd "$(dirname "$0")/../host/internal/e2e/adversary" && pwd)

if ! command -v node >/dev/null; then
  bash "$(dirname "$0")/apt-install.sh" nodejs
fi
if ! command -v npm >/dev/null; then
  bash "$(dirname "$0")/apt-install.sh" npm
fi
if cmp -s "$source/package-lock.json" "$dest/package-lock.json" && [ -d "$dest/node_modules/playwright-core" ]; then
  exit 0
fi
rm -rf "$dest"
mkdir -p "$dest"
cp "$source/package.json" "$source/package-lock.json" "$dest"
PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --prefix "$dest" --no-audit --no-fund --ignore-scripts --loglevel=error
