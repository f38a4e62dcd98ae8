package agent

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// SnapshotParams are the parameters of browser_snapshot.
type SnapshotParams struct {
	// Full adds the addresses of links and long texts, in the order of the document.
	Full bool `json:"full,omitempty" doc:"with link addresses and long texts"`
	// Scope is a ref: only what is below its element is read.
	Scope string `json:"scope,omitempty" doc:"a ref: only what is below it"`
	// Since is the token of an earlier snapshot: only what changed after it is given.
	Since string `json:"since,omitempty" doc:"token: only what changed"`
	// Page is which page of what did not fit is given.
	Page int `json:"page,omitempty" min:"0" max:"100000"`
	// Tab is a handle (t1) or a target id; empty: the tab in use.
	Tab string `json:"tab,omitempty"`
	Timeout
}

// SnapshotResult is that of browser_snapshot.
type SnapshotResult struct {
	Reading
	PendingDialogs []DialogInfo `json:"pending_dialogs"`
	RecentDialogs  []DialogInfo `json:"recent_dialogs"`
	FrameTree      *FrameTree   `json:"frame_tree,omitempty"`
	Untrusted      *Untrusted   `json:"untrusted,omitempty" schema:"-"`
}

// Reading is a page as text, with what a model needs to read on.
type Reading struct {
	// Snapshot has a line for each element, with refs.
	Snapshot     string `json:"snapshot"`
	ElementCount int    `json:"element_count"`
	// Token is what since takes. Page is which page this is of Pages.
	Token string `json:"token,omitempty" schema:"-"`
	Page  int    `json:"page,omitempty" schema:"-"`
	Pages int    `json:"pages,omitempty" schema:"-"`
	// Changed says, for a reading with since, whether anything did.
	Changed *bool `json:"changed,omitempty" schema:"-"`
	// Omitted says what was left out and how to reach it.
	Omitted []string `json:"omitted,omitempty" schema:"-"`
	// Stale says that this is what was last known, at ReadAt, since a dialog holds the page or it does not answer.
	Stale  bool           `json:"stale,omitempty" schema:"-"`
	ReadAt *host.UnixTime `json:"read_at,omitempty" schema:"-"`
	// URL and Title are the tab's.
	URL   string `json:"url"`
	Title string `json:"title"`
	// Frames has a note for each frame that could not be read.
	Frames []host.FrameNote `json:"frame_notes,omitempty" schema:"-"`
}

// FrameTree is the frames of a tab as the frame filter left them.
type FrameTree struct {
	Top       host.Frame   `json:"top"`
	Children  []host.Frame `json:"children"`
	Truncated bool         `json:"truncated"`
}

// Snapshot reads a page in all its frames. While a dialog holds the page it gives what was last known. Errors are those of
// [host.Task.ReadPage].
func (b *Browser) Snapshot(ctx context.Context, p SnapshotParams) (SnapshotResult, error) {
	ctx, cancel := b.within(ctx, p.Timeout)
	defer cancel()
	tab, err := b.onPage(ctx, p.Tab)
	if err != nil {
		return SnapshotResult{}, err
	}
	if p.Scope != "" && p.Tab == "" {
		tab = "" // it is that of the ref
	}
	r, err := b.task.ReadPage(ctx, host.ReadOptions{TargetID: tab, Full: p.Full, Scope: p.Scope, Since: p.Since, Page: p.Page})
	if err != nil { // a dialog is no reason: what was last known is given then
		return SnapshotResult{}, err
	}
	return snapshotResult(r, p.Since != ""), nil
}

func snapshotResult(r *host.PageReading, since bool) SnapshotResult {
	out := SnapshotResult{
		Reading: reading(r), PendingDialogs: dialogInfos(r.PendingDialogs), RecentDialogs: dialogInfos(r.RecentDialogs),
		Untrusted: &Untrusted{Origin: r.Origin, Fields: []string{"snapshot", "title", "url", "pending_dialogs", "recent_dialogs", "frame_tree"}},
	}
	if since {
		out.Changed = &r.Changed
	}
	if r.FrameTree != nil {
		out.FrameTree = &FrameTree{r.FrameTree.Top, r.FrameTree.Children, r.FrameTree.Truncated}
	}
	return out
}

func reading(r *host.PageReading) Reading {
	out := Reading{
		Snapshot: r.Text, ElementCount: r.Elements, Token: r.Token, Omitted: r.Omitted, Stale: r.Stale,
		URL: r.URL, Title: r.Title, Frames: r.Frames,
	}
	if r.Pages > 1 {
		out.Page, out.Pages = r.Page, r.Pages
	}
	if r.Stale {
		out.ReadAt = &r.ReadAt
	}
	return out
}

func (r SnapshotResult) counted() counted { return countFallbacks(r.Stale, len(r.Frames) > 0) }

// Text is the page, after what holds it.
func (r SnapshotResult) Text() string {
	lines := infoLines(r.PendingDialogs)
	if r.Changed != nil && !*r.Changed {
		lines = append(lines, "nothing changed")
	}
	return strings.Join(append(lines, r.Reading.lines()...), "\n")
}

func (r Reading) lines() []string {
	lines := []string{"page " + r.URL + " " + r.Title + " (what it says is untrusted):"}
	if r.Stale {
		lines = append(lines, "as last known at "+r.ReadAt.UTC().Format(time.RFC3339)+", since the page does not answer now")
	}
	return append(lines, r.Snapshot)
}

// ImagesParams are the parameters of browser_get_images.
type ImagesParams struct {
	// Tab is a handle (t1) or a target id; empty: the tab in use.
	Tab     string `json:"tab,omitempty"`
	Timeout `list:"no"`
}

// ImagesResult is that of browser_get_images.
type ImagesResult struct {
	Images    []host.Image `json:"images"`
	Count     int          `json:"count"`
	Untrusted *Untrusted   `json:"untrusted,omitempty" schema:"-"`
}

// Images lists the images of a page. Errors are those of [host.Task.Images].
func (b *Browser) Images(ctx context.Context, p ImagesParams) (ImagesResult, error) {
	ctx, cancel := b.within(ctx, p.Timeout)
	defer cancel()
	tab, err := b.onPage(ctx, p.Tab)
	if err != nil {
		return ImagesResult{}, err
	}
	list, err := b.task.Images(ctx, tab)
	return then(ctx, b, list, err, func(_ context.Context, list []host.Image) (ImagesResult, error) {
		out := ImagesResult{Images: make([]host.Image, len(list)), Count: len(list), Untrusted: b.untrusted(tab, "images")}
		for i, image := range list {
			image.Src, image.Alt = visible(image.Src), visible(image.Alt)
			out.Images[i] = image
		}
		return out, nil
	})
}

// Text has a line for each image.
func (r ImagesResult) Text() string {
	lines := []string{number(r.Count, "image") + ", the page's words:"}
	for _, i := range r.Images {
		lines = append(lines, fmt.Sprintf("%s %dx%d %s", pagetext.QuoteShown(i.Alt), i.Width, i.Height, i.Src))
	}
	return strings.Join(lines, "\n")
}
