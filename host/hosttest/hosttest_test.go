package hosttest_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/hermes-cdp/hermes-cdp/host/hosttest"
	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestAClientSpeaksToTheBrowser(t *testing.T) {
	for name, opts := range map[string][]hosttest.Option{"over the pipe": nil, "over a port": {hosttest.WithPort()}} {
		t.Run(name, func(t *testing.T) {
			client := hosttest.Browser(t, opts...).Connect()
			client.Subscribe("Runtime.consoleAPICalled")
			_, session := client.NewPage("about:blank")
			client.MustCall(session, "Runtime.enable", nil, nil)
			for _, text := range []string{"one", "two"} {
				client.MustCall(session, "Runtime.evaluate", map[string]any{"expression": "console.log('" + text + "')"}, nil)
			}
			// In the other order than they came: an event that does not fit stays.
			for _, text := range []string{"two", "one"} {
				e := client.Await("the console call "+text, func(e hosttest.Event) bool { return strings.Contains(string(e.Params), `"`+text+`"`) })
				var params struct{ Type string }
				if err := e.Decode(&params); err != nil || params.Type != "log" || e.SessionID != session || e.Method != "Runtime.consoleAPICalled" {
					t.Errorf("got %+v, %v", e, err)
				}
			}
			var fromBrowser *cdp.Error
			if err := client.Call(session, "Page.noSuchMethod", nil, nil); !errors.As(err, &fromBrowser) {
				t.Errorf("an unknown method gives %v", err)
			}
		})
	}
}

func TestTwoClientsShareABrowserWithAPort(t *testing.T) {
	b := hosttest.Browser(t, hosttest.WithPort(), hosttest.WithArgs("--lang=en-US"))
	first, second := b.Connect(), hosttest.Dial(t, b.WebSocketURL())
	target, session := first.NewPage("about:blank")
	first.MustCall(session, "Runtime.evaluate", map[string]any{"expression": "globalThis.shared = 'yes'"}, nil)
	var reply struct {
		Result struct {
			Value string `json:"value"`
		} `json:"result"`
	}
	second.MustCall(second.Attach(target), "Runtime.evaluate", map[string]any{"expression": "shared"}, &reply)
	if reply.Result.Value != "yes" {
		t.Errorf("the second client reads %q", reply.Result.Value)
	}
}

func TestAKilledBrowserEndsItsClients(t *testing.T) {
	b := hosttest.Browser(t)
	client := b.Connect()
	b.Kill()
	<-client.Done()
	if err := client.Call("", "Browser.getVersion", nil, nil); !errors.Is(err, cdp.ErrConnectionLost) {
		t.Errorf("got %v", err)
	}
}

func TestAProfileOutlivesTheBrowser(t *testing.T) {
	dir := t.TempDir()
	t.Run("first", func(t *testing.T) {
		hosttest.Browser(t, hosttest.WithUserDataDir(dir)).Connect().MustCall("", "Browser.getVersion", nil, nil)
	})
	if _, err := os.Stat(filepath.Join(dir, "Default")); err != nil {
		t.Error(err)
	}
}

// failing records what a helper does to a test.
type failing struct {
	testing.TB
	message string
}

func (f *failing) Helper() {}
func (f *failing) Fatalf(format string, args ...any) {
	f.message = format
	for _, arg := range args {
		if err, ok := arg.(error); ok {
			f.message += err.Error()
		}
	}
	panic(f)
}

func TestAMissingBrowserFailsTheTestAndSaysWhatToDo(t *testing.T) {
	t.Setenv(hosttest.ExecutableEnv, "/does/not/exist")
	f := &failing{TB: t}
	func() {
		defer func() { _ = recover() }()
		hosttest.Executable(f)
	}()
	if !strings.Contains(f.message, "needs a real browser") || !strings.Contains(f.message, hosttest.ExecutableEnv) {
		t.Errorf("it failed with %q", f.message)
	}
}
