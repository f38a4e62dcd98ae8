package e2e

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host"

	"github.com/hermes-cdp/hermes-cdp/host/module"
	"github.com/hermes-cdp/hermes-cdp/plugins/contrary"
)

// editing has a module that edits readings by words in them.
func editing(t *testing.T) host.Options {
	t.Helper()
	path, _ := moduleFile(t, contrary.Snapshot())
	return host.Options{PluginFaults: -1, Plugins: map[string]host.PluginOptions{"editor": {
		PluginSource: host.PluginSource{Path: path}, Hooks: []abi.Hook{abi.HookSnapshot}, Limits: module.Limits{HookTimeout: 20 * time.Second},
	}}}
}

// The lines of a text, without their refs and indentation.
func bare(text string) string {
	var out []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if at := strings.LastIndex(line, " @e"); at >= 0 {
			if end := strings.IndexAny(line[at+1:], ": "); end >= 0 {
				line = line[:at] + line[at+1+end:]
			} else {
				line = line[:at]
			}
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

func TestAPluginEditsWhatReadingsShow(t *testing.T) {
	w := newWorldOn(t, common.Address(t), editing(t), map[string]string{
		"/page": `<title>Shop</title><h1>Card MASK</h1><a href="/secret?MASK">a MASK link</a><input aria-label="MASK code" value="1 MASK">
<ul><li>Tea</li><li aria-label=DROP><button>inside</button></li></ul><section aria-label="DROP all"><ul><li>one<li>two</ul></section>
<p>NOTE this</p><button id=last>Last</button><iframe src="{{127.0.0.1}}/frame"></iframe>`,
		"/frame": `<button>NOTE framed</button><button>DROP framed</button>`,
	}, host.TaskOptions{})
	w.open("/page")
	r := w.readUntil(host.ReadOptions{}, "NOTE framed")
	origin, frame := w.site.URL("localhost", ""), w.site.URL("127.0.0.1", "")
	got := bare(r.Text)
	for _, line := range []string{
		"- heading Card [masked] [level=1]", "- link a [masked] link", "- textbox [masked] code: 1 [masked]", "- listitem: Tea", "- button Last",
		"of " + origin + " in " + frame, "withheld: ", "by the plugin editor",
	} {
		if !strings.Contains(strings.ReplaceAll(got, `"`, ""), line) {
			t.Errorf("the reading has no %q", line)
		}
	}
	for _, text := range []string{"MASK", "DROP", "inside", "one", "two"} {
		if strings.Contains(got, text) {
			t.Errorf("the reading has %q", text)
		}
	}
	if t.Failed() {
		t.Logf("the reading is\n%s", r.Text)
	}
}

// The browser quotes the value of a field that it does not accept.
func TestTheBrowsersWordsOnWhatAPluginHasEditedAreNotShown(t *testing.T) {
	w := newWorldOn(t, common.Address(t), editing(t), map[string]string{
		"/page": `<h1>Join</h1><input type=email aria-label="MASK mail" id=masked><input type=email aria-label="DROP mail" id=dropped><input type=email aria-label=Mail id=open>`,
	}, host.TaskOptions{})
	w.open("/page")
	w.readUntil(host.ReadOptions{}, "Join")
	for field, want := range map[string]string{
		"#masked": `textbox "[masked] mail"`, "#dropped": "a field is not accepted", "#open": `"Please include an '@' in the email address. 'said-open' is missing an '@'."`,
	} {
		if _, err := w.Tab("").Type(w.ctx, host.BySelector(field), "said-"+field[1:], nil); err != nil {
			t.Fatal(err)
		}
		o, err := w.Tab("").Observe(w.ctx)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(o.Text, want) || strings.Contains(o.Text, "said-masked' is") || strings.Contains(o.Text, "said-dropped") {
			t.Errorf("after typing into %s it says\n%s", field, o.Text)
		}
	}
}

// What looks for elements in a reading looks in what is left of it.
func TestWhatAPluginDropsIsNotFound(t *testing.T) {
	w := newWorldOn(t, common.Address(t), editing(t), map[string]string{"/page": `<h1>Shop</h1><button id=b>Offer</button>`}, host.TaskOptions{})
	w.open("/page")
	w.readUntil(host.ReadOptions{}, `"Offer"`)
	w.evaluate(`b.textContent = "DROP"`)
	if r := w.read(host.ReadOptions{}); strings.Contains(r.Text, "DROP") || !strings.Contains(r.Text, "withheld: 1 element") {
		t.Errorf("the reading is\n%s", r.Text)
	}
	if r := w.read(host.ReadOptions{Find: &host.Find{Text: "DROP"}}); r.Found != 0 || strings.Contains(r.Text, "DROP") {
		t.Errorf("%d found:\n%s", r.Found, r.Text)
	}
	ctx, cancel := context.WithTimeout(w.ctx, 2*time.Second)
	defer cancel()
	if out, err := w.Tab("").Click(ctx, host.ByRole("button", "DROP"), nil); !errors.Is(err, host.ErrNoElement) {
		t.Errorf("by its role: %+v, %v", out, err)
	}
	if _, err := w.Tab("").Read(w.ctx, &host.ReadOptions{Selector: "#b"}); !errors.Is(err, host.ErrNoElement) {
		t.Errorf("what is below it: %v", err)
	}
}

// A page that does not change is asked about once, and again when other modules decide.
func TestAReadingIsEditedAgainWhenTheModulesChange(t *testing.T) {
	var asked atomic.Int64
	w := newWorldOn(t, common.Address(t), host.Options{Policies: []host.Policy{{
		Name: "counter", Timeout: 20 * time.Second,
		Snapshot: func(context.Context, *abi.SnapshotEvent) (*abi.SnapshotVerdict, error) {
			asked.Add(1)
			return nil, nil
		},
	}}}, map[string]string{"/page": `<h1>a MASK</h1><button>Go</button>`}, host.TaskOptions{})
	w.open("/page")
	w.readUntil(host.ReadOptions{}, "a MASK")
	before := asked.Load()
	last := w.read(host.ReadOptions{})
	if n := asked.Load() - before; n != 0 || before == 0 {
		t.Errorf("a page that did not change was asked about %d times, after %d", n, before)
	}
	for _, c := range []struct {
		change func() error
		text   string
	}{
		{func() error {
			_, err := w.host.AddPlugin(w.ctx, "editor", editing(t).Plugins["editor"])
			return err
		}, "a [masked]"},
		{func() error { return w.host.RemovePlugin(w.ctx, "editor") }, "a MASK"},
	} {
		if err := c.change(); err != nil {
			t.Fatal(err)
		}
		if r := w.read(host.ReadOptions{Since: last.Token}); !strings.Contains(r.Text, `"`+c.text+`"`) {
			t.Errorf("want %q; the changes are\n%s", c.text, r.Text)
		}
		last = w.read(host.ReadOptions{})
	}
}

// While a dialog holds the page, its last reading is shown only if it is edited as it would be now.
func TestWhatWasReadBeforeAModuleCameIsNotShownAfterIt(t *testing.T) {
	w := newWorldOn(t, common.Address(t), host.Options{}, map[string]string{"/page": `<h1>a MASK</h1>`}, host.TaskOptions{})
	w.open("/page")
	w.readUntil(host.ReadOptions{}, "a MASK")
	w.start(`alert("hold")`)
	w.pending(1)
	if r := w.read(host.ReadOptions{}); !r.Stale || !strings.Contains(r.Text, "a MASK") {
		t.Errorf("before: %s", r.Text)
	}
	if _, err := w.host.AddPlugin(w.ctx, "editor", editing(t).Plugins["editor"]); err != nil {
		t.Fatal(err)
	}
	if r := w.read(host.ReadOptions{}); !r.Stale || strings.Contains(r.Text, "MASK") {
		t.Errorf("after: %s", r.Text)
	}
}

func TestAReadingThatNoModuleCouldEditIsWithheldUnlessTheOperatorSaysOtherwise(t *testing.T) {
	for _, word := range []string{"FAIL", "TRAP", "BEYOND"} {
		for _, open := range []bool{false, true} {
			o := editing(t)
			o.SnapshotFailOpen = open
			w := newWorldOn(t, common.Address(t), o, map[string]string{"/page": `<h1>Shop</h1><button>` + word + `</button>`}, host.TaskOptions{})
			w.open("/page")
			r := w.read(host.ReadOptions{})
			shown, said := strings.Contains(r.Text, "Shop") && strings.Contains(r.Text, word+`" @`), strings.Contains(r.Text, "because a plugin could not decide on them: ")
			if shown != open || said == open {
				t.Errorf("%s, open %t: the reading is\n%s", word, open, r.Text)
			}
		}
	}
}

// What a module could not decide on it is asked about again, though the page has not changed.
func TestAFailureToEditAReadingIsOver(t *testing.T) {
	for _, open := range []bool{false, true} {
		var fails atomic.Bool
		fails.Store(true)
		w := newWorldOn(t, common.Address(t), host.Options{SnapshotFailOpen: open, Policies: []host.Policy{{
			Name: "editor", Timeout: 20 * time.Second,
			Snapshot: func(_ context.Context, e *abi.SnapshotEvent) (*abi.SnapshotVerdict, error) {
				if fails.Load() {
					return nil, errors.New("not now")
				}
				return &abi.SnapshotVerdict{Edits: []abi.SnapshotEdit{{Action: abi.SnapshotActionMask, Name: "masked"}}}, nil
			},
		}}}, map[string]string{"/page": `<h1>Shop</h1><button>Go</button>`}, host.TaskOptions{})
		w.open("/page")
		if r := w.read(host.ReadOptions{}); strings.Contains(r.Text, "Shop") != open {
			t.Errorf("open %t, at first:\n%s", open, r.Text)
		}
		fails.Store(false)
		if r := w.read(host.ReadOptions{}); !strings.Contains(r.Text, `"masked"`) || !strings.Contains(r.Text, `"Go"`) {
			t.Errorf("open %t, then:\n%s", open, r.Text)
		}
	}
}

// A page with more than an event can have is asked about in parts, all of which are edited.
func TestALargeReadingIsEditedInParts(t *testing.T) {
	w := newWorldOn(t, common.Address(t), editing(t), map[string]string{
		"/page": `<h1>Shop</h1><script>
for (let i = 0; i < 6000; i++) document.body.insertAdjacentHTML("beforeend", i % 1000 ? "<a href=/x>the link with number " + i + "</a>" : "<button>NOTE " + i + "</button><button>MASK " + i + "</button>");
</script>`,
	}, host.TaskOptions{})
	w.open("/page")
	r := w.read(host.ReadOptions{Full: true, Budget: host.MaxReadBudget})
	if strings.Contains(r.Text, "MASK") || strings.Count(r.Text, "[masked]") != 6 || strings.Count(r.Text, "(note: is button") != 6 || !strings.Contains(r.Text, "the link with number 5999") {
		t.Errorf("%d masked and %d with notes", strings.Count(r.Text, "[masked]"), strings.Count(r.Text, "(note: is button"))
	}
	if !strings.Contains(r.Text, "note: is button 5006 of") {
		t.Error("the nodes of later parts do not count those before")
	}
}
