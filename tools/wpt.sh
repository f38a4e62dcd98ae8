#!/usr/bin/env bash
# Takes the web-platform-tests about accessibility out of Debian's sources of Firefox, and packs them.
# usage: wpt.sh OUTPUT.zip    (downloads 680 MB; needs curl, xz, tar and zip)
set -euo pipefail

version=140.12.0esr
sum=5c72347381233dcc97cbd02c0324116258769d8b9b0f869fd0c6f1d59519ce2a
output=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

archive=$work/firefox.tar.xz
curl -fsSLo "$archive" "https://deb.debian.org/debian/pool/main/f/firefox-esr/firefox-esr_$version.orig.tar.xz"
echo "$sum  $archive" | sha256sum --check --quiet

tests='*/testing/web-platform/tests'
tar -C "$work" -xf "$archive" --wildcards "$tests/LICENSE.md" "$tests/accname/*" "$tests/core-aam/*" "$tests/dpub-aam/*" \
  "$tests/graphics-aria/*" "$tests/html-aam/*" "$tests/svg-aam/*" "$tests/wai-aria/*" "$tests/css/css-*/accessibility/*"
cd "$work"/*/testing/web-platform/tests
rm -f "$output"
find . -type f \( -name '*.html' -o -name '*.css' -o -name '*.png' -o -name '*.jpg' -o -name LICENSE.md \) -printf '%P\n' |
  LC_ALL=C sort | TZ=UTC zip -q -X -9 -@ "$output"
