package config

import (
	"cmp"
	"log/slog"
	"slices"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/upload"
	"github.com/hermes-cdp/hermes-cdp/host/module"
)

// HostOptions is the configuration of the host itself.
func (c Config) HostOptions(log *slog.Logger) host.Options {
	o := host.Options{
		Logger: log, PluginCacheDir: c.PluginCacheDir, DialogTimeout: c.Browser.DialogTimeout(), DialogPolicy: c.Browser.DialogPolicy,
		ConnectTimeout: c.Browser.ConnectTimeout(), ReadLimit: int64(c.Browser.ReadLimitMB) << 20,
		ActionWait:       orOff(c.Browser.ActionWaitS, defaultActionWaitS),
		ReconnectTimeout: orOff(c.Browser.ReconnectTimeoutS, defaultReconnectTimeoutS),
		PingInterval:     orOff(c.Browser.PingIntervalS, defaultPingIntervalS),
		PingTimeout:      seconds(cmp.Or(c.Browser.PingTimeoutS, defaultPingTimeoutS)),
		Heartbeat:        orOff(c.Browser.HeartbeatS, defaultHeartbeatS),
		Plugins:          map[string]host.PluginOptions{}, EvaluateDisabled: !c.Browser.CanEvaluate(),
		PluginDownloadDir:  c.PluginDownloadDir,
		PluginFaults:       countOrOff(c.PluginFaults, defaultPluginFaults),
		PluginFaultWindow:  seconds(cmp.Or(c.PluginFaultWindowS, defaultPluginFaultWindowS)),
		PluginTrial:        c.Trial(),
		NavigateFailClosed: c.NavigateFail == "closed",
		DialogFailClosed:   c.DialogFail == "closed",
		Journal:            c.Journal.options(),
		Recording:          c.Browser.RecordingOptions(),
		AllowSchemes:       c.Browser.AllowSchemes,
		UploadRoots:        c.Browser.uploadRoots(),
		Private:            c.private(),
	}
	for name, p := range c.Plugins {
		o.Plugins[name] = p.Options()
	}
	return o
}

// Trial says how modules are tried in a child process.
func (c Config) Trial() module.Trial {
	return module.Trial{
		Off: !c.TriesPlugins(), Timeout: seconds(cmp.Or(c.PluginTrialTimeoutS, defaultPluginTrialTimeoutS)),
		MemoryBytes: int64(cmp.Or(c.PluginTrialMemoryMB, defaultPluginTrialMemoryMB)) << 20,
	}
}

// RecordingOptions says where recordings are, whether new ones are made or not.
func (b Browser) RecordingOptions() host.RecordingOptions {
	return host.RecordingOptions{
		Dir: b.RecordingDir, Keep: time.Duration(float64(time.Hour) * b.RecordingKeepH),
		MaxBytes: int64(b.RecordingMaxMB) << 20, TotalBytes: int64(b.RecordingTotalMB) << 20,
	}
}

// Options is the configuration of one plugin as the host takes it.
func (p Plugin) Options() host.PluginOptions {
	o := host.PluginOptions{
		PluginSource: host.PluginSource{Path: p.Path, URL: p.URL, SHA256: p.SHA256, PublicKey: p.PublicKey, Signature: p.Signature},
		Sources:      p.Sources, IgnoreExtraHooks: p.ExtraHooks == extraHooksIgnore,
		Priority: p.Priority, Config: p.Config, Limits: p.Limits.Module(),
	}
	for _, word := range p.Hooks {
		o.Hooks = append(o.Hooks, abi.ParseHooks(word)...)
	}
	for _, c := range p.Capabilities {
		o.Capabilities = append(o.Capabilities, abi.Capability(c))
	}
	return o
}

func (j Journal) options() host.JournalOptions {
	return host.JournalOptions{
		Entries: countOrOff(j.Entries, defaultJournalEntries), Bytes: int64(j.MemoryMB) << 20,
		Dir: j.Dir, FileBytes: int64(j.FileMB) << 20, DirBytes: int64(j.DirMB) << 20,
	}
}

// Module gives the limits as the plugin runtime takes them; a zero field is its default there too.
func (l Limits) Module() module.Limits {
	return module.Limits{
		ModuleBytes: int64(l.ModuleMB) << 20, MemoryBytes: int64(l.MemoryMB) << 20, StackBytes: int64(l.StackKB) << 10, EventBytes: l.EventKB << 10, ResultBytes: l.ResultKB << 10,
		LogLines: l.LogLinesPerS, Fuel: int64(l.Fuel), Instances: l.Instances, KVBytes: l.KVKB << 10,
		InitTimeout: time.Duration(l.InitTimeoutMS) * time.Millisecond, HookTimeout: time.Duration(l.TimeoutMS) * time.Millisecond,
	}
}

// LaunchOptions says how a browser is started.
func (c Config) LaunchOptions() host.LaunchOptions {
	return host.LaunchOptions{
		Executable: c.Browser.Executable, Headed: !c.Browser.IsHeadless(), UserDataDir: c.Browser.UserDataDir, Args: c.Browser.Args,
		Environment: c.Browser.Environment, Sandbox: c.Browser.SandboxMode(),
	}
}

// SandboxMode is whether a started browser runs its sandbox.
func (b Browser) SandboxMode() host.Sandbox {
	return map[string]host.Sandbox{"on": host.SandboxOn, "off": host.SandboxOff}[b.Sandbox]
}

// uploadRoots adds the folders of hermes-cdp's own files to the default one.
func (b Browser) uploadRoots() []string {
	if len(b.UploadRoots) > 0 {
		return b.UploadRoots
	}
	return slices.Concat(upload.Default(), slices.DeleteFunc([]string{b.DownloadDir, b.ScreenshotDir}, func(dir string) bool { return dir == "" }))
}

// private are the files and folders that hold secrets of hermes-cdp's own, or what it runs: whoever reads a token of the
// operator's is the operator, and so is whoever writes that of an agent, or a module. A profile has the cookies, and a
// recording the screen, of other tasks; the host itself knows the profiles that it makes.
func (c Config) private() (list []string) {
	for _, path := range []string{
		c.Control.TokenFile, c.Control.AgentTokens, c.Vision.APIKeyFile, c.PluginCacheDir, c.PluginDownloadDir, c.Journal.Dir, c.Browser.UserDataDir,
		c.Browser.RecordingDir,
	} {
		if path != "" {
			list = append(list, path)
		}
	}
	for _, p := range c.Plugins {
		if p.Path != "" {
			list = append(list, p.Path)
		}
	}
	return list
}

// TaskOptions is what every task is started with. A dialog timeout that nobody set is left to the plugin.
func (c Config) TaskOptions(report *Report) host.TaskOptions {
	o := host.TaskOptions{Record: c.Browser.RecordSessions, DialogBridge: host.DialogBridge(c.Browser.DialogBridge)}
	if report.IsSet("browser.dialog_timeout_s") {
		o.DialogTimeout = c.Browser.DialogTimeout()
	}
	return o
}
