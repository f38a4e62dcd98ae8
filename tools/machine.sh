#!/usr/bin/env bash
# Boots a Debian machine with systemd in a container (systemd-nspawn), and uses the Debian package in it as its operators
# do: install, call, reload, kill, freeze, rotate, upgrade, reboot, purge. It needs root.
# usage: machine.sh PACKAGE.deb
set -euo pipefail
cd "$(dirname "$0")/.."

package=$1
[ "$(id -u)" -eq 0 ] || { echo "run this as root: it boots a machine" >&2; exit 1; }
bash tools/apt-install.sh debootstrap systemd-container
work=$(mktemp -d)
root=$work/root
trap 'halt; rm -rf "$work"' EXIT

# boot starts the machine, and waits until it is up.
boot() {
  systemd-nspawn --quiet --directory "$root" --boot --register=no --keep-unit --machine hermes-cdp-test >"$work/console" 2>&1 &
  nspawn=$!
  for _ in $(seq 600); do
    leader=$(pgrep --parent "$nspawn" | head -1 || true)
    case $([ -n "$leader" ] && inside systemctl is-system-running 2>/dev/null || true) in
    running | degraded) return ;;
    esac
    sleep 0.1
  done
  cat "$work/console" >&2
  exit 1
}

halt() {
  if [ -n "${nspawn:-}" ] && kill -0 "$nspawn" 2>/dev/null; then
    kill "$nspawn"
    wait "$nspawn" || true
  fi
}

inside() {
  nsenter --target "$leader" --all --root --wd -- env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}

# check says that something holds, or ends with what was seen: the output of a shell in the machine must have a text.
check() {
  local what=$1 wanted=$2 got
  got=$(inside sh -c "$3" 2>&1 || true)
  case $got in
  *"$wanted"*) echo "ok: $what" ;;
  *) printf '%s: got\n%s\nwant %s\n' "$what" "$got" "$wanted" >&2; inside journalctl --no-pager --unit hermes-cdp --lines 40 >&2; exit 1 ;;
  esac
}

# eventually is check for what takes a moment, at most two minutes.
eventually() {
  for _ in $(seq 240); do
    case $(inside sh -c "$3" 2>&1 || true) in *"$2"*) break ;; esac
    sleep 0.5
  done
  check "$@"
}

debootstrap --variant=minbase --include=systemd,systemd-sysv,dbus,ca-certificates,adduser,logrotate,procps bookworm "$root" >"$work/debootstrap.log" || { tail "$work/debootstrap.log" >&2; exit 1; }
rm -rf "$root/etc/apt/sources.list"
cp -r /etc/apt/sources.list* /etc/apt/apt.conf.d "$root/etc/apt/"
cp -L /etc/resolv.conf "$root/etc/resolv.conf"
cp "$package" "$root/srv/package.deb"
boot
inside sh -c 'apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium /srv/package.deb' >"$work/install.log" 2>&1 || { tail "$work/install.log" >&2; exit 1; }

as_ada="runuser -u ada -- env HERMES_CDP_CONTROL_SOCKET=/run/hermes-cdp/control.sock hermes-cdp"
as_bob="runuser -u bob -- env HERMES_CDP_CONTROL_AGENTS_SOCKET=/run/hermes-cdp/agents.sock hermes-cdp"
page="'data:text/html,<button onclick=confirm(1)>Ask</button>'"
check "the service runs after the installation" active "systemctl is-active hermes-cdp"
check "its unit is closed" "2.0 OK" "systemd-analyze security --no-pager hermes-cdp"
inside sh -c 'useradd -m ada && useradd -m bob && adduser --quiet ada hermes-cdp'
check "the error names the service" "or use the service of this machine: --set control.socket=/run/hermes-cdp/control.sock" "runuser -u bob -- hermes-cdp status"
check "others are no operators" "cannot open /run/hermes-cdp/control.sock" "HERMES_CDP_CONTROL_SOCKET=/run/hermes-cdp/control.sock runuser -u bob -- hermes-cdp status"
check "an operator uses a browser" 'button "Ask" @e1' "$as_ada browser navigate $page"
check "its browser has its sandbox" "browser sandbox on" "$as_ada status"
check "a dialog is answered" "accepted" "$as_ada browser click e1; $as_ada dialog accept"
inside sh -c "$as_ada token new --name bob --task bob --toolset browser --output /home/ada/token && install -o bob -m 600 /home/ada/token /home/bob/token"
check "an agent uses one with its token" 'button "Ask" @e1' "$as_bob browser navigate $page --token-file /home/bob/token"
check "the log of operators has who it was" ada "$as_ada audit"

check "a reload" 0 "echo 'log: {level: debug}' >>/etc/hermes-cdp/config.yaml; systemctl reload hermes-cdp; echo \$?"
check "a wrong configuration is refused" "last reload refused" "echo wrong >>/etc/hermes-cdp/config.yaml; systemctl reload hermes-cdp; $as_ada status; sed -i '\$d' /etc/hermes-cdp/config.yaml"
inside sh -c 'kill -KILL "$(systemctl show --property MainPID --value hermes-cdp)"'
eventually "a killed daemon is started again" "tasks                 none" "$as_ada status"
eventually "and its browsers have ended" "none" "pgrep -x chromium || echo none"
inside sh -c 'systemctl show --property MainPID --value hermes-cdp >/srv/frozen; kill -STOP "$(cat /srv/frozen)"'
eventually "a frozen daemon is replaced" other "test \$(systemctl show --property MainPID --value hermes-cdp) != \$(cat /srv/frozen) && systemctl is-active --quiet hermes-cdp && echo other"

inside sh -c 'mkdir -p /etc/systemd/system/hermes-cdp.service.d && cp /usr/share/doc/hermes-cdp/examples/log-file.conf /etc/systemd/system/hermes-cdp.service.d/ && systemctl daemon-reload && systemctl restart hermes-cdp'
check "the log in a file is rotated" hermes-cdp.log.1 "logrotate --force /etc/logrotate.d/hermes-cdp; ls /var/log/hermes-cdp"
check "and goes on" "a call ended" "$as_ada browser navigate $page >/dev/null; cat /var/log/hermes-cdp/hermes-cdp.log"
check "an upgrade starts the daemon again" active "dpkg --install /srv/package.deb >/dev/null 2>&1; systemctl is-active hermes-cdp"
halt
boot
check "it runs after the machine has started again" 'button "Ask" @e1' "$as_ada browser navigate $page"
inside dpkg --purge hermes-cdp >/dev/null 2>&1
check "a purge leaves nothing" none "ls -d /etc/hermes-cdp /var/*/hermes-cdp /run/hermes-cdp /tmp/hermes-cdp* 2>/dev/null || echo none"
check "and no browser" none "pgrep chromium || echo none"
