package host

import (
	"crypto/rand"
	"encoding/hex"
	"net/url"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// DialogBridge is whether a task's dialogs go through the bridge script instead of the browser's own dialogs.
type DialogBridge string

// The values of [DialogBridge].
const (
	// BridgeAuto, also the empty text, is on where the backend is known to answer dialogs by itself, and from the moment on
	// when it is seen to: a native dialog that another client closed within a second, while its page went on.
	BridgeAuto DialogBridge = "auto"
	// BridgeOn is on from the task's first document.
	BridgeOn DialogBridge = "on"
	// BridgeOff leaves all dialogs to the browser.
	BridgeOff DialogBridge = "off"
)

// answeringBackends are the hosts, with all below them, of providers that close native dialogs before a client can.
var answeringBackends = []string{"browserbase.com"}

// bridgeMode resolves a setting for the address of a browser; a launched one has none.
func bridgeMode(setting DialogBridge, address string) supervise.BridgeMode {
	switch {
	case setting == BridgeOff:
		return supervise.BridgeOff
	case setting == BridgeOn, answersDialogs(address):
		return supervise.BridgeOn
	default:
		return supervise.BridgeAuto
	}
}

func answersDialogs(address string) bool {
	if !strings.Contains(address, "://") {
		address = "ws://" + address
	}
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	host := strings.ToLower(u.Hostname())
	for _, backend := range answeringBackends {
		if host == backend || strings.HasSuffix(host, "."+backend) {
			return true
		}
	}
	return false
}

// bridgeToken makes a secret of 128 bits in hex.
func bridgeToken() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails: crypto/rand ends the process instead
	return hex.EncodeToString(b[:])
}

// bridgeCounters is the bridge's part of a connection's counters.
func bridgeCounters(c supervise.Counters) BridgeCounters {
	return BridgeCounters{Proven: c.BridgeProven, Refused: c.BridgeRefused}
}
