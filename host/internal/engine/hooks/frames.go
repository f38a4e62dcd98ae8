package hooks

import (
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/lifecycle"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// Frames asks which frames agents see. Its modules compose: each sees the frames that the one before it kept.
func Frames(e supervise.AskFrames) Ask {
	trim := newFramesTrim(&e.Event)
	q := lifecycle.Question{
		Hook: abi.HookFrames, Task: e.Task, Header: &e.Event.Header, Encode: e.Event.Append, Decode: trim.decode, Next: trim.next,
	}
	return Ask{e.Token, e.Until, q, func(o lifecycle.Outcome) supervise.Event {
		v := supervise.FramesVerdict{Token: e.Token, Verdict: trim.result()}
		v.Abstained, v.Fault, v.Provenance = abstained(o), o.Fault, Provenance(o)
		e.Event.Header.TaskConfig = nil // as in Dialog
		v.Event, v.Calls = &e.Event, calls(o)
		return v
	}}
}

// framesTrim composes the verdicts of several modules on one tree. The event shows each module the frames that the ones
// before it let agents look into, or list; the result holds indexes into the whole tree.
type framesTrim struct {
	event  *abi.FramesEvent
	all    []abi.Frame
	at     []uint32          // indexes of the event's frames in all
	last   abi.FramesVerdict // of the module asked last, on the event's frames
	total  abi.FramesVerdict
	rules  []string
	capped []bool // of all
	masked []bool
}

func newFramesTrim(event *abi.FramesEvent) *framesTrim {
	n := len(event.Frames)
	t := &framesTrim{event: event, all: event.Frames, at: make([]uint32, n), capped: make([]bool, n), masked: make([]bool, n)}
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
	return supervise.CheckFrames(t.last, len(t.event.Frames))
}

// next leaves only the frames in the event that are kept or capped: what a module left out for want of room, the next
// one still decides on. The top frame always stays, as its children have no other parent.
func (t *framesTrim) next() bool {
	stays := make([]bool, len(t.at))
	for _, index := range t.last.Capped {
		stays[index], t.capped[t.at[index]] = true, !slices.Contains(t.last.Kept, index) || t.capped[t.at[index]]
	}
	for _, index := range t.last.Kept {
		stays[index] = true
	}
	for _, index := range t.last.Masked {
		t.masked[t.at[index]] = true
	}
	if len(stays) > 0 {
		stays[0] = true
	}
	var at []uint32
	var frames []abi.Frame
	for i, stay := range stays {
		if stay {
			at, frames = append(at, t.at[i]), append(frames, t.event.Frames[i])
		}
	}
	t.at, t.event.Frames = at, frames
	t.total.Truncated = t.total.Truncated || t.last.Truncated
	if t.last.Rule != "" {
		t.rules = append(t.rules, t.last.Rule)
	}
	return true
}

// result restores the whole tree in the event, and returns what all modules together decided.
func (t *framesTrim) result() abi.FramesVerdict {
	t.event.Frames = t.all
	for _, index := range t.at {
		switch {
		case !t.capped[index]:
			t.total.Kept = append(t.total.Kept, index)
			if t.masked[index] {
				t.total.Masked = append(t.total.Masked, index)
			}
		case !t.masked[index]:
			t.total.Capped = append(t.total.Capped, index)
		}
	}
	t.total.Rule = strings.Join(t.rules, "; ")
	return t.total
}
