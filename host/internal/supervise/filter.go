package supervise

import (
	"fmt"
	"slices"

	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// rawFrames returns the frame tree of a tab, parents before children. All views share the slice, which never changes,
// until there is another revision or verdict.
func (tb *tab) rawFrames() []Frame {
	if tb.raw != nil && tb.rawRevision == tb.revision {
		return tb.raw
	}
	withDialog := map[cdproto.FrameID]bool{}
	for _, d := range tb.task.open {
		if d.tab == tb {
			withDialog[d.Frame] = true
		}
	}
	list := make([]Frame, 0, len(tb.raw)+8)
	var add func(f *frame, depth, oopifDepth int)
	add = func(f *frame, depth, oopifDepth int) {
		v := Frame{
			ID: f.id, Parent: f.parentID, URL: f.url, Origin: f.origin, Name: f.name, Kind: f.kind(), Depth: depth,
			HasDialog: withDialog[f.id], Loader: f.loader,
		}
		v.Filtered, v.Undecided = f.filtered()
		if f.isOOPIF {
			oopifDepth++
		}
		v.OOPIFDepth = oopifDepth
		if f.session != nil {
			v.Session = f.session.id
		}
		list = append(list, v)
		for _, child := range f.children {
			add(child, depth+1, oopifDepth)
		}
	}
	add(tb.root, 0, 0)
	tb.raw, tb.rawRevision = list, tb.revision
	return list
}

func (f *frame) kind() abi.FrameKind {
	switch {
	case f == f.tab.root:
		return abi.FrameKindTop
	case f.isOOPIF:
		return abi.FrameKindOOPIF
	default:
		return abi.FrameKindLocal
	}
}

// askForTrees calls the frames hook for every tree that has changed since its last call, with one call per tab at a
// time.
func (s *State) askForTrees(t *task) {
	for _, tb := range t.tabs {
		if tb.asked != 0 || tb.askedRevision == tb.revision {
			continue
		}
		frames := tb.rawFrames()
		tb.asked, tb.askedRevision = s.nextToken(), tb.revision
		s.asks[tb.asked] = ask{tab: tb, frames: frames, at: tb.revision, askedAt: s.now}
		s.do(AskFrames{Token: tb.asked, Until: s.askUntil(), Task: t.ID, Event: framesEvent(t, tb, frames)})
		tb.askTimer = s.after(s.config.AskTimeout, func() {
			s.framesVerdict(FramesVerdict{Token: tb.asked, Fault: "the plugin did not answer in time"})
		})
	}
}

func framesEvent(t *task, tb *tab, frames []Frame) abi.FramesEvent {
	e := abi.FramesEvent{
		Header:   abi.Header{TaskID: t.ID, Revision: tb.revision},
		TargetID: string(tb.id),
		Frames:   make([]abi.Frame, len(frames)),
	}
	for i, f := range frames {
		e.Frames[i] = abi.Frame{
			FrameID: string(f.ID), ParentFrameID: string(f.Parent), Origin: f.Origin,
			URL:  pagetext.Shorten(withoutUser(f.URL), abi.MaxFrameURLBytes),
			Name: pagetext.Shorten(f.Name, abi.MaxFrameURLBytes),
			Kind: f.Kind, Depth: uint32(f.Depth), OOPIFDepth: uint32(f.OOPIFDepth), HasPendingDialog: f.HasDialog,
		}
	}
	return e
}

// framesVerdict applies what the hook kept. The tree may have changed meanwhile, but the verdict is still newer than
// what is shown, so it is shown with its revision, and the next ask follows. Otherwise the tree of a page that never
// stops changing would never be shown.
func (s *State) framesVerdict(e FramesVerdict) {
	a, ok := s.asks[e.Token]
	if !ok || a.tab == nil {
		s.counters.VerdictsDropped++
		return
	}
	tb := a.tab
	s.forgetFramesAsk(tb)
	tb.task.dirty = true
	tb.filteredRevision, tb.filteredBy = a.at, e.Provenance
	tb.filteredRecord = &FramesRecord{Event: e.Event, Frames: a.frames, Calls: e.Calls, AskedAt: a.askedAt, DecidedAt: s.now}
	if e.Fault == "" && !e.Abstained {
		err := CheckFrames(e.Verdict, len(a.frames))
		if err == nil {
			s.counters.VerdictsApplied++
			s.decideOn(a.frames, filteredBy(e), e.Verdict)
			tb.filtered, tb.truncated = s.judged(pick(a.frames, e.Verdict)), e.Verdict.Truncated
			tb.filteredBy.Rule = e.Verdict.Rule
			tb.filteredRecord.Verdict = &e.Verdict
			return
		}
		e.Fault = err.Error()
	}
	if e.Fault == "" {
		s.decideOn(a.frames, "", abi.FramesVerdict{Kept: indexesOf(a.frames)})
	} else {
		s.judgeFailed(a.frames, "the frame filter, which failed: "+e.Fault)
	}
	tb.filteredBy.Fault = e.Fault
	tb.filteredBy.Rule = "fallback"
	tb.filtered = s.judged(s.capped(a.frames))
	tb.truncated = len(tb.filtered) < len(a.frames)
	if e.Fault != "" {
		s.do(Notify{Task: tb.task.ID, Kind: NotifyFault, Fault: e.Fault})
	}
}

// capped applies the host's own caps to a tree that no module filtered, so that a view stays small however a page nests
// its frames. Descendants of a frame that is too deep are too deep as well, so no parent is missing.
func (s *State) capped(frames []Frame) []Frame {
	tooDeep := func(f Frame) bool { return f.Depth > s.config.FallbackDepth }
	if slices.ContainsFunc(frames, tooDeep) {
		frames = slices.DeleteFunc(slices.Clone(frames), tooDeep)
	}
	return frames[:min(len(frames), s.config.FallbackFrames)]
}

func (s *State) forgetFramesAsk(tb *tab) {
	s.withdraw(tb.asked)
	tb.asked = 0
	s.disarm(&tb.askTimer)
}

// CheckFrames says what is wrong with the indexes of a verdict on n frames: they must ascend and stay below n.
func CheckFrames(v abi.FramesVerdict, n int) error {
	for _, list := range [][]uint32{v.Kept, v.Capped, v.Masked} {
		last := int64(-1)
		for _, index := range list {
			if int64(index) <= last || int64(index) >= int64(n) {
				return fmt.Errorf("frame index %d after %d: indexes must ascend and stay below %d", index, last, n)
			}
			last = int64(index)
		}
	}
	return nil
}

// pick selects the frames that a verdict lists. The top frame is always included.
func pick(frames []Frame, v abi.FramesVerdict) []Frame {
	list := make([]Frame, 0, len(v.Kept)+1)
	if len(v.Kept) == 0 || v.Kept[0] != 0 {
		list = append(list, frames[0])
	}
	for _, index := range v.Kept {
		list = append(list, frames[index])
	}
	return list
}

// judgement is what the frame filter decided on the document of a frame. It says nothing of any other document.
type judgement struct {
	made   bool
	loader cdproto.LoaderID
	origin string
	why    string // why agents may not look into it; empty: they may
}

// filtered says why agents may not look into a frame; empty: they may, or nothing was decided on its document yet. The
// filter has no say about the top frame.
func (f *frame) filtered() (why string, undecided bool) {
	if f == f.tab.root {
		return "", false
	}
	j := &f.judgement
	if !j.made || j.loader != f.loader || j.origin != f.origin {
		return "", true
	}
	return j.why, false
}

// decideOn applies a verdict to those of the frames it was made on whose documents are still the same: see
// [State.locateFrame].
func (s *State) decideOn(frames []Frame, by string, v abi.FramesVerdict) {
	open := make([]bool, len(frames))
	for _, list := range [][]uint32{v.Kept, v.Capped} {
		for _, index := range list {
			open[index] = true
		}
	}
	for _, index := range v.Masked {
		open[index] = false
	}
	for i := range frames {
		why := by
		if open[i] {
			why = ""
		}
		s.judgeFrame(&frames[i], why)
	}
}

// judgeFailed closes the frames that were not decided on. What was decided before holds: otherwise a page could open a
// frame to agents with a tree on which the module fails.
func (s *State) judgeFailed(frames []Frame, why string) {
	for i := range frames {
		f := s.frames[frames[i].ID]
		if f == nil {
			continue
		}
		if _, undecided := f.filtered(); undecided {
			s.judgeFrame(&frames[i], why)
		}
	}
}

// judged says of frames what agents may not look into. Frames that are gone since count as decided on.
func (s *State) judged(frames []Frame) []Frame {
	changed := false
	for i := range frames {
		why := ""
		if f := s.frames[frames[i].ID]; f != nil {
			why = f.judgement.why
		}
		if !frames[i].Undecided && frames[i].Filtered == why {
			continue
		}
		if !changed {
			frames, changed = slices.Clone(frames), true // views share them
		}
		frames[i].Undecided, frames[i].Filtered = false, why
	}
	return frames
}

// judgeFrame notes what was decided on a frame. The tree, which says so, is then made again.
func (s *State) judgeFrame(asked *Frame, why string) {
	f, j := s.frames[asked.ID], judgement{true, asked.Loader, asked.Origin, why}
	if f == nil || f == f.tab.root || f.judgement == j {
		return
	}
	f.judgement, f.tab.raw = j, nil
}

// filteredBy is why agents may not look into the frames that a verdict takes from them.
func filteredBy(e FramesVerdict) string {
	by := "the frame filter"
	if e.Provenance.Module != "" {
		by = "the plugin " + e.Provenance.Module
	}
	if e.Verdict.Rule == "" {
		return by
	}
	return by + " (" + e.Verdict.Rule + ")"
}

func indexesOf(frames []Frame) []uint32 {
	indexes := make([]uint32, len(frames))
	for i := range indexes {
		indexes[i] = uint32(i)
	}
	return indexes
}

// askForTreesAgain withdraws every verdict on frames, because the modules that made them, or their configurations, are
// no longer those in service. Until the next verdict, nothing is decided.
func (s *State) askForTreesAgain() {
	for _, f := range s.frames {
		f.judgement = judgement{}
	}
	for _, t := range s.taskOrder {
		for _, tb := range t.tabs {
			s.forgetFramesAsk(tb)
			s.treeChanged(tb)
		}
	}
}
