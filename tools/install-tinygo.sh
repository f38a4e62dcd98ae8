#!/usr/bin/env bash
# Builds the TinyGo that tools/tinygo/go.mod pins, from the Go module proxy and Debian packages alone.
# usage: install-tinygo.sh DEST    (DEST/bin/tinygo is the command, DEST its TINYGOROOT)
set -euo pipefail

dest=${1:?usage: install-tinygo.sh DEST}
here=$(cd "$(dirname "$0")" && pwd)

# LLVM 19 is the newest that TinyGo 0.41 supports. wasi-libc and compiler-rt replace the submodules of TinyGo's
# repository, which a module from the proxy does not contain; binaryen holds wasm-opt, wabt wat2wasm for the fixtures.
bash "$here/apt-install.sh" g++ llvm-19-dev libclang-19-dev clang-19 lld-19 libclang-rt-19-dev-wasm32 wasi-libc binaryen wabt

# Up to date when built from the same pins by the same recipe.
recipe=$(cat "$here/tinygo/go.mod" "$here/tinygo/go.sum" "$0" | sha256sum | cut -d' ' -f1)
if [ "$(cat "$dest/.recipe" 2>/dev/null || true)" = "$recipe" ]; then
  exit 0
fi

cd "$here/tinygo"
go mod download github.com/tinygo-org/tinygo
source=$(go list -m -f '{{.Dir}}' github.com/tinygo-org/tinygo)
echo "building $(go list -m github.com/tinygo-org/tinygo) in $dest (one to three minutes)"

mkdir -p "$(dirname "$dest")"
building=$(mktemp -d "$dest.XXXXXX")
trap 'rm -rf "$building"' EXIT
for part in src targets lib; do
  if [ -d "$source/$part" ]; then
    cp -r "$source/$part" "$building/$part"
  fi
done
chmod -R u+w "$building"
chmod 755 "$building" # mktemp makes it private
mkdir -p "$building/src/net" # a submodule in TinyGo's repository; with an empty folder Go's own net package stands in
go build -tags llvm19 -trimpath -ldflags='-s -w' -o "$building/bin/tinygo" github.com/tinygo-org/tinygo
TINYGOROOT=$building "$building/bin/tinygo" version

echo "$recipe" >"$building/.recipe"
rm -rf "$dest"
mv "$building" "$dest"
trap - EXIT
