#!/usr/bin/env bash
# Installs the packages that a directory's package-lock.json pins from npm's registry, with Node.js where there is none.
# Scripts of packages do not run.
# usage: install-npm.sh PINS DEST [FLAG...]    (DEST/node_modules has them; FLAGs are for npm ci)
set -euo pipefail

pins=${1:?usage: install-npm.sh PINS DEST [FLAG...]}
dest=${2:?usage: install-npm.sh PINS DEST [FLAG...]}
shift 2

# npm itself runs with any Node.js.
for command in node npm; do
  if ! command -v "$command" >/dev/null; then
    bash "$(dirname "$0")/apt-install.sh" "${command/#node/nodejs}"
  fi
done

# Up to date when installed from the same pins by the same recipe.
recipe=$(cat "$pins/package.json" "$pins/package-lock.json" "$0" <(echo "$@") | sha256sum | cut -d' ' -f1)
if [ "$(cat "$dest/.recipe" 2>/dev/null || true)" = "$recipe" ]; then
  exit 0
fi

echo "installing the packages of $pins in $dest"
rm -rf "$dest"
mkdir -p "$dest"
cp "$pins/package.json" "$pins/package-lock.json" "$dest"
(cd "$dest" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error "$@")
echo "$recipe" >"$dest/.recipe"
