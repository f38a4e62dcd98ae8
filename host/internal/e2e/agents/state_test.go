package agents

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/hosttest"
)

// A state is a file in its directory, whatever an agent calls it, and results have no value of it.
func TestAStateIsOnlyInItsDirectory(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.good("browser_navigate", arguments{"url": u.URL("localhost", "/empty")})
	u.good("browser_evaluate", arguments{"expression": `localStorage.setItem("hidden-name", "hidden-value"); document.cookie = "hidden-cookie=hidden-value; max-age=1000"`})
	r := u.good("browser_state", arguments{"action": "save", "name": "shop"})
	if said := r.Text + string(dump(t, r.Structured)); strings.Contains(said, "hidden") || !strings.Contains(r.Text, "1 of localStorage") {
		t.Errorf("it says %s", said)
	}
	path, _ := r.Structured["state_path"].(string)
	kept, err := os.ReadFile(path)
	if info, statErr := os.Stat(path); err != nil || statErr != nil || info.Mode().Perm() != 0o600 || !strings.Contains(string(kept), "hidden-value") {
		t.Errorf("%s: %v, %v", kept, err, statErr)
	}
	for _, name := range []string{"../out", "/tmp/out", "a/b", ".hidden", "", "Shop"} {
		u.bad("browser_state", arguments{"action": "save", "name": name}, "bad_arguments", "name")
		u.bad("browser_state", arguments{"action": "load", "name": name}, "bad_arguments", "name")
	}
	outside := filepath.Join(t.TempDir(), "outside.json")
	if err := errors.Join(os.WriteFile(outside, kept, 0o600), os.Symlink(outside, filepath.Join(filepath.Dir(path), "link.json"))); err != nil {
		t.Fatal(err)
	}
	u.bad("browser_state", arguments{"action": "load", "name": "link"}, "bad_state", "regular file")
	u.bad("browser_state", arguments{"action": "load", "name": "missing"}, "failed", "missing.json")
	u.bad("browser_state", arguments{"action": "save", "name": "shop", "origins": []string{"example.com"}}, "bad_arguments", "origin")
	u.good("browser_state", arguments{"action": "load", "name": "shop"})
}

// A named profile is removed with its task where the operator allows that, and only there.
func TestAProfileIsOnlyWipedWhereThatIsAllowed(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	for name, allowed := range map[string]bool{"kept": false, "wiped": true} {
		profile := filepath.Join(t.TempDir(), name)
		o := agent.BrowserOptions{}
		if allowed {
			o.Wipeable = profile
		}
		registry, err := agent.New(u.host, agent.Options{Browser: o, Open: func(ctx context.Context, id string) (*host.Task, error) {
			return u.host.Launch(ctx, id, &host.LaunchOptions{Executable: hosttest.Executable(t), UserDataDir: profile}, nil)
		}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(registry.Close)
		call := func(tool, arguments string) agent.Result {
			r, err := registry.Call(u.ctx, agent.Call{Task: u.ID() + name, Name: tool, Arguments: []byte(arguments)})
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		call("browser_tabs", `{}`)
		r := call("browser_close", `{"wipe":true}`)
		_, err = os.Stat(profile)
		if gone := errors.Is(err, os.ErrNotExist); gone != allowed || r.IsError == allowed || !allowed && r.Structured["code"] != "refused" {
			t.Errorf("%s: %s, and the profile: %v", name, r.Text, err)
		}
	}
}

func dump(t *testing.T, v any) []byte {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
