package tasks

import (
	"context"
	"reflect"
	"slices"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// Part is a part of what is known about a task.
type Part string

// The parts of a task.
const (
	// PartSnapshot is all of it.
	PartSnapshot Part = "snapshot"
	// PartDialogs are the open and recently closed dialogs, and the armed answer.
	PartDialogs Part = "dialogs"
	// PartFrames are the frame trees of the tabs.
	PartFrames Part = "frames"
)

// Parts are all parts.
func Parts() []Part { return []Part{PartSnapshot, PartDialogs, PartFrames} }

// quiet is the minimum time between two reported changes: a page can change its title or write to its console in a
// loop.
const quiet = 100 * time.Millisecond

// Watch reports which parts of a task have changed since a snapshot, and again after each change, until the task or ctx
// ends. Changes that come faster than ten per second are combined.
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

// Changed returns the parts that differ between two snapshots.
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

// Dialogs are the dialogs of a task. Their texts come from pages and are untrusted.
type Dialogs struct {
	Pending []host.Dialog     `json:"pending_dialogs"`
	Recent  []host.Dialog     `json:"recent_dialogs"`
	Armed   *host.ArmedAnswer `json:"armed_dialog,omitempty"`
}

// DialogsOf returns the dialogs of a snapshot.
func DialogsOf(s *host.Snapshot) Dialogs {
	return Dialogs{Pending: s.PendingDialogs, Recent: s.RecentDialogs, Armed: s.Armed}
}

// Frames are the frames of one tab after the frames hook.
type Frames struct {
	TargetID  string          `json:"target_id"`
	URL       string          `json:"url"` // untrusted text
	FrameTree *host.FrameTree `json:"frame_tree"`
}

// FramesOf returns the frame trees of a snapshot; a tab without a verdict of the frames hook is left out.
func FramesOf(s *host.Snapshot) []Frames {
	list := []Frames{}
	for _, t := range s.Targets {
		if t.FrameTree != nil {
			list = append(list, Frames{TargetID: t.ID, URL: t.URL, FrameTree: t.FrameTree})
		}
	}
	return list
}

// sameTree compares what trees show; a new decision with the same result is not a change.
func sameTree(a, b Frames) bool {
	return a.TargetID == b.TargetID && a.URL == b.URL && a.FrameTree.Top == b.FrameTree.Top &&
		a.FrameTree.Truncated == b.FrameTree.Truncated && slices.Equal(a.FrameTree.Children, b.FrameTree.Children)
}
