package page

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"math"
	"slices"
	"strings"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	cdppage "github.com/chromedp/cdproto/page"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/geometry"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

const (
	// maxHeight caps the height of a whole page, in CSS pixels: beyond it Chromium repeats the picture.
	maxHeight = 16384
	// maxBoxes caps the number of boxes that are drawn.
	maxBoxes = 500
)

// Picture is a screenshot.
type Picture struct {
	PNG   []byte
	Size  image.Point
	Boxes []Box
}

// Box is a numbered box in a picture, in its pixels.
type Box struct {
	Node   *Node
	Number int
	Rect   image.Rectangle
}

// CaptureOptions says what a screenshot shows.
type CaptureOptions struct {
	FullPage bool
	Element  *Key // the element to scroll to and capture; nil: the viewport
	// Give returns the ref of a node of the tree; nil: no boxes are drawn.
	Give func(*Tree, *Node) int
	// Limit is how much time there is; 0: no limit.
	Limit time.Duration
}

// Capture captures a tab. Boxes are drawn on the picture; the page is left as it is.
func Capture(d Reader, refs *Refs, s CaptureOptions) (Picture, error) {
	if s.Element != nil {
		into := &dom.ScrollIntoViewIfNeededParams{BackendNodeID: s.Element.Node}
		if err := d.Act(s.Element.Frame, dom.CommandScrollIntoViewIfNeeded, into, nil); err != nil {
			return Picture{}, err
		}
		if err := AwaitDrawn(d, s.Element.Frame); err != nil {
			return Picture{}, err
		}
	}
	var metrics cdppage.GetLayoutMetricsResult
	if err := d.Read("", cdppage.CommandGetLayoutMetrics, nil, &metrics); err != nil {
		return Picture{}, err
	}
	c := camera{driver: d, metrics: &metrics}
	if s.Give != nil {
		tree, err := readWith(d, refs, s.Limit, content{boxes: true})
		if err != nil {
			return Picture{}, err
		}
		c.tree, c.toTab = tree, mapsToTab(d, tree)
	}
	if err := c.aim(s); err != nil {
		return Picture{}, err
	}
	return c.take(s)
}

// camera takes one screenshot.
type camera struct {
	driver  Reader
	metrics *cdppage.GetLayoutMetricsResult
	tree    *Tree                               // nil if it is not needed
	toTab   map[cdproto.FrameID]geometry.Affine // from the viewports of frames to that of the tab
	section geometry.Rect                       // of the top document
	beyond  bool                                // the section is more than the viewport
}

// aim finds the section of the top document to capture.
func (c *camera) aim(s CaptureOptions) error {
	view := c.metrics.CSSVisualViewport
	c.section = geometry.Rect{X: view.PageX, Y: view.PageY, Width: view.ClientWidth, Height: view.ClientHeight}
	switch {
	case s.Element != nil:
		box, ok := c.boxOf(Element{s.Element.Frame, s.Element.Node})
		if !ok || box.Width < 1 || box.Height < 1 {
			return fault.ErrHidden
		}
		c.section, c.beyond = box.Moved(view.PageX, view.PageY), true
	case s.FullPage:
		all := c.metrics.CSSContentSize
		c.section, c.beyond = geometry.Rect{X: 0, Y: 0, Width: all.Width, Height: math.Min(all.Height, maxHeight)}, true
	}
	return nil
}

// box is the box of a node of the tree in the top frame's viewport.
func (c *camera) box(n *Node) (geometry.Rect, bool) {
	toTab, ok := c.toTab[n.Key.Frame]
	scrolled := c.tree.scrolled[n.Key.Frame]
	return n.box.rect().Moved(-scrolled.X, -scrolled.Y).Quad().Mapped(toTab).Bounds(), ok
}

// boxOf is the box of any element in the top frame's viewport.
func (c *camera) boxOf(n Element) (geometry.Rect, bool) {
	box, _, err := boxInTab(c.driver, n)
	return box, err == nil
}

// maxTakes is how many screenshots of an element are taken until two are equal.
const maxTakes = 4

// steady takes a screenshot. A screenshot does not wait for frames of other processes to be drawn, so an element of one
// is captured until two screenshots in a row are equal.
func (c *camera) steady(s CaptureOptions, params *cdppage.CaptureScreenshotParams) ([]byte, error) {
	data, err := capture(c.driver, params)
	if err != nil || s.Element == nil || !c.hasOwnSession(s.Element.Frame) {
		return data, err
	}
	for range maxTakes - 1 {
		if err := AwaitDrawn(c.driver, s.Element.Frame); err != nil {
			return nil, err
		}
		before := data
		if data, err = capture(c.driver, params); err != nil || bytes.Equal(before, data) {
			return data, err
		}
	}
	return data, nil
}

// hasOwnSession reports whether a frame's session is not that of the top frame.
func (c *camera) hasOwnSession(frame cdproto.FrameID) bool {
	frames := c.driver.Frames()
	i := slices.IndexFunc(frames, func(f Frame) bool { return f.ID == frame })
	return i >= 0 && frames[i].Session != frames[0].Session
}

func (c *camera) take(s CaptureOptions) (Picture, error) {
	params := &cdppage.CaptureScreenshotParams{Format: cdppage.CaptureScreenshotFormatPng, CaptureBeyondViewport: &c.beyond}
	if c.beyond {
		params.Clip = &cdppage.Viewport{X: c.section.X, Y: c.section.Y, Width: c.section.Width, Height: c.section.Height, Scale: 1}
	}
	data, err := c.steady(s, params)
	if err != nil {
		return Picture{}, err
	}
	size, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return Picture{}, err
	}
	shot := Picture{PNG: data, Size: image.Pt(size.Width, size.Height)}
	if s.Give == nil {
		return shot, nil
	}
	shot.Boxes = c.boxes(s.Give, shot.Size)
	shot.PNG, err = annotate(shot.PNG, shot.Boxes)
	return shot, err
}

