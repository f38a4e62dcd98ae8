package engine

import (
	"strings"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// framesTrim composes the verdicts of several modules on one tree. The event shows each module what the one before it
// kept; the result holds indexes into the whole tree.
type framesTrim struct {
	event *abi.FramesEvent
	all   []abi.Frame
	at    []uint32          // indexes of the event's frames in all
	last  abi.FramesVerdict // of the module asked last, on the event's frames
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

// next leaves only the kept frames in the event. The top frame always stays, as its children have no other parent.
func (t *framesTrim) next() bool {
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
	return true
}

// result restores the whole tree in the event, and returns what all modules together kept.
func (t *framesTrim) result() abi.FramesVerdict {
	t.event.Frames = t.all
	t.total.Rule = strings.Join(t.rules, "; ")
	return t.total
}
