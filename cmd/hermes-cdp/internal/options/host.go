// Package options says what a configuration says in the words of the packages that do it: the host, the runtime of
// modules, the agents' tools, the MCP servers behind them, and the model that looks at pictures.
package options

import (
	"fmt"
	"log/slog"
	"math"
	"path/filepath"
	"slices"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/abijson"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/module"
	"github.com/hermes-cdp/hermes-cdp/host/provider"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
	"github.com/hermes-cdp/hermes-cdp/host/sigstore"
	"github.com/hermes-cdp/hermes-cdp/internal/netrules"
	"github.com/hermes-cdp/hermes-cdp/internal/upload"
)

// Host is for the host itself. What the configuration was read from is private, too.
func Host(c *config.Config, report *config.Report, log *slog.Logger) *host.Options {
	full := c.WithDefaults()
	b := full.Browser
	o := &host.Options{
		Logger: log, PluginCacheDir: full.PluginCacheDir, DialogTimeout: seconds(b.DialogTimeoutS), DialogPolicy: b.DialogPolicy,
		ConnectTimeout: ConnectTimeout(c), ReadLimit: int64(b.ReadLimitMB) << 20,
		ActionWait:       secondsOrOff(b.ActionWaitS),
		ReconnectTimeout: secondsOrOff(b.ReconnectTimeoutS),
		PingInterval:     secondsOrOff(b.PingIntervalS),
		PingTimeout:      seconds(b.PingTimeoutS),
		Heartbeat:        secondsOrOff(b.HeartbeatS),
		Plugins:          map[string]host.PluginOptions{}, EvaluateDisabled: !config.On(b.EvaluateEnabled),
		PluginDownloadDir:  full.PluginDownloadDir,
		VerifySigstore:     sigstore.Verify,
		PluginFaults:       countOrOff(full.PluginFaults),
		PluginFaultWindow:  seconds(full.PluginFaultWindowS),
		PluginTrial:        Trial(c),
		NavigateFailClosed: full.NavigateFail == "closed",
		RequestFailClosed:  full.RequestFail == "closed",
		FileFailOpen:       full.FileFail == "open",
		SnapshotFailOpen:   full.SnapshotFail == "open",
		ConsoleFailOpen:    full.ConsoleFail == "open",
		ToolAskTimeout:     seconds(full.ToolAskTimeoutS),
		ToolFailOpen:       full.ToolFail == "open",
		DialogFailClosed:   full.DialogFail == "closed",
		Journal: host.JournalOptions{
			Entries: countOrOff(full.Journal.Entries), Bytes: int64(full.Journal.MemoryMB) << 20,
			Dir: full.Journal.Dir, FileBytes: int64(full.Journal.FileMB) << 20, DirBytes: int64(full.Journal.DirMB) << 20,
		},
		Recording:    Recording(b),
		StateKey:     b.StateKey,
		Rental:       host.RentalOptions{Journal: b.LeaseDir, Providers: provider.Configured(report.Getenv, service(c, report))},
		AllowSchemes: b.AllowSchemes,
		UploadRoots:  uploadRoots(b),
		DownloadDir:  b.DownloadDir, DownloadLimit: int64(countOrOff(b.DownloadLimitMB)) << 20,
		Private: append(Private(full), report.Private...),
	}
	for name, p := range full.Plugins {
		o.Plugins[name] = Plugin(p)
	}
	return o
}

// Inactivity is how long a task may be idle; 0: any time.
func Inactivity(c *config.Config) time.Duration {
	return seconds(*c.WithDefaults().Browser.InactivityS)
}

// secondsOrOff is a time that 0 switches off, as the host takes it: negative is off.
func secondsOrOff(s *float64) time.Duration {
	if *s == 0 {
		return -1
	}
	return seconds(*s)
}

// countOrOff is the same for a number of things.
func countOrOff(n *int) int {
	if *n == 0 {
		return -1
	}
	return *n
}

func seconds(s float64) time.Duration { return time.Duration(math.Round(s * float64(time.Second))) }

