package e2e

import (
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// patient gives the shipped modules more time than they need on the busiest machine, so that a test sees what they
// decide and never the fallback.
func patient(o host.Options) host.Options {
	plugins := map[string]host.PluginOptions{}
	for name, p := range o.Plugins {
		plugins[name] = p
	}
	for _, name := range []string{"dialog-policy", "frame-filter"} {
		p := plugins[name]
		p.Limits.HookTimeout = 20 * time.Second
		plugins[name] = p
	}
	o.Plugins = plugins
	return o
}

// newPoliticalWorld is newWorld with configured plugins that have all the time they need.
func newPoliticalWorld(t *testing.T, ho host.Options, pages map[string]string, o host.TaskOptions) *world {
	t.Helper()
	t.Parallel()
	return newWorldOn(t, common.Address(t), patient(ho), pages, o)
}

func TestEveryTaskHasItsOwnPolicy(t *testing.T) {
	w := newPoliticalWorld(t, host.Options{}, nil, host.TaskOptions{DialogPolicy: "auto_accept"})
	const script = "report('%', [alert('a') === undefined, confirm('c'), prompt('p', 'the default')])"
	for _, tc := range []struct {
		policy, page, action, rule string
	}{
		{"auto_accept", `[true,true,"the default"]`, "accept", "policy auto_accept"},
		{"auto_dismiss", `[true,false,null]`, "dismiss", "policy auto_dismiss"},
	} {
		t.Run(tc.policy, func(t *testing.T) {
			w := w.in(t)
			if tc.policy != "auto_accept" {
				w.Task = attach(t, w.host, w.address, host.TaskOptions{Scope: host.ScopeContext, DialogPolicy: tc.policy})
			}
			w.open("/empty")
			// The script does not even notice, as nobody has to answer.
			w.evaluate(strings.Replace(script, "%", tc.policy, 1))
			want(t, "the page", w.reported(tc.policy), tc.page)
			for _, d := range w.closed(3) {
				want(t, "closed by", d.ClosedBy, "auto_policy")
				want(t, "action", d.Action, host.DialogAction(tc.action))
				want(t, "rule", d.DecidedBy.Rule, tc.rule)
				want(t, "module", d.DecidedBy.Module, "dialog-policy")
				want(t, "hash", d.DecidedBy.SHA256, w.pluginInfo("dialog-policy").SHA256)
				want(t, "accepted", d.Accepted, tc.policy == "auto_accept")
			}
		})
	}
}

func TestTwoTasksWithOppositePoliciesAtTheSameTime(t *testing.T) {
	w := newPoliticalWorld(t, host.Options{}, nil, host.TaskOptions{DialogPolicy: "auto_accept"})
	other := w.in(t)
	other.Task = attachAs(t, w.host, t.Name()+" other", w.address, host.TaskOptions{Scope: host.ScopeContext, DialogPolicy: "auto_dismiss"})
	w.open("/empty")
	other.open("/empty")
	const script = "for (let i = 0; i < 25; i++) { if (confirm(i) !== %) report('wrong', i) } report('done %', 1)"
	w.start(strings.ReplaceAll(script, "%", "true"))
	other.start(strings.ReplaceAll(script, "%", "false"))
	w.reported("done true")
	w.reported("done false")
	if w.hasReported("wrong") {
		t.Error("a dialog got the other task's answer")
	}
}

func TestMustRespondHoldsForItsOwnTimeout(t *testing.T) {
	w := newPoliticalWorld(t, host.Options{}, nil, host.TaskOptions{})
	w.open("/empty")
	w.start("report('said', confirm('?'))")
	d := w.dialog()
	want(t, "rule", d.DecidedBy.Rule, "policy must_respond")
	want(t, "fault", d.DecidedBy.Fault, "")
	want(t, "timeout", d.Deadline.Sub(d.OpenedAt.Time), 300*time.Second)
	w.answer(host.DialogResponse{Accept: true})
	want(t, "the page", w.reported("said"), "true")
}

func TestTheTimeoutOfTheModulesConfiguration(t *testing.T) {
	w := newPoliticalWorld(t, host.Options{Plugins: map[string]host.PluginOptions{
		"dialog-policy": {Config: map[string]any{"dialog_timeout_s": 0.2}},
	}}, nil, host.TaskOptions{})
	w.open("/empty")
	w.start("report('said', confirm('?'))")
	want(t, "the page", w.reported("said"), "false")
	d := w.closed(1)[0]
	want(t, "closed by", d.ClosedBy, "watchdog")
	want(t, "timeout", d.Deadline.Sub(d.OpenedAt.Time), 200*time.Millisecond)
}

func TestTheRulesOfATaskComeFirst(t *testing.T) {
	rule := func(pairs ...any) map[string]any {
		m := map[string]any{}
		for i := 0; i < len(pairs); i += 2 {
			m[pairs[i].(string)] = pairs[i+1]
		}
		return m
	}
	w := newPoliticalWorld(t, host.Options{Plugins: map[string]host.PluginOptions{
		"dialog-policy": {Config: map[string]any{"policy": "auto_dismiss", "rules": []any{
			rule("message", "both*", "verdict", "dismiss"),
			rule("message", "module*", "verdict", "accept"),
		}}},
	}}, map[string]string{"/page": `<iframe src="{{127.0.0.1}}/frame"></iframe>`, "/frame": `<script>onmessage = () => report('oopif', confirm('plain'))</script>`},
		host.TaskOptions{PluginConfig: map[string]map[string]any{"dialog-policy": {"rules": []any{
			rule("message", "both*", "verdict", "accept"),
			rule("type", "prompt", "verdict", "accept", "text", "of the rule"),
			rule("frame", "oopif", "origin", "http://127.0.0.1:*", "verdict", "hold"),
		}}}})
	w.open("/page")
	for _, tc := range []struct{ name, script, page, rule string }{
		{"a rule of the task", "confirm('both have one')", "true", "task rules[0]"},
		{"a rule of the task with a text", "prompt('?', 'x')", `"of the rule"`, "task rules[1]"},
		{"a rule of the module", "confirm('module has one')", "true", "rules[1]"},
		{"the module's policy", "confirm('plain')", "false", "policy auto_dismiss"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := w.in(t)
			want(t, "the page", w.evaluate(tc.script), tc.page)
			recent := w.quiet().RecentDialogs
			want(t, "rule", recent[len(recent)-1].DecidedBy.Rule, tc.rule)
		})
	}
	w.start("frames[0].postMessage(1, '*')")
	want(t, "rule for the frame", w.dialog().DecidedBy.Rule, "task rules[2]")
	w.answer(host.DialogResponse{Accept: true})
	want(t, "the frame", w.reported("oopif"), "true")
}

