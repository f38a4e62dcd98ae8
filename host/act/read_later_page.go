package act

import (
	"fmt"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/view"
)

const (
	// goesOnFor is how old the last reading may be for its later pages to be taken from it.
	goesOnFor = 30 * time.Second
	// ownTouches is how often a reading counts itself in what was touched.
	ownTouches = 2
)

// goesOn takes a later page from the last reading of the tab, where the task has done nothing since and the documents are
// the same: a page that is large takes long to read, and pages of two readings need not fit together. What a page did by
// itself meanwhile shows in its first page.
func (r *reader) goesOn() bool {
	t, o := r.task, r.options
	s := t.Snapshot()
	tab := s.Page()
	if o.TargetID != "" {
		tab = s.Target(o.TargetID)
	}
	if o.Page == 0 || o.Since != "" || tab == nil || tab.Crashed || tab.RawFrameTree == nil {
		return false
	}
	tree, at := t.readings.untouched(tab.ID, goesOnFor)
	if tree == nil || !tree.Shows(documents(tab.RawFrameTree)) {
		return false
	}
	r.tab, r.tree, r.at, r.token = tab.ID, tree, at, fmt.Sprintf("r%d", tree.Reading)
	return true
}

// documents are those of the frames of a tree.
func documents(tree *view.FrameTree) map[string]string {
	loaders := map[string]string{tree.Top.FrameID: string(tree.Top.Document())}
	for _, f := range tree.Children {
		loaders[f.FrameID] = string(f.Document())
	}
	return loaders
}
