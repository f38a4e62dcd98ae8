package host

import (
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

func TestTheBridgeIsOnWhereTheBackendIsKnownToAnswerDialogs(t *testing.T) {
	for _, c := range []struct {
		setting DialogBridge
		address string
		want    supervise.BridgeMode
	}{
		{"", "", supervise.BridgeAuto},
		{"", "127.0.0.1:9222", supervise.BridgeAuto},
		{"", "ws://localhost:9222/devtools/browser/x", supervise.BridgeAuto},
		{BridgeAuto, "wss://connect.browserbase.com?apiKey=x", supervise.BridgeOn},
		{BridgeAuto, "connect.BrowserBase.com:443", supervise.BridgeOn},
		{BridgeAuto, "wss://browserbase.com.example.org/", supervise.BridgeAuto},
		{BridgeAuto, "wss://notbrowserbase.com/", supervise.BridgeAuto},
		{BridgeOff, "wss://connect.browserbase.com", supervise.BridgeOff},
		{BridgeOn, "127.0.0.1:9222", supervise.BridgeOn},
	} {
		if got := bridgeMode(c.setting, c.address); got != c.want {
			t.Errorf("%q at %q: %d, want %d", c.setting, c.address, got, c.want)
		}
	}
}

func TestTokensDiffer(t *testing.T) {
	if a, b := bridgeToken(), bridgeToken(); len(a) != 32 || a == b {
		t.Errorf("%q and %q", a, b)
	}
}
