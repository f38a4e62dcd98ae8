package config_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/config"
)

func TestADialogTimeoutGoesToTheTaskOnlyWhereSomebodySetIt(t *testing.T) {
	for name, c := range map[string]struct {
		set  []string
		want time.Duration
	}{
		"nobody": {nil, 0},
		"a pair": {[]string{"browser.dialog_timeout_s=300"}, 300 * time.Second},
	} {
		cfg, report, err := config.Load(config.Sources{Environ: []string{"HOME=" + t.TempDir()}, Set: c.set})
		if err != nil {
			t.Fatal(err)
		}
		if got := cfg.TaskOptions(report).DialogTimeout; got != c.want {
			t.Errorf("%s: the task's timeout is %v, want %v", name, got, c.want)
		}
		if cfg.HostOptions(slog.Default()).EvaluateDisabled {
			t.Errorf("%s: evaluate is disabled", name)
		}
		if got := cfg.HostOptions(slog.Default()).DialogTimeout; got != 300*time.Second {
			t.Errorf("%s: the fallback's timeout is %v, want 300s", name, got)
		}
	}
}

func TestOptionsOfTheHostFollowTheConfiguration(t *testing.T) {
	cfg, report, err := config.Load(config.Sources{Environ: []string{"HOME=" + t.TempDir()}, Set: []string{
		"browser.dialog_policy=auto_accept", "browser.headless=false", "browser.args=[--lang=de]", "browser.read_limit_mb=2",
		"browser.evaluate_enabled=false",
		"plugins.dialog-policy.config={policy: auto_dismiss}", "plugins.dialog-policy.limits.memory_mb=8", "plugins.dialog-policy.limits.timeout_ms=20",
		"plugins.dialog-policy.limits.fuel=5000",
	}})
	if err != nil {
		t.Fatal(err)
	}
	o := cfg.HostOptions(slog.Default())
	p := o.Plugins["dialog-policy"]
	if o.ReadLimit != 2<<20 || !o.EvaluateDisabled || p.Config["policy"] != "auto_dismiss" || p.Limits.MemoryBytes != 8<<20 || p.Limits.HookTimeout != 20*time.Millisecond ||
		p.Limits.Fuel != 5000 {
		t.Errorf("host options: %+v", o)
	}
	if l := cfg.LaunchOptions(); !l.Headed || len(l.Args) != 1 || l.Args[0] != "--lang=de" {
		t.Errorf("launch options: %+v", l)
	}
	if policy := cfg.TaskOptions(report).DialogPolicy; policy != "auto_accept" {
		t.Errorf("the task's policy is %q", policy)
	}
}

func TestZeroSwitchesOffWhatKeepsTheConnection(t *testing.T) {
	for name, c := range map[string]struct {
		set  []string
		want [3]time.Duration
	}{
		"nobody set them": {nil, [3]time.Duration{time.Minute, 15 * time.Second, time.Minute}},
		"they are off": {
			[]string{"browser.reconnect_timeout_s=0", "browser.ping_interval_s=0", "browser.heartbeat_s=0"}, [3]time.Duration{-1, -1, -1},
		},
		"they are set": {
			[]string{"browser.reconnect_timeout_s=5", "browser.ping_interval_s=0.5", "browser.heartbeat_s=7"},
			[3]time.Duration{5 * time.Second, 500 * time.Millisecond, 7 * time.Second},
		},
	} {
		cfg, _, err := config.Load(config.Sources{Environ: []string{"HOME=" + t.TempDir()}, Set: c.set})
		if err != nil {
			t.Fatal(err)
		}
		o := cfg.HostOptions(slog.Default())
		if got := [3]time.Duration{o.ReconnectTimeout, o.PingInterval, o.Heartbeat}; got != c.want {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}
