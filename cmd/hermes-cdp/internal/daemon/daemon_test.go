//go:build unix

package daemon

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
	"github.com/hermes-cdp/hermes-cdp/host/server/logs"
)

// running is a daemon without a browser, in this process, on files of its own.
type running struct {
	t      *testing.T
	file   string
	levels *logs.Levels
	at     Endpoints
	reload chan os.Signal
	stop   context.CancelFunc
	ended  chan error
}

// load reads a configuration from one file alone.
func load(file string) (*config.Config, *config.Report, error) {
	return config.Load(config.Sources{File: file, Environ: []string{}})
}

// optionsOf are those of a daemon that is configured by one file in a new directory; text is added to what it needs.
func optionsOf(t *testing.T, text string) (Options, string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "dmn") // the path of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	file := filepath.Join(dir, "config.yaml")
	write(t, file, text)
	cfg, report, err := load(file)
	if err != nil {
		t.Fatal(err)
	}
	return Options{
		Config: cfg, Report: report, Load: func() (*config.Config, *config.Report, error) { return load(file) },
		Logger: slog.New(slog.DiscardHandler), Levels: logs.NewLevels(), Version: "v-test",
	}, file
}

const paths = "control: {socket: c.sock, token_file: token, agent_tokens: state/tokens.json, address: '127.0.0.1:0'}\naudit: {dir: audit}\nplugin_cache_dir: "

func write(t *testing.T, file, text string) {
	t.Helper()
	// At once, as a reload may be reading it.
	if err := errors.Join(os.WriteFile(file+".new", []byte(paths+compiled+"\n"+text), 0o600), os.Rename(file+".new", file)); err != nil {
		t.Fatal(err)
	}
}

func start(t *testing.T, text string) *running {
	t.Helper()
	o, file := optionsOf(t, text)
	return startWith(t, o, file)
}

func startWith(t *testing.T, o Options, file string) *running {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	d := &running{t: t, file: file, levels: o.Levels, reload: make(chan os.Signal), stop: stop, ended: make(chan error, 1)}
	ready := make(chan Endpoints, 1)
	o.Reload, o.Ready = d.reload, func(at Endpoints) { ready <- at }
	go func() { d.ended <- Run(ctx, o) }()
	select {
	case d.at = <-ready:
	case err := <-d.ended:
		stop()
		t.Fatalf("the daemon ended: %v", err)
	}
	t.Cleanup(d.end)
	return d
}

// end stops the daemon, once, and looks at what it leaves.
func (d *running) end() {
	d.t.Helper()
	if d.stop == nil {
		return
	}
	d.stop()
	d.stop = nil
	if err := <-d.ended; err != nil {
		d.t.Errorf("the daemon ended with %v", err)
	}
	for _, socket := range []string{d.at.Socket, d.at.AgentsSocket} {
		if _, err := os.Stat(socket); !errors.Is(err, fs.ErrNotExist) {
			d.t.Errorf("the socket %s is left: %v", socket, err)
		}
	}
}

func (d *running) status(client *control.Client) control.Status {
	d.t.Helper()
	defer client.Close()
	s, err := client.Status(d.t.Context())
	if err != nil {
		d.t.Fatal(err)
	}
	return s
}

// hangUp asks for a reload and waits for it: the daemon takes a second signal only when it is done with the first.
func (d *running) hangUp(text string) control.ConfigStatus {
	d.t.Helper()
	write(d.t, d.file, text)
	return d.reloaded().Daemon.Config
}

func (d *running) reloaded() control.Status {
	d.t.Helper()
	d.reload <- syscall.SIGHUP
	d.reload <- syscall.SIGHUP
	return d.status(control.NewSocketClient(d.at.Socket))
}

func TestADaemonIsReachedByItsSocketAndItsPort(t *testing.T) {
	d := start(t, "")
	token, err := control.ReadToken(d.at.TokenFile)
	if err != nil {
		t.Fatal(err)
	}
	for name, client := range map[string]*control.Client{
		"socket": control.NewSocketClient(d.at.Socket), "port": control.NewClient(d.at.Address, token),
	} {
		s := d.status(client)
		if s.Daemon.Version != "v-test" || s.Daemon.PID != os.Getpid() || s.Daemon.Uptime <= 0 || s.Daemon.Config.File != d.file || len(s.Plugins) == 0 {
			t.Errorf("by the %s: %+v", name, s)
		}
	}
	stranger := control.NewClient(d.at.Address, "wrong")
	defer stranger.Close()
	if _, err := stranger.Status(t.Context()); !errors.Is(err, fault.ErrUnauthorized) {
		t.Errorf("with a wrong token: %v", err)
	}
}

func TestASecondDaemonIsRefusedAndALaterOneIsNot(t *testing.T) {
	d := start(t, "")
	o, _ := optionsOf(t, "")
	own := o.Config.Control.AgentsSocket
	o.Config.Control.Socket = d.at.Socket
	if err := Run(t.Context(), o); !errors.Is(err, fault.ErrDaemonRunning) || !strings.Contains(err.Error(), "control.socket: ") {
		t.Errorf("the error is %v", err)
	}
	o.Config.Control.Socket, o.Config.Control.AgentsSocket = own, d.at.AgentsSocket
	if err := Run(t.Context(), o); !errors.Is(err, fault.ErrDaemonRunning) || !strings.Contains(err.Error(), "control.agents_socket: ") {
		t.Errorf("on the other's agents' socket: %v", err)
	}
	d.status(control.NewSocketClient(d.at.Socket)) // the first is well
	d.end()
	ctx, stop := context.WithCancel(t.Context())
	o.Ready = func(Endpoints) { stop() }
	if err := Run(ctx, o); err != nil {
		t.Errorf("a later daemon: %v", err)
	}
}

