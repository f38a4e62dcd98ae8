package lifecycle

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/manifest"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
)

func grants(hooks ...abi.Hook) func(*Spec) { return func(s *Spec) { s.Hooks = hooks } }

func ignoring(s *Spec) { s.IgnoreExtraHooks = true }

func wantRefusal(t *testing.T, err error, step plugin.Step, words ...string) {
	t.Helper()
	load := refusedAt(t, err)
	if load.Step != step {
		t.Errorf("refused at %s, want %s: %v", load.Step, step, err)
	}
	for _, word := range words {
		if !strings.Contains(load.Detail, word) {
			t.Errorf("the reason does not say %q: %s", word, load.Detail)
		}
	}
}

func TestAModuleServesOnlyWhatIsGranted(t *testing.T) {
	w := newWorld(t)
	all := fixture(t, "abstain") // serves every hook
	for name, configure := range map[string][]func(*Spec){
		"nothing is granted": {grants()}, "nothing of it is": {grants(abi.HookFrames), ignoring}, "some of it is": {grants(abi.HookDialog)},
	} {
		wasm := all
		if name == "nothing of it is" {
			wasm = fixture(t, "dialog_only")
		}
		s := w.spec(wasm, configure...)
		if _, err := w.Add(ctx0, "guard", s, "start"); err == nil {
			t.Errorf("%s, and the module serves", name)
		} else {
			wantRefusal(t, err, plugin.StepHooks, "plugins.guard.hooks", "dialog")
		}
	}
	_, err := w.Add(ctx0, "guard", w.spec(all, grants()), "start")
	wantRefusal(t, err, plugin.StepHooks, "hooks: [dialog, dialog-closed, frames, bridge, navigate, request, tool, before-tool, after-tool, console, snapshot, download, upload]")
	w.add("guard", all, grants(abi.HookDialog, abi.HookFrames), ignoring)
	if got := w.plugin("guard").Hooks; !slices.Equal(got, []abi.Hook{abi.HookDialog, abi.HookFrames}) {
		t.Errorf("it serves %v", got)
	}
	for _, hook := range abi.Hooks() {
		if want := hook == abi.HookDialog || hook == abi.HookFrames; w.Serves(hook) != want {
			t.Errorf("%s is served: %v", hook, !want)
		}
	}
}

func TestASwapIsBoundByTheGrants(t *testing.T) {
	w := newWorld(t)
	w.add("guard", fixture(t, "dialog_only"), grants(abi.HookDialog))
	_, err := w.Swap(ctx0, "guard", Change{Source: Source{Wasm: fixture(t, "abstain")}})
	wantRefusal(t, err, plugin.StepHooks, "plugins.guard.hooks", "grants only dialog", "extra_hooks: ignore")
	_, err = w.Shadow(ctx0, "guard", Change{Source: Source{Wasm: fixture(t, "abstain")}, Tasks: []string{"task"}})
	wantRefusal(t, err, plugin.StepHooks)
}

func TestAGuardNeverLeavesQuietly(t *testing.T) {
	w := newWorld(t)
	all, one := fixture(t, "abstain"), fixture(t, "dialog_only")
	w.add("guard", all)
	left := []string{"dialog-closed", "frames", "bridge", "navigate", "request", "tool", "before-tool", "after-tool", "console", "snapshot", "download", "upload", "--drop-hook"}
	refuses := func(way string, err error) {
		t.Helper()
		if err == nil {
			t.Fatalf("%s leaves hooks quietly", way)
		}
		wantRefusal(t, err, plugin.StepHooks, left...)
		if !w.Serves(abi.HookNavigate) {
			t.Fatalf("%s left navigations unserved", way)
		}
	}
	_, err := w.Swap(ctx0, "guard", Change{Source: Source{Wasm: one}})
	refuses("a swap", err)
	_, err = w.Shadow(ctx0, "guard", Change{Source: Source{Wasm: one}, Tasks: []string{"task"}})
	refuses("a candidate", err)
	_, err = w.Configure(ctx0, "guard", w.spec(one), "reload") // which still grants them all
	refuses("a configuration", err)

	if _, err := w.Swap(ctx0, "guard", Change{Source: Source{Wasm: one}, DropHooks: abi.Hooks()}); err != nil {
		t.Fatal(err)
	}
	w.swap("guard", all)
	_, err = w.Rollback(ctx0, "guard", "")
	refuses("a rollback", err)
	if _, err := w.Rollback(ctx0, "guard", "", abi.Hooks()...); err != nil {
		t.Fatal(err)
	}
}

