#!/usr/bin/env bash
# Makes sure that there is a browser for the tests: any that the host would find, else Debian's chromium.
set -euo pipefail

for name in chromium chromium-browser google-chrome google-chrome-stable chrome microsoft-edge; do
  command -v "$name" >/dev/null && exit 0
done
if [ -n "${HERMES_CDP_BROWSER_EXECUTABLE:-}" ]; then
  exit 0
fi
bash "$(dirname "$0")/apt-install.sh" chromium
