package remote_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/conformance"
	"github.com/hermes-cdp/hermes-cdp/abi/conformance/remote"
	"github.com/hermes-cdp/hermes-cdp/abi/fakehost"
	"github.com/hermes-cdp/hermes-cdp/host/module"
)

// hostMode is the variable that makes the test's own binary a host.
const hostMode = "HERMES_TEST_HOST"

func TestMain(m *testing.M) {
	switch mode := os.Getenv(hostMode); mode {
	case "":
		goleak.VerifyTestMain(m)
	case "whole":
		serve(module.Conformance(module.Options{}))
	case "refuses":
		serve(refusing{})
	case "silent":
		_, _ = io.Copy(io.Discard, os.Stdin)
	case "babbles":
		_, _ = fmt.Fprintln(os.Stdout, "ready to serve")
		_, _ = io.Copy(io.Discard, os.Stdin)
	case "crashes": // as soon as a module faults
		serve(crashing{module.Conformance(module.Options{})})
	case "ends":
	}
}

func serve(host conformance.Host) {
	if err := remote.Serve(context.Background(), host, os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// refusing loads nothing.
type refusing struct{}

func (refusing) Load(context.Context, []byte, []byte) (conformance.Plugin, error) {
	return nil, errors.New("no")
}

// crashing ends with the first fault of a module.
type crashing struct{ conformance.Host }

func (c crashing) Load(ctx context.Context, wasm, config []byte) (conformance.Plugin, error) {
	p, err := c.Host.Load(ctx, wasm, config)
	if err != nil {
		os.Exit(3)
	}
	return crashingPlugin{p}, nil
}

type crashingPlugin struct{ conformance.Plugin }

func (c crashingPlugin) Call(ctx context.Context, in *fakehost.Environment, hook abi.Hook, event []byte) (fakehost.Answer, error) {
	got, err := c.Plugin.Call(ctx, in, hook, event)
	if err != nil {
		os.Exit(3)
	}
	return got, nil
}

func start(t *testing.T, mode string, within time.Duration) *remote.Host {
	t.Helper()
	t.Setenv(hostMode, mode)
	h := remote.New(remote.Options{Command: []string{os.Args[0]}, Stderr: t.Output(), Timeout: within})
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

// A host that is another program passes as it does in this one, and so does a module on it.
func TestAHostThatConformsPassesAsAProgram(t *testing.T) {
	h := start(t, "whole", 0)
	conformance.HostUnderTest(t.Context(), t, h)
	wasm, err := conformance.Probe("ok")
	if err != nil {
		t.Fatal(err)
	}
	conformance.Guest(t.Context(), t, h, wasm)
}

// The kit and docs/abi.md are enough to write a host in another language, which serves the modules of this one.
func TestAHostInJavaScriptConforms(t *testing.T) {
	h := remote.New(remote.Options{Command: []string{"node", "../host.mjs"}, Stderr: t.Output(), Timeout: 10 * time.Minute})
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	conformance.HostUnderTest(t.Context(), t, h)
	for _, name := range []string{"dialog-policy", "frame-filter"} {
		wasm, err := os.ReadFile("../../../plugins/dist/" + name + ".wasm")
		if err != nil {
			t.Fatal(err)
		}
		conformance.Guest(t.Context(), t, h, wasm)
	}
}

// A program may end before it has read all of a request.
func TestAProgramThatReadsNothingHasEnded(t *testing.T) {
	_, err := start(t, "ends", 0).Load(t.Context(), make([]byte, 1<<20), nil)
	if err == nil || !strings.Contains(err.Error(), "it has ended instead of answering") {
		t.Errorf("got %v", err)
	}
}

// A program that fails conforms to nothing: its end is neither the refusal nor the fault that a case may ask for.
func TestAProgramThatFailsPassesNoCase(t *testing.T) {
	cases, err := conformance.HostFiles()
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, file := range cases {
		total += len(file.Cases)
	}
	within := map[string]time.Duration{"silent": 20 * time.Millisecond} // the others answer, or end
	for mode, want := range map[string]string{
		"silent": "it has not answered within", "babbles": "its answer cannot be read", "ends": "it has ended instead of answering",
	} {
		t.Run(mode, func(t *testing.T) {
			findings := conformance.CheckHost(t.Context(), start(t, mode, within[mode]))
			failed := map[string]bool{}
			for _, f := range findings {
				failed[f.Rule+f.Case] = true
				if !strings.Contains(f.Detail, "the host has failed: "+want) {
					t.Errorf("found %s, want %q", f, want)
				}
			}
			if len(failed) != total {
				t.Errorf("%d of %d cases fail", len(failed), total)
			}
		})
	}
	t.Run("crashes", func(t *testing.T) {
		findings := conformance.CheckHost(t.Context(), start(t, "crashes", 0))
		for _, rule := range []string{"A fault ends the instance", "A module whose hermes_init", "What a host cannot serve"} {
			if !slices.ContainsFunc(findings, func(f conformance.Finding) bool {
				return strings.HasPrefix(f.Rule, rule) && strings.Contains(f.Detail, "the host has failed")
			}) {
				t.Errorf("nothing is found about %q: %v", rule, findings)
			}
		}
		if slices.ContainsFunc(findings, func(f conformance.Finding) bool {
			return strings.HasPrefix(f.Rule, "0 is a verdict") && f.Case == "accept"
		}) {
			t.Errorf("what comes after a crash fails as well: %v", findings)
		}
	})
	t.Run("refuses", func(t *testing.T) {
		findings := conformance.CheckHost(t.Context(), start(t, "refuses", 0))
		if !slices.ContainsFunc(findings, func(f conformance.Finding) bool { return strings.HasPrefix(f.Rule, "0 is a verdict") }) {
			t.Errorf("found %v", findings)
		}
	})
	t.Run("missing", func(t *testing.T) {
		h := remote.New(remote.Options{Command: []string{"/nowhere/host"}})
		if findings := conformance.CheckHost(t.Context(), h); len(findings) != total || !strings.Contains(findings[0].Detail, "/nowhere/host") {
			t.Errorf("%d of %d cases fail: %v", len(findings), total, findings)
		}
	})
}

func TestWhatIsNoRequestIsAnswered(t *testing.T) {
	in := strings.NewReader("{}\n{\"close\": {\"plugin\": 7}}\n{\"call\": {\"plugin\": 7}}\n")
	var out strings.Builder
	if err := remote.Serve(t.Context(), refusing{}, in, &out); err != nil {
		t.Fatal(err)
	}
	want := []string{"the request is none of load, call and close", "there is no plugin 7", "there is no plugin 7"}
	lines := json.NewDecoder(strings.NewReader(out.String()))
	for _, text := range want {
		var r remote.Response
		if err := lines.Decode(&r); err != nil || r.Error != text {
			t.Errorf("got %+v, %v, want %q", r, err, text)
		}
	}
	if err := remote.Serve(t.Context(), refusing{}, strings.NewReader("load"), &out); err == nil {
		t.Error("what is not JSON is accepted")
	}
}
