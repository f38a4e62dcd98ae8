package supervise

import (
	"slices"

	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

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
