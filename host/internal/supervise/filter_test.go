package supervise_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

func (s *script) filtered() (ids []cdproto.FrameID, t supervise.Target) {
	s.t.Helper()
	v, _ := s.state.View("task")
	if len(v.Targets) == 0 {
		s.t.Fatal("no tab")
	}
	for _, f := range v.Targets[0].Filtered {
		ids = append(ids, f.ID)
	}
	return ids, v.Targets[0]
}

// lastFramesAsk is the newest call of the frames hook since the last look.
func (s *script) lastFramesAsk() supervise.AskFrames {
	s.t.Helper()
	asks := effectsOf[supervise.AskFrames](s)
	if len(asks) == 0 {
		s.t.Fatal("no plugin was asked about the frames")
	}
	return asks[len(asks)-1]
}

func TestAFrameFilterThatNeverAnswersIsReplacedByTheFallback(t *testing.T) {
	s := withLocalFrame(t).settle()
	ask := s.lastFramesAsk()
	s.pass(5 * time.Second)
	if ids, shown := s.filtered(); len(ids) != 3 || shown.FilteredBy.Fault == "" {
		t.Fatalf("filtered: %v by %+v", ids, shown.FilteredBy)
	}
	s.on(supervise.FramesVerdict{Token: ask.Token, Verdict: abi.FramesVerdict{Kept: []uint32{0}}})
	if ids, _ := s.filtered(); len(ids) != 3 {
		t.Fatalf("the late verdict was taken: %v", ids)
	}
	s.on(supervise.FrameAttached{Session: "page", Frame: "new", Parent: "tab"}).quiet().settle()
	s.lastFramesAsk()
}

// However many frames a page has, and however it nests them, a view stays within the host's caps.
func TestATreeWithoutItsModuleKeepsWithinTheCaps(t *testing.T) {
	frameID := func(i int) cdproto.FrameID { return cdproto.FrameID(fmt.Sprint("f", i)) }
	for name, c := range map[string]struct {
		frames int
		parent func(i int) cdproto.FrameID
		want   int
	}{
		"nested": {50, func(i int) cdproto.FrameID { return frameID(i - 1) }, 11},
		"many":   {700, func(int) cdproto.FrameID { return "tab" }, 500},
		"few":    {7, func(i int) cdproto.FrameID { return frameID(i - 1) }, 8},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStory(t)
			for i := range c.frames {
				parent := cdproto.FrameID("tab")
				if i > 0 {
					parent = c.parent(i)
				}
				s.on(supervise.FrameAttached{Session: "page", Frame: frameID(i), Parent: parent})
			}
			s.settle()
			s.on(supervise.FramesVerdict{Token: s.lastFramesAsk().Token, Fault: "it trapped"})
			ids, shown := s.filtered()
			if len(ids) != c.want || ids[0] != "tab" || shown.Truncated != (c.want <= c.frames) || len(shown.Frames) != c.frames+1 {
				t.Errorf("%d of %d frames are shown, truncated: %v", len(ids), len(shown.Frames), shown.Truncated)
			}
			for _, f := range shown.Filtered {
				if f.Depth > 10 {
					t.Errorf("%s is shown at depth %d", f.ID, f.Depth)
				}
			}
		})
	}
}

func TestAVerdictOnFramesKeepsTheFramesThatItNames(t *testing.T) {
	for name, c := range map[string]struct {
		verdict supervise.FramesVerdict
		want    []cdproto.FrameID
		fault   bool
	}{
		"the indexes that it gives":            {supervise.FramesVerdict{Verdict: abi.FramesVerdict{Kept: []uint32{0, 2}}}, []cdproto.FrameID{"tab", "inner"}, false},
		"the top frame even if it is left out": {supervise.FramesVerdict{Verdict: abi.FramesVerdict{Kept: []uint32{1}}}, []cdproto.FrameID{"tab", "frame"}, false},
		"all, where it abstains":               {supervise.FramesVerdict{Abstained: true}, []cdproto.FrameID{"tab", "frame", "inner"}, false},
		"all, where an index is too high":      {supervise.FramesVerdict{Verdict: abi.FramesVerdict{Kept: []uint32{3}}}, []cdproto.FrameID{"tab", "frame", "inner"}, true},
		"all, where an index comes twice":      {supervise.FramesVerdict{Verdict: abi.FramesVerdict{Kept: []uint32{1, 1}}}, []cdproto.FrameID{"tab", "frame", "inner"}, true},
		"all, where the plugin failed":         {supervise.FramesVerdict{Fault: "it trapped"}, []cdproto.FrameID{"tab", "frame", "inner"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			s := withLocalFrame(t).settle()
			ask := s.lastFramesAsk()
			s.on(supervise.FrameAttached{Session: "page", Frame: "new", Parent: "tab"})
			c.verdict.Token = ask.Token
			s.on(c.verdict)
			ids, shown := s.filtered()
			if !slices.Equal(ids, c.want) || (shown.FilteredBy.Fault != "") != c.fault {
				t.Fatalf("filtered %v by %+v, want %v", ids, shown.FilteredBy, c.want)
			}
			if shown.FilteredRevision != ask.Event.Header.Revision || shown.FilteredRevision >= shown.Revision {
				t.Fatalf("the filtered tree names revision %d, the raw tree is at %d", shown.FilteredRevision, shown.Revision)
			}
		})
	}
}

