package e2e

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// truth is a frame as Chromium tells of it.
type truth struct {
	parent, url string
	oopif       bool
	process     string // the root frame of the session that shows it
}

func (f truth) String() string {
	return fmt.Sprintf("%s under %q, oopif %v, shown by %s", f.url, f.parent, f.oopif, f.process)
}

// frames attaches to a page and to all iframe targets below it, and unites their frame trees. It must not use
// auto-attach: a second client that sets it on a page where a frame of the first just waits for the debugger makes
// Chromium detach the first from that frame and leave it waiting forever.
func (c *rawClient) frames(ctx context.Context, id string) (map[string]truth, error) {
	found := map[string]truth{}
	if err := c.addFrames(ctx, id, found); err != nil {
		return nil, err
	}
	var targets target.GetTargetsResult
	err := c.conn.Call(ctx, "", target.CommandGetTargets, &target.GetTargetsParams{Filter: target.Filter{{Type: "iframe"}}}, &targets)
	if err != nil {
		return nil, err
	}
	leaked := map[string]bool{}
	for more := true; more; {
		more = false
		for _, info := range targets.TargetInfos {
			id, parent := string(info.TargetID), string(info.ParentFrameID)
			if _, ours := found[parent]; !ours || found[id].process == id || leaked[id] {
				continue
			}
			owned, err := c.hasElement(ctx, found[parent].process, id)
			if err != nil {
				return nil, err
			}
			if leaked[id] = !owned; leaked[id] {
				continue
			}
			if err := c.addFrames(ctx, id, found); err != nil {
				return nil, err
			}
			more = true
		}
	}
	return found, nil
}

// hasElement tells whether the document that a target shows has an element for a frame. Under load Chromium leaks
// frames whose element is removed while they move to another process: their target stays and answers, but they are
// gone.
func (c *rawClient) hasElement(ctx context.Context, id, frame string) (bool, error) {
	flatten := true
	var made target.AttachToTargetResult
	err := c.conn.Call(ctx, "", target.CommandAttachToTarget, &target.AttachToTargetParams{TargetID: target.ID(id), Flatten: &flatten}, &made)
	if err != nil {
		return false, err
	}
	owner := c.conn.Call(ctx, string(made.SessionID), dom.CommandGetFrameOwner, &dom.GetFrameOwnerParams{FrameID: cdproto.FrameID(frame)}, nil)
	if refused := (*cdp.Error)(nil); owner != nil && !errors.As(owner, &refused) {
		return false, owner
	}
	return owner == nil, c.conn.Call(ctx, "", target.CommandDetachFromTarget, &target.DetachFromTargetParams{SessionID: made.SessionID}, nil)
}

// addFrames adds what one target says of its frames.
func (c *rawClient) addFrames(ctx context.Context, id string, found map[string]truth) error {
	flatten := true
	var made target.AttachToTargetResult
	err := c.conn.Call(ctx, "", target.CommandAttachToTarget, &target.AttachToTargetParams{TargetID: target.ID(id), Flatten: &flatten}, &made)
	if err != nil {
		return err
	}
	var reply cdppage.GetFrameTreeResult
	err = c.conn.Call(ctx, string(made.SessionID), cdppage.CommandGetFrameTree, nil, &reply)
	if err != nil {
		return err
	}
	var walk func(tree *cdppage.FrameTree)
	walk = func(tree *cdppage.FrameTree) {
		f := tree.Frame
		found[string(f.ID)] = truth{parent: string(f.ParentID), url: frameURL(f), oopif: string(f.ID) == id && f.ParentID != "", process: id}
		for _, child := range tree.ChildFrames {
			walk(child)
		}
	}
	walk(reply.FrameTree)
	return c.conn.Call(ctx, "", target.CommandDetachFromTarget, &target.DetachFromTargetParams{SessionID: made.SessionID}, nil)
}

// frameURL is the address that was asked for where there is an error page, and about:blank for the first document of a
// frame, for which Chromium has no address.
func frameURL(f *cdproto.Frame) string {
	return cmp.Or(f.UnreachableURL, f.URL+f.URLFragment, "about:blank")
}

// supervised is a raw tree of a snapshot in the same form.
func supervised(tree *host.FrameTree) map[string]truth {
	if tree == nil {
		return nil
	}
	all := append([]host.Frame{tree.Top}, tree.Children...)
	roots := map[string]string{} // by session: the frame that it was made for
	for _, f := range all {
		if f.IsOOPIF || f.ParentFrameID == "" {
			roots[f.SessionID] = f.FrameID
		}
	}
	found := map[string]truth{}
	for _, f := range all {
		found[f.FrameID] = truth{parent: f.ParentFrameID, url: f.URL, oopif: f.IsOOPIF, process: roots[f.SessionID]}
	}
	return found
}