func TestADaemonDoesNotBeginOnAWrongFileOfTokens(t *testing.T) {
	o, _ := optionsOf(t, "")
	file := o.Config.Control.AgentTokens
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte("{}"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if err := Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), "control.agent_tokens: "+file) {
		t.Errorf("the error is %v", err)
	}
	if _, err := os.Stat(o.Config.Control.Socket); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the socket is left: %v", err)
	}
}

// A file that is gone is no wish to be without what it said.
func TestAConfigurationThatIsGoneTakesNothingAway(t *testing.T) {
	navigate, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "host", "internal", "e2e", "testdata", "navigate.wasm"))
	if err != nil {
		t.Fatal(err)
	}
	guard := filepath.Join(t.TempDir(), "guard.wasm")
	if err := os.WriteFile(guard, navigate, 0o600); err != nil {
		t.Fatal(err)
	}
	text := "plugins: {guard: {path: " + guard + ", hooks: [navigate]}}\n"
	o, file := optionsOf(t, text)
	home := filepath.Dir(file)
	file = filepath.Join(home, "hermes-cdp", "config.yaml") // where it may be missing
	if err := os.Mkdir(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, file, text)
	var log bytes.Buffer // written by the daemon alone, and read after its end
	o.Logger = slog.New(slog.NewTextHandler(&log, nil))
	o.Load = func() (*config.Config, *config.Report, error) {
		return config.Load(config.Sources{Environ: []string{"XDG_CONFIG_HOME=" + home}})
	}
	if o.Config, o.Report, err = o.Load(); err != nil || o.Report.File != file {
		t.Fatal(o.Report, err)
	}
	d := startWith(t, o, file)
	guards := func(s control.Status) bool {
		return slices.ContainsFunc(s.Plugins, func(p host.PluginInfo) bool {
			return p.Name == "guard" && slices.Equal(p.Hooks, []string{"hermes_on_navigate"})
		})
	}
	for name, harm := range map[string]func() error{
		"is gone":       func() error { return os.RemoveAll(d.file) },
		"leads nowhere": func() error { return errors.Join(os.RemoveAll(d.file), os.Symlink("/no/such", d.file)) },
		"is empty":      func() error { return os.WriteFile(d.file, nil, 0o600) },
		"says nothing":  func() error { return os.WriteFile(d.file, []byte("# plugins\n"), 0o600) },
		"is unreadable": func() error { return errors.Join(os.RemoveAll(d.file), os.Mkdir(d.file, 0o700)) },
	} {
		if err := harm(); err != nil {
			t.Fatal(err)
		}
		if got := d.reloaded(); got.Daemon.Config.Error == "" || !guards(got) {
			t.Errorf("the file %s: %+v", name, got)
		}
		if err := os.RemoveAll(d.file); err != nil {
			t.Fatal(err)
		}
	}
	write(t, file, text)
	if got := d.reloaded(); got.Daemon.Config.Error != "" || !guards(got) {
		t.Errorf("back again: %+v", got)
	}
	write(t, file, "") // which is a wish
	if got := d.reloaded(); got.Daemon.Config.Error != "" || guards(got) {
		t.Errorf("without anything: %+v", got)
	}
	d.end()
	if got := log.String(); strings.Count(got, "level=ERROR msg=\"the configuration cannot be used") < 3 || !strings.Contains(got, "on_which_no_plugin_decides=navigate") {
		t.Errorf("the log is %s", got)
	}
}

func TestAReloadTakesWhatCanChangeAndNamesTheRest(t *testing.T) {
	d := start(t, "log: {level: warn}\n")
	if d.levels.Level() != slog.LevelWarn {
		t.Fatalf("the level is %v", d.levels.Level())
	}
	got := d.hangUp("log: {level: debug, levels: [engine=warn], format: json}\nbrowser: {dialog_policy: auto_accept}\nnavigate_fail: closed\nplugin_watch: false\n" +
		"plugins: {dialog-policy: {config: {policy: auto_accept}}}\n")
	if !slices.Equal(got.NeedRestart, []string{"log.format", "navigate_fail"}) || got.Error != "" || len(got.PluginProblems) > 0 {
		t.Errorf("after a reload: %+v", got)
	}
	if s := d.levels.Setting(); s.Level != "debug" || s.Packages["engine"] != "warn" {
		t.Errorf("the levels are %+v", s)
	}
	bad := d.hangUp("log: {level: loud}\n")
	if bad.Error == "" || d.levels.Level() != slog.LevelDebug || !reflect.DeepEqual(bad.NeedRestart, got.NeedRestart) {
		t.Errorf("after a bad reload: %+v", bad)
	}
	if good := d.hangUp("log: {level: warn}\n"); good.Error != "" || len(good.NeedRestart) > 0 || d.levels.Level() != slog.LevelWarn {
		t.Errorf("after a good one: %+v", good)
	}
}
