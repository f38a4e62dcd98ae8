package plugin

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

var ctx0 = context.Background()

func TestWhatACallReturns(t *testing.T) {
	config := func(s *Source, _ *Options) {
		s.Config, s.Capabilities = []byte("sixteen bytes..."), abi.Capabilities()
	}
	event := []byte("an event of 16 b")
	cases := []struct {
		fixture string
		status  abi.Status
		verdict string
		reason  string
	}{
		{"ok", abi.StatusDecided, "\x08\x02", ""},
		{"echo", abi.StatusDecided, "an event of 16 b", ""},
		{"config", abi.StatusDecided, "sixteen bytes...", ""},
		{"abstain", abi.StatusAbstain, "", ""},
		{"error", abi.StatusError, "", `no rule\x1b[31m matched`},
		{"oversize_then_less", abi.StatusDecided, "\x08\x02", ""},
		{"bad_pointers", abi.StatusDecided, "\x08\x02", ""},
		{"table_grow", abi.StatusAbstain, "", ""},
		{"log_flood", abi.StatusDecided, "\x08\x02", ""},
		{"grow_some", abi.StatusDecided, "\x08\x02", ""},
	}
	for _, c := range cases {
		t.Run(c.fixture, func(t *testing.T) {
			m := load(t, c.fixture, Limits{}, config)
			for _, hook := range m.Info().Hooks {
				res, verdict, err := call(ctx0, m, hook, event)
				if err != nil || res.Status != c.status || string(verdict) != c.verdict || res.Reason != c.reason {
					t.Errorf("%s: %+v, verdict %q, error %v", hook, res, verdict, err)
				}
			}
			if s := m.Stats(); s.Calls != s.Decided+s.Abstained+s.Errors || s.InstancesCreated != 1 || len(s.Faults) != 0 {
				t.Errorf("stats are %+v", s)
			}
		})
	}
}

func TestADecidedCallOfAHookWithoutVerdictNeedsNoResult(t *testing.T) {
	m := load(t, "no_result", Limits{})
	res, err := m.Call(ctx0, abi.HookDialogClosed, nil, rejectGarbage)
	if err != nil || res.Status != abi.StatusDecided {
		t.Errorf("%+v, %v", res, err)
	}
}

func TestAnEventOfAnySizeArrivesWhole(t *testing.T) {
	m := load(t, "echo", Limits{})
	rapid.Check(t, func(r *rapid.T) {
		event := rapid.SliceOfN(rapid.Byte(), 0, 4096).Draw(r, "event")
		if _, verdict, err := call(ctx0, m, abi.HookFrames, event); err != nil || !bytes.Equal(verdict, event) {
			r.Fatalf("sent %d bytes, got %d, %v", len(event), len(verdict), err)
		}
	})
}

func TestCallsThatNeverReachTheGuest(t *testing.T) {
	m := load(t, "dialog_only", Limits{EventBytes: 8})
	canceled, cancel := context.WithCancel(ctx0)
	cancel()
	cases := map[string]struct {
		ctx   context.Context
		hook  abi.Hook
		event string
		want  error
	}{
		"a hook that the module does not export": {ctx0, abi.HookFrames, "", ErrNoHook},
		"a hook that does not exist":             {ctx0, "hermes_on_nothing", "", ErrNoHook},
		"an event over the limit":                {ctx0, abi.HookDialog, "nine byte", ErrEventTooLarge},
		"a context that has ended":               {canceled, abi.HookDialog, "", ErrBusy},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := m.Call(c.ctx, c.hook, []byte(c.event), nil)
			if !errors.Is(err, c.want) || !strings.Contains(err.Error(), "dialog_only") {
				t.Errorf("error is %v, want %v with the module's name", err, c.want)
			}
		})
	}
	if s := m.Stats(); s.Calls != 0 || s.InstancesClosed != 0 || s.Busy != 1 {
		t.Errorf("stats are %+v", s)
	}
}

// A caller that gives up is not the module's fault, even though its instance has to go.
func TestTheCallersOwnEndIsNotCountedAgainstTheModule(t *testing.T) {
	cases := map[string]struct {
		end  func(after time.Duration) (context.Context, context.CancelFunc)
		want error
	}{
		"a deadline before the module's": {func(after time.Duration) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx0, after)
		}, context.DeadlineExceeded},
		"a cancellation": {func(after time.Duration) (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(ctx0)
			time.AfterFunc(after, cancel)
			return ctx, cancel
		}, context.Canceled},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			m := load(t, "spin", Limits{HookTimeout: time.Hour, Fuel: noLimit})
			var err error
			for after := 20 * time.Millisecond; after < time.Hour; after *= 2 { // until there is an instance first
				ctx, cancel := c.end(after)
				_, err = m.Call(ctx, abi.HookDialog, nil, nil)
				cancel()
				if f := (*Fault)(nil); errors.As(err, &f) {
					break
				}
			}
			if f := faultOf(t, err); f.Kind != FaultCanceled || !errors.Is(err, c.want) {
				t.Errorf("fault is %v", f)
			}
			if s := m.Stats(); s.FaultsCounted() != 0 || s.Faults["canceled"] != 1 || s.InstancesClosed != 1 {
				t.Errorf("stats are %+v", s)
			}
		})
	}
}

func TestADeadlineOfTheModuleIsContextDeadlineExceeded(t *testing.T) {
	m := load(t, "spin", Limits{HookTimeout: 20 * time.Millisecond, Fuel: noLimit})
	_, err := m.Call(ctx0, abi.HookDialog, nil, nil)
	if !errors.Is(err, context.DeadlineExceeded) || m.Stats().FaultsCounted() != 1 {
		t.Errorf("error is %v, stats %+v", err, m.Stats())
	}
}

func TestAFaultShowsStackAndLastOutput(t *testing.T) {
	m := load(t, "panic", Limits{})
	_, err := m.Call(ctx0, abi.HookDialog, nil, nil)
	if f := faultOf(t, err); f.Output != "panic: boom" || !strings.Contains(f.Error(), "it last wrote: panic: boom") {
		t.Errorf("fault is %+v", f)
	}
	m = load(t, "recursion", Limits{})
	_, err = m.Call(ctx0, abi.HookDialog, nil, nil)
	if f := faultOf(t, err); !strings.Contains(f.Detail, "nest too deeply") {
		t.Errorf("fault is %+v", f)
	}
	m = load(t, "trap", Limits{})
	_, err = m.Call(ctx0, abi.HookDialog, nil, nil)
	if f := faultOf(t, err); f.Trace != "func[1]" {
		t.Errorf("stack is %q", f.Trace)
	}
}

func TestAPanicOfTheDecoderClosesTheInstanceAndGoesOn(t *testing.T) {
	m := load(t, "ok", Limits{})
	func() {
		defer func() {
			if r := recover(); r != "decoder" {
				t.Errorf("recovered %v", r)
			}
		}()
		_, _ = m.Call(ctx0, abi.HookDialog, nil, func([]byte) error { panic("decoder") })
	}()
	if s := m.Stats(); s.InstancesLive != 0 || s.InstancesClosed != 1 {
		t.Errorf("stats are %+v", s)
	}
}
