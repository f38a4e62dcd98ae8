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
