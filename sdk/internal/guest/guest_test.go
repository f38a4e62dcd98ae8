//go:build !(tinygo.wasm || wasip1)

package guest

import (
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

func TestInitHandsTheConfigurationToEveryFunction(t *testing.T) {
	starters = nil
	var seen []string
	for _, prefix := range []string{"first ", "second "} {
		OnStart(func(config abi.Struct) error {
			value, _ := config.GetString("key")
			seen = append(seen, prefix+value)
			return nil
		})
	}
	config := abi.Struct{{Key: "key", Value: abi.StringValue("value")}}
	if status := InitNative(&Host{Config: config.Append(nil)}); status != abi.StatusDecided {
		t.Fatalf("status %s", status)
	}
	if strings.Join(seen, ", ") != "first value, second value" {
		t.Errorf("seen %q", seen)
	}
}

func TestInitStopsAtTheFirstErrorAndReportsIt(t *testing.T) {
	starters = nil
	OnStart(func(abi.Struct) error { return Error("the reason") })
	OnStart(func(abi.Struct) error { t.Error("the second function ran"); return nil })
	host := &Host{}
	if status := InitNative(host); status != abi.StatusError || host.Reason != "the reason" {
		t.Errorf("status %s, reason %q", status, host.Reason)
	}
}

func TestAnInvalidConfigurationIsRefused(t *testing.T) {
	starters = nil
	host := &Host{Config: []byte{0x0a, 0x09}}
	if status := InitNative(host); status != abi.StatusError || !strings.Contains(host.Reason, "cannot decode field 1") {
		t.Errorf("status %s, reason %q", status, host.Reason)
	}
}

func TestEventRefusesALengthThatTheHostDoesNotConfirm(t *testing.T) {
	cases := []struct {
		name string
		n    int32
		want string
	}{
		{"longer", 4, "event_read: the event is not as long as the call said"},
		{"shorter", 2, "event_read: the event is not as long as the call said"},
		{"negative", -1, "the length of the event is negative"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			native.host = &Host{Event: []byte("abc")}
			if _, err := readEvent(c.n); err == nil || err.Error() != c.want {
				t.Errorf("error is %v", err)
			}
		})
	}
}

func TestNoBytesHaveTwoEvents(t *testing.T) {
	native.host = &Host{Event: []byte("a longer event")}
	first, err := readEvent(14)
	if err != nil {
		t.Fatal(err)
	}
	native.host = &Host{Event: []byte("short")}
	for range 2 * roomBytes / 5 {
		if _, err := readEvent(5); err != nil {
			t.Fatal(err)
		}
	}
	if string(first) != "a longer event" {
		t.Errorf("the first event is %q now", first)
	}
}

func TestLogReachesTheHostOnlyWhereItListens(t *testing.T) {
	native.host = &Host{}
	Log(abi.LogInfo, "nobody listens")
	if LogEnabled(abi.LogError) {
		t.Error("a level is enabled")
	}
	var lines []string
	native.host = &Host{Features: 3, Log: func(level abi.LogLevel, line string) { lines = append(lines, level.String()+" "+line) }}
	Log(abi.LogWarn, "a line")
	if !LogEnabled(abi.LogWarn) || strings.Join(lines, ";") != "warn a line" || Features() != 3 {
		t.Errorf("lines %q", lines)
	}
}

func TestCodesOfTheHostBecomeErrors(t *testing.T) {
	if err := codeError(int32(abi.CodeNotFound)); err != nil {
		t.Errorf("an absent configuration is %v", err)
	}
	if err := codeError(int32(abi.CodeInternal)); err == nil || err.Error() != "config_read: internal error" {
		t.Errorf("error is %v", err)
	}
}