// difference tells how two trees differ; empty when they do not.
func difference(want, got map[string]truth) string {
	var text strings.Builder
	for _, id := range slices.Sorted(maps.Keys(want)) {
		if g, ok := got[id]; !ok {
			fmt.Fprintf(&text, "missing  %s %v\n", id, want[id])
		} else if g != want[id] {
			fmt.Fprintf(&text, "browser  %s %v\nsnapshot %s %v\n", id, want[id], id, g)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(got)) {
		if _, ok := want[id]; !ok {
			fmt.Fprintf(&text, "too many %s %v\n", id, got[id])
		}
	}
	return text.String()
}

// sameTree waits until the raw tree of a page is Chromium's own, and gives it. The page may still be changing when it
// is called; what counts is that both agree once it is quiet. An empty id means the first page.
func (w *world) sameTree(id string) map[string]truth {
	w.t.Helper()
	tree, err := w.agree(w.ctx, id)
	if err != nil {
		w.t.Fatal(err)
	}
	return tree
}

// agree is sameTree within a time, with an error if they differ to its end.
func (w *world) agree(ctx context.Context, id string) (map[string]truth, error) {
	w.t.Helper()
	if id == "" {
		id = w.Snapshot().Page().ID
	}
	c := newRawClient(ctx, w.t, w.address)
	for {
		// A target that is just going may never answer.
		asking, cancel := context.WithTimeout(ctx, 5*time.Second)
		tree, err := c.frames(asking, id)
		cancel()
		got := map[string]truth{}
		agrees := func(s *host.Snapshot) bool {
			page := s.Target(id)
			if page != nil {
				got = supervised(page.RawFrameTree)
			}
			return difference(tree, got) == ""
		}
		if err == nil { // else a session ended while it was asked: the page is not quiet yet
			round, cancel := context.WithTimeout(ctx, time.Second)
			s, ok := w.Wait(round, agrees)
			cancel()
			if ok {
				checkTree(w.t, s.Target(id).RawFrameTree)
				return tree, nil
			}
		}
		if ctx.Err() != nil {
			return nil, fmt.Errorf("the raw tree is not Chromium's (%w):\n%s", cmp.Or(err, ctx.Err()), difference(tree, got))
		}
	}
}

// rest is sameTree without the top frame, as a sorted list of short addresses.
func (w *world) rest(id string) []string {
	w.t.Helper()
	var list []string
	for _, f := range w.sameTree(id) {
		if f.parent == "" {
			continue
		}
		kind := ""
		if f.oopif {
			kind = " (oopif)"
		}
		list = append(list, uuid.ReplaceAllString(w.short(f.url), "*")+kind)
	}
	slices.Sort(list)
	return list
}

// becomes waits until a page has these frames below its top frame, by what Chromium and the snapshot say alike.
func (w *world) becomes(id string, want ...string) {
	w.t.Helper()
	slices.Sort(want)
	for began := time.Now(); ; {
		got := w.rest(id)
		if slices.Equal(got, want) {
			return
		}
		if time.Since(began) > shared.Patience(10*time.Second) {
			w.t.Fatalf("frames below the top: got %q, want %q", got, want)
		}
	}
}

var uuid = regexp.MustCompile(`[0-9a-f-]{36}`)

// checkTree checks what holds for every raw tree: parents come before their children, and no frame is there twice.
func checkTree(t *testing.T, tree *host.FrameTree) {
	t.Helper()
	seen := map[string]bool{tree.Top.FrameID: true}
	for _, f := range tree.Children {
		if !seen[f.ParentFrameID] {
			t.Errorf("frame %s comes before its parent %s", f.FrameID, f.ParentFrameID)
		}
		if seen[f.FrameID] {
			t.Errorf("frame %s is there twice", f.FrameID)
		}
		seen[f.FrameID] = true
	}
}

// sites are short names of four hosts that are four sites to Chromium, so that a frame of one in another is an OOPIF.
var sites = map[string]string{"$A": "localhost", "$B": "127.0.0.1", "$C": "127.0.0.2", "$D": "x.localhost"}

// short writes addresses of the site with the short names.
func (s *site) short(text string) string {
	for name, host := range sites {
		text = strings.ReplaceAll(text, s.url(host, ""), name)
	}
	return text
}

// long is the reverse of short.
func (s *site) long(text string) string {
	for name, host := range sites {
		text = strings.ReplaceAll(text, name, s.url(host, ""))
	}
	return text
}

// onSites makes pages that use the short names what [serve] understands.
func onSites(pages map[string]string) map[string]string {
	out := map[string]string{}
	for path, html := range pages {
		for name, host := range sites {
			html = strings.ReplaceAll(html, name, "{{"+host+"}}")
		}
		out[path] = html
	}
	return out
}
