#!/usr/bin/env bash
# Installs the AssemblyScript that plugins/examples/assemblyscript-policy pins, from npm's registry, and Node.js where
# there is none.
# usage: install-assemblyscript.sh DEST    (DEST/node_modules has it)
set -euo pipefail

dest=${1:?usage: install-assemblyscript.sh DEST}
here=$(cd "$(dirname "$0")" && pwd)
example=$here/../plugins/examples/assemblyscript-policy

if ! command -v node >/dev/null; then
  bash "$here/apt-install.sh" nodejs
fi
if ! command -v npm >/dev/null; then
  bash "$here/apt-install.sh" npm
fi

# Up to date when installed from the same pins by the same recipe.
recipe=$(cat "$example/package.json" "$example/package-lock.json" "$0" | sha256sum | cut -d' ' -f1)
if [ "$(cat "$dest/.recipe" 2>/dev/null || true)" = "$recipe" ]; then
  exit 0
fi

echo "installing AssemblyScript in $dest"
rm -rf "$dest"
mkdir -p "$dest"
cp "$example/package.json" "$example/package-lock.json" "$dest"
(cd "$dest" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
echo "$recipe" >"$dest/.recipe"
