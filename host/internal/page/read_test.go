package page

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/host/internal/page/geometry"
)

func TestAPageIsWrittenAsAssistiveTechnologySeesIt(t *testing.T) {
	refs := NewRefs()
	tree := play(t, "shop").read(t, refs)
	golden(t, "shop", write(t, tree, refs, View{}).Text)
	golden(t, "shop-full", write(t, tree, refs, View{Full: true, Budget: 40000}).Text)
	golden(t, "shop-small", write(t, tree, refs, View{Budget: 1200}).Text)
	golden(t, "shop-small-page-1", write(t, tree, refs, View{Budget: 1200, Page: 1}).Text)
	i := slices.IndexFunc(tree.nodes, func(n *Node) bool { return n.Role == "table" })
	golden(t, "shop-table", write(t, tree, refs, View{Scope: tree.nodes[i]}).Text)
	if text := write(t, tree, refs, View{Full: true, Budget: 40000}).Text; strings.Contains(text, "hunter2") || strings.Contains(text, "abc") {
		t.Errorf("a secret is shown:\n%s", text)
	}
}

func TestFramesAreMergedAtTheirElements(t *testing.T) {
	p := play(t, "frames")
	refs := NewRefs()
	golden(t, "frames", write(t, p.read(t, refs), refs, View{}).Text)
	p.Replies = without(p.Replies, "DOM.getFrameOwner FRAMEB", "Accessibility.getFullAXTree FRAMED", "DOMSnapshot.captureSnapshot FRAMEA")
	golden(t, "frames-partly", write(t, p.read(t, refs), refs, View{}).Text)
}

func TestTheSameElementKeepsItsRef(t *testing.T) {
	p := play(t, "shop")
	refs := NewRefs()
	first := write(t, p.read(t, refs), refs, View{}).Text
	if again := write(t, p.read(t, refs), refs, View{}).Text; again != first {
		t.Errorf("the second reading is\n%s\nafter\n%s", again, first)
	}
	p.Tab[0].Document = "ANOTHER"
	if again := write(t, p.read(t, refs), refs, View{}).Text; strings.Contains(again, "@e1 ") || strings.Contains(again, "@e1\n") {
		t.Errorf("another document has a ref of the one before:\n%s", again)
	}
	if _, known := refs.Find(1); known != RefGone {
		t.Errorf("a ref of the document before is %v", known)
	}
}

// A main thread that does not answer is given a fixed time, in parallel with the others.
func TestASilentFrameIsNoted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := play(t, "frames")
		refs := NewRefs()
		p.read(t, refs)
		one := slices.IndexFunc(p.Tab, func(f Frame) bool { return f.OOPIF })
		p.silent[p.Tab[one].Session] = true
		start := time.Now()
		tree := p.read(t, refs)
		if took := time.Since(start); took != probeTimeout {
			t.Errorf("the reading took %v", took)
		}
		golden(t, "frames-silent", write(t, tree, refs, View{}).Text)
		if len(tree.Notes) != 1 || tree.Notes[0].State != Unresponsive {
			t.Errorf("the notes are %v", tree.Notes)
		}
		start = time.Now()
		if _, err := Read(p, refs, 900*time.Millisecond); err != nil || time.Since(start) != 300*time.Millisecond {
			t.Errorf("with less time the reading took %v: %v", time.Since(start), err)
		}
		p.silent[p.Tab[0].Session] = true
		if tree := p.read(t, refs); tree.Root.Note != Unresponsive {
			t.Error("a page that does not answer is not noted")
		}
	})
}

// fallen is a tab whose main thread of the top frame answers once more, and then no longer.
type fallen struct{ *player }

func (f fallen) RunWithin(ctx context.Context, frame cdproto.FrameID, _ []cdproto.BackendNodeID, _ string, _ []any, _ any) error {
	if ByID(f.Tab)[frame].Session != f.Tab[0].Session {
		return errors.ErrUnsupported
	}
	f.mu.Lock()
	f.silent[f.Tab[0].Session] = true
	f.mu.Unlock()
	<-ctx.Done()
	return ctx.Err()
}

