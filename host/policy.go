package host

import (
	"context"
	"fmt"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/lifecycle"
	"github.com/hermes-cdp/hermes-cdp/plugins"
)

// Policy is code of the program that embeds the host, which decides beside the modules of plugins: on the same events,
// with the same verdicts, in the same order of priority, and recorded in the same journal. Unlike a module it is
// trusted, and is neither swapped nor replayed.
//
// Each function that is set serves a hook. A nil verdict abstains, and the next plugin is asked. An error, a panic
// and a function that exceeds Timeout end the question, as the failure of a module does: the host's own rule decides,
// or what the options for failures say. The functions run on goroutines of their own, several at a time, and must not
// change what an event refers to after they have returned.
type Policy struct {
	// Name is how decisions, the journal and [Host.Plugins] call it. It is not that of a plugin.
	Name string
	// Priority is compared with PluginOptions.Priority; at the same one, a Policy is asked first.
	Priority int
	// Timeout bounds a call. Default 50 ms.
	Timeout time.Duration

	Dialog     func(ctx context.Context, e *abi.DialogEvent) (*abi.DialogVerdict, error)
	Navigate   func(ctx context.Context, e *abi.NavigateEvent) (*abi.NavigateVerdict, error)
	Request    func(ctx context.Context, e *abi.RequestEvent) (*abi.RequestVerdict, error)
	BeforeTool func(ctx context.Context, e *abi.ToolUseEvent) (*abi.ToolVerdict, error)
	AfterTool  func(ctx context.Context, e *abi.ToolUseEvent) (*abi.ToolVerdict, error)
	Console    func(ctx context.Context, e *abi.ConsoleEvent) (*abi.ConsoleVerdict, error)
	Snapshot   func(ctx context.Context, e *abi.SnapshotEvent) (*abi.SnapshotVerdict, error)
	Download   func(ctx context.Context, e *abi.FileEvent) (*abi.FileVerdict, error)
	Upload     func(ctx context.Context, e *abi.FileEvent) (*abi.FileVerdict, error)
}

// natives are the policies of the options as deciders.
func natives(o Options) ([]lifecycle.Native, error) {
	var list []lifecycle.Native
	taken := map[string]bool{}
	for _, name := range plugins.Names() {
		taken[name] = true
	}
	for name := range o.Plugins {
		taken[name] = true
	}
	for _, p := range o.Policies {
		n := lifecycle.Native{Name: p.Name, Priority: p.Priority, Timeout: p.Timeout, Decide: map[abi.Hook]lifecycle.Decide{}}
		serve(n, abi.HookDialog, p.Dialog)
		serve(n, abi.HookNavigate, p.Navigate)
		serve(n, abi.HookRequest, p.Request)
		serve(n, abi.HookBeforeTool, p.BeforeTool)
		serve(n, abi.HookAfterTool, p.AfterTool)
		serve(n, abi.HookConsole, p.Console)
		serve(n, abi.HookSnapshot, p.Snapshot)
		serve(n, abi.HookDownload, p.Download)
		serve(n, abi.HookUpload, p.Upload)
		switch {
		case p.Name == "":
			return nil, fmt.Errorf("%w: option Policies: one has no name", ErrBadArguments)
		case taken[p.Name]:
			return nil, fmt.Errorf("%w: option Policies: %q is the name of a plugin or of another policy; choose another", ErrBadArguments, p.Name)
		case len(n.Decide) == 0:
			return nil, fmt.Errorf("%w: option Policies: %q decides on nothing; set at least one of its functions", ErrBadArguments, p.Name)
		case p.Timeout < 0:
			return nil, fmt.Errorf("%w: option Policies: the timeout of %q is negative; 0 is the default", ErrBadArguments, p.Name)
		}
		taken[p.Name] = true
		list = append(list, n)
	}
	return list, nil
}

// message is a pointer to a message of the ABI.
type message[T any] interface {
	*T
	Append([]byte) []byte
	Unmarshal([]byte) error
}

// serve adds a function to the hooks of a decider, unless it is nil. It gets its event as a module does, and its
// verdict takes the way of one, so that neither can depend on what the host holds.
func serve[E, V any, EP message[E], VP message[V]](n lifecycle.Native, hook abi.Hook, decide func(context.Context, EP) (VP, error)) {
	if decide == nil {
		return
	}
	n.Decide[hook] = func(ctx context.Context, encoded []byte) ([]byte, error) {
		event := EP(new(E))
		if err := event.Unmarshal(encoded); err != nil {
			return nil, err
		}
		verdict, err := decide(ctx, event)
		if verdict == nil || err != nil {
			return nil, err
		}
		return verdict.Append([]byte{}), nil
	}
}
