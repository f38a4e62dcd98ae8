package config

import (
	"cmp"
	"log/slog"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/module"
)

// HostOptions is the configuration of the host itself.
func (c Config) HostOptions(log *slog.Logger) host.Options {
	o := host.Options{
		Logger: log, PluginCacheDir: c.PluginCacheDir, DialogTimeout: c.Browser.DialogTimeout(),
		ConnectTimeout: c.Browser.ConnectTimeout(), ReadLimit: int64(c.Browser.ReadLimitMB) << 20,
		ReconnectTimeout: orOff(c.Browser.ReconnectTimeoutS, defaultReconnectTimeoutS),
		PingInterval:     orOff(c.Browser.PingIntervalS, defaultPingIntervalS),
		PingTimeout:      seconds(cmp.Or(c.Browser.PingTimeoutS, defaultPingTimeoutS)),
		Heartbeat:        orOff(c.Browser.HeartbeatS, defaultHeartbeatS),
		Plugins:          map[string]host.PluginOptions{}, EvaluateDisabled: !c.Browser.CanEvaluate(),
	}
	for name, p := range c.Plugins {
		o.Plugins[name] = host.PluginOptions{Path: p.Path, SHA256: p.SHA256, Config: p.Config, Limits: p.Limits.Module()}
	}
	return o
}

// Module gives the limits as the plugin runtime takes them; a zero field is its default there too.
func (l Limits) Module() module.Limits {
	return module.Limits{
		ModuleBytes: int64(l.ModuleMB) << 20, MemoryBytes: int64(l.MemoryMB) << 20, EventBytes: l.EventKB << 10, ResultBytes: l.ResultKB << 10,
		LogLines: l.LogLinesPerS, Fuel: int64(l.Fuel), Instances: l.Instances,
		InitTimeout: time.Duration(l.InitTimeoutMS) * time.Millisecond, HookTimeout: time.Duration(l.TimeoutMS) * time.Millisecond,
	}
}

// LaunchOptions says how a browser is started.
func (c Config) LaunchOptions() host.LaunchOptions {
	return host.LaunchOptions{
		Executable: c.Browser.Executable, Headed: !c.Browser.IsHeadless(), UserDataDir: c.Browser.UserDataDir, Args: c.Browser.Args,
	}
}

// TaskOptions is what every task is started with. A dialog timeout that nobody set is left to the plugin.
func (c Config) TaskOptions(report *Report) host.TaskOptions {
	o := host.TaskOptions{DialogPolicy: c.Browser.DialogPolicy, DialogBridge: host.DialogBridge(c.Browser.DialogBridge)}
	if report.IsSet("browser.dialog_timeout_s") {
		o.DialogTimeout = c.Browser.DialogTimeout()
	}
	return o
}