// A main thread that stops answering while it is read uses up its time once, and is noted before the limit.
func TestAPageThatStopsAnsweringWhileItIsReadIsNoted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		tree, err := Read(fallen{play(t, "frames")}, NewRefs(), 8*time.Second)
		if took := time.Since(start); err != nil || tree.Root.Note != Unresponsive || took >= 8*time.Second {
			t.Errorf("after %v the reading is %+v: %v", took, tree, err)
		}
	})
}

func TestWhatEndsTheOperationEndsTheReading(t *testing.T) {
	p := play(t, "frames")
	p.fails = errEnded
	if _, err := Read(p, NewRefs(), 0); !errors.Is(err, errEnded) {
		t.Errorf("the error is %v", err)
	}
	p.fails = errGone
	if tree, err := Read(p, NewRefs(), 0); err != nil || tree.Root.Note != Unreadable {
		t.Errorf("a page that cannot be read: %v, %+v", err, tree)
	}
}

// If a document is replaced during the reading, the new one is read.
func TestADocumentThatIsReplacedMeanwhileIsReadAgain(t *testing.T) {
	p := play(t, "frames")
	p.after = func(p *player) { p.Tab[0].Document = "NEW" }
	tree := p.read(t, NewRefs())
	if p.asked["Accessibility.getFullAXTree FRAMEA"] != 2 || tree.nodes[0].Key.Document != "NEW" {
		t.Errorf("asked %v, the document is %s", p.asked, tree.nodes[0].Key.Document)
	}
}

func TestOnlyChangesAreWritten(t *testing.T) {
	p := play(t, "shop")
	refs := NewRefs()
	before := p.read(t, refs)
	marks := before.Marks()
	tree := p.read(t, refs)
	if w := write(t, tree, refs, View{Change: tree.Compare(marks)}); w.Wanted != 0 || w.Text != "" {
		t.Errorf("nothing changed: %q", w.Text)
	}
	tree = p.read(t, refs)
	i := slices.IndexFunc(tree.nodes, func(n *Node) bool { return n.Name == "Go" })
	tree.nodes[i].States = []string{"disabled"}
	delete(marks[tree.nodes[0].Key.document()], tree.nodes[0].Key.Node)
	golden(t, "shop-changes", write(t, tree, refs, View{Change: tree.Compare(marks)}).Text)
}

func TestImagesAreListed(t *testing.T) {
	images, err := Images(play(t, "shop"), 0)
	if err != nil || len(images) != 1 || images[0].Alt != "A chair" || !strings.HasPrefix(images[0].Src, "data:") {
		t.Errorf("the images are %+v, %v", images, err)
	}
}

func TestAFrameKnowsWhereItBegins(t *testing.T) {
	r := &raw{
		frames:  []Frame{{ID: "A"}, {ID: "B", Parent: "A"}, {ID: "C", Parent: "B"}, {ID: "D", Parent: "C"}},
		owners:  map[cdproto.FrameID]cdproto.BackendNodeID{"B": 1, "C": 2},
		layouts: map[cdproto.FrameID]*layout{"A": {scrollY: 100, boxes: map[cdproto.BackendNodeID]geometry.Rect{1: {X: 10, Y: 300, Width: 50, Height: 50}}}, "B": {boxes: map[cdproto.BackendNodeID]geometry.Rect{2: {X: 1, Y: 2, Width: 5, Height: 5}}}, "C": {scrollX: 3}, "D": {}},
	}
	at := r.origins()
	if _, known := at["D"]; known || at["A"].Y != -100 || at["B"].X != 10 || at["B"].Y != 200 || at["C"].X != 8 || at["C"].Y != 202 {
		t.Errorf("the frames begin at %v", at)
	}
}
