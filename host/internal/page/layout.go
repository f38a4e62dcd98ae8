package page

import (
	"slices"
	"strings"

	cdproto "github.com/chromedp/cdproto/cdp"
)

// rect is a box in CSS pixels, in a document or in the top frame's viewport.
type rect struct{ x, y, width, height float64 }

func (r rect) moved(x, y float64) rect { return rect{r.x + x, r.y + y, r.width, r.height} }

// in is the part of r that is in s; zero if there is none.
func (r rect) in(s rect) rect {
	left, top := max(r.x, s.x), max(r.y, s.y)
	part := rect{left, top, min(r.x+r.width, s.x+s.width) - left, min(r.y+r.height, s.y+s.height) - top}
	if part.width <= 0 || part.height <= 0 {
		return rect{}
	}
	return part
}

func (r rect) intersects(s size) bool {
	return r.width > 0 && r.height > 0 && r.x < s.width && r.y < s.height && r.x+r.width > 0 && r.y+r.height > 0
}

// layout has the boxes of the nodes of a document, and the nodes that listen for clicks.
type layout struct {
	boxes            map[cdproto.BackendNodeID]rect // in the document
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
				boxes: make(map[cdproto.BackendNodeID]rect, len(d.Layout.NodeIndex)), clickable: map[cdproto.BackendNodeID]bool{},
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
		l.boxes[ids[node]] = rect{b[0], b[1], b[2], b[3]}
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
		image.Width, image.Height = int(box.width+0.5), int(box.height+0.5)
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
func (r *raw) origins() map[cdproto.FrameID]rect {
	at := map[cdproto.FrameID]rect{}
	for _, f := range r.frames { // parents before children
		x, y, ok := r.scrolled(f.ID)
		if !ok {
			continue
		}
		if f.Parent == "" {
			at[f.ID] = rect{-x, -y, 0, 0}
			continue
		}
		parent, ok := at[f.Parent]
		box, known := r.boxIn(f.Parent, r.owner(f.ID))
		if ok && known {
			at[f.ID] = rect{parent.x + box.x - x, parent.y + box.y - y, box.width, box.height}
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
func (r *raw) offset(frame cdproto.FrameID) rect {
	x, y, _ := r.scrolled(frame)
	return rect{x: x, y: y}
}

// boxIn is the box of an element in its document.
func (r *raw) boxIn(frame cdproto.FrameID, owner cdproto.BackendNodeID) (rect, bool) {
	if d := r.documents[frame]; d != nil {
		i := slices.IndexFunc(d.nodes, func(n element) bool { return n.id == owner && owner != 0 })
		if i < 0 {
			return rect{}, false
		}
		return d.nodes[i].box.rect(), true
	}
	if l := r.layouts[frame]; l != nil {
		box, ok := l.boxes[owner]
		return box, ok
	}
	return rect{}, false
}
