package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/options"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/service"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/server/access"
	"github.com/hermes-cdp/hermes-cdp/host/server/audit"
	"github.com/hermes-cdp/hermes-cdp/host/server/charts"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
	"github.com/hermes-cdp/hermes-cdp/host/server/logs"
	"github.com/hermes-cdp/hermes-cdp/host/server/metrics"
)

const (
	// closeTimeout bounds the polite part of the end: dialogs are answered, tabs left, browsers asked to close.
	closeTimeout = 20 * time.Second
	// spansTimeout is how long the end waits for a receiver of spans.
	spansTimeout = 5 * time.Second
	// headerTimeout is how long a client may take to send the head of a request.
	headerTimeout = 10 * time.Second
)

// Options is what a daemon is run with.
type Options struct {
	// Config is the configuration at the start and Report where it came from; Load reads it again.
	Config *config.Config
	Report *config.Report
	Load   func() (*config.Config, *config.Report, error)
	// Logger is the daemon's and its host's; Levels are its levels, which a reload and the operator can change.
	Logger *slog.Logger
	Levels *logs.Levels
	// Version is shown by the status.
	Version string
	// Strict refuses to start if a plugin cannot, instead of starting with what can serve in its place.
	Strict bool
	// Start is a task to begin with; nil: none.
	Start *control.ConnectRequest
	// Reload asks for the configuration to be read again.
	Reload <-chan os.Signal
	// Ready is called once, when the daemon can be reached and its first task runs; nil: nobody wants to know.
	Ready func(Endpoints)
	// Service is the service manager that started the daemon, nil: none; Sockets are what it listens on, by name.
	Service *service.Manager
	Sockets map[string]net.Listener
}

// Endpoints are where a daemon can be reached.
type Endpoints struct {
	// Socket is the operator's, AgentsSocket that of agents with a token.
	Socket       string `json:"socket"`
	AgentsSocket string `json:"agents_socket"`
	// Address is the loopback address for HTTP; empty: there is none. TokenFile holds the operator's token for it.
	Address   string `json:"address,omitempty"`
	TokenFile string `json:"token_file,omitempty"`
	// Metrics is where metrics alone are served; empty: nowhere.
	Metrics string `json:"metrics,omitempty"`
	// LiveLink opens the live page, once; empty: there is none.
	LiveLink string `json:"live_link,omitempty"`
}

