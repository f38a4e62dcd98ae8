package host

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/abijson"
	"github.com/hermes-cdp/hermes-cdp/host/act"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/browser"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
	"github.com/hermes-cdp/hermes-cdp/host/internal/keylock"
	"github.com/hermes-cdp/hermes-cdp/host/internal/netguard"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/guestio"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/journal"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/keep"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/lifecycle"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/storefile"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugintool"
	"github.com/hermes-cdp/hermes-cdp/host/internal/rental"
	"github.com/hermes-cdp/hermes-cdp/host/internal/storagestate"
	"github.com/hermes-cdp/hermes-cdp/internal/optional"
	"github.com/hermes-cdp/hermes-cdp/internal/scheme"
	"github.com/hermes-cdp/hermes-cdp/internal/upload"
)

// Host supervises browsers for any number of tasks, with one connection per browser. It is safe for concurrent use.
type Host struct {
	options Options
	log     *slog.Logger
	rules   *act.Rules
	plugins *lifecycle.Engine
	journal *journal.Keeper
	// functions are those of the embedder, by the names of their imports.
	functions map[string]*PluginFunction
	store     guestio.Store // what plugins keep, per task
	group     *engine.Group // owns the connections
	tools     *plugintool.Tools

	pluginChanges broadcast
	agentTools    atomic.Pointer[func(plugin string) []string] // nil: none
	// nil: nothing is kept, and unkept says why if that is an error
	kept         *keep.Store
	unkept       error
	storeFile    *storefile.File        // nil: what plugins store is in memory
	storeProblem error                  // why storeFile is nil, if it should not be
	dialogPolicy atomic.Pointer[string] // for tasks that name none; nil until it has been checked
	recordings   recordings
	stateKey     storagestate.Key
	private      privateFiles

	configs  sync.Map      // taskConfigs by task id
	starting keylock.Locks // keyed by task and by browser

	network  netguard.Tally // of all browsers with a guard
	restarts restarts
	rentals  *rental.Rentals

	running context.Context // canceled by Close, which cancels every start in progress
	stop    context.CancelCauseFunc
	started chan struct{} // closed once no task is being started and none will be

	mu     sync.Mutex // guards what follows; never held while waiting
	closed bool
	starts int // tasks being started
	tasks  map[string]*Task
	links  map[string]*shared // keyed by the browser's resolved address
}

// taskConfigs are a task's own plugin settings, keyed by plugin name and encoded once.
type taskConfigs map[string]abi.Struct

// New loads the plugins and returns a host without tasks. The error names the plugin and the step that failed, the
// journal's directory, or the option that is wrong, such as [ErrDialogPolicy].
func New(ctx context.Context, options *Options) (*Host, error) {
	o := optional.Or(options).withDefaults()
	schemes, err := scheme.New(o.AllowSchemes)
	if err != nil {
		return nil, fmt.Errorf("option AllowSchemes: %w", err)
	}
	roots, err := upload.New(o.UploadRoots)
	if err != nil {
		return nil, fmt.Errorf("option UploadRoots: %w", err)
	}
	h := &Host{options: o, log: o.Logger, started: make(chan struct{}), tasks: map[string]*Task{}, links: map[string]*shared{}}
	uploads, err := roots.Without(slices.Concat(o.Private, o.ownFiles(), browser.DedicatedProfiles()), h.private.all)
	if err != nil {
		return nil, fmt.Errorf("option Private: %w", err)
	}
	h.rules = &act.Rules{EvaluateDisabled: o.EvaluateDisabled, Schemes: schemes, Uploads: uploads}
	if h.journal, err = journal.Keep(journal.KeeperOptions(o.Journal), o.Logger); err != nil {
		return nil, err
	}
	if h.stateKey, err = storagestate.ParseKey(o.StateKey); err != nil {
		return nil, errors.Join(fmt.Errorf("option StateKey: %w", err), h.journal.Close(h.log))
	}
	h.recordings.store, h.recordings.traces, h.recordings.log = newRecordingStore(o.Recording), newTraceStore(o.Recording, o.Recording.Dir), o.Logger
	if h.plugins, err = h.newPlugins(o); err != nil {
		return nil, errors.Join(err, h.journal.Close(h.log))
	}
	h.tools = &plugintool.Tools{Plugins: h.plugins, TaskConfig: h.taskConfig}
	h.group = engine.NewGroup(engine.Options{
		Logger: o.Logger, Plugins: h.plugins, Schemes: schemes, NavigateFailClosed: o.NavigateFailClosed, RequestFailClosed: o.RequestFailClosed, DialogFailClosed: o.DialogFailClosed,
		FileFailOpen: o.FileFailOpen, ConsoleFailOpen: o.ConsoleFailOpen, SnapshotFailOpen: o.SnapshotFailOpen,
		DialogTimeout: o.DialogTimeout, ActionWait: o.ActionWait, ReadLimit: o.ReadLimit, ReconnectTimeout: o.ReconnectTimeout,
		PingInterval: o.PingInterval, PingTimeout: o.PingTimeout, Heartbeat: o.Heartbeat,
	})
	if err := h.loadPlugins(ctx); err != nil {
		return nil, errors.Join(err, h.journal.Close(h.log))
	}
	if err := h.usePolicyAtStart(o.DialogPolicy); err != nil {
		return nil, errors.Join(err, h.closePlugins(), h.journal.Close(h.log))
	}
	h.running, h.stop = context.WithCancelCause(context.Background())
	h.recordings.tend(h.running)
	h.rentals = rental.New(h.running, rental.Options{
		Logger: o.Logger, Journal: o.Rental.Journal, Providers: o.Rental.Providers, ConnectTimeout: o.ConnectTimeout, Group: h.group,
	})
	return h, nil
}

