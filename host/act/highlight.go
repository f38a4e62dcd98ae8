package act

import (
	"context"
	"slices"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/overlay"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// Highlight draws a line around elements, for whoever watches the tab and in pictures of it, in place of what was
// highlighted before; without an element, it ends that. The browser draws it above the page, where the page's scripts
// cannot see it, and it follows the elements until their documents are gone. Errors: as [Tab.Inspect].
func (t Tab) Highlight(ctx context.Context, elements ...Locator) (err error) {
	defer fault.During("highlight", &err)
	tab, err := t.target()
	if len(elements) > 0 && err == nil {
		tab, err = t.targetOf(elements[0])
	}
	if err != nil {
		return err
	}
	_, err = t.pages.onPage(ctx, tab, func(d *driver) (any, error) {
		return nil, actError(t.pages.highlight(d, elements))
	})
	return err
}

func (p *Pages) highlight(d *driver, elements []Locator) error {
	roots := p.rootFrames(d)
	nodes := map[cdproto.FrameID][]cdproto.BackendNodeID{"": nil} // by the first frame of each session
	for _, root := range roots {
		nodes[root] = nil
	}
	for _, l := range elements {
		e, err := p.find(d, l)
		if err != nil {
			return err
		}
		root := roots[e.Frame]
		nodes[root] = append(nodes[root], e.ID)
	}
	for root, of := range nodes {
		if err := d.outline(root, of); err != nil && (len(of) > 0 || !d.Gone(err)) {
			return err
		}
	}
	for root, of := range nodes {
		if len(of) == 0 || root == "" {
			continue
		}
		for range 2 { // a picture does not wait for what other processes draw: once it is begun, and once it is there
			if err := page.AwaitDrawn(d, root); err != nil {
				return err
			}
		}
	}
	return nil
}

// rootFrames returns, for each frame of the tab, the first frame of the same session that is not filtered; empty: the
// top frame.
func (p *Pages) rootFrames(d *driver) map[cdproto.FrameID]cdproto.FrameID {
	roots := map[cdproto.FrameID]cdproto.FrameID{}
	tab := p.lookup(string(d.tab))
	if tab == nil || tab.RawFrameTree == nil {
		return roots
	}
	all := frames(tab.RawFrameTree)
	for _, f := range all {
		if first := slices.IndexFunc(all, func(other view.Frame) bool { return other.SessionID == f.SessionID && filtered(other) == "" }); first > 0 {
			roots[cdproto.FrameID(f.FrameID)] = cdproto.FrameID(all[first].FrameID)
		}
	}
	return roots
}

// outlined is the colour of the line.
var outlined = &overlay.LineStyle{Color: &cdproto.RGBA{R: 255, G: 0, B: 170, A: 1}}

// outline draws a line around nodes of a session, which its frame names, and around no others. Only the overlay of
// containers is for any number of nodes, whether they are containers or not.
func (d *driver) outline(frame cdproto.FrameID, nodes []cdproto.BackendNodeID) error {
	if len(nodes) == 0 {
		return d.Read(frame, overlay.CommandDisable, nil, nil)
	}
	var pushed dom.PushNodesByBackendIDsToFrontendResult
	for _, c := range []struct {
		method         string
		params, result any
	}{
		{dom.CommandEnable, nil, nil}, {overlay.CommandEnable, nil, nil},
		{dom.CommandGetDocument, nil, nil}, // without which nodes have no ids
		{dom.CommandPushNodesByBackendIDsToFrontend, &dom.PushNodesByBackendIDsToFrontendParams{BackendNodeIDs: nodes}, &pushed},
	} {
		if err := d.Read(frame, c.method, c.params, c.result); err != nil {
			return err
		}
	}
	var drawn overlay.SetShowContainerQueryOverlaysParams
	for _, id := range pushed.NodeIDs {
		drawn.ContainerQueryHighlightConfigs = append(drawn.ContainerQueryHighlightConfigs, &overlay.ContainerQueryHighlightConfig{
			NodeID: id, ContainerQueryContainerHighlightConfig: &overlay.ContainerQueryContainerHighlightConfig{ContainerBorder: outlined},
		})
	}
	return d.Read(frame, overlay.CommandSetShowContainerQueryOverlays, &drawn, nil)
}
