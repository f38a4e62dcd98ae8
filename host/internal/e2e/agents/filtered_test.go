package agents

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
)

// dropping is a frame filter that drops the frames of some origins.
func dropping(origins ...string) host.PluginOptions {
	rules := []any{}
	for _, origin := range origins {
		rules = append(rules, map[string]any{"origin": origin, "action": "drop"})
	}
	return host.PluginOptions{Config: map[string]any{"rules": rules}}
}

// newFilteredUser opens a page whose frame /ad, with another one below it, is taken by a rule of the frame filter. It
// is on another site than the page, or in the process of the page.
func newFilteredUser(t *testing.T, top, ad string) (u *user, frames map[string]host.Frame) {
	t.Helper()
	t.Parallel()
	b := newBench(t, common.Address(t), host.Options{Plugins: map[string]host.PluginOptions{"frame-filter": dropping("http://" + ad + ":*")}})
	u = b.newUser(t, host.TaskOptions{})
	for path, html := range map[string]string{
		"/outer": `<title>Outer</title><button>outer button</button><iframe name="fine" src="{{` + top + `}}/fine"></iframe>
			<iframe name="ad" src="{{` + ad + `}}/ad" style="position:fixed;left:20px;top:300px;width:300px;height:100px"></iframe>`,
		"/fine": `<p>fine words</p><button>fine button</button>`,
		"/ad": `<p id=secret>secret words</p><img src="/logo.svg" alt="secret image" width=20 height=20><button onclick="document.title='pressed'">secret button</button><input aria-label="secret field">
			<iframe name=blank></iframe><iframe name=inner src="/inner"></iframe>
			<script>onmessage = () => confirm("sure?"); frames[0].document.body.innerHTML = "<button>secret blank</button>"</script>`,
		"/inner": `<button>secret inner</button>`,
	} {
		b.Handle(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte(b.Expand(html)))
		})
	}
	u.good("browser_navigate", arguments{"url": "{{" + top + "}}/outer"})
	s, ok := u.Wait(u.ctx, func(s *host.Snapshot) bool {
		frames = map[string]host.Frame{}
		for _, f := range s.Page().RawFrameTree.Children {
			frames[f.Name] = f
		}
		return strings.HasSuffix(frames["inner"].URL, "/inner") && !slices.ContainsFunc(s.Page().RawFrameTree.Children, host.Frame.Undecided)
	})
	if !ok {
		t.Fatal("the frames did not load:", s)
	}
	return u, frames
}

