package trial

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/abijson"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/module"
	"github.com/hermes-cdp/hermes-cdp/sdk/sdktest"
)

// documentTimeout bounds one document: loading it and calling the tool, which take some milliseconds.
const documentTimeout = time.Minute

// documents opens the documents of a table's cases in a browser, and calls the tools of the module there as agents do:
// what a page script returns in a document must be the page of its case. The browser starts with the first of them.
type documents struct {
	launch host.LaunchOptions
	plugin host.PluginOptions
	name   string // of the plugin
	dir    string // of the table

	host *host.Host
	task *host.Task
	site *http.Server
	url  string
}

func newDocuments(wasm []byte, opts module.Options, manifest *module.Manifest, table string, launch host.LaunchOptions) *documents {
	d := &documents{launch: launch, dir: filepath.Dir(table)}
	d.plugin = host.PluginOptions{
		PluginSource: host.PluginSource{Wasm: wasm}, Hooks: []abi.Hook{abi.HookToolCall}, IgnoreExtraHooks: true, Limits: opts.Limits,
	}
	if manifest != nil { // a host refuses a module without one that has tools
		d.name = manifest.Name
		for _, c := range manifest.Capabilities {
			d.plugin.Capabilities = append(d.plugin.Capabilities, abi.Capability(c))
		}
	}
	return d
}

// check opens the document of a case. A case without one is right.
func (d *documents) check(ctx context.Context, c sdktest.Case) error {
	if c.Document == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, documentTimeout)
	defer cancel()
	if err := d.start(ctx); err != nil {
		return err
	}
	if err := d.configure(ctx, c.Config); err != nil {
		return err
	}
	got, err := d.pageIn(ctx, c)
	if err != nil {
		return fmt.Errorf("document %s: %w", c.Document, err)
	}
	var event abi.ToolCallEvent
	if err := abijson.Unmarshal(c.Event, &event); err != nil {
		return err
	}
	same, err := equalJSON(got, event.Page)
	if err == nil && !same {
		err = fmt.Errorf("document %s: the page script of %s returned %s\nwant %s", c.Document, event.Tool, got, event.Page)
	}
	return err
}

// pageIn returns what a page script returned in a document, as the module was told.
func (d *documents) pageIn(ctx context.Context, c sdktest.Case) (string, error) {
	opened, err := d.task.Tab("").Navigate(ctx, d.url+filepath.ToSlash(c.Document), nil)
	switch {
	case err != nil:
		return "", err
	case opened.HTTPStatus != http.StatusOK:
		return "", fmt.Errorf("it is not in %s", d.dir)
	}
	var call struct {
		Tool      string         `json:"tool"`
		Arguments map[string]any `json:"arguments"`
	}
	if err := json.Unmarshal(c.Event, &call); err != nil {
		return "", err
	}
	var last uint64
	filter := host.JournalFilter{Plugin: d.name, Hook: abi.HookToolCall, Max: 1}
	for _, before := range d.host.Journal(filter) {
		last = before.Sequence
	}
	_, failed := d.task.CallPluginTool(ctx, host.PluginToolCall{Plugin: d.name, Tool: call.Tool, Arguments: call.Arguments})
	for _, e := range d.host.Journal(filter) {
		var event abi.ToolCallEvent
		switch err := abijson.Unmarshal(e.Event, &event); {
		case e.Sequence == last:
		case err != nil:
			return "", err
		case event.Page == "":
			return "", fmt.Errorf("the tool %s has no page script that could read it: leave the document out", call.Tool)
		default:
			return event.Page, nil // what the module made of it, the case itself says
		}
	}
	return "", failed
}

// start starts the browser and a server for the directory of the table.
func (d *documents) start(ctx context.Context) (err error) {
	if d.task != nil {
		return nil
	}
	if d.host == nil {
		if d.host, err = host.New(ctx, nil); err != nil {
			return err
		}
	}
	if d.site == nil {
		listener, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it does not wait
		if err != nil {
			return err
		}
		d.url = "http://" + listener.Addr().String() + "/"
		d.site = &http.Server{Handler: http.FileServerFS(os.DirFS(d.dir)), ReadHeaderTimeout: documentTimeout}
		go func() { _ = d.site.Serve(listener) }()
	}
	d.task, err = d.host.Launch(ctx, "documents", &d.launch, nil)
	return err
}

// configure puts the module into service with the configuration of a case.
func (d *documents) configure(ctx context.Context, config json.RawMessage) error {
	d.plugin.Config = nil
	if len(config) > 0 {
		if err := json.Unmarshal(config, &d.plugin.Config); err != nil {
			return err
		}
	}
	for _, p := range d.host.Plugins() {
		if p.Name == d.name {
			if err := d.host.RemovePlugin(ctx, d.name); err != nil {
				return err
			}
		}
	}
	_, err := d.host.AddPlugin(ctx, d.name, d.plugin)
	return err
}

func (d *documents) close() error {
	var errs []error
	if d.host != nil {
		ctx, cancel := context.WithTimeout(context.Background(), documentTimeout)
		defer cancel()
		errs = append(errs, d.host.Close(ctx))
	}
	if d.site != nil {
		errs = append(errs, d.site.Close())
	}
	return errors.Join(errs...)
}

// equalJSON compares by value.
func equalJSON(got, want string) (bool, error) {
	a, b := jsontext.Value(got), jsontext.Value(want)
	if err := a.Canonicalize(); err != nil {
		return false, err
	}
	if err := b.Canonicalize(); err != nil {
		return false, fmt.Errorf("the event's page is not JSON, which no page script returns: %w", err)
	}
	return bytes.Equal(a, b), nil
}
