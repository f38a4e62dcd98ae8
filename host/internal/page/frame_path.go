package page

import (
	"cmp"
	"fmt"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"

	"github.com/hermes-cdp/hermes-cdp/host/internal/page/geometry"
)

// Level is a frame on the path from the top frame to an element.
type Level struct {
	Frame      Frame
	Owner      Element         // the element of the parent that shows it; zero for the top frame
	content    geometry.Quad   // of the owner, in the viewport of the parent's session
	ToParent   geometry.Affine // from the frame's own viewport to that of its parent's session
	OwnSession bool            // the frame's session is not that of its parent
}

// FramePath is the path from the top frame to a frame, both included. The DOM domain's coordinates are relative to the
// outermost frame of a session, those of the Input domain to the top frame.
func FramePath(d Driver, frame cdproto.FrameID) ([]Level, error) {
	frames, top := ByID(d.Frames()), cdproto.FrameID(d.Target())
	frame = cmp.Or(frame, top)
	var path []Level
	for id := frame; ; {
		f, ok := frames[id]
		if !ok || len(path) > len(frames) {
			return nil, fmt.Errorf("the frame %s of the element is no longer in the tab", frame)
		}
		path = append([]Level{{Frame: f, ToParent: geometry.Identity}}, path...)
		if id == top {
			break
		}
		id = f.Parent
	}
	for i := 1; i < len(path); i++ {
		if err := path[i].FindOwner(d, path[i-1].Frame); err != nil {
			return nil, err
		}
	}
	return path, nil
}

// contentSize is the size of an element's content box before transforms.
const contentSize = `(e) => {
	const style = getComputedStyle(e), px = name => parseFloat(style[name]) || 0;
	return [e.clientWidth - px("paddingLeft") - px("paddingRight"), e.clientHeight - px("paddingTop") - px("paddingBottom")];
}`

// FindOwner finds the element that shows a frame in its parent.
func (l *Level) FindOwner(d Driver, parent Frame) error {
	var owner dom.GetFrameOwnerResult
	if err := d.Read(parent.ID, dom.CommandGetFrameOwner, &dom.GetFrameOwnerParams{FrameID: l.Frame.ID}, &owner); err != nil {
		return err
	}
	l.Owner = Element{parent.ID, owner.BackendNodeID}
	l.OwnSession = l.Frame.Session != parent.Session
	return nil
}

// Measure determines the map from a frame to its parent's session; call it after all scrolling.
func (l *Level) Measure(d Driver) error {
	var box struct {
		Model struct {
			Content geometry.Quad `json:"content"`
		} `json:"model"`
	}
	if err := d.Read(l.Owner.Frame, dom.CommandGetBoxModel, &dom.GetBoxModelParams{BackendNodeID: l.Owner.ID}, &box); err != nil {
		return err
	}
	var size [2]float64
	if err := d.Run(l.Owner.Frame, l.Owner.ID, contentSize, nil, &size); err != nil {
		return err
	}
	var err error
	l.content = box.Model.Content
	l.ToParent, err = geometry.Onto(l.content, size[0], size[1])
	return err
}
