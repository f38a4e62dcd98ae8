package page

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/performance"
)

//go:embed testdata/changing.js
var changing string

// value evaluates an expression in the page.
func (c *chromium) value(expression string) string {
	c.t.Helper()
	var r struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
		Thrown json.RawMessage `json:"exceptionDetails"`
	}
	if err := c.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}, &r); err != nil || r.Thrown != nil {
		c.t.Fatalf("%s: %v %s", expression, err, r.Thrown)
	}
	return string(r.Result.Value)
}

// rowsOf are the elements of a document, one in a line, with or without their numbers.
func rowsOf(d *document, numbered bool) []string {
	rows := []string{fmt.Sprintf("%q %v %v", d.title, d.scrollX, d.scrollY)}
	for i := range d.nodes {
		e := d.nodes[i]
		if e.states = slices.Clone(e.states); !numbered {
			e.id = min(e.id, 1)
		}
		rows = append(rows, fmt.Sprintf("%+v", e))
	}
	return rows
}

// What is listed of a document by its changes is what it has: pages of random elements are changed at random, and each
// list is compared with one that a walker makes that knows nothing of the page yet.
func TestTheChangesOfADocumentMakeTheListOfAllOfIt(t *testing.T) {
	c := newChromium(t)
	walk := func(d Reader) (*document, error) {
		w := walking{driver: d, frame: c.tab, alone: func() bool { return true }}
		return w.walk(t.Context())
	}
	listeners := func() float64 {
		var r performance.GetMetricsResult
		if err := c.call(performance.CommandGetMetrics, nil, &r); err != nil {
			t.Fatal(err)
		}
		return countsOf(r.Metrics).listeners
	}
	if err := c.call(performance.CommandEnable, nil, nil); err != nil {
		t.Fatal(err)
	}
	whole, again, unasked := 0, 0, 0
	for seed := range 8 {
		c.load("<body></body>")
		c.value(fmt.Sprintf("(%s)(%d)", changing, seed))
		d, err := walk(c)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		last, had := d.list, listeners()
		for step := range 25 {
			what := c.value("change()")
			w := walking{driver: c, frame: c.tab, last: last, sameListeners: listeners() == had}
			list, err := w.again(t.Context())
			if err != nil {
				t.Fatalf("seed %d, step %d, %s: %v", seed, step, what, err)
			}
			had = listeners()
			if list == nil {
				whole++
				if d, err = walk(c); err != nil {
					break // a page that scripts cannot read
				}
				last = d.list
				continue
			}
			if again++; !w.objects {
				unasked++
			}
			last = list
			anew := *c.corpusTab
			anew.worlds, anew.name = map[cdproto.FrameID]int{}, fmt.Sprint(step)
			fresh, err := walk(&anew)
			if err != nil {
				t.Fatal(err)
			}
			if d := difference(rowsOf(fresh, false), rowsOf(list.document(), false)); d != "" {
				t.Fatalf("seed %d, step %d: after %s the list differs from a new one:\n%s", seed, step, what, d)
			}
		}
		d, err = walk(c)
		if err != nil {
			continue
		}
		numbers := func(d *document) map[cdproto.BackendNodeID]string {
			out := map[cdproto.BackendNodeID]string{}
			for i := range d.nodes {
				out[d.nodes[i].id] += d.nodes[i].role
			}
			return out
		}
		if !maps.Equal(numbers(d), numbers(last.document())) {
			t.Errorf("seed %d: elements have changed their numbers", seed)
		}
	}
	t.Logf("%d lists were made from changes, %d of them without asking what listens for clicks, and %d of all of the document", again, unasked, whole)
	if again < whole {
		t.Errorf("only %d of %d lists were made from changes", again, again+whole)
	}
	if unasked == 0 {
		t.Error("each time it was asked what listens for clicks")
	}
}

// There may be as many listeners as before, and others: where elements were added, or have other attributes, it is
// asked again what listens.
func TestOtherListenersAreFoundWhereElementsHaveChanged(t *testing.T) {
	c := newChromium(t)
	for change, asks := range map[string]bool{
		"b.className = 'on'; b.addEventListener('click', () => 0)":                                  true,
		"b.replaceChildren(document.createElement('i')); b.addEventListener('click', () => 0)":      true,
		"b.after(Object.assign(document.createElement('p'), {textContent: 'c', onclick: () => 0}))": true,
		"b.firstChild.data = 'other'": false,
	} {
		c.load("<title>t</title><main><p id=a>a</p><p id=b>b</p></main>" + strings.Repeat("<p>more</p>", 100))
		first := walking{driver: c, frame: c.tab, alone: func() bool { return true }}
		d, err := first.walk(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		c.value(change + "; 0")
		w := walking{driver: c, frame: c.tab, last: d.list, sameListeners: true}
		list, err := w.again(t.Context())
		if err != nil || w.objects != asks {
			t.Errorf("after %s: asked %t, want %t (%v)", change, w.objects, asks, err)
		}
		if !asks && (list == nil || !slices.Contains(list.Strings, "other")) {
			t.Errorf("after %s the change is not listed: %+v", change, list)
		}
	}
}

// A renderer may say anything: parts that are not of the list are refused.
func TestPartsThatAreNotOfAListAreRefused(t *testing.T) {
	row := make(numbers, fieldsWalked)
	last := &walked{Strings: []string{"", "a"}, Nodes: slices.Concat(row, row, row)}
	with := func(head ...int32) *walked {
		return last.with(&walked{Strings: []string{"b"}, Nodes: slices.Concat(head, row)})
	}
	if w := with(1, 1, 1); w == nil || len(w.Nodes) != 3*fieldsWalked || w.text(2) != "b" {
		t.Errorf("a part of the list was not replaced: %+v", w)
	}
	if w := with(3, 0, 1); w == nil || len(w.Nodes) != 4*fieldsWalked {
		t.Errorf("nothing was added at the end: %+v", w)
	}
	for _, head := range [][]int32{{}, {1}, {-1, 1, 1}, {2, 2, 1}, {4, 0, 1}, {1, -1, 1}, {0, 1, 2}, {0, 1, -1}, {1 << 30, 1 << 30, 1}, {0, 0, 1 << 30}} {
		if w := with(head...); w != nil {
			t.Errorf("%v was taken for a part", head)
		}
	}
	twice := slices.Concat(numbers{1, 1, 1}, row, numbers{0, 1, 1}, row)
	if w := last.with(&walked{Nodes: twice}); w != nil {
		t.Error("parts out of order were taken")
	}
}
