package host

import (
	"crypto/rand"
	"encoding/hex"
	"net/url"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// DialogBridge says whether a task's dialogs go through the bridge script instead of being the browser's own.
type DialogBridge string

// The values of [DialogBridge].
const (
	// BridgeAuto, also the empty string, uses the bridge where the backend is known to answer dialogs by itself, or once
	// it is seen to: another client closed a native dialog within a second while its page went on.
	BridgeAuto DialogBridge = "auto"
	// BridgeOn uses the bridge from the task's first document.
	BridgeOn DialogBridge = "on"
	// BridgeOff leaves all dialogs to the browser.
	BridgeOff DialogBridge = "off"
)

// answeringBackends are the domains of providers that close native dialogs before a client can. Subdomains are
// included.
var answeringBackends = []string{"browserbase.com"}

// bridgeMode resolves the setting for a browser's address, which is empty for a launched browser.
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

// bridgeToken returns a random 128-bit secret in hex.
func bridgeToken() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails: crypto/rand crashes the program instead
	return hex.EncodeToString(b[:])
}