// What a candidate may drop was said of the module that served then.
func TestAPromotionIsHeldAgainstTheModuleOfNow(t *testing.T) {
	w := newWorld(t)
	w.add("guard", fixture(t, "dialog_only"))
	if _, err := w.Shadow(ctx0, "guard", Change{Source: Source{Wasm: fixture(t, "answer")}}); err != nil {
		t.Fatal(err)
	}
	w.swap("guard", fixture(t, "abstain"))
	if _, err := w.Promote(ctx0, "guard", ""); err == nil {
		t.Error("promoting leaves hooks quietly")
	} else {
		wantRefusal(t, err, plugin.StepHooks, "navigate")
	}
}

func TestAnOperatorsConfigurationTakesAHookAwayAloud(t *testing.T) {
	var log bytes.Buffer
	w := newWorld(t, func(o *Options) { o.Logger = slog.New(slog.NewTextHandler(&log, nil)) })
	w.add("guard", fixture(t, "abstain"))
	w.add("other", fixture(t, "frames"))
	w.reconfigure("guard", func(s *Spec) { s.Source.Wasm, s.Hooks = fixture(t, "dialog_only"), []abi.Hook{abi.HookDialog} })
	if got := log.String(); !strings.Contains(got, "level=ERROR") || !strings.Contains(got, `hooks="dialog-closed, frames, bridge, navigate, request, tool, before-tool, after-tool, console, snapshot, download, upload"`) ||
		!strings.Contains(got, `on_which_no_plugin_decides="bridge, navigate, request, tool, before-tool, after-tool, console, snapshot, download, upload"`) {
		t.Errorf("the log is %s", got)
	}
	log.Reset()
	if err := w.Remove(ctx0, "guard"); err != nil {
		t.Fatal(err)
	}
	if got := log.String(); !strings.Contains(got, "level=ERROR") || !strings.Contains(got, "on_which_no_plugin_decides=dialog") {
		t.Errorf("the log is %s", got)
	}
}

// The host goes back to a module with less, and decides on the rest: not no one, and not the next plugin.
func TestWhatAnEarlierModuleLeavesIsTheHostsToDecide(t *testing.T) {
	w := newWorld(t)
	w.add("policy", stamped(t, "answer", "stamp--A"))
	w.swap("policy", fixture(t, "trap_later")) // serves frames, too
	for w.plugin("policy").Serving.Trigger != triggerFaults {
		w.dialog("task")
		select {
		case <-w.changed:
		default:
		}
	}
	w.wantSays("stamp--A")
	if got := w.plugin("policy"); got.State != StateServing || !strings.Contains(got.Outage, "on frames") {
		t.Errorf("the plugin is %+v", got)
	}
	e := abi.FramesEvent{}
	if out := w.Ask(ctx0, Question{Hook: abi.HookFrames, Header: &e.Header, Encode: e.Append}); out.Decided || !strings.Contains(out.Fault, "out of service") {
		t.Errorf("asked about frames: %+v", out)
	}
	_, err := w.Swap(ctx0, "policy", Change{Source: Source{Wasm: stamped(t, "answer", "stamp--B")}})
	wantRefusal(t, err, plugin.StepHooks, "frames")
}

// An operator learns at once that a module will be denied what it needs, rather than from its first faulty decision.
func TestAModuleThatIsNotGrantedWhatItAsksForIsReported(t *testing.T) {
	w := newWorld(t)
	w.add("guard", fixture(t, "dialog_only"), func(s *Spec) { s.Capabilities = []abi.Capability{abi.CapabilityKV} })
	if g := w.swap("guard", readsPages(t)); !strings.Contains(g.Ungranted, "its manifest asks for page, which is not granted") {
		t.Errorf("the remark is %q", g.Ungranted)
	}
	if g := w.swap("guard", fixture(t, "dialog_only")); g.Ungranted != "" {
		t.Errorf("the remark on a module that asks for nothing is %q", g.Ungranted)
	}
}

