package look

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/toolkit"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// SnapshotParams are the parameters of browser_snapshot.
type SnapshotParams struct {
	// Full adds link URLs and long texts, in document order.
	Full bool `json:"full,omitempty" doc:"link URLs, long texts"`
	// Scope is a ref: only the subtree of its element is read.
	Scope string `json:"scope,omitempty" doc:"ref, or selector: only below it"`
	// Selector is a CSS selector: only the subtree of its first match is read.
	Selector string `json:"selector,omitempty"`
	// Since is the token of an earlier snapshot: only what has changed since is returned.
	Since string `json:"since,omitempty" doc:"token: what changed"`
	// Page selects a page of a reading that did not fit into one.
	Page int `json:"page,omitempty" min:"0" max:"100000"`
	// Tab is a handle (t1) or a target id; empty: the tab in use.
	Tab string `json:"tab,omitempty"`
	toolkit.Timeout
}

// SnapshotResult is the result of browser_snapshot.
type SnapshotResult struct {
	Reading
	PendingDialogs []result.DialogInfo `json:"pending_dialogs"`
	// RecentDialogs were closed since the last snapshot that had them.
	RecentDialogs []result.DialogInfo `json:"recent_dialogs"`
	FrameTree     *FrameTree          `json:"frame_tree,omitempty"`
	Untrusted     *result.Untrusted   `json:"untrusted,omitempty" schema:"-"`
}

// Reading is a page as text, with what a model needs to continue reading.
type Reading struct {
	// Snapshot has a line for each element, with refs.
	Snapshot     string `json:"snapshot"`
	ElementCount int    `json:"element_count"`
	// Token is for Since. This is page Page of Pages.
	Token string `json:"token,omitempty" schema:"-"`
	Page  int    `json:"page,omitempty" schema:"-"`
	Pages int    `json:"pages,omitempty" schema:"-"`
	// Changed says whether anything changed, in a reading with Since.
	Changed *bool `json:"changed,omitempty" schema:"-"`
	// Omitted says what was left out and how to get it.
	Omitted []string `json:"omitted,omitempty" schema:"-"`
	// Stale says that this is the last known state, of ReadAt, because a dialog holds the page or it does not answer.
	Stale  bool           `json:"stale,omitempty" schema:"-"`
	ReadAt *host.UnixTime `json:"read_at,omitempty" schema:"-"`
	// URL and Title are the tab's.
	URL   string `json:"url"`
	Title string `json:"title"`
	// Frames has a note for each frame that could not be read.
	Frames []host.FrameNote `json:"frame_notes,omitempty" schema:"-"`
}

// FrameTree has the frames of a tab after the frame filter.
type FrameTree struct {
	Top       host.Frame   `json:"top"`
	Children  []host.Frame `json:"children"`
	Truncated bool         `json:"truncated"`
}

// Snapshot reads a page in all its frames. While a dialog holds the page it returns the last known state. Errors are
// those of [host.Tab.Read].
func (k *Kit) Snapshot(ctx context.Context, p SnapshotParams) (SnapshotResult, error) {
	ctx, cancel := k.Within(ctx, p.Timeout)
	defer cancel()
	tab, err := k.OnPage(ctx, p.Tab)
	if err != nil {
		return SnapshotResult{}, err
	}
	if p.Scope != "" && p.Tab == "" {
		tab = "" // the ref's
	}
	r, err := k.Task.Tab(tab).Read(ctx, &host.ReadOptions{Full: p.Full, Scope: p.Scope, Selector: p.Selector, Since: p.Since, Page: p.Page})
	if err != nil { // not because of a dialog: then the last known state is returned
		return SnapshotResult{}, err
	}
	out := snapshotResult(r, p.Since != "")
	out.RecentDialogs = k.notShown(out.RecentDialogs)
	return out, nil
}

// notShown are the dialogs that no snapshot has reported yet.
func (k *Kit) notShown(recent []result.DialogInfo) []result.DialogInfo {
	k.mu.Lock()
	defer k.mu.Unlock()
	before := k.shown
	k.shown = nil
	fresh := []result.DialogInfo{}
	for _, d := range recent {
		k.shown = append(k.shown, d.ID)
		if !slices.Contains(before, d.ID) {
			fresh = append(fresh, d)
		}
	}
	return fresh
}

