package act

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// maxMarks is how many readings of a tab can be named by a later one's Since.
const maxMarks = 8

// readings are what a task remembers of the pages that it has read.
type readings struct {
	refs    *page.Refs
	touched func() uint64 // counts what may have changed a page

	mu   sync.Mutex
	tabs map[string]*tabReadings
}

// tabReadings are the readings of one tab.
type tabReadings struct {
	tree    *page.Tree // the last
	below   string     // the selector of its Below
	at      time.Time
	touched uint64 // the count after it was read
	marks   []mark // oldest first
}

// mark is what a later reading is compared with.
type mark struct {
	token string
	marks page.Marks
}

func newReadings(t *engine.Task) *readings {
	refs := page.NewRefs()
	refs.Sieve = sieve{t}
	return &readings{refs: refs, touched: t.Touched, tabs: map[string]*tabReadings{}}
}

// keep remembers a reading, forgets tabs that are gone, and returns the reading's token, and whether it was known
// before: a page that has not changed is not read again. touched is what the count must be afterwards if only the
// reading itself was counted.
func (r *readings) keep(tab string, tree *page.Tree, below string, open *view.Snapshot, touched uint64) (token string, known bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for id := range r.tabs {
		if open.Target(id) == nil {
			delete(r.tabs, id)
		}
	}
	r.refs.Forget(func(tab string) bool { return open.Target(tab) == nil })
	t := r.tabs[tab]
	if t == nil {
		t = &tabReadings{}
		r.tabs[tab] = t
	}
	if t.tree == nil || t.tree.Reading <= tree.Reading {
		t.tree, t.below, t.at, t.touched = tree, below, time.Now(), touched
	}
	token = fmt.Sprintf("r%d", tree.Reading)
	if slices.ContainsFunc(t.marks, func(m mark) bool { return m.token == token }) {
		return token, true
	}
	t.marks = append(t.marks, mark{token, tree.Marks()})
	t.marks = t.marks[max(0, len(t.marks)-maxMarks):]
	return token, false
}

// last returns the last reading of a tab; nil if there is none, or if plugins may show less of it now.
func (r *readings) last(tab string) (*page.Tree, time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if t := r.tabs[tab]; t != nil && r.refs.Current(t.tree) {
		return t.tree, t.at
	}
	return nil, time.Time{}
}

// untouched returns the last reading of a tab, unless it is older than age, something may have changed the page since,
// or its Below is not what a selector names, if one is given.
func (r *readings) untouched(tab, below string, age time.Duration) (*page.Tree, time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if t := r.tabs[tab]; t != nil && (below == "" || below == t.below) && t.touched == r.touched() && time.Since(t.at) <= age && r.refs.Current(t.tree) {
		return t.tree, t.at
	}
	return nil, time.Time{}
}

// marks returns the marks of a token; ok is false for a token that is unknown or forgotten.
func (r *readings) marks(tab, token string) (marks page.Marks, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := r.tabs[tab]
	if t == nil {
		return nil, false
	}
	for _, m := range t.marks {
		if m.token == token {
			return m.marks, true
		}
	}
	return nil, false
}

// earlier returns the marks of the readings of a tab before the one with a token, the latest first.
func (r *readings) earlier(tab, token string) (list []page.Marks) {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := r.tabs[tab]
	if t == nil {
		return nil
	}
	before := slices.IndexFunc(t.marks, func(m mark) bool { return m.token == token })
	for _, m := range slices.Backward(t.marks[:max(0, before)]) {
		list = append(list, m.marks)
	}
	return list
}