func TestNewPowersAreNamed(t *testing.T) {
	w := newWorld(t)
	if g := w.add("guard", fixture(t, "dialog_only")); g.NewPowers != nil {
		t.Errorf("a configured plugin gains %v", g.NewPowers)
	}
	if g := w.swap("guard", fixture(t, "abstain")); !slices.Equal(g.NewPowers, []string{"bridge", "navigate", "request", "tools", "console", "readings", "files"}) {
		t.Errorf("it gains %v", g.NewPowers)
	}
	if g := w.swap("guard", fixture(t, "abstain")); g.NewPowers != nil {
		t.Errorf("what it had is new: %v", g.NewPowers)
	}
	if g := w.swap("guard", readsPages(t)); !slices.Equal(g.NewPowers, []string{"page"}) {
		t.Errorf("a module whose tools read pages gains %v", g.NewPowers)
	}
	if g := w.swap("guard", readsPages(t)); g.NewPowers != nil {
		t.Errorf("reading pages is new again: %v", g.NewPowers)
	}
}

// What a module asks for is no power: what it is granted is, and a grant that comes later is as new as a module.
func TestPagesAreReadByGrantOnly(t *testing.T) {
	w := newWorld(t)
	ungranted := func(s *Spec) { s.Capabilities = []abi.Capability{abi.CapabilityKV} }
	w.add("guard", fixture(t, "abstain"), ungranted)
	if g := w.swap("guard", readsPages(t)); g.NewPowers != nil {
		t.Errorf("without the grant it gains %v", g.NewPowers)
	}
	g, err := w.Configure(ctx0, "guard", w.spec(readsPages(t)), "reload")
	if err != nil || !slices.Equal(g.NewPowers, []string{"page"}) {
		t.Errorf("with the grant it gains %v, %v", g.NewPowers, err)
	}
}

// readsPages is a module that serves every hook and has a tool whose script reads pages.
func readsPages(t *testing.T) []byte {
	t.Helper()
	m := &abi.Manifest{
		Name: "m", Version: "1.0.0", Capabilities: []string{string(abi.CapabilityPage)},
		Tools: []abi.ManifestTool{{Name: "title", Description: "Reads the title.", PageScript: "() => document.title"}},
	}
	for _, hook := range abi.Hooks() {
		m.Hooks = append(m.Hooks, string(hook))
	}
	wasm, err := manifest.Write(fixture(t, "abstain"), m)
	if err != nil {
		t.Fatal(err)
	}
	return wasm
}

// How dialogs ended is what a policy may go by the next time: a module that ceases to be told of it does so aloud. It
// decides nothing, so a module that the host goes back to is no worse for not being told.
func TestAModuleThatIsNoLongerToldHowDialogsEndedSaysSo(t *testing.T) {
	var log bytes.Buffer
	w := newWorld(t, func(o *Options) { o.Logger = slog.New(slog.NewTextHandler(&log, nil)) })
	w.add("memory", fixture(t, "abstain"), grants(abi.HookDialog, abi.HookDialogClosed), ignoring)
	change := Change{Source: Source{Wasm: fixture(t, "dialog_only")}}
	_, err := w.Swap(ctx0, "memory", change)
	wantRefusal(t, err, plugin.StepHooks, "it does not serve dialog-closed, which the plugin serves now", "--drop-hook")
	log.Reset()
	change.DropHooks = []abi.Hook{abi.HookDialogClosed}
	if _, err := w.Swap(ctx0, "memory", change); err != nil {
		t.Fatal(err)
	}
	if got := log.String(); !strings.Contains(got, `level=WARN msg="a plugin no longer serves every hook that it did" plugin=memory hooks=dialog-closed`) {
		t.Errorf("the log is %s", got)
	}
	if w.Serves(abi.HookDialogClosed) {
		t.Error("it is still told")
	}
}

func TestGoingBackToAModuleThatIsNotToldHowDialogsEndedIsNoOutage(t *testing.T) {
	faulty, err := os.ReadFile(filepath.Join("..", "..", "e2e", "testdata", "trap_later.wasm")) // which is told, too
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t)
	w.add("policy", stamped(t, "answer", "stamp--A"), grants(abi.HookDialog, abi.HookDialogClosed), ignoring)
	<-w.changed
	w.swap("policy", faulty)
	<-w.changed
	w.fails(3)
	<-w.changed
	w.wantSays("stamp--A")
	if p := w.plugin("policy"); p.Outage != "" || w.Serves(abi.HookDialogClosed) {
		t.Errorf("the plugin is %+v", p)
	}
}