// An agent gets nothing out of a frame that the filter took, wherever it looks, and is told so.
func TestAFrameThatTheFilterTookIsClosedToAgents(t *testing.T) {
	for name, where := range map[string]struct {
		top, ad string
		oopif   bool
	}{
		"in another process":        {"127.0.0.1", "127.0.0.2", true},
		"in the process of the tab": {"x.localhost", "y.x.localhost", false},
	} {
		t.Run(name, func(t *testing.T) {
			u, frames := newFilteredUser(t, where.top, where.ad)
			if ad := frames["ad"]; ad.IsOOPIF != where.oopif || ad.Filtered == "" || frames["inner"].Filtered == "" || frames["blank"].Filtered == "" ||
				frames["fine"].Filtered != "" {
				t.Fatalf("the frames are %+v", frames)
			}
			clean := func(tool string, r agent.Result) {
				t.Helper()
				if strings.Contains(strings.ReplaceAll(show(r), "secret button\"", ""), "secret") {
					t.Errorf("%s shows %s", tool, show(r))
				}
			}
			for tool, a := range map[string]arguments{
				"browser_snapshot":     {},
				"browser_extract_text": {},
			} {
				r := u.good(tool, a)
				clean(tool, r)
				if !strings.Contains(r.Text, "fine words") || !strings.Contains(r.Text, "filtered by the plugin frame-filter (rules[0])") {
					t.Errorf("%s does not show what is left, or that something is left out: %s", tool, r.Text)
				}
			}
			clean("browser_snapshot full", u.good("browser_snapshot", arguments{"full": true}))
			clean("browser_find", u.call("browser_find", arguments{"text": "secret button"}))
			clean("browser_get_images", u.good("browser_get_images", nil))
			clean("browser_screenshot", u.good("browser_screenshot", arguments{"annotate": true}))
			for _, frame := range []string{"ad", "inner", "blank"} {
				id := frames[frame].FrameID
				for tool, a := range map[string]arguments{
					"browser_evaluate":     {"expression": "document.body.innerText"},
					"browser_click":        {"selector": "button"},
					"browser_type":         {"selector": "input", "text": "x"},
					"browser_extract_text": {},
					"browser_wait_for":     {"selector": "button"},
					"browser_get":          {"selector": "body", "what": "html"},
				} {
					u.bad(tool, a.with(arguments{"frame_id": id}), "frame_filtered", "plugin frame-filter (rules[0])")
				}
				u.bad("browser_cdp", arguments{"method": "Runtime.evaluate", "params": arguments{"expression": "1"}, "frame_id": id}, "frame_filtered")
				u.bad("browser_cdp", arguments{"method": "Page.createIsolatedWorld", "params": arguments{"frameId": id}}, "frame_filtered")
			}
			u.inVain("browser_click", arguments{"selector": "#secret"}, "no_element")
			u.inVain("browser_click", arguments{"text": "secret button"}, "no_element")
			u.bad("browser_mouse", arguments{"action": "click", "x": 40, "y": 320}, "frame_filtered")
			u.bad("browser_save", arguments{"format": "mhtml"}, "frame_filtered")
		})
	}
}

// A dialog of a taken frame is listed with its frame, which does not open the frame to agents.
func TestADialogDoesNotOpenATakenFrame(t *testing.T) {
	u, frames := newFilteredUser(t, "127.0.0.1", "127.0.0.2")
	u.good("browser_evaluate", arguments{"expression": `frames[1].postMessage("ask", "*")`})
	s, _ := u.Wait(u.ctx, func(s *host.Snapshot) bool {
		return len(s.PendingDialogs) == 1 && slices.ContainsFunc(s.Page().FrameTree.Children, func(f host.Frame) bool { return f.HasPendingDialog })
	})
	i := slices.IndexFunc(s.Page().FrameTree.Children, func(f host.Frame) bool { return f.FrameID == frames["ad"].FrameID })
	if i < 0 || s.Page().FrameTree.Children[i].Filtered == "" {
		t.Errorf("the frame with the dialog is not listed as filtered: %+v", s.Page().FrameTree)
	}
	u.bad("browser_evaluate", arguments{"expression": "1", "frame_id": frames["ad"].FrameID}, "frame_filtered")
	u.good("browser_dialog", arguments{"action": "accept"})
	if r := u.good("browser_snapshot", nil); strings.Contains(r.Text, "secret words") {
		t.Error(r.Text)
	}
}

// Another configuration decides on all pages again, at once.
func TestAnotherConfigurationDecidesAgain(t *testing.T) {
	u, frames := newFilteredUser(t, "127.0.0.1", "127.0.0.2")
	id := frames["ad"].FrameID
	u.good("browser_snapshot", nil)
	for _, drops := range []bool{false, true, false} {
		filter := dropping()
		if drops {
			filter = dropping("*127.0.0.2*")
		}
		if _, err := u.host.SwapPlugin(u.ctx, "frame-filter", host.PluginChange{Config: filter.Config}); err != nil {
			t.Fatal(err)
		}
		if r := u.good("browser_snapshot", nil); strings.Contains(r.Text, "secret words") == drops {
			t.Errorf("drops %v: %s", drops, r.Text)
		}
		if a := (arguments{"expression": "1", "frame_id": id}); drops {
			u.bad("browser_evaluate", a, "frame_filtered")
		} else {
			u.good("browser_evaluate", a)
		}
	}
}
