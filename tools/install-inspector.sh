#!/usr/bin/env bash
# Installs what tools/inspector pins, from npm's registry: the MCP Inspector, a validator of OpenAPI documents, a Camofox
# server, and the Node.js that they need, which is newer than Debian's.
# usage: install-inspector.sh DEST    (DEST/node_modules has it)
set -euo pipefail

dest=${1:?usage: install-inspector.sh DEST}
here=$(cd "$(dirname "$0")" && pwd)
pins=$here/inspector

# npm itself runs with any Node.js.
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

echo "installing the MCP Inspector in $dest"
rm -rf "$dest"
mkdir -p "$dest"
cp "$pins/package.json" "$pins/package-lock.json" "$dest"
# engine-strict off: the engines are asked of the Node.js that is installed here, not of the one that npm runs with.
(cd "$dest" && npm ci --ignore-scripts --engine-strict=false --no-audit --no-fund --loglevel=error)
ln -s "$(cd "$dest" && echo node_modules/node-linux-*/bin/node)" "$dest/node"
echo "$recipe" >"$dest/.recipe"
