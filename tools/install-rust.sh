#!/usr/bin/env bash
# Installs Rust with its target for WebAssembly, from Debian's packages.
# usage: install-rust.sh
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
bash "$here/apt-install.sh" cargo rustc libstd-rust-dev-wasm32

# The linker is only recommended; rustc says which version of it.
bash "$here/apt-install.sh" "$(basename "$(readlink /usr/bin/rust-lld)")"