// Run runs a daemon until ctx ends, which is no error. When it returns, nothing of it is left: no browser that it
// started, no socket. Its errors are those of listening ([fault.ErrDaemonRunning]), of the agents' tokens, of the
// plugins, and of the first task.
func Run(ctx context.Context, o Options) (err error) {
	settings := newSettings(o)
	tokens, err := access.Open(o.Config.Control.AgentTokens, o.Logger)
	if err != nil {
		return err
	}
	defer tokens.Close()
	record, err := openAudit(o.Config.Audit, o.Logger)
	if err != nil {
		return err
	}
	exporter, err := startSpans(ctx, o)
	if err != nil {
		return err
	}
	defer endSpans(exporter, o.Logger)
	ways, err := listen(o.Config.Control, o.Sockets)
	if err != nil {
		return err
	}
	of := options.Host(o.Config, o.Report, o.Logger)
	of.PluginConcluded = func(c host.PluginConclusion) { recordConclusion(record, c) }
	of.PluginStateDir, of.PluginFallback = o.Config.PluginStateDir, !o.Strict
	h, err := host.New(ctx, of)
	if err != nil {
		return errors.Join(err, ways.close())
	}
	keeper := newKeeper(recordedHost{h, record}, o.Logger, o.Config)
	keeper.files.config = o.Report.Place()
	defer keeper.files.close()
	settings.plugins = keeper.Problems
	started := make(chan struct{})
	if o.Start == nil {
		close(started)
	}
	api := &control.Local{Host: h, Starting: started, Settings: settings.tasks, Daemon: settings.status, AgentTokens: tokens, Audit: record.Status, Levels: o.Levels}
	asked := make(chan chan struct{})
	api.Reloads = func(ctx context.Context) error { return askFor(ctx, asked) }
	agents, err := newAgents(h, api, record, exporter, o, settings.current)
	if err != nil {
		return errors.Join(err, h.Close(ctx), ways.close())
	}
	api.ToolCounters, api.OfTool, api.MCPServers = agents.registry.Counters, agents.registry.Resumes, agents.servers.Status
	api.Clients = agents.clients
	api.CheckToolsets = agents.registry.CheckToolsets
	guard := control.Guard{Token: ways.token, Agents: tokens.Grant, Log: o.Logger}
	logins := audit.NewLogins(record)
	registry := metrics.Registry(api)
	counted, lately := metrics.Handler(registry, o.Logger), charts.New(registry, o.Logger)
	page := livePage(h, api, record, logins, agents, lately, ways, guard)
	s := serve(ways, control.NewMux(agents.routes(api, record, counted, lately, o.Logger), o.Logger), page, counted, guard)
	defer func() {
		page.Close()
		err = errors.Join(err, agents.end(), s.end(h))
		logins.Close()
	}()
	keeper.start(ctx, config.On(o.Config.PluginWatch))
	working, stop := context.WithCancel(ctx)
	defer stop() // before agents.end waits
	agents.idle.Go(func() { lately.Run(working) })
	agents.endIdle(working, options.Inactivity(o.Config), o.Logger)
	if o.Start != nil {
		_, err := api.Connect(ctx, *o.Start)
		close(started)
		switch {
		case ctx.Err() != nil: // it was asked to end meanwhile
			return nil
		case err != nil:
			return err
		}
	}
	o.Logger.Info("the daemon can be reached", "socket", ways.at.Socket, "agents_socket", ways.at.AgentsSocket, "address", ways.at.Address)
	if o.Ready != nil {
		if api.LiveLink != nil {
			ways.at.LiveLink = api.LiveLink().URL
		}
		o.Ready(ways.at)
	}
	status := "agents at " + ways.at.AgentsSocket
	o.Service.Ready(status)
	defer o.Service.Stopping()
	agents.idle.Go(func() { o.Service.Watch(working, answers(ways.at.Socket)) })
	reload := func() {
		o.Service.Reloading()
		defer o.Service.Ready(status)
		settings.reload(func(c *config.Config) error {
			keeper.configure(ctx, c)
			h.ExcludeUploads(options.Private(*c)...)
			agents.registry.BackendChanged()
			agents.servers.Configure(options.Upstream(c, settings.current().report.Getenv, o.Version, o.Logger))
			return errors.Join(agents.registry.ConfigureToolsets(options.Agent(c).Toolsets), h.UseDialogPolicy(c.Browser.DialogPolicy))
		})
	}
	for {
		select {
		case <-ctx.Done():
			o.Logger.Info("the daemon ends")
			return nil
		case <-o.Reload:
			reload()
			record.Record(audit.Entry{Who: "operator", Via: "signal", Action: audit.ConfigReload}.Came(audit.Refused(settings.current().refused)))
		case done := <-asked:
			reload()
			close(done)
		case names := <-keeper.files.changed():
			for _, name := range names {
				if name == configFile {
					settings.seen = options.ChooseTools(agents.registry, o.Load, settings.seen, o.Logger, nil)
					continue
				}
				keeper.look(ctx, name, triggerFile)
			}
			keeper.removeUnwanted(ctx)
		case err := <-s.failed:
			return fmt.Errorf("control: %w", err)
		}
	}
}

// answers asks a daemon for its status, as a client does.
func answers(socket string) func(context.Context) error {
	return func(ctx context.Context) error {
		client := control.NewSocketClient(socket)
		defer client.Close()
		_, err := client.Status(ctx)
		return err
	}
}

// askFor asks the daemon's own goroutine for something and waits until it is done.
func askFor(ctx context.Context, asked chan<- chan struct{}) error {
	done := make(chan struct{})
	select {
	case asked <- done:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// servers are the HTTP servers of a daemon, each with a goroutine of its own.
type servers struct {
	all    []*http.Server
	failed chan error // of a server that ended by itself
	ended  []chan struct{}
}

// serve serves a mux on all ways in, each behind its guard.
func serve(w *ways, mux, page, counted http.Handler, guard control.Guard) *servers {
	list := w.guarded(mux, page, counted, guard)
	s := &servers{failed: make(chan error, len(list))}
	for _, way := range list {
		server := &http.Server{
			Handler: way.handler, ReadHeaderTimeout: headerTimeout, ConnContext: control.WithPeer, ErrorLog: slog.NewLogLogger(guard.Log.Handler(), slog.LevelWarn),
		}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			if err := server.Serve(way.listener); !errors.Is(err, http.ErrServerClosed) {
				s.failed <- err
			}
		}()
		s.all, s.ended = append(s.all, server), append(s.ended, ended)
	}
	return s
}

// end closes the host first: what clients wait for then ends with a reason, and their connections become idle.
func (s *servers) end(h *host.Host) error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	errs := []error{h.Close(ctx)}
	for i, server := range s.all {
		if server.Shutdown(ctx) != nil {
			errs = append(errs, server.Close()) // a client that does not read its answer is not waited for
		}
		<-s.ended[i]
	}
	return errors.Join(errs...)
}