// boxes are the boxes of the elements that can be acted on and are in the picture.
func (c *camera) boxes(give func(*Tree, *Node) int, picture image.Point) []Box {
	scale := float64(picture.X) / c.section.Width
	view := c.metrics.CSSVisualViewport
	var boxes []Box
	for _, n := range c.tree.nodes {
		if !n.Acts || len(boxes) == maxBoxes {
			continue
		}
		box, ok := c.box(n)
		if !ok || box.Width < 1 || box.Height < 1 {
			continue
		}
		box = box.Moved(view.PageX-c.section.X, view.PageY-c.section.Y)
		r := image.Rect(int(box.X*scale), int(box.Y*scale), int(math.Ceil((box.X+box.Width)*scale)), int(math.Ceil((box.Y+box.Height)*scale)))
		if r = r.Intersect(image.Rectangle{Max: picture}); r.Empty() {
			continue
		}
		if number := give(c.tree, n); number != 0 {
			boxes = append(boxes, Box{n, number, r})
		}
	}
	slices.SortFunc(boxes, func(a, b Box) int { return a.Number - b.Number })
	return boxes
}

// mapsToTab maps the viewports of frames to that of the tab. A frame whose element cannot be asked has no map.
func mapsToTab(d Reader, t *Tree) map[cdproto.FrameID]geometry.Affine {
	toTab := map[cdproto.FrameID]geometry.Affine{}
	root := map[string]cdproto.FrameID{} // of each session: quads are relative to its viewport
	levels := map[cdproto.FrameID]*Level{}
	for _, f := range t.all {
		if _, found := root[f.Session]; !found {
			root[f.Session] = f.ID
		}
		if f.Parent == "" {
			toTab[f.ID], levels[f.ID] = geometry.Identity, &Level{Frame: f}
			continue
		}
		above, ok := toTab[root[t.sessions[f.Parent]]]
		l := &Level{Frame: f, Owner: Element{f.Parent, t.owners[f.ID]}, OwnSession: f.Session != t.sessions[f.Parent]}
		if ok && l.Owner.ID != 0 && l.Measure(d, levels[f.Parent]) == nil {
			toTab[f.ID], levels[f.ID] = above.After(l.ToParent), l
		}
	}
	return toTab
}

const (
	// uncoverAfter is how long a screenshot may take before its tab is brought to the front.
	uncoverAfter = 500 * time.Millisecond
	// undrawnAfter is how often that is done before a page that has not been drawn yet is given up.
	undrawnAfter = 4
	// undrawnLimit is how long a page has to say what it waits for.
	undrawnLimit = time.Second
)

// capture takes a screenshot. Chromium renders nothing of a tab that is behind another one in its window, so its
// screenshot may never come, and emulating focus does not change that. A tab whose screenshot has not come after a
// moment is brought to the front, and then it comes. Usually no window moves, and the page that is covered now receives
// no event. This is repeated from time to time, because the screenshot of another tab may have covered this one.
//
// Nor does it render a page before the stylesheets and scripts of its head have come
// (https://html.spec.whatwg.org/#render-blocking-mechanism). The error names one that does not come.
func capture(d Reader, params *cdppage.CaptureScreenshotParams) ([]byte, error) {
	var reply struct {
		Data []byte `json:"data"`
	}
	taken := make(chan error, 1)
	go func() { taken <- d.Read("", cdppage.CommandCaptureScreenshot, params, &reply) }()
	wait := uncoverAfter
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for covered := 1; ; covered++ {
		select {
		case err := <-taken:
			return reply.Data, err
		case <-timer.C:
			// An error can be ignored: if something is wrong with the tab, the screenshot fails too.
			_ = d.Read("", cdppage.CommandBringToFront, nil, nil)
			if covered >= undrawnAfter {
				if err := undrawn(d); err != nil {
					return nil, err
				}
			}
			wait *= 2
			timer.Reset(wait)
		}
	}
}

// awaitedByDrawing names what a document waits for before it is drawn; null: it has been drawn, or waits for nothing.
const awaitedByDrawing = `() => {
	if (performance.getEntriesByType("paint").length > 0) return null;
	const all = what => [...Document.prototype.querySelectorAll.call(document, what)];
	const sheet = all("link[rel~=stylesheet][href]").find(e => !e.disabled && e.sheet === null);
	if (sheet) return {what: "the stylesheet", url: sheet.href};
	const style = all("style").find(e => [...e.sheet?.cssRules ?? []].some(r => r instanceof CSSImportRule && r.styleSheet === null));
	if (style) return {what: "a stylesheet that another one imports", url: ""};
	const script = document.readyState === "loading" && !document.body ? all("script[src]").at(-1) : null;
	return script ? {what: "the script", url: script.src} : null;
}`

// undrawn is an error if nothing of a page has been drawn; it names what the browser waits for.
func undrawn(d Reader) error {
	ctx, cancel := context.WithTimeout(d.Context(), undrawnLimit)
	defer cancel()
	var awaited *struct{ What, URL string }
	if d.RunWithin(ctx, "", nil, awaitedByDrawing, nil, &awaited) != nil || awaited == nil {
		return nil
	}
	advice := ""
	if awaited.What != "the script" { // without which the page stays as empty as it is
		advice = "; window.stop() in the page ends that"
	}
	what := strings.TrimSpace(awaited.What + " " + pagetext.Line(SafeURL(awaited.URL)))
	return fmt.Errorf("%w: nothing of the page has been drawn, because the browser waits for %s first%s", fault.ErrTimeout, what, advice)
}
