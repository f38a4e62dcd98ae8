package act

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/query"
	"github.com/hermes-cdp/hermes-cdp/host/view"
	"github.com/hermes-cdp/hermes-cdp/internal/optional"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// maxTitle caps the title of a reading, in bytes.
const maxTitle = 300

// Read reads the tab's page in all frames and shadow roots, as text for a model, with refs for the elements that can be
// acted on. A document that has just arrived is read when it has been parsed, or 2 s after its arrival.
//
// While a dialog holds the page, or its main thread does not answer, it returns what was last known of it, marked as
// stale. A frame of another process that does not answer delays the reading only for a moment; it is named in Frames.
// Errors: [fault.ErrBadArguments] for invalid options, [fault.ErrUnknownRef] and a [*StaleRefError] for the scope,
// [fault.ErrUnknownTarget], [fault.ErrTargetCrashed], [fault.ErrTargetGone], [fault.ErrDisconnected],
// [fault.ErrClosed], and a [*fault.StoppedError] at the end of the context.
func (t Tab) Read(ctx context.Context, options *ReadOptions) (_ *Reading, err error) {
	defer fault.During("read", &err)
	o, err := optional.Or(options).checked()
	if err != nil {
		return nil, err
	}
	tab, err := t.targetOf(Locator{Ref: o.Scope})
	if err != nil {
		return nil, err
	}
	r := reader{pages: t.pages, options: o, tab: tab}
	return r.read(ctx)
}

// checked fills in defaults and rejects invalid options.
func (o ReadOptions) checked() (ReadOptions, error) {
	if o.Budget == 0 {
		o.Budget = DefaultReadBudget
		if o.Full {
			o.Budget = DefaultFullBudget
		}
	}
	switch {
	case o.Budget < MinReadBudget || o.Budget > MaxReadBudget:
		return o, fmt.Errorf("%w: budget is %d; it can be %d to %d characters, or 0 for the default", fault.ErrBadArguments, o.Budget, MinReadBudget, MaxReadBudget)
	case o.Since != "" && !isReading(o.Since):
		return o, fmt.Errorf("%w: since is %q; want the token of an earlier reading, such as r3", fault.ErrBadArguments, o.Since)
	case o.Scope != "" && o.Selector != "":
		return o, fmt.Errorf("%w: scope and selector both say what is read; give one", fault.ErrBadArguments)
	case o.Page < 0:
		return o, fmt.Errorf("%w: page is %d; the first is 0", fault.ErrBadArguments, o.Page)
	}
	if o.Find != nil {
		_, err := o.Find.match()
		return o, err
	}
	return o, nil
}

// timeLeft is the time until a context's deadline; 0: no limit.
func timeLeft(ctx context.Context) time.Duration {
	deadline, ok := ctx.Deadline()
	if !ok {
		return 0
	}
	return max(time.Until(deadline), time.Millisecond)
}

// reader makes one reading.
type reader struct {
	pages   *Pages
	options ReadOptions

	tab   string
	tree  *page.Tree // nil: nothing is known
	at    time.Time
	token string
	fresh bool   // the tree was read for this reading
	known bool   // the tree is that of an earlier reading, which still holds
	stale string // why the tree is not current
	notes []string
}

// read makes the reading from a new tree, or from the last one known.
func (r *reader) read(ctx context.Context) (*Reading, error) {
	t := r.pages
	if r.reuseLast() {
		return r.reading()
	}
	before := t.Touched()
	value, err := t.onTab(ctx, r.tab, func(d *driver) (any, error) {
		r.tab = d.Target()
		return t.onceLoaded(d, func() (any, error) {
			tree, err := r.readTree(ctx, d)
			if err != nil || tree.Root.Note != "" {
				return &unread{tree}, err
			}
			fresh := *r // a dialog may have sent the caller away
			fresh.tree, fresh.at, fresh.fresh = tree, time.Now(), true
			fresh.token, fresh.known = t.readings.keep(r.tab, tree, r.options.Selector, t.Snapshot(), before+ownTouches)
			out, err := fresh.reading()
			if err != nil {
				return nil, err
			}
			r.describe(ctx, d)
			return out, nil
		})
	})
	var loading *fault.LoadingError
	switch {
	case errors.Is(err, fault.ErrBlockedByDialog):
		r.useLast("a dialog holds the page")
		return r.reading()
	case errors.As(err, &loading):
		r.useLast("the tab is loading " + loading.URL + ", which has not answered, and until it does")
		return r.reading()
	case err != nil:
		return nil, err
	}
	if read, ok := value.(*Reading); ok {
		return read, nil
	}
	r.tree = value.(*unread).tree
	r.useLast("the page's main thread does not answer")
	return r.reading()
}

// readTree reads the page, and finds out what a selector means.
func (r *reader) readTree(ctx context.Context, d *driver) (*page.Tree, error) {
	refs := r.pages.readings.refs
	if r.options.Selector == "" {
		return r.readContent(ctx, d)
	}
	e, err := r.pages.find(d, BySelector(r.options.Selector))
	if err != nil {
		return nil, actError(err)
	}
	return page.ReadBelow(d, refs, timeLeft(ctx), e)
}

