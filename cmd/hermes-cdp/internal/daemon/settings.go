package daemon

import (
	"maps"
	"os"
	"reflect"
	"slices"
	"sync/atomic"
	"time"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/options"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

// settings is the configuration in use, which a reload replaces as a whole.
type settings struct {
	options Options
	started time.Time
	first   *loaded        // what the host was made with
	seen    *config.Report // what was last read of the files, be it for the toolsets alone; owned by the daemon's loop
	now     atomic.Pointer[loaded]
	plugins func() map[string]string // why plugins are not as they are configured, by name
}

// loaded is one reading of the configuration.
type loaded struct {
	config      *config.Config
	report      *config.Report
	at          time.Time
	needRestart []string
	refused     string // why a later reading was not taken
}

func newSettings(o Options) *settings {
	first := &loaded{config: o.Config, report: o.Report, at: time.Now()}
	s := &settings{options: o, started: first.at, first: first, seen: o.Report, plugins: func() map[string]string { return nil }}
	s.take(first)
	return s
}

func (s *settings) current() *loaded { return s.now.Load() }

func (s *settings) take(l *loaded) {
	_ = s.options.Levels.Use(l.config.Log.Level, l.config.Log.Levels) // validated with the configuration
	s.now.Store(l)
}

// reload reads the configuration again, and has the plugins follow it. One that is wrong, or gone, is reported, and the
// one in use stays.
func (s *settings) reload(apply func(*config.Config) error) {
	c, report, err := s.options.Load()
	if err == nil {
		err = s.seen.Lost(report)
	}
	if err != nil {
		kept := *s.current()
		kept.refused = err.Error()
		s.now.Store(&kept)
		s.options.Logger.Error("the configuration cannot be used; the previous one stays in use", "error", err)
		return
	}
	s.seen = report
	l := &loaded{config: c, report: report, at: time.Now(), refused: s.current().refused} // until it is applied
	l.needRestart = needRestart(s.first, l)
	s.take(l)
	err = apply(c)
	applied := *l
	applied.refused = ""
	if err != nil {
		applied.refused = err.Error()
		s.options.Logger.Error("not all of the configuration can be used; the rest stays as it was", "error", err)
	}
	s.now.Store(&applied)
	s.options.Logger.Info("the configuration was read again", "file", l.report.File, "need_restart", l.needRestart)
}

// needRestart lists the keys that changed since the start, and whose new value no reload uses.
func needRestart(first, now *loaded) []string {
	before := map[string]any{}
	for _, v := range first.report.Values {
		before[v.Key] = v.Value
	}
	changed := map[string]bool{}
	for _, v := range now.report.Values {
		changed[v.Key] = !reflect.DeepEqual(before[v.Key], v.Value)
		delete(before, v.Key)
	}
	for key := range before { // that are gone
		changed[key] = true
	}
	maps.DeleteFunc(changed, func(key string, is bool) bool { return !is || config.ReloadOf(key) != config.ReloadRestart })
	return slices.Sorted(maps.Keys(changed))
}

// tasks are the settings of tasks that are started now.
func (s *settings) tasks() control.Settings {
	l := s.current()
	return options.Connection(l.config, l.report)
}

func (s *settings) status() control.DaemonStatus {
	l := s.current()
	return control.DaemonStatus{
		Version: s.options.Version, PID: os.Getpid(), StartedAt: s.started, Uptime: time.Since(s.started),
		Config: control.ConfigStatus{
			File: l.report.File, DotEnv: l.report.DotEnvFile, LoadedAt: l.at, NeedRestart: l.needRestart, Error: l.refused, PluginProblems: s.plugins(),
		},
	}
}