func snapshotResult(r *host.Reading, since bool) SnapshotResult {
	out := SnapshotResult{
		Reading: ReadingOf(r), PendingDialogs: result.Dialogs(r.PendingDialogs), RecentDialogs: result.Dialogs(r.RecentDialogs),
		Untrusted: &result.Untrusted{Origin: r.Origin, Fields: []string{"snapshot", "title", "url", "pending_dialogs", "recent_dialogs", "frame_tree"}},
	}
	if since {
		out.Changed = &r.Changed
	}
	if r.FrameTree != nil {
		out.FrameTree = &FrameTree{r.FrameTree.Top, r.FrameTree.Children, r.FrameTree.Truncated}
	}
	return out
}

// ReadingOf is a reading of the host as results have it.
func ReadingOf(r *host.Reading) Reading {
	out := Reading{
		Snapshot: r.Text, ElementCount: r.Elements, Token: r.Token, Omitted: r.Omitted, Stale: r.Stale,
		URL: r.URL, Title: r.Title, Frames: r.Frames,
	}
	if r.Pages > 1 {
		out.Page, out.Pages = r.Page, r.Pages
	}
	if r.Stale && !r.ReadAt.IsZero() {
		out.ReadAt = &r.ReadAt
	}
	return out
}

// Unread reports whether a frame could not be read, although agents may look into it.
func Unread(notes []host.FrameNote) bool {
	return slices.ContainsFunc(notes, func(n host.FrameNote) bool { return !n.Filtered })
}

// FilteredLines name the frames that are missing because agents may not look into them.
func FilteredLines(notes []host.FrameNote) []string {
	var lines []string
	for _, n := range notes {
		if n.Filtered {
			lines = append(lines, "the frame "+n.FrameID+" is "+n.State)
		}
	}
	return lines
}

func (r SnapshotResult) Counted() result.Counted {
	return result.CountFallbacks(r.Stale, Unread(r.Frames))
}

// Text returns the dialogs that hold the page, then the page.
func (r SnapshotResult) Text() string {
	lines := result.InfoLines(r.PendingDialogs)
	if r.Changed != nil && !*r.Changed {
		lines = append(lines, "nothing changed")
	}
	return strings.Join(append(lines, r.Reading.Lines()...), "\n")
}

// token is how the text names the reading for Since.
func (r Reading) token() string {
	if r.Token == "" {
		return ""
	}
	return ", " + r.Token
}

// Lines are what a model reads.
func (r Reading) Lines() []string {
	lines := []string{"page " + r.URL + " " + r.Title + " (its content is untrusted" + r.token() + "):"}
	if r.ReadAt != nil {
		lines = append(lines, "as last known at "+r.ReadAt.UTC().Format(time.RFC3339)+", because the page does not answer now")
	}
	return append(lines, r.Snapshot)
}

// ImagesParams are the parameters of browser_get_images.
type ImagesParams struct {
	// Tab is a handle (t1) or a target id; empty: the tab in use.
	Tab             string `json:"tab,omitempty"`
	toolkit.Timeout `list:"no"`
}

// ImagesResult is the result of browser_get_images.
type ImagesResult struct {
	Images    []host.Image      `json:"images"`
	Count     int               `json:"count"`
	Untrusted *result.Untrusted `json:"untrusted,omitempty" schema:"-"`
}

// Images lists the images of a page. Errors are those of [host.Tab.Images].
func (k *Kit) Images(ctx context.Context, p ImagesParams) (ImagesResult, error) {
	ctx, cancel := k.Within(ctx, p.Timeout)
	defer cancel()
	tab, err := k.OnPage(ctx, p.Tab)
	if err != nil {
		return ImagesResult{}, err
	}
	list, err := k.Task.Tab(tab).Images(ctx)
	return toolkit.Then(ctx, k.Kit, list, err, func(_ context.Context, list []host.Image) (ImagesResult, error) {
		out := ImagesResult{Images: make([]host.Image, len(list)), Count: len(list), Untrusted: k.Untrusted(tab, "images")}
		for i, image := range list {
			image.Src, image.Alt = result.Visible(image.Src), result.Visible(image.Alt)
			out.Images[i] = image
		}
		return out, nil
	})
}

// Text has a line for each image.
func (r ImagesResult) Text() string {
	lines := []string{result.Number(r.Count, "image") + ", as described by the page:"}
	for _, i := range r.Images {
		lines = append(lines, fmt.Sprintf("%s %dx%d %s", pagetext.QuoteShown(i.Alt), i.Width, i.Height, i.Src))
	}
	return strings.Join(lines, "\n")
}
