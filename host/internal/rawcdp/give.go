package rawcdp

import (
	"context"
	"encoding/json"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/input"

	"github.com/hermes-cdp/hermes-cdp/host/act"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// mayGive asks the plugins about the files that a command gives to a page. [confine] has replaced them with real paths.
func mayGive(ctx context.Context, t *act.Pages, c Call, p params) error {
	if !givesFiles[c.Method] {
		return nil
	}
	paths, err := filesOf(c.Method, p)
	if err != nil {
		return err
	}
	return t.AskUpload(ctx, receiver(t.Snapshot(), c), paths)
}

// mayRedirect refuses a command that puts downloads into another directory while plugins decide on them: the host does
// not learn where the browser has a file then, and the agent would find it there before they have decided.
func mayRedirect(t *act.Pages, method string, p params) error {
	redirects := method == setDownloadBehavior || method == cdpbrowser.CommandSetDownloadBehavior
	if !redirects || p.text("behavior") == string(cdpbrowser.SetDownloadBehaviorBehaviorDeny) || !t.DownloadsAsked() {
		return nil
	}
	return &fault.RefusedError{Method: method, Reason: "plugins decide on downloads, so their files come to the task's own directory; the operator chooses it with browser.download_dir"}
}

// filesOf returns the files that a command names where [confine] looks for them. Only a drag has any in data: another
// command could hide its files from the plugins behind a list there, which the browser ignores.
func filesOf(method string, p params) (paths []string, err error) {
	if method == input.CommandDispatchDragEvent {
		dragged := params{}
		if err := cdp.Unmarshal(p["data"], &dragged); err != nil {
			return nil, err
		}
		p = dragged
	}
	if list := p["files"]; len(list) > 0 {
		err = json.Unmarshal(list, &paths)
	}
	return paths, err
}

// receiver is the document that a command is for: that of the frame that it names, or else of the tab. A node that it
// names may be of another document in the same process, which only the browser knows.
func receiver(s *view.Snapshot, c Call) engine.Receiver {
	tab := s.Page()
	if c.TargetID != "" {
		tab = s.Target(c.TargetID)
	}
	var named *view.Frame
	for i := range s.Targets {
		if f := frameOf(s.Targets[i].RawFrameTree, c.FrameID); f != nil {
			tab, named = &s.Targets[i], f
		}
	}
	if tab == nil || tab.RawFrameTree == nil {
		return engine.Receiver{TargetID: c.TargetID}
	}
	top := &tab.RawFrameTree.Top
	if named == nil {
		named = top
	}
	return engine.Receiver{TargetID: tab.ID, URL: named.URL, Origin: named.Origin, TopOrigin: top.Origin}
}

// frameOf returns a frame of a tree by its id; nil if it is not there.
func frameOf(tree *view.FrameTree, id string) *view.Frame {
	if tree == nil || id == "" {
		return nil
	}
	if tree.Top.FrameID == id {
		return &tree.Top
	}
	for i := range tree.Children {
		if tree.Children[i].FrameID == id {
			return &tree.Children[i]
		}
	}
	return nil
}