// Task returns the task with the given id, or nil.
func (h *Host) Task(id string) *Task {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.tasks[id]
}

// Tasks returns all tasks.
func (h *Host) Tasks() []*Task {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Collect(maps.Values(h.tasks))
}

// Close ends every task and every launched browser, and unloads the plugins. ctx bounds the orderly shutdown; nothing
// that the host started is left when Close returns. Starts in progress fail with ErrClosed; an error says that ctx
// ended before they did. It is safe to call Close more than once; only the first call waits.
func (h *Host) Close(ctx context.Context) (err error) {
	defer fault.During("close", &err)
	h.mu.Lock()
	if h.closed {
		h.mu.Unlock()
		return nil
	}
	h.closed = true
	if h.starts == 0 {
		close(h.started)
	}
	h.mu.Unlock()
	h.stop(ErrClosed)
	var (
		wait sync.WaitGroup
		mu   sync.Mutex
		errs = []error{h.awaitStarts(ctx)}
	)
	for _, t := range h.Tasks() {
		wait.Go(func() {
			err := t.Close(ctx)
			mu.Lock()
			defer mu.Unlock()
			errs = append(errs, err)
		})
	}
	wait.Wait()
	h.recordings.wait(ctx)
	h.rentals.Wait()
	errs = append(errs, h.closePlugins())
	return errors.Join(append(errs, h.journal.Close(h.log), h.rentals.Close())...)
}

// beginStart registers a start, unless the host has been closed. The context that it returns ends with ctx and with the
// host.
func (h *Host) beginStart(ctx context.Context) (start context.Context, end func(), err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, nil, ErrClosed
	}
	h.starts++
	start, cancel := context.WithCancelCause(ctx)
	forget := context.AfterFunc(h.running, func() { cancel(ErrClosed) })
	return start, func() {
		forget()
		cancel(nil)
		h.endStart()
	}, nil
}

func (h *Host) endStart() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.starts--; h.starts == 0 && h.closed {
		close(h.started)
	}
}

// awaitStarts waits until the starts in progress when the host was closed have cleaned up.
func (h *Host) awaitStarts(ctx context.Context) error {
	select {
	case <-h.started: // even if ctx has ended
		return nil
	default:
	}
	select {
	case <-h.started:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("tasks that were being started have not finished cleaning up: %w", context.Cause(ctx))
	}
}

// taskConfig returns the task's own configuration of a plugin.
func (h *Host) taskConfig(task, plugin string) abi.Struct {
	if configs, ok := h.configs.Load(task); ok {
		return configs.(taskConfigs)[plugin]
	}
	return nil
}

func encodeTaskConfigs(plugins map[string]map[string]any) (taskConfigs, error) {
	configs := taskConfigs{}
	for name, values := range plugins {
		config, err := abijson.FromMap(values)
		if err != nil {
			return nil, fmt.Errorf("task configuration of plugin %q: %w", name, err)
		}
		configs[name] = config
	}
	return configs, nil
}
