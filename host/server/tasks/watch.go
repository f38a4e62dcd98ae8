package tasks

import (
	"context"
	"reflect"
	"slices"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// Part is a part of what is known of a task.
type Part string

// The parts of a task.
const (
	// PartSnapshot is all of it.
	PartSnapshot Part = "snapshot"
	// PartDialogs are the dialogs that are open or were, and the answer that waits for the next one.
	PartDialogs Part = "dialogs"
	// PartFrames are the frame trees of the tabs.
	PartFrames Part = "frames"
)

// Parts are all parts.
func Parts() []Part { return []Part{PartSnapshot, PartDialogs, PartFrames} }

// quiet is the least time between two changes that are told: a page can change its title or write to its console in a loop.
const quiet = 100 * time.Millisecond

// Watch tells which parts of a task have changed since a snapshot, and again after each change, until the task or ctx ends.
// Changes that come faster than ten a second are told together.
func Watch(ctx context.Context, t *host.Task, since *host.Snapshot, each func(changed []Part, now *host.Snapshot)) {
	for {
		now, changed := t.Wait(ctx, func(s *host.Snapshot) bool {
			return s.Revision != since.Revision || s.Disconnected != since.Disconnected
		})
		if !changed {
			return
		}
		each(Changed(since, now), now)
		since = now
		select {
		case <-time.After(quiet):
		case <-t.Done():
		case <-ctx.Done():
		}
	}
}

// Changed tells which parts differ between two snapshots.
func Changed(before, after *host.Snapshot) []Part {
	parts := []Part{PartSnapshot}
	if !reflect.DeepEqual(DialogsOf(before), DialogsOf(after)) {
		parts = append(parts, PartDialogs)
	}
	if !slices.EqualFunc(FramesOf(before), FramesOf(after), sameTree) {
		parts = append(parts, PartFrames)
	}
	return parts
}

// Dialogs are the dialogs of a task. What they say is the pages' text, untrusted.
type Dialogs struct {
	Pending []host.Dialog     `json:"pending_dialogs"`
	Recent  []host.Dialog     `json:"recent_dialogs"`
	Armed   *host.ArmedAnswer `json:"armed_dialog,omitempty"`
}

// DialogsOf picks the dialogs out of a snapshot.
func DialogsOf(s *host.Snapshot) Dialogs {
	return Dialogs{Pending: s.PendingDialogs, Recent: s.RecentDialogs, Armed: s.Armed}
}

// Frames are the frames of one tab, as the frames hook left them.
type Frames struct {
	TargetID  string          `json:"target_id"`
	URL       string          `json:"url"` // untrusted text
	FrameTree *host.FrameTree `json:"frame_tree"`
}

// FramesOf picks the frame trees out of a snapshot; a tab without a verdict of the frames hook is left out.
func FramesOf(s *host.Snapshot) []Frames {
	list := []Frames{}
	for _, t := range s.Targets {
		if t.FrameTree != nil {
			list = append(list, Frames{TargetID: t.ID, URL: t.URL, FrameTree: t.FrameTree})
		}
	}
	return list
}

// sameTree compares what trees show; that one was decided on again is no change.
func sameTree(a, b Frames) bool {
	return a.TargetID == b.TargetID && a.URL == b.URL && a.FrameTree.Top == b.FrameTree.Top &&
		a.FrameTree.Truncated == b.FrameTree.Truncated && slices.Equal(a.FrameTree.Children, b.FrameTree.Children)
}
