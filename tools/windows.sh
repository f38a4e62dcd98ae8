#!/usr/bin/env bash
# Runs on Wine what differs on Windows (how processes, locks, profiles and recordings end), and hermes-cdp.exe with the
# Chromium of this machine: at its address, and as one that it starts and ends, for which chrome.exe stands in.
set -euo pipefail
cd "$(dirname "$0")/.."

bash tools/apt-install.sh wine wine64 gcc-mingw-w64-x86-64-win32
bash tools/install-chromium.sh
go=${GO:-go}
work=$(mktemp -d)
export WINEPREFIX=$work/prefix WINEDEBUG=-all
trap 'kill $(jobs -p) 2>/dev/null || true; wineserver -k 2>/dev/null || true; wait; rm -rf "$work"' EXIT
wine wineboot -i 2>"$work/wineboot.log" || { cat "$work/wineboot.log"; exit 1; }

# What Go needs of Windows 10 and the Wine of Debian 12 does not have: the source of randomness, and a removal of open
# files that fails with an error Go knows.
cat >"$work/random.c" <<'C'
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE to, SIZE_T size) { return SystemFunction036(to, (ULONG)size); }
C
x86_64-w64-mingw32-gcc -shared -o "$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll" "$work/random.c" -ladvapi32
removal=$($go env GOROOT)/src/internal/syscall/windows/at_windows.go
sed 's/case STATUS_INVALID_INFO_CLASS,/case NTStatus(0xC0000002), STATUS_INVALID_INFO_CLASS,/' "$removal" >"$work/at_windows.go"
printf '{"Replace":{"%s":"%s"}}' "$removal" "$work/at_windows.go" >"$work/overlay.json"

# tests PACKAGE FLAG... runs tests of a package.
tests() {
  local package=$1
  shift
  echo "== $package"
  GOOS=windows $go test -c -overlay "$work/overlay.json" -o "$work/test.exe" "./$package"
  (cd "$package" && wine "$work/test.exe" -test.timeout 10m "$@")
}

tests host/internal/procgroup
tests host/internal/browser -test.run 'OnlyWhoUses|DownloadsOf|IsAbandoned|TheWatcherOf|AGivenProfileIsKept'
tests host/internal/plugin/trial -test.skip '/environment' # Wine adds to it
# Files have no modes there, and Wine lists every directory.
tests host/internal/recording -test.skip 'TestWhatIsRecordedIsListedAndRead|TestATapeThatCannotBegin'

echo "== hermes-cdp.exe"
GOOS=windows $go build -overlay "$work/overlay.json" -o "$work/hermes-cdp.exe" ./cmd/hermes-cdp
GOOS=windows $go build -o "$work/chrome.exe" ./tools/windows

# new_chromium starts a Chromium, and writes where its endpoint is to the file that chrome.exe copies.
new_chromium() {
  local profile
  profile=$(mktemp -d -p "$work")
  "${HERMES_CDP_BROWSER_EXECUTABLE:-chromium}" --headless=new --no-sandbox --remote-debugging-port=0 --user-data-dir="$profile" about:blank 2>>"$work/chromium.log" &
  for _ in $(seq 300); do
    [ -s "$profile/DevToolsActivePort" ] && cp "$profile/DevToolsActivePort" "$work" && return
    sleep 0.1
  done
  cat "$work/chromium.log" >&2
  exit 1
}
# serve ARGUMENT... starts a server over MCP.
serve() {
  coproc mcp { wine "$work/hermes-cdp.exe" mcp "$@" 2>>"$work/mcp.log"; }
  ask 1 initialize '{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"wine","version":"1"}}' '"serverInfo"'
  printf '{"jsonrpc":"2.0","method":"notifications/initialized"}\n' >&"${mcp[1]}"
}
# ask ID METHOD PARAMS WANTED sends a request, and checks that the answer has a text.
ask() {
  printf '{"jsonrpc":"2.0","id":%s,"method":"%s","params":%s}\n' "$1" "$2" "$3" >&"${mcp[1]}"
  while read -r -t 120 -u "${mcp[0]}" line; do
    case $line in
    *"\"id\":$1,"*"$4"*) echo "ok: $4" && return ;;
    *"\"id\":$1,"*) echo "$2 $3 answered $line" >&2 && exit 1 ;;
    esac
  done
  cat "$work/mcp.log" >&2
  exit 1
}
# use has an agent work with a page.
use() {
  local page='data:text/html,<button onclick=\"document.title=confirm(1)\">Ask</button>'
  ask 2 tools/call "{\"name\":\"browser_navigate\",\"arguments\":{\"url\":\"$page\"}}" 'button \"Ask\"'
  ask 3 tools/call '{"name":"browser_click","arguments":{"text":"Ask"}}' blocked_by_dialog
  ask 4 tools/call '{"name":"browser_dialog","arguments":{"action":"accept"}}' accepted
  ask 5 tools/call '{"name":"browser_console","arguments":{"expression":"document.title"}}' true
}
# processes lists the ids of those that run a program.
processes() { pgrep -f "^[^ ]*$(basename "$work")[^ ]*$1 " || true; }
# directories lists what the host keeps of a browser.
directories() { find "$WINEPREFIX/drive_c/users" -type d \( -name 'hermes-cdp-profile-*' -o -name 'hermes-cdp-downloads-*' \); }
# expect NUMBER WHAT COMMAND ARGUMENT... waits until a command prints that many lines.
expect() {
  local wanted=$1 what=$2
  shift 2
  for _ in $(seq 300); do
    [ "$("$@" | wc -l)" = "$wanted" ] && echo "ok: $wanted $what" && return
    sleep 0.1
  done
  echo "not $wanted $what: $("$@")" >&2
  exit 1
}

echo "== a browser at an address"
new_chromium
serve --connect "127.0.0.1:$(head -1 "$work/DevToolsActivePort")"
use
exec {mcp[1]}>&-
wait "$mcp_PID"

echo "== a browser that it starts"
new_chromium
serve --set "browser.executable=$(winepath -w "$work/chrome.exe")"
use
expect 2 "processes of the browser" processes 'chrome\.exe'
expect 2 "directories" directories
exec {mcp[1]}>&-
wait "$mcp_PID"
expect 0 "processes of the browser" processes 'chrome\.exe'
expect 0 "directories" directories

echo "== a host that is killed"
new_chromium
serve --set "browser.executable=$(winepath -w "$work/chrome.exe")"
use
kill -9 $(processes 'hermes-cdp\.exe')
wait "$mcp_PID" 2>/dev/null || true
expect 0 "processes of the browser" processes 'chrome\.exe'
wine "$work/hermes-cdp.exe" reap
expect 0 "directories" directories
