package act

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine/hooks"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// sieveLimit is how long the modules may take for a reading: a large one has some twenty parts of a few milliseconds
// each.
const sieveLimit = 15 * time.Second

// sieve has the modules of the snapshot hook edit the readings of a task.
type sieve struct{ task *engine.Task }

func (s sieve) Version() string { return s.task.SnapshotDeciders() }

// Edit asks about a tree part by part, so that no page can make an event that is too large.
func (s sieve) Edit(ctx context.Context, tab string, t *page.Tree) (failed bool) {
	ctx, cancel := context.WithTimeout(ctx, sieveLimit)
	defer cancel()
	event := abi.SnapshotEvent{TargetID: tab, Origin: t.Origin(), URL: limited(page.SafeURL(t.URL())), Title: limited(t.Root.Name)}
	by := map[string]int{}
	nodes := t.Nodes()
	for asked := 0; asked < len(nodes); asked = afterDropped(nodes, asked) {
		var part []*page.Node
		event.First, event.Nodes = uint32(asked), nil
		part, asked = fill(&event, t, asked)
		left := s.task.AskSnapshot(ctx, &event)
		edit(part, &event, &left)
		failed = failed || left.Fault != ""
		if left.Withheld {
			t.Withhold(len(part), "because a plugin could not decide on them: "+left.Fault)
		}
		for plugin, dropped := range left.Dropped {
			by[plugin] += dropped
		}
	}
	for _, plugin := range slices.Sorted(maps.Keys(by)) {
		if by[plugin] > 0 {
			t.Withhold(by[plugin], "by the plugin "+plugin)
		}
	}
	return failed
}

// edit makes of some nodes what the modules have left of their event.
func edit(part []*page.Node, event *abi.SnapshotEvent, left *hooks.Left) {
	kept := make([]bool, len(part))
	for i, at := range left.At {
		kept[at] = true
		if now := &event.Nodes[i]; left.Masked[at] {
			part[at].Mask(now.Name, now.Value, now.Description)
		}
		for _, note := range left.Notes[at] {
			part[at].Annotate(note)
		}
	}
	for i, n := range part {
		if !kept[i] {
			n.Drop()
		}
	}
}

// fill fills an event with nodes from a place on, and returns them and the place after them.
func fill(event *abi.SnapshotEvent, t *page.Tree, from int) (part []*page.Node, next int) {
	size, scratch := 0, []byte(nil)
	all := t.Nodes()
	for next = from; next < len(all); next++ {
		n := all[next]
		// What is cut here is shown to nobody: no module has seen it.
		for _, text := range []*string{&n.Name, &n.Value, &n.Description, &n.Hint} {
			*text = pagetext.Shorten(*text, abi.MaxSnapshotTextBytes)
		}
		n.URL = limited(n.URL)
		node := abi.SnapshotNode{
			Depth: uint32(n.Depth()), Role: n.Role, Name: n.Name, Value: n.Value, Description: n.Description,
			URL: page.SafeURL(n.URL), Hint: n.Hint, Origin: t.OriginOf(n),
		}
		scratch = node.Append(scratch[:0])
		if size += len(scratch); size > abi.MaxSnapshotBytes && len(part) > 0 {
			break
		}
		event.Nodes, part = append(event.Nodes, node), append(part, n)
	}
	return part, next
}

// afterDropped is the first node from a place on that is in nothing that was dropped.
func afterDropped(nodes []*page.Node, from int) int {
	for ; from < len(nodes); from++ {
		if n := nodes[from]; n.Parent == nil || !n.Parent.IsDropped() {
			break
		}
		nodes[from].Drop()
	}
	return from
}

// limited is a URL or a title as events have it.
func limited(text string) string { return pagetext.Shorten(text, abi.MaxFrameURLBytes) }