// ConnectTimeout is how long starting or reaching a browser may take.
func ConnectTimeout(c *config.Config) time.Duration {
	return seconds(c.WithDefaults().Browser.ConnectTimeoutS)
}

// Trial says how modules are tried in a child process.
func Trial(c *config.Config) module.Trial {
	full := c.WithDefaults()
	return module.Trial{
		Off: !config.On(full.PluginTrial), Timeout: seconds(full.PluginTrialTimeoutS), MemoryBytes: int64(full.PluginTrialMemoryMB) << 20,
	}
}

// Recording says where recordings are, whether new ones are made or not.
func Recording(b config.Browser) host.RecordingOptions {
	return host.RecordingOptions{
		Dir: b.RecordingDir, Keep: seconds(b.RecordingKeepH * 3600), MaxBytes: int64(b.RecordingMaxMB) << 20, TotalBytes: int64(b.RecordingTotalMB) << 20,
	}
}

// Plugin is for one plugin of the host.
func Plugin(p config.Plugin) host.PluginOptions {
	o := host.PluginOptions{
		PluginSource: host.PluginSource{Path: p.Path, URL: p.URL, SHA256: p.SHA256, PublicKey: p.PublicKey, Signature: p.Signature},
		Sigstore:     host.Sigstore(p.Sigstore), Sources: p.Sources, IgnoreExtraHooks: p.ExtraHooks == "ignore", ConfigWins: p.Keep == "config", StoreOnDisk: p.Store == "disk",
		Priority: p.Priority, Config: p.Config, Limits: limits(p.Limits),
	}
	for _, word := range p.Hooks {
		o.Hooks = append(o.Hooks, abi.ParseHooks(word)...)
	}
	o.Capabilities = capabilities(p)
	return o
}

// capabilities are those that a plugin is granted, never nil.
func capabilities(p config.Plugin) []abi.Capability {
	granted := make([]abi.Capability, len(p.Capabilities))
	for i, c := range p.Capabilities {
		granted[i] = abi.Capability(c)
	}
	return granted
}

// Module is for a module that is loaded without a host, with the configuration of a plugin.
func Module(name string, p config.Plugin) (module.Options, error) {
	settings, err := abijson.FromMap(p.Config)
	if err != nil {
		return module.Options{}, fmt.Errorf("plugins.%s.config: %w", name, err)
	}
	return module.Options{Name: name, Config: settings, SHA256: p.SHA256, Granted: capabilities(p), Limits: limits(p.Limits)}, nil
}

func limits(l config.Limits) module.Limits {
	l = l.WithDefaults()
	return module.Limits{
		ModuleBytes: int64(l.ModuleMB) << 20, MemoryBytes: int64(l.MemoryMB) << 20, StackBytes: int64(l.StackKB) << 10, EventBytes: l.EventKB << 10, ResultBytes: l.ResultKB << 10,
		LogLines: l.LogLinesPerS, Fuel: int64(l.Fuel), Instances: l.Instances, KVBytes: l.KVKB << 10, KVTotalBytes: l.KVTotalKB << 10, KVTotalKeys: l.KVTotalKeys,
		InitTimeout: time.Duration(l.InitTimeoutMS) * time.Millisecond, HookTimeout: time.Duration(l.TimeoutMS) * time.Millisecond,
	}
}

// Launch says how a browser is started.
func Launch(b config.Browser) host.LaunchOptions {
	dir := b.UserDataDir
	if b.Profile != "" {
		dir = filepath.Join(b.ProfileDir, b.Profile)
	}
	return host.LaunchOptions{
		Executable: b.Executable, Headed: !config.On(b.Headless), UserDataDir: dir, Args: b.Args, Environment: b.Environment,
		Width: b.Width, Height: b.Height, UserAgent: b.UserAgent, Isolation: isolation(b), Network: network(b),
		ProfileBusy: map[string]host.ProfileBusy{"wait": host.ProfileBusyWait, "copy": host.ProfileBusyCopy}[b.ProfileBusy],
		Sandbox:     map[string]host.Sandbox{"on": host.SandboxOn, "off": host.SandboxOff}[b.Sandbox],
	}
}

