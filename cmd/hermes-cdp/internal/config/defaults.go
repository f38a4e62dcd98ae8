package config

import (
	"cmp"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

const (
	defaultDialogTimeoutS  = 300
	defaultConnectTimeoutS = 30
	defaultReadLimitMB     = 256
	defaultScreenshotKeepH = 24
	defaultToolTimeoutS    = 30
	defaultVisionTimeoutS  = 30
	defaultVisionMaxTokens = 1000

	defaultRecordingKeepH   = 72
	defaultRecordingMaxMB   = 64
	defaultRecordingTotalMB = 1024

	defaultActionWaitS       = 3
	defaultReconnectTimeoutS = 60
	defaultPingIntervalS     = 15
	defaultPingTimeoutS      = 10
	defaultHeartbeatS        = 60

	defaultPluginFaults        = 5
	defaultPluginFaultWindowS  = 60
	defaultPluginTrialTimeoutS = 30
	defaultPluginTrialMemoryMB = 512
	defaultJournalEntries      = 1000
	defaultJournalMemoryMB     = 16
	defaultJournalFileMB       = 16
	defaultJournalDirMB        = 256

	mib = 1 << 20
	kib = 1 << 10
)

// WithDefaults returns a copy in which every field that is zero has its default. PluginCacheDir, PluginDownloadDir,
// Browser.ScreenshotDir, Browser.RecordingDir and the paths of Control stay as they are: their defaults depend on the
// environment, which only [Load] reads.
func (c Config) WithDefaults() Config {
	headless := c.Browser.IsHeadless()
	c.Browser.Headless = &headless
	evaluate := c.Browser.CanEvaluate()
	c.Browser.EvaluateEnabled = &evaluate
	c.Browser.Sandbox = cmp.Or(c.Browser.Sandbox, "auto")
	c.Browser.DialogTimeoutS = cmp.Or(c.Browser.DialogTimeoutS, defaultDialogTimeoutS)
	c.Browser.DialogBridge = cmp.Or(c.Browser.DialogBridge, "auto")
	c.Browser.ScreenshotKeepH = cmp.Or(c.Browser.ScreenshotKeepH, defaultScreenshotKeepH)
	c.Browser.RecordingKeepH = cmp.Or(c.Browser.RecordingKeepH, defaultRecordingKeepH)
	c.Browser.RecordingMaxMB = cmp.Or(c.Browser.RecordingMaxMB, defaultRecordingMaxMB)
	c.Browser.RecordingTotalMB = cmp.Or(c.Browser.RecordingTotalMB, defaultRecordingTotalMB)
	c.Browser.ToolTimeoutS = cmp.Or(c.Browser.ToolTimeoutS, defaultToolTimeoutS)
	c.Browser.ActionWaitS = orDefault(c.Browser.ActionWaitS, defaultActionWaitS)
	c.Browser.ConnectTimeoutS = cmp.Or(c.Browser.ConnectTimeoutS, defaultConnectTimeoutS)
	c.Browser.ReconnectTimeoutS = orDefault(c.Browser.ReconnectTimeoutS, defaultReconnectTimeoutS)
	c.Browser.PingIntervalS = orDefault(c.Browser.PingIntervalS, defaultPingIntervalS)
	c.Browser.PingTimeoutS = cmp.Or(c.Browser.PingTimeoutS, defaultPingTimeoutS)
	c.Browser.HeartbeatS = orDefault(c.Browser.HeartbeatS, defaultHeartbeatS)
	c.Browser.ReadLimitMB = cmp.Or(c.Browser.ReadLimitMB, defaultReadLimitMB)
	watch := c.WatchesPlugins()
	c.PluginWatch = &watch
	tries := c.TriesPlugins()
	c.PluginTrial = &tries
	c.PluginTrialTimeoutS = cmp.Or(c.PluginTrialTimeoutS, defaultPluginTrialTimeoutS)
	c.PluginTrialMemoryMB = cmp.Or(c.PluginTrialMemoryMB, defaultPluginTrialMemoryMB)
	c.PluginFaults = orDefault(c.PluginFaults, defaultPluginFaults)
	c.PluginFaultWindowS = cmp.Or(c.PluginFaultWindowS, defaultPluginFaultWindowS)
	c.NavigateFail = cmp.Or(c.NavigateFail, "open")
	c.DialogFail = cmp.Or(c.DialogFail, "open")
	c.Vision.TimeoutS = cmp.Or(c.Vision.TimeoutS, defaultVisionTimeoutS)
	c.Vision.MaxTokens = cmp.Or(c.Vision.MaxTokens, defaultVisionMaxTokens)
	c.Journal = c.Journal.withDefaults()
	c.Control.AgentsAccess = cmp.Or(c.Control.AgentsAccess, "owner")
	c.Log.Level = cmp.Or(c.Log.Level, "info")
	c.Log.Format = cmp.Or(c.Log.Format, "text")
	plugins := make(map[string]Plugin, len(c.Plugins))
	for name, plugin := range c.Plugins {
		plugin.Limits = plugin.Limits.WithDefaults()
		plugin.ExtraHooks = cmp.Or(plugin.ExtraHooks, "refuse")
		plugins[name] = plugin
	}
	c.Plugins = plugins
	servers := make(map[string]MCPServer, len(c.MCPServers))
	for name, server := range c.MCPServers {
		enabled := server.IsEnabled()
		server.Enabled = &enabled
		servers[name] = server
	}
	c.MCPServers = servers
	return c
}

func (j Journal) withDefaults() Journal {
	j.Entries = orDefault(j.Entries, defaultJournalEntries)
	j.MemoryMB = cmp.Or(j.MemoryMB, defaultJournalMemoryMB)
	j.FileMB = cmp.Or(j.FileMB, defaultJournalFileMB)
	j.DirMB = cmp.Or(j.DirMB, defaultJournalDirMB)
	return j
}

// orDefault is for fields in which zero says something else than the default.
func orDefault[T any](set *T, value T) *T {
	if set == nil {
		return &value
	}
	return set
}

// WithDefaults returns a copy in which every limit that is zero has its default; zero instances stay zero, since that
// default depends on the machine.
func (l Limits) WithDefaults() Limits {
	return Limits{
		MemoryMB:      cmp.Or(l.MemoryMB, abi.DefaultMemoryBytes/mib),
		StackKB:       cmp.Or(l.StackKB, abi.DefaultStackBytes/kib),
		ModuleMB:      cmp.Or(l.ModuleMB, abi.DefaultModuleBytes/mib),
		EventKB:       cmp.Or(l.EventKB, abi.DefaultEventBytes/kib),
		ResultKB:      cmp.Or(l.ResultKB, abi.DefaultResultBytes/kib),
		TimeoutMS:     cmp.Or(l.TimeoutMS, int(abi.DefaultHookTimeout/time.Millisecond)),
		Fuel:          cmp.Or(l.Fuel, abi.DefaultFuel),
		InitTimeoutMS: cmp.Or(l.InitTimeoutMS, int(abi.DefaultInitTimeout/time.Millisecond)),
		Instances:     l.Instances,
		KVKB:          cmp.Or(l.KVKB, abi.DefaultKVBytes/kib),
		LogLinesPerS:  cmp.Or(l.LogLinesPerS, abi.DefaultLogLines),
	}
}