// readContent reads the page, which may have a moment to show something.
func (r *reader) readContent(ctx context.Context, d *driver) (*page.Tree, error) {
	refs := r.pages.readings.refs
	tree, err := page.Read(d, refs, timeLeft(ctx))
	if err != nil || len(tree.Root.Children) > 0 || tree.Root.Note != "" || r.options.AwaitContent == 0 {
		return tree, err
	}
	var scripted bool
	_ = d.Run("", 0, `() => document.scripts.length > 0`, nil, &scripted) // else it stays as it has been read
	if !scripted {
		return tree, nil
	}
	end := time.Now().Add(min(r.options.AwaitContent, d.WaitLimit()/3))
	for pause := query.FirstLook; len(tree.Root.Children) == 0 && time.Now().Add(pause).Before(end); pause = min(2*pause, query.LastLook) {
		if err := query.Sleep(d, pause); err != nil {
			return nil, err
		}
		if tree, err = page.Read(d, refs, timeLeft(ctx)); err != nil {
			return nil, err
		}
	}
	return tree, nil
}

// maxDescribing bounds how long a reading waits for what it needs only for the actions that follow.
const maxDescribing = 1500 * time.Millisecond

// describe asks for what the refs of the reading are to the browser. A page that no longer answers that has been read
// all the same, and whoever acts on a ref asks again.
func (r *reader) describe(ctx context.Context, d *driver) {
	limit := maxDescribing
	if left := timeLeft(ctx); left > 0 {
		limit = min(limit, left/4)
	}
	bounded, cancel := context.WithTimeout(d.Context(), limit)
	defer cancel()
	_ = r.pages.readings.refs.Describe(bounded, d)
}

// unread is the tree of a page whose top frame did not answer.
type unread struct{ tree *page.Tree }

// useLast takes the last reading of the tab. Of a page that was never read, the frames that answer are shown.
func (r *reader) useLast(why string) {
	r.stale = why
	if tree, at := r.pages.lastReading(r.tab); tree != nil {
		r.tree, r.at, r.token = tree, at, fmt.Sprintf("r%d", tree.Reading)
		r.notes = append(r.notes, "stale: "+why+", so this is the last reading of it")
		return
	}
	r.notes = append(r.notes, "stale: "+why+", and it was not read before")
}

// reading renders the tree and adds what else is known.
func (r *reader) reading() (*Reading, error) {
	s := r.pages.Snapshot()
	out := &Reading{
		Token: r.token, Stale: r.stale != "", ReadAt: view.UnixTime{Time: r.at}, Untrusted: true, TargetID: r.tab, Page: r.options.Page, Pages: 1,
		PendingDialogs: s.PendingDialogs, RecentDialogs: s.RecentDialogs,
	}
	if target := s.Target(r.tab); target != nil {
		out.URL = pagetext.Line(page.SafeURL(target.URL))
		out.Title = pagetext.Shorten(pagetext.Line(target.Title), maxTitle)
		out.FrameTree = target.FrameTree
		if target.RawFrameTree != nil {
			out.Origin = target.RawFrameTree.Top.Origin
		}
	}
	if r.tree == nil {
		out.Text, out.Omitted = "("+r.notes[0]+")", r.notes
		return out, nil
	}
	// Of a frame without a document, the tree says so, of which a search shows only what it has found.
	comes := r.options.Find != nil && slices.ContainsFunc(r.tree.Notes, func(n page.FrameNote) bool { return n.State == page.Loading })
	if r.stale == "" && (comes || !r.pages.Link.IsParsed(target.ID(r.tab))) {
		r.notes = append(r.notes, "the page, or a frame of it, is still loading: what is missing may still come")
	}
	r.notes = append(r.notes, r.tree.Withheld...)
	// The browser announces a changed title late, or not at all.
	if title := r.tree.Root.Name; title != "" {
		out.Title = pagetext.Shorten(pagetext.Line(title), maxTitle)
	}
	return out, r.write(out)
}

func (r *reader) write(out *Reading) error {
	refs := r.pages.readings.refs
	view := page.View{
		Full: r.options.Full, Budget: r.options.Budget, Page: r.options.Page, Notes: r.notes, Next: refs.Next(),
		Give: func(n *page.Node) int { return refs.Give(r.tab, r.tree, n) },
	}
	if err := r.scope(&view); err != nil {
		return err
	}
	if r.options.Find != nil {
		var err error
		if view.Match, err = r.options.Find.match(); err != nil {
			return err
		}
	}
	r.compare(&view)
	written, err := r.tree.Write(view)
	var none *page.PageError
	switch {
	case errors.As(err, &none):
		return fmt.Errorf("%w: %w", fault.ErrBadArguments, err)
	case err != nil:
		return err
	}
	out.Text, out.Pages, out.Omitted = written.Text, written.Pages, append(r.notes, written.Omitted...)
	out.Elements, out.Refs, out.Found = r.tree.Elements, written.Acting, written.Found
	// Without a comparison, all of it may have changed.
	out.Changed = r.options.Since != "" && (view.Change == nil || written.Wanted > 0 || len(r.gone()) > 0)
	for _, n := range r.tree.Notes {
		out.Frames = append(out.Frames, publicNote(n))
	}
	return nil
}

