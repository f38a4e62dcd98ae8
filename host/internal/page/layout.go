package page

import (
	"slices"
	"strings"

	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/host/internal/page/geometry"
)

// layout has the boxes of the nodes of a document, and the nodes that listen for clicks.
type layout struct {
	boxes            map[cdproto.BackendNodeID]geometry.Rect // in the document
	clickable        map[cdproto.BackendNodeID]bool
	scrollX, scrollY float64
	images           []Image
}

// Image is an image of a page with its displayed size in CSS pixels. The texts come from the page.
type Image struct {
	Src, Alt      string
	Width, Height int
}

// layoutReply has the fields of DOMSnapshot.captureSnapshot that are used. Texts are indexes into Strings.
type layoutReply struct {
	Documents []documentReply `json:"documents"`
	Strings   []string        `json:"strings"`
}

type documentReply struct {
	FrameID int `json:"frameId"`
	Nodes   struct {
		NodeName         []int                   `json:"nodeName"`
		BackendNodeID    []cdproto.BackendNodeID `json:"backendNodeId"`
		Attributes       [][]int                 `json:"attributes"`
		IsClickable      rareIndex               `json:"isClickable"`
		CurrentSourceURL rareText                `json:"currentSourceURL"`
	} `json:"nodes"`
	Layout struct {
		NodeIndex []int       `json:"nodeIndex"`
		Bounds    [][]float64 `json:"bounds"`
	} `json:"layout"`
	ScrollOffsetX float64 `json:"scrollOffsetX"`
	ScrollOffsetY float64 `json:"scrollOffsetY"`
}

type rareIndex struct {
	Index []int `json:"index"`
}

type rareText struct {
	Index []int `json:"index"`
	Value []int `json:"value"`
}

// text returns one of the strings; a negative index means that there is none.
func (r *layoutReply) text(index int) string {
	if index < 0 || index >= len(r.Strings) {
		return ""
	}
	return r.Strings[index]
}

// layout picks the document of a frame.
func (r *layoutReply) layout(frame cdproto.FrameID) *layout {
	for i := range r.Documents {
		if d := &r.Documents[i]; r.text(d.FrameID) == string(frame) {
			l := &layout{
				boxes: make(map[cdproto.BackendNodeID]geometry.Rect, len(d.Layout.NodeIndex)), clickable: map[cdproto.BackendNodeID]bool{},
				scrollX: d.ScrollOffsetX, scrollY: d.ScrollOffsetY,
			}
			l.addNodes(r, d)
			l.images = r.images(d, l)
			return l
		}
	}
	return nil
}

// proxyTargets are elements that take clicks for others, or for the whole page.
var proxyTargets = map[string]bool{"LABEL": true, "HTML": true, "BODY": true}

func (l *layout) addNodes(r *layoutReply, d *documentReply) {
	ids := d.Nodes.BackendNodeID
	for i, node := range d.Layout.NodeIndex {
		if node < 0 || node >= len(ids) || i >= len(d.Layout.Bounds) || len(d.Layout.Bounds[i]) < 4 {
			continue
		}
		b := d.Layout.Bounds[i]
		l.boxes[ids[node]] = geometry.Rect{X: b[0], Y: b[1], Width: b[2], Height: b[3]}
	}
	for _, node := range d.Nodes.IsClickable.Index {
		if node >= 0 && node < len(ids) && node < len(d.Nodes.NodeName) && !proxyTargets[r.text(d.Nodes.NodeName[node])] {
			l.clickable[ids[node]] = true
		}
	}
}

func (r *layoutReply) images(d *documentReply, l *layout) []Image {
	sources := map[int]int{}
	for i, node := range d.Nodes.CurrentSourceURL.Index {
		if i < len(d.Nodes.CurrentSourceURL.Value) {
			sources[node] = d.Nodes.CurrentSourceURL.Value[i]
		}
	}
	var images []Image
	for i, name := range d.Nodes.NodeName {
		if !strings.EqualFold(r.text(name), "img") || i >= len(d.Nodes.BackendNodeID) || i >= len(d.Nodes.Attributes) {
			continue
		}
		image := Image{Src: r.attribute(d.Nodes.Attributes[i], "src"), Alt: r.attribute(d.Nodes.Attributes[i], "alt")}
		if source, ok := sources[i]; ok && r.text(source) != "" {
			image.Src = r.text(source)
		}
		box := l.boxes[d.Nodes.BackendNodeID[i]]
		image.Width, image.Height = int(box.Width+0.5), int(box.Height+0.5)
		if image.Src != "" {
			images = append(images, image)
		}
	}
	return images
}

// attribute finds an attribute in a list that alternates names and values.
func (r *layoutReply) attribute(pairs []int, name string) string {
	for i := 0; i+1 < len(pairs); i += 2 {
		if r.text(pairs[i]) == name {
			return r.text(pairs[i+1])
		}
	}
	return ""
}

// origins are the positions of the frames' documents in the top frame's viewport, as far as they are known.
func (r *raw) origins() map[cdproto.FrameID]geometry.Rect {
	at := map[cdproto.FrameID]geometry.Rect{}
	for _, f := range r.frames { // parents before children
		x, y, ok := r.scrolled(f.ID)
		if !ok {
			continue
		}
		if f.Parent == "" {
			at[f.ID] = geometry.Rect{X: -x, Y: -y, Width: 0, Height: 0}
			continue
		}
		parent, ok := at[f.Parent]
		box, known := r.boxIn(f.Parent, r.owner(f.ID))
		if ok && known {
			at[f.ID] = geometry.Rect{X: parent.X + box.X - x, Y: parent.Y + box.Y - y, Width: box.Width, Height: box.Height}
		}
	}
	return at
}

// scrolled is how far a document is scrolled.
func (r *raw) scrolled(frame cdproto.FrameID) (x, y float64, ok bool) {
	if d := r.documents[frame]; d != nil {
		return d.scrollX, d.scrollY, true
	}
	if l := r.layouts[frame]; l != nil {
		return l.scrollX, l.scrollY, true
	}
	return 0, 0, false
}

// offset is scrolled as a vector; zero where it is not known.
func (r *raw) offset(frame cdproto.FrameID) geometry.Rect {
	x, y, _ := r.scrolled(frame)
	return geometry.Rect{X: x, Y: y}
}

// boxIn is the box of an element in its document.
func (r *raw) boxIn(frame cdproto.FrameID, owner cdproto.BackendNodeID) (geometry.Rect, bool) {
	if d := r.documents[frame]; d != nil {
		i := slices.IndexFunc(d.nodes, func(n element) bool { return n.id == owner && owner != 0 })
		if i < 0 {
			return geometry.Rect{}, false
		}
		return d.nodes[i].box.rect(), true
	}
	if l := r.layouts[frame]; l != nil {
		box, ok := l.boxes[owner]
		return box, ok
	}
	return geometry.Rect{}, false
}
