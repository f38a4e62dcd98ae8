package engine

import (
	"strings"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// framesTrim composes the verdicts of several modules on one tree: the event shows each what the one before it kept, and
// what comes out has the indexes of the whole tree.
type framesTrim struct {
	event *abi.FramesEvent
	all   []abi.Frame
	at    []uint32          // where the event's frames are in all
	last  abi.FramesVerdict // of the module that was just asked, on the event's frames
	total abi.FramesVerdict
	rules []string
}

func newFramesTrim(event *abi.FramesEvent) *framesTrim {
	t := &framesTrim{event: event, all: event.Frames, at: make([]uint32, len(event.Frames))}
	for i := range t.at {
		t.at[i] = uint32(i)
	}
	return t
}

// decode takes the verdict of a module.
func (t *framesTrim) decode(b []byte) error {
	if err := t.last.Unmarshal(b); err != nil {
		return err
	}
	return supervise.CheckKept(t.last.Kept, len(t.event.Frames))
}

// next leaves in the event what was kept. The top frame always stays, for its children have nothing else to hang on.
func (t *framesTrim) next() {
	kept := t.last.Kept
	if len(t.at) > 0 && (len(kept) == 0 || kept[0] != 0) {
		kept = append([]uint32{0}, kept...)
	}
	at, frames := make([]uint32, len(kept)), make([]abi.Frame, len(kept))
	for i, index := range kept {
		at[i], frames[i] = t.at[index], t.event.Frames[index]
	}
	t.at, t.event.Frames = at, frames
	t.total.Kept, t.total.Truncated = at, t.total.Truncated || t.last.Truncated
	if t.last.Rule != "" {
		t.rules = append(t.rules, t.last.Rule)
	}
}

// result puts the whole tree back into the event, and returns what all modules together kept.
func (t *framesTrim) result() abi.FramesVerdict {
	t.event.Frames = t.all
	t.total.Rule = strings.Join(t.rules, "; ")
	return t.total
}