func publicNote(n page.FrameNote) FrameNote {
	return FrameNote{FrameID: string(n.Frame), URL: pagetext.Line(page.SafeURL(n.URL)), State: pagetext.Line(n.State), Filtered: n.Filtered}
}

// scope finds the part of the tree that is wanted.
func (r *reader) scope(v *page.View) error {
	if r.options.Selector != "" {
		return r.below(v)
	}
	if r.options.Scope == "" {
		return nil
	}
	number, _ := page.ParseRef(r.options.Scope)
	found, _ := r.pages.readings.refs.Find(number)
	if v.Scope = r.tree.FindRef(found); v.Scope == nil {
		return r.pages.stale(found, "the page no longer has it", r.tree)
	}
	return nil
}

// below finds the part of the tree that a selector names. What was last known is not searched by a selector.
func (r *reader) below(v *page.View) error {
	if r.stale != "" {
		v.Notes = append(v.Notes, "the selector cannot be looked for now, so this is the whole page")
		return nil
	}
	if v.Scope = r.tree.Below; v.Scope == nil {
		return fmt.Errorf("%w: what the selector %q matches shows nothing", fault.ErrNoElement, r.options.Selector)
	}
	return nil
}

// compare marks what has changed since the reading that Since names.
func (r *reader) compare(v *page.View) {
	since := r.options.Since
	if since == "" {
		return
	}
	marks, ok := r.pages.readings.marks(r.tab, since)
	if !ok || r.fresh && !r.known && since == r.token { // the token of this very reading names no earlier one
		v.Notes = append(v.Notes, r.unknownSince())
		return
	}
	v.Change = r.tree.Compare(marks)
	v.Notes = append(v.Notes, cmp.Or(r.goneNote(), "nothing with a ref is gone"), "since "+since+": + is new, * has changed, ~ has moved, - only stands around it")
}

// unknownSince says why there is nothing to compare with.
func (r *reader) unknownSince() string {
	if number, _ := readingNumber(r.options.Since); number <= r.pages.Earlier().Reading {
		return "since names a reading from before the restart of the browser, so this is the whole page"
	}
	return "since names no reading of this tab that is remembered, so this is the whole page"
}

const (
	// maxGone is how many removed elements are named.
	maxGone = 8
	// charsPerGone is how many characters of the budget each of them needs.
	charsPerGone = 400
)

// gone are the refs whose elements were found by the reading that Since names, or a later one, and no longer exist.
func (r *reader) gone() []page.Ref {
	number, ok := readingNumber(r.options.Since)
	if !ok {
		return nil
	}
	return r.pages.readings.refs.Gone(r.tab, number)
}

func (r *reader) goneNote() string {
	gone := r.gone()
	if len(gone) == 0 {
		return ""
	}
	note := "gone:"
	names := min(len(gone), maxGone, r.options.Budget/charsPerGone)
	for i, ref := range gone[:names] {
		if i > 0 {
			note += ","
		}
		note += " " + page.Describe(ref.Role, ref.Name) + " @" + ref.String()
	}
	if more := len(gone) - names; more > 0 {
		note += fmt.Sprintf(" and %d more", more)
	}
	return note
}

func isReading(token string) bool {
	_, ok := readingNumber(token)
	return ok
}

// readingNumber parses a token: r12.
func readingNumber(token string) (uint64, bool) {
	var n uint64
	if _, err := fmt.Sscanf(token, "r%d", &n); err != nil || token != fmt.Sprintf("r%d", n) {
		return 0, false
	}
	return n, true
}

const (
	// reuseLimit is how old the last reading may be for later pages to be taken from it.
	reuseLimit = 30 * time.Second
	// ownTouches is how often a reading itself is counted by Touched.
	ownTouches = 2
)

// reuseLast takes a later page from the last reading of the tab, if the task has done nothing since and the documents
// are the same: reading a large page takes long, and pages of two readings need not fit together. Changes that the page
// made by itself show when page 0 is read.
func (r *reader) reuseLast() bool {
	t, o := r.pages, r.options
	tab := t.lookup(r.tab)
	if o.Page == 0 || o.Since != "" || tab == nil || tab.Crashed || tab.RawFrameTree == nil {
		return false
	}
	tree, at := t.readings.untouched(tab.ID, o.Selector, reuseLimit)
	if tree == nil || !tree.Shows(documents(tab.RawFrameTree)) {
		return false
	}
	r.tab, r.tree, r.at, r.token = tab.ID, tree, at, fmt.Sprintf("r%d", tree.Reading)
	return true
}

// documents maps the frames of a tree that agents may look into to their documents.
func documents(tree *view.FrameTree) map[string]string {
	loaders := map[string]string{}
	for _, f := range frames(tree) {
		if filtered(f) != "" {
			continue
		}
		loaders[f.FrameID] = string(f.Document())
	}
	return loaders
}