// isolation is the configured one; a profile decides before it.
func isolation(b config.Browser) host.Isolation {
	if b.Profile != "" || b.UserDataDir != "" {
		return host.IsolationAuto
	}
	return host.Isolation(b.Isolation)
}

// network says what a started browser may reach. Unlike an embedder, who says nothing allows this machine only.
func network(b config.Browser) host.Network {
	n := host.Network{Allow: b.Network.Allow, Proxy: b.Proxy, Resolve: b.Network.Resolve}
	if len(n.Allow) == 0 {
		n.Allow = []string{netrules.Loopback}
	}
	return n
}

// Rent says from whom browsers are rented; nil: from nobody.
func Rent(c *config.Config, report *config.Report) *host.RentOptions {
	if UsesCamofox(c, report) {
		return nil
	}
	p := provider.Choose(c.Browser.Provider, report.Getenv, service(c, report))
	if p == nil {
		return nil
	}
	o := &host.RentOptions{Provider: p}
	if c.Browser.ProviderFallback != "fail" {
		launch := Launch(c.Browser)
		o.Fallback = &launch
	}
	return o
}

// service is the one that the configuration describes; nil if it describes none.
func service(c *config.Config, report *config.Report) *provider.Service {
	p := c.WithDefaults().Provider
	if p.URL == "" {
		return nil
	}
	return &provider.Service{
		URL: p.URL, Headers: p.Headers, Body: p.Body, ID: p.ID, Endpoint: p.Endpoint, ExpiresAt: p.ExpiresAt, LiveView: p.LiveView,
		RenewURL: p.RenewURL, KeepAliveURL: p.KeepAliveURL, ReleaseURL: p.ReleaseURL, ReleaseMethod: p.ReleaseMethod, ReleaseBody: p.ReleaseBody,
		Getenv: report.Getenv,
	}
}

// Connection says where a task's browser comes from, and what the task is like.
func Connection(c *config.Config, report *config.Report) control.Settings {
	return control.Settings{Address: c.Browser.CDPURL, Task: Task(c, report), Launch: Launch(c.Browser), ProfileDir: c.Browser.ProfileDir, Rent: Rent(c, report)}
}

// Task is what every task is started with. A dialog timeout that nobody set is left to the plugin.
func Task(c *config.Config, report *config.Report) host.TaskOptions {
	scope, _ := control.ParseScope(c.Browser.Scope) // validated with the configuration
	o := host.TaskOptions{
		Scope: scope, Record: c.Browser.RecordSessions, StorageState: c.Browser.StorageState, DialogBridge: host.DialogBridge(c.Browser.DialogBridge),
	}
	if len(c.Browser.Network.Allow) > 0 {
		o.Network.Allow = c.Browser.Network.Allow
	}
	o.Credentials = credentials(c.Browser.Credentials, report.Getenv)
	o.Device, o.Emulation = c.Browser.Emulation.Device, emulation(c.Browser.Emulation, report.Getenv)
	if report.IsSet("browser.dialog_timeout_s") {
		o.DialogTimeout = seconds(c.Browser.DialogTimeoutS)
	}
	return o
}

// uploadRoots adds the directories of hermes-cdp's own files to the default one.
func uploadRoots(b config.Browser) []string {
	if len(b.UploadRoots) > 0 {
		return b.UploadRoots
	}
	return slices.Concat(upload.Default(), given(b.DownloadDir, b.ScreenshotDir))
}

// Private are the files and directories that hold secrets of hermes-cdp's own: whoever reads a token of the operator's
// is the operator, and so is whoever writes that of an agent. A profile has the cookies of other tasks, whether or not
// a browser uses it. The host itself knows the directories and modules that its options name.
func Private(c config.Config) []string {
	return given(
		c.Control.TokenFile, c.Control.AgentTokens, c.Vision.APIKeyFile, c.PluginStateDir, c.Audit.Dir, c.Browser.UserDataDir, c.Browser.ProfileDir,
		c.Browser.StateDir, c.Browser.StorageState,
	)
}

// given are the paths that are not empty.
func given(paths ...string) []string {
	return slices.DeleteFunc(paths, func(path string) bool { return path == "" })
}
