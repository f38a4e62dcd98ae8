#!/usr/bin/env bash
# Installs what tools/peers pins, from npm's registry: the servers that make bench-peers measures beside this one.
# usage: install-peers.sh DEST    (DEST/node_modules has it)
set -euo pipefail

dest=${1:?usage: install-peers.sh DEST}
here=$(cd "$(dirname "$0")" && pwd)
pins=$here/peers

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

echo "installing other servers in $dest"
rm -rf "$dest"
mkdir -p "$dest"
cp "$pins/package.json" "$pins/package-lock.json" "$dest"
(cd "$dest" && npm ci --ignore-scripts --engine-strict=false --no-audit --no-fund --loglevel=error)
chmod +x "$dest"/node_modules/agent-browser/bin/agent-browser-linux-*
echo "$recipe" >"$dest/.recipe"
