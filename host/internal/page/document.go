package page

import (
	"math"

	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/host/internal/page/geometry"
)

// document is what a frame shows, whichever way it was read: the nodes in document order.
type document struct {
	id               cdproto.BackendNodeID // of the document itself; 0: not known
	title            string
	list             *walked // it was made from; nil: it was not read by the walker
	nodes            []element
	scrollX, scrollY float64
	// the ids of elements that show frames, by backend node id
	frames map[cdproto.BackendNodeID]cdproto.BackendNodeID
}

// element is a node of a document, or a text. Its role is written as ARIA does.
type element struct {
	id          cdproto.BackendNodeID // see [Key]
	role        string
	name        string
	value       string
	url         string
	description string
	states      []string
	ignored     bool // by assistive technology
	focusable   bool
	focused     bool
	clickable   bool
	handle      bool // its pointer shows that it can be dragged
	inline      bool // texts flow through it
	box         box  // in the document
	below       int  // how many nodes its subtree has, including itself
}

// box is a rect in whole pixels. The zero value is that of what is not drawn.
type box struct{ x, y, width, height int32 }

func boxOf(r geometry.Rect) box {
	return box{pixels(math.Round(r.X)), pixels(math.Round(r.Y)), pixels(math.Ceil(r.Width)), pixels(math.Ceil(r.Height))}
}

// pixels is a length that fits, whatever a page says.
func pixels(v float64) int32 { return int32(max(math.MinInt32/2, min(v, math.MaxInt32/2))) }

func (b box) rect() geometry.Rect {
	return geometry.Rect{X: float64(b.x), Y: float64(b.y), Width: float64(b.width), Height: float64(b.height)}
}

// ofTree converts an accessibility tree. Nodes that more than one node claims, as a compromised renderer may say, are
// those of the first.
func ofTree(nodes []axNode, l *layout) *document {
	k := newAXIndex(nodes)
	root := k.root()
	d := &document{nodes: make([]element, 0, len(nodes))}
	if l != nil {
		d.scrollX, d.scrollY = l.scrollX, l.scrollY
	}
	if root == nil {
		return d
	}
	d.id, d.title = root.Backend, root.Name.text()
	var visit func(n *axNode)
	visit = func(n *axNode) {
		at := len(d.nodes)
		d.nodes = append(d.nodes, ofNode(n, l))
		for _, child := range k.children(n) {
			visit(child)
		}
		d.nodes[at].below = len(d.nodes) - at
	}
	for _, child := range k.children(root) {
		visit(child)
	}
	return d
}

func ofNode(n *axNode, l *layout) element {
	e := element{
		id: n.Backend, role: roleOf(n), name: n.Name.text(), ignored: n.Ignored, focusable: n.is("focusable"), focused: n.is("focused"), value: n.Value.text(),
		description: n.Description.text(),
	}
	e.states = states(n, e.role)
	if e.role == "link" {
		e.url = n.property("url")
	}
	if l != nil {
		at, displayed := l.boxes[n.Backend]
		e.clickable, e.box = displayed && l.clickable[n.Backend], boxOf(at) // listeners of the rest are counted, too
	}
	return e
}
