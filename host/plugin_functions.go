package host

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/guestio"
)

// PluginFunction is a function of the program that embeds the host, which plugins may import if they are granted it;
// see docs/abi.md. Its import is lookup_v1 of the module embedder if its name is lookup and its version 1.
//
// A module that is tested, shadows another or is run again on recorded calls never reaches the function: it gets the
// recorded answers.
type PluginFunction struct {
	// Name has lower-case letters, digits and underscores, and starts with a letter.
	Name string
	// Version is 1 or more. A function that means something else by its requests or answers has another version; both can
	// be offered.
	Version int
	// Call answers a request. It runs on a goroutine of its own, possibly at the same time as other calls, while the
	// plugin's module waits; it should end with ctx, and is not waited for any longer. The request is its own. The error
	// may be a [*PluginFunctionError] for the plugin to read. Any other is logged, and the plugin learns only that the
	// function failed.
	Call func(ctx context.Context, c PluginFunctionCall) (answer []byte, err error)

	// RequestBytes and AnswerBytes bound what one call may exchange. Default: 64 KiB each. What a hook call may exchange
	// in all is PluginOptions.Limits.ExchangeBytes.
	RequestBytes, AnswerBytes int
	// Calls is how often one hook call may call the function. Default 16.
	Calls int
	// Timeout bounds a call; it also ends with the plugin's hook call, whose limit is PluginOptions.Limits.HookTimeout.
	// Default 20 ms.
	Timeout time.Duration
	// Fuel is what a call costs the plugin, beside what it costs to exchange the bytes.
	Fuel int64
}

// PluginFunctionCall is a call of a [PluginFunction].
type PluginFunctionCall struct {
	Plugin  string // the name under which the module serves
	Task    string // the id of the task that it decides for
	Request []byte // from the module, which is not trusted
}

// PluginFunctionError is an error of a [PluginFunction] that the plugin may know.
type PluginFunctionError struct {
	// Code is abi.CodeNotFound, abi.CodeDenied, abi.CodeTooLarge, or abi.CodeFailed, which is the default.
	Code abi.Code
	// Reason is what the plugin reads with abi.CodeFailed.
	Reason string
}

// Error returns the code and the reason.
func (e *PluginFunctionError) Error() string {
	if e.Reason == "" {
		return e.code().String()
	}
	return e.code().String() + ": " + e.Reason
}

func (e *PluginFunctionError) code() abi.Code {
	if slices.Contains([]abi.Code{abi.CodeNotFound, abi.CodeDenied, abi.CodeTooLarge}, e.Code) {
		return e.Code
	}
	return abi.CodeFailed
}

// Import is the name by which plugins import the function and PluginOptions.Functions grants it.
func (f *PluginFunction) Import() string { return fmt.Sprintf("%s_v%d", f.Name, f.Version) }

func (f *PluginFunction) check() error {
	valid := f.Name != "" && f.Name[0] >= 'a' && f.Name[0] <= 'z' &&
		strings.Trim(f.Name, "abcdefghijklmnopqrstuvwxyz0123456789_") == "" && len(f.Name) <= 64
	switch {
	case !valid:
		return fmt.Errorf("%w: option Functions: %q is no name of a function: write a letter, then lower-case letters, digits and underscores, 64 at most",
			ErrBadArguments, f.Name)
	case f.Version < 1:
		return fmt.Errorf("%w: option Functions: %s has the version %d; versions begin with 1", ErrBadArguments, f.Name, f.Version)
	case f.Call == nil:
		return fmt.Errorf("%w: option Functions: %s has no Call", ErrBadArguments, f.Import())
	case f.RequestBytes < 0 || f.AnswerBytes < 0 || f.Calls < 0 || f.Timeout < 0 || f.Fuel < 0:
		return fmt.Errorf("%w: option Functions: a limit of %s is negative; 0 is the default", ErrBadArguments, f.Import())
	}
	return nil
}

// useFunctions takes the functions of the options. The grants are what modules are loaded with.
func (h *Host) useFunctions(functions []PluginFunction) ([]plugin.Grant, error) {
	h.functions = make(map[string]*PluginFunction, len(functions))
	var grants []plugin.Grant
	for _, f := range functions {
		if err := f.check(); err != nil {
			return nil, err
		}
		if h.functions[f.Import()] != nil {
			return nil, fmt.Errorf("%w: option Functions has %s twice; give one another version", ErrBadArguments, f.Import())
		}
		f.AnswerBytes = cmp.Or(f.AnswerBytes, abi.DefaultFunctionAnswerBytes)
		f.Timeout = cmp.Or(f.Timeout, abi.DefaultFunctionTimeout)
		h.functions[f.Import()] = &f
		grants = append(grants, plugin.Grant{Name: f.Import(), RequestBytes: f.RequestBytes, Calls: f.Calls, Fuel: f.Fuel})
	}
	return grants, nil
}

// embedded is an environment with the embedder's functions.
type embedded struct {
	guestio.Environment
	host         *Host
	plugin, task string
}

// CallEmbedder implements [guestio.Environment]. Which functions the module may call was checked when it was loaded.
func (e embedded) CallEmbedder(ctx context.Context, function string, request []byte) ([]byte, abi.Code) {
	f := e.host.functions[function]
	if f == nil {
		return nil, abi.CodeUnsupported
	}
	ctx, cancel := context.WithTimeout(ctx, f.Timeout)
	defer cancel()
	type reply struct {
		answer []byte
		err    error
	}
	replies := make(chan reply, 1)
	call := PluginFunctionCall{Plugin: e.plugin, Task: e.task, Request: bytes.Clone(request)}
	go func() {
		var r reply
		defer func() {
			if p := recover(); p != nil {
				r = reply{err: fmt.Errorf("it panicked: %v\n%s", p, debug.Stack())}
			}
			replies <- r
		}()
		r.answer, r.err = f.Call(ctx, call)
	}()
	var r reply
	select {
	case r = <-replies:
	case <-ctx.Done():
		r.err = ctx.Err()
	}
	var known *PluginFunctionError
	switch {
	case errors.As(r.err, &known):
		return e.refused(f, known)
	case errors.Is(r.err, context.DeadlineExceeded):
		e.log(f, fmt.Errorf("it took longer than %v", f.Timeout))
		return fmt.Appendf(nil, "it took longer than %v", f.Timeout), abi.CodeFailed
	case r.err != nil:
		e.log(f, r.err)
		return nil, abi.CodeInternal
	case len(r.answer) > f.AnswerBytes:
		e.log(f, fmt.Errorf("its answer has %d bytes, but the limit is %d; raise AnswerBytes, or answer less", len(r.answer), f.AnswerBytes))
		return nil, abi.CodeTooLarge
	}
	return r.answer, 0
}

// refused is what the plugin gets to know of an error.
func (e embedded) refused(f *PluginFunction, err *PluginFunctionError) ([]byte, abi.Code) {
	if err.code() != abi.CodeFailed {
		return nil, err.code()
	}
	reason := err.Reason
	if len(reason) > f.AnswerBytes {
		reason = reason[:f.AnswerBytes]
	}
	return []byte(strings.ToValidUTF8(reason, "\uFFFD")), abi.CodeFailed
}

func (e embedded) log(f *PluginFunction, err error) {
	e.host.log.Warn("a function for plugins failed", "function", f.Import(), "plugin", e.plugin, "task", e.task, "error", err)
}