func TestAVerdictOnFramesThatAnswersAnotherQuestionIsDropped(t *testing.T) {
	s := newStory(t).on(opens("tab", abi.DialogTypeConfirm))
	ask := s.lastAsk()
	s.on(supervise.FramesVerdict{Token: ask.Token, Verdict: abi.FramesVerdict{Kept: []uint32{0}}})
	if dropped := s.state.Counters().VerdictsDropped; dropped != 1 {
		t.Fatalf("%d verdicts were dropped", dropped)
	}
	s.on(supervise.DialogVerdict{Token: ask.Token, Verdict: abi.DialogVerdict{Action: abi.DialogActionDismiss}})
	s.wantSent("page answer dismiss")
}

// A plugin gets valid UTF-8, and so does whoever reads its journal.
func TestATextIsNotCutWithinACharacter(t *testing.T) {
	s := newStory(t)
	long := strings.Repeat("a", abi.MaxFrameURLBytes-1) + "€"
	s.on(supervise.FrameNavigated{Session: "page", Frame: supervise.FrameInfo{ID: "tab", Loader: "l2", URL: long, Name: long}})
	top := s.settle().lastFramesAsk().Event.Frames[0]
	if want := long[:abi.MaxFrameURLBytes-1]; top.URL != want || top.Name != want {
		t.Errorf("the plugin gets a URL that ends in %q and a name that ends in %q", top.URL[len(want):], top.Name[len(want):])
	}
}

// What agents may look into is decided for each document: nothing is open before, and nothing that the page does opens
// it afterwards.
func TestAFrameIsOpenToAgentsOnlyByAVerdictOnItsDocument(t *testing.T) {
	const frame, inner = cdproto.FrameID("frame"), cdproto.FrameID("inner")
	in := func(f cdproto.FrameID) supervise.FrameSelector { return supervise.FrameSelector{Frame: f} }
	keeps := func(kept ...uint32) supervise.FramesVerdict {
		return supervise.FramesVerdict{Verdict: abi.FramesVerdict{Kept: kept}}
	}
	decided := func(v supervise.FramesVerdict) *script {
		s := withLocalFrame(t)
		s.on(contextCreated("page", frame, "f"), contextCreated("page", inner, "i")).settle()
		v.Token = s.lastFramesAsk().Token
		return s.on(v)
	}
	open, closed, waits := supervise.Located, supervise.LocateFiltered, supervise.LocateNotYet
	for name, c := range map[string]struct {
		s            *script
		frame, inner supervise.LocateResult
	}{
		"before the verdict":    {withLocalFrame(t).on(contextCreated("page", frame, "f"), contextCreated("page", inner, "i")), waits, waits},
		"kept":                  {decided(keeps(0, 1, 2)), open, open},
		"dropped":               {decided(keeps(0, 1)), open, closed},
		"capped":                {decided(supervise.FramesVerdict{Verdict: abi.FramesVerdict{Kept: []uint32{0}, Capped: []uint32{1, 2}}}), open, open},
		"masked":                {decided(supervise.FramesVerdict{Verdict: abi.FramesVerdict{Kept: []uint32{0, 1, 2}, Masked: []uint32{1}}}), closed, open},
		"abstained":             {decided(supervise.FramesVerdict{Abstained: true}), open, open},
		"failed":                {decided(supervise.FramesVerdict{Fault: "it trapped"}), closed, closed},
		"invalid":               {decided(keeps(0, 9)), closed, closed},
		"failed after it kept":  {decided(keeps(0, 1)).failsNow(), open, closed},
		"another document":      {decided(keeps(0, 1, 2)).on(navigated("page", document("inner", "frame", "https://ads/"))), open, waits},
		"a URL without a load":  {decided(keeps(0, 1)).on(supervise.NavigatedWithinDocument{Session: "page", Frame: inner, URL: "https://fine/"}), open, closed},
		"other modules":         {decided(keeps(0, 1)).on(supervise.HooksChanged{}), waits, waits},
		"the same, in a moment": {decided(keeps(0, 1)).on(supervise.HooksChanged{}).settle().keepsNow(0), closed, closed},
	} {
		t.Run(name, func(t *testing.T) {
			if _, how := c.s.located(in(frame)); how != c.frame {
				t.Errorf("the frame is located with %d, want %d", how, c.frame)
			}
			if _, how := c.s.located(in(inner)); how != c.inner {
				t.Errorf("the inner frame is located with %d, want %d", how, c.inner)
			}
			if _, how := c.s.located(supervise.FrameSelector{}); how != open {
				t.Errorf("the top frame is located with %d", how)
			}
		})
	}
}

// keepsNow answers the newest call of the frames hook.
func (s *script) keepsNow(kept ...uint32) *script {
	return s.on(supervise.FramesVerdict{Token: s.lastFramesAsk().Token, Verdict: abi.FramesVerdict{Kept: kept}})
}

// failsNow changes the tree, and the module fails on it.
func (s *script) failsNow() *script {
	s.on(supervise.FrameAttached{Session: "page", Frame: "new", Parent: "tab"}).settle()
	return s.on(supervise.FramesVerdict{Token: s.lastFramesAsk().Token, Fault: "it trapped"})
}