func TestPoliciesAnswerBeforeunload(t *testing.T) {
	for _, tc := range []struct {
		policy string
		err    error
		path   string
	}{
		{"auto_accept", nil, "/empty"},
		{"auto_dismiss", host.ErrNavigate, "/guarded"},
	} {
		t.Run(tc.policy, func(t *testing.T) {
			w := newPoliticalWorld(t, host.Options{}, map[string]string{"/guarded": guarded}, host.TaskOptions{DialogPolicy: tc.policy})
			w.openGuarded()
			err := commit(w.ctx, w.Tab(""), w.url("localhost", "/empty"))
			wantError(t, err, tc.err)
			if tc.err != nil && (err == nil || !strings.Contains(err.Error(), "net::ERR_ABORTED")) {
				t.Errorf("the navigation: got %v, want net::ERR_ABORTED", err)
			}
			d := w.closed(1)[0]
			want(t, "type", d.Type, "beforeunload")
			want(t, "closed by", d.ClosedBy, "auto_policy")
			want(t, "address", w.evaluate("location.pathname"), `"`+tc.path+`"`)
		})
	}
}

func TestPoliciesInTheTrap(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ policy, closedBy string }{
		{"auto_dismiss", "auto_policy"},
		{"auto_accept", "remote"}, // it could only be dismissed
	} {
		t.Run(tc.policy, func(t *testing.T) {
			t.Parallel()
			address, process := shared.Own(t)
			w := newWorldOn(t, address, patient(host.Options{}), trapPages, host.TaskOptions{
				PluginConfig: map[string]map[string]any{"dialog-policy": {"rules": []any{
					map[string]any{"message": "still usable?", "verdict": "hold"},
				}}}, DialogPolicy: tc.policy,
			})
			w.open("/three-times")
			w.start("location = '/two'")
			want(t, "the page", w.reported("said"), "[false,false,null]")
			for _, d := range w.closed(3) {
				want(t, "closed by", d.ClosedBy, host.ClosedBy(tc.closedBy))
				want(t, "accepted", d.Accepted, false)
			}
			w.arrived(process)
		})
	}
}

// pluginInfo describes a module of the host.
func (w *world) pluginInfo(name string) host.PluginInfo {
	w.t.Helper()
	for _, p := range w.host.Plugins() {
		if p.Name == name {
			return p
		}
	}
	w.t.Fatalf("no plugin %s", name)
	return host.PluginInfo{}
}
