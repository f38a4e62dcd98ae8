package conformance

import (
	"context"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/fakehost"
)

// Host loads modules. It is under test, or runs the module under test.
type Host interface {
	// Load loads a module until it can be called, hermes_init included. The error says why the host refused it; it is, or
	// wraps, a [*RefusalError] if hermes_init returned status 2. config is an encoded google.protobuf.Struct; nil stands
	// for the host's own configuration of the module.
	Load(ctx context.Context, wasm, config []byte) (Plugin, error)
}

// RefusalError says that a module refused its configuration.
type RefusalError struct{ Reason string }

// Error returns the module's reason.
func (e *RefusalError) Error() string { return "hermes_init refused the configuration: " + e.Reason }

// FailureError says that a host has failed itself. It is neither a refusal nor a fault of the module, so it conforms to
// nothing.
type FailureError struct{ Err error }

// Error says how.
func (e *FailureError) Error() string { return "the host has failed: " + e.Err.Error() }

// Unwrap returns how.
func (e *FailureError) Unwrap() error { return e.Err }

// Plugin is a loaded module.
type Plugin interface {
	// Hooks lists the hooks that the module exports.
	Hooks() []abi.Hook
	// Call runs a hook on an encoded event. An error is a fault of the module, of any kind; the next call after it must
	// have a new instance.
	Call(ctx context.Context, in *fakehost.Environment, hook abi.Hook, event []byte) (fakehost.Answer, error)
	// Close ends the plugin.
	Close() error
}

// Level says how binding a rule is.
type Level string

// The levels.
const (
	Must   Level = "must"   // docs/abi.md requires it
	Should Level = "should" // breaking it works today, but may not with another host or a later version
)

// Finding is a case that broke its rule.
type Finding struct {
	Level  Level    `json:"level"`
	Rule   string   `json:"rule"`
	Case   string   `json:"case"`
	Hook   abi.Hook `json:"hook,omitempty"` // empty if the case is not about one
	Detail string   `json:"detail"`
}

// String formats the finding on one line.
func (f Finding) String() string {
	where := f.Case
	if f.Hook != "" {
		where = string(f.Hook) + ": " + where
	}
	return where + ": " + f.Detail + " (" + string(f.Level) + ": " + f.Rule + ")"
}

// Reporter takes findings; a *testing.T is one.
type Reporter interface {
	Helper()
	Errorf(format string, args ...any)
}

// Guest reports what [CheckGuest] finds.
func Guest(ctx context.Context, t Reporter, host Host, wasm []byte) {
	t.Helper()
	report(t, CheckGuest(ctx, host, wasm))
}

// HostUnderTest reports what [CheckHost] finds.
func HostUnderTest(ctx context.Context, t Reporter, host Host) {
	t.Helper()
	report(t, CheckHost(ctx, host))
}

func report(t Reporter, findings []Finding) {
	t.Helper()
	for _, f := range findings {
		t.Errorf("%s", f)
	}
}
