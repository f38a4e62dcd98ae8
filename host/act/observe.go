package act

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
	"github.com/hermes-cdp/hermes-cdp/host/view"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

const (
	// observeBudget is how many characters the changes may have.
	observeBudget = 1500
	// restLimit is how long a page that has been parsed may take to come to rest.
	restLimit = 500 * time.Millisecond
	// answerAge is how long, before an observation, a page may have waited for an answer that is taken to change it.
	answerAge = 2 * time.Second
	// observeLimit bounds an observation.
	observeLimit = 5 * time.Second
)

// Observation is what a page shows that its last reading did not. Text, URL and Title are untrusted, and quoted as in a
// [Reading].
type Observation struct {
	// Text has a line for each element and text that is new (+), has changed (*) or stands elsewhere among the others (~),
	// below those that it is in (-). Further lines have a new title, the elements that are gone, how many that an earlier
	// reading had are back as they were, and the fields that are filled in wrongly. Empty: nothing has changed.
	Text string
	// Focus is the role, the name and the ref of the element that got the focus, unless Text has it.
	Focus string
	// More is how many such elements and texts the text has no room for.
	More int
	// Token is that of this reading, and Since that of the one before; empty: the text is the beginning of a page that was
	// not read before.
	Token, Since string
	// URL and Title are the tab's. NewURL says that the URL was another when the reading before was made.
	URL, Title string
	NewURL     bool
	// Origin is the top document's.
	Origin string
	// Awaited are requests of the page that had not ended when it was read, the latest first: their answers may change it
	// still. Their URLs are without secrets.
	Awaited []view.Request
	// Dialogs are those that hold the task's pages. Stale says that the page could not be read, because of one or because
	// it does not answer.
	Dialogs []view.Dialog
	Stale   bool
}

// Observe says how the page of a tab differs from the last reading of it, once the page has been parsed, as for
// [Tab.Read], and is at rest, for which it waits at most half a second. From the first call on the task's requests are
// recorded as by Task.WatchNetwork (package host), because a page that waits for an answer is not at rest. Errors:
// those of [Tab.Read].
func (t Tab) Observe(ctx context.Context) (_ *Observation, err error) {
	defer fault.During("observe", &err)
	tab, err := t.target()
	if err != nil {
		return nil, err
	}
	p := t.pages
	p.WatchNetwork()
	ctx, cancel := context.WithTimeout(ctx, observeLimit)
	defer cancel()
	touched := p.Touched()
	value, err := p.onTab(ctx, tab, func(d *driver) (any, error) {
		tab = d.Target()
		return p.onceLoaded(d, func() (any, error) {
			return p.observe(ctx, d, touched)
		})
	})
	var loading *fault.LoadingError
	switch {
	case errors.Is(err, fault.ErrBlockedByDialog), errors.As(err, &loading), errors.Is(err, fault.ErrRendererBusy), errors.Is(err, errUnread):
		o := p.observation(tab)
		o.Stale = true
		return o, nil
	case err != nil:
		return nil, err
	}
	return value.(*Observation), nil
}

// errUnread says that the top frame did not answer when it was read.
var errUnread = errors.New("the page did not answer")

// observe reads a page that is at rest, and compares.
func (p *Pages) observe(ctx context.Context, d *driver, touched uint64) (*Observation, error) {
	tab := d.Target()
	lately := time.Now().Add(-answerAge)
	underWay := func() bool { return len(p.Awaited(tab, lately)) > 0 }
	if err := page.AwaitRest(d, restLimit, underWay); err != nil {
		return nil, err
	}
	before, _ := p.lastReading(tab)
	tree, err := page.Read(d, p.readings.refs, timeLeft(ctx))
	if err != nil {
		return nil, err
	}
	if tree.Root.Note != "" {
		return nil, errUnread
	}
	awaited := p.Awaited(tab, lately)
	for i := range awaited {
		awaited[i].URL = namedURL(awaited[i].URL)
	}
	token, _ := p.readings.keep(tab, tree, "", p.Snapshot(), touched+ownTouches)
	r := reader{pages: p, tab: tab, tree: tree, token: token}
	o := p.observation(tab)
	o.Token, o.Awaited = token, awaited
	if title := tree.Root.Name; title != "" {
		o.Title = pagetext.Shorten(pagetext.Line(title), maxTitle)
	}
	back := r.changes(o, before)
	o.NewURL = o.Since != "" && tree.URL() != before.URL()
	r.remarks(d, o, before, back)
	r.describe(ctx, d)
	return o, nil
}

// observation is what is known of a tab without asking its page.
func (p *Pages) observation(tab string) *Observation {
	s := p.Snapshot()
	o := &Observation{Dialogs: s.PendingDialogs}
	if target := s.Target(tab); target != nil {
		o.URL, o.Title = namedURL(target.URL), pagetext.Shorten(pagetext.Line(target.Title), maxTitle)
		if target.RawFrameTree != nil {
			o.Origin = target.RawFrameTree.Top.Origin
		}
	}
	return o
}

// changes writes what has changed since a reading, and returns how many nodes are back that an earlier one had and that
// one had not. Of another document, or without one before, it writes what matters most.
func (r *reader) changes(o *Observation, before *page.Tree) (back int) {
	refs := r.pages.readings.refs
	v := page.View{Budget: observeBudget, Next: refs.Next(), Give: func(n *page.Node) int { return refs.Give(r.tab, r.tree, n) }}
	if before != nil && r.tree.ShowsDocumentOf(before) {
		o.Since = fmt.Sprintf("r%d", before.Reading)
		v.Change, back = r.tree.CompareCalmly(before.Marks(), r.pages.readings.earlier(r.tab, o.Since))
	}
	if now := r.tree.Focused(); v.Change != nil && now != nil && v.Change(now) == page.Same && !before.HasFocus(now.Key) {
		o.Focus = r.named(now)
	}
	written := r.tree.WriteChanges(v)
	o.Text, o.More = written.Text, written.Left
	return back
}

// remarks adds what a tree does not show: a title, what is gone, what plugins withhold, how much is back, and what the
// page does not accept.
func (r *reader) remarks(d *driver, o *Observation, before *page.Tree, back int) {
	var lines []string
	if o.Text != "" {
		lines = append(lines, o.Text)
	}
	if o.Since != "" {
		if r.tree.Root.Name != before.Root.Name {
			lines = append(lines, "the title is "+pagetext.QuoteShown(o.Title))
		}
		r.options = ReadOptions{Since: o.Since, Budget: observeBudget}
		if gone := r.goneNote(); gone != "" {
			lines = append(lines, gone)
		}
	}
	if before == nil || !slices.Equal(before.Withheld, r.tree.Withheld) {
		lines = append(lines, r.tree.Withheld...)
	}
	if back > 0 {
		lines = append(lines, fmt.Sprintf("back as they were: %d elements and texts", back))
	}
	for _, w := range r.tree.Wrong(d.Context(), d) {
		field := "a field"
		if w.Node != nil {
			field = r.named(w.Node)
		}
		line := field + " is not accepted"
		if w.Why != "" {
			line += ": " + pagetext.Quote(w.Why)
		}
		lines = append(lines, line)
	}
	o.Text = strings.Join(lines, "\n")
}

// named is the role, the name and the ref of a node.
func (r *reader) named(n *page.Node) string {
	text := n.Describe()
	if ref := r.pages.readings.refs.Give(r.tab, r.tree, n); ref != 0 {
		text += fmt.Sprintf(" @e%d", ref)
	}
	return text
}
