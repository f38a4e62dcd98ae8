#!/usr/bin/env bash
# Draws docs/architecture.mmd with Mermaid (https://mermaid.js.org), into docs/architecture.svg. A test compares the digest
# at the end of the drawing with its source.
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PUPPETEER_SKIP_DOWNLOAD=1
echo "{\"executablePath\":\"$(command -v "${HERMES_CDP_BROWSER_EXECUTABLE:-chromium}")\",\"args\":[\"--no-sandbox\"]}" >"$work/browser.json"
echo '{"theme":"neutral","htmlLabels":false,"flowchart":{"htmlLabels":false,"wrappingWidth":330,"nodeSpacing":25,"rankSpacing":45}}' >"$work/drawing.json"
npx --yes @mermaid-js/mermaid-cli@11.17.0 --quiet --puppeteerConfigFile "$work/browser.json" --configFile "$work/drawing.json" \
  --backgroundColor white --input docs/architecture.mmd --output docs/architecture.svg
printf '\n<!-- of %s -->\n' "$(sha256sum docs/architecture.mmd | cut -d' ' -f1)" >>docs/architecture.svg
