package page

import (
	"cmp"
	"slices"
	"sync"

	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/host/internal/page/geometry"
)

const (
	// maxNodes bounds how much of a page is kept.
	maxNodes = 50_000
	// maxDepth is how deep the tree gets; deeper nodes become siblings.
	maxDepth = 30
)

// Key identifies an element: a backend node id is unique in the process that shows the document, and never reused
// there.
type Key struct {
	Frame    cdproto.FrameID
	Document cdproto.LoaderID
	Node     cdproto.BackendNodeID
}

// Node is an element, or a text, of the merged tree. All texts come from the page.
type Node struct {
	Key             Key
	Role            string
	Name            string
	Value           string
	States          []string // as they are written: disabled, level=2
	URL             string   // of a link
	Hint            string   // what its author calls a control or a cell that says nothing
	Description     string   // what is said of it beside its name
	Acts            bool     // it can be acted on
	listens         bool     // it can be acted on only because it listens for that
	handles         bool     // it listens, also for what is in it
	handle          bool     // its pointer shows that it can be dragged
	InView          bool
	Focused         bool
	Note            string // what is wrong with a frame, or what plugins say of a node
	Parent          *Node
	Children        []*Node
	box             box // in its document
	depth           int
	flow            int  // texts with the same value flow into each other
	index           int  // in document order
	dropped, masked bool // by a plugin
	marked          bool // a text in it has marks; see emphasize
	below           int  // how many nodes its subtree has, including itself
}

// Tree is a page in all frames, merged at the elements that show them.
type Tree struct {
	Root     *Node
	Below    *Node   // that of the element that was asked for; nil: it is not shown, or none was
	nodes    []*Node // in document order, without Root
	Elements int
	LeftOut  int // nodes beyond maxNodes
	Notes    []FrameNote
	frames   map[cdproto.FrameID]cdproto.LoaderID // that were read
	all      []Frame
	owners   map[cdproto.FrameID]cdproto.BackendNodeID
	sessions map[cdproto.FrameID]string
	origins  map[cdproto.FrameID]geometry.Rect
	scrolled map[cdproto.FrameID]geometry.Rect // how far the documents are
	viewport geometry.Size
	told     map[cdproto.FrameID]cdproto.LoaderID // those of frames that were read from the accessibility tree
	hidden   int                                  // the number of frames that assistive technology ignores
	Reading  uint64                               // its number: see [Refs.Begin]
	rest     *rest                                // nil: it is not known how to find out whether it still holds
	Withheld []string                             // what plugins have left out, a line each
	sieve    string                               // the version of the sieve that has edited it
	unsieved bool                                 // the sieve failed
	marking  sync.Once
	marks    Marks // once taken
	divided  divisions
	lists    map[cdproto.FrameID]*walked // those of the documents that the walker has read
}

// FrameNote says what is wrong with a frame.
type FrameNote struct {
	Frame cdproto.FrameID
	URL   string
	State string

	Filtered bool // agents may not look into it
}

// builder makes the tree from what the frames replied.
type builder struct {
	*raw
	tree     *Tree
	known    map[cdproto.FrameID]*document
	children map[ownerKey]cdproto.FrameID // the frames that elements show
	placed   map[cdproto.FrameID]*Node    // the nodes that hold frames
	flow     int
}

type ownerKey struct {
	frame cdproto.FrameID
	node  cdproto.BackendNodeID
}

// build merges the frames into one tree.
func build(r *raw) *Tree {
	b := &builder{
		raw: r, known: map[cdproto.FrameID]*document{}, children: map[ownerKey]cdproto.FrameID{}, placed: map[cdproto.FrameID]*Node{},
		tree: &Tree{
			Root: &Node{Role: "document"}, frames: map[cdproto.FrameID]cdproto.LoaderID{}, sessions: map[cdproto.FrameID]string{}, told: map[cdproto.FrameID]cdproto.LoaderID{},
			lists: map[cdproto.FrameID]*walked{},
			all:   r.frames, owners: r.owners, origins: r.origins(), scrolled: map[cdproto.FrameID]geometry.Rect{}, viewport: r.viewport, rest: r.rest(),
		},
	}
	for _, f := range r.frames {
		b.tree.sessions[f.ID] = f.Session
		d := r.documents[f.ID]
		if nodes, ok := r.trees[f.ID]; ok && d == nil {
			d = ofTree(nodes, r.layouts[f.ID])
			b.tree.told[f.ID] = f.Document
		}
		if d != nil && d.list != nil {
			b.tree.lists[f.ID] = d.list
		}
		if d != nil {
			b.known[f.ID], b.tree.frames[f.ID] = d, f.Document
		}
		b.tree.scrolled[f.ID] = r.offset(f.ID)
		if owner := r.owner(f.ID); owner != 0 {
			b.children[ownerKey{f.Parent, owner}] = f.ID
		}
		if state := r.states[f.ID]; state != "" {
			b.tree.Notes = append(b.tree.Notes, FrameNote{f.ID, f.URL, state, f.Filtered != ""})
		}
	}
	b.addFrames()
	tidy(b.tree.Root)
	b.tree.number()
	b.tree.climb()
	return b.tree
}

// addFrames adds the top frame to the tree, and with it the frames below. Frames whose element is not known are added
// at the end of their parents.
func (b *builder) addFrames() {
	for _, f := range b.frames {
		switch {
		case f.Parent == "":
			b.tree.Root.Key.Frame = f.ID
			b.addDocument(b.tree.Root, f)
		case b.placed[f.ID] != nil:
		case b.known[f.Parent] != nil && b.owner(f.ID) != 0:
			b.tree.hidden++ // assistive technology ignores its element
			b.placed[f.ID] = b.placed[f.Parent]
		default:
			at := cmp.Or(b.placed[f.Parent], b.tree.Root)
			if n := b.add(at, &Node{Role: "iframe"}); n != nil {
				b.addDocument(n, f)
			}
		}
	}
}

// addDocument adds what a frame shows below a node.
func (b *builder) addDocument(at *Node, f Frame) {
	b.placed[f.ID] = at
	d := b.known[f.ID]
	if d == nil {
		at.Note = b.states[f.ID]
		return
	}
	if at == b.tree.Root {
		at.Key, at.Name = Key{f.ID, f.Document, d.id}, d.title
	}
	b.addNodes(at, f, d.nodes)
	b.addViewed(at, f)
}

// addNodes adds siblings, each with its subtree.
func (b *builder) addNodes(at *Node, f Frame, nodes []element) {
	for len(nodes) > 0 {
		below := nodes[0].below
		b.addNode(at, f, nodes[:below])
		nodes = nodes[below:]
	}
}

// addNode adds the first of some nodes below another with the rest, which is its subtree, or only that if it carries no
// information itself.
func (b *builder) addNode(at *Node, f Frame, nodes []element) {
	n := &nodes[0]
	role := n.role
	if skippedRoles[role] {
		if last := len(at.Children) - 1; role == "linebreak" && last >= 0 && at.Children[last].Role == roleText {
			at.Children[last].Name += " "
		}
		return
	}
	into := at
	made := b.node(f, n, at)
	if b.below != (Element{}) && b.below == (Element{f.ID, n.id}) {
		made = b.wanted(f, n, made)
	}
	if made != nil {
		into = b.add(at, made)
		if into == nil {
			return
		}
	}
	apart := !phraseRoles[role] && role != roleText && !n.inline
	b.breakFlow(apart)
	defer b.breakFlow(apart)
	if id, ok := b.children[ownerKey{f.ID, n.id}]; ok && n.id != 0 && into != at {
		b.addFrame(into, f, id)
		return
	}
	if into.depth >= maxDepth && into != at {
		into = at
	}
	before := len(into.Children)
	b.addNodes(into, f, nodes[1:])
	if made == nil {
		into.emphasize(role, before)
	}
}

// breakFlow separates the texts before from those after.
func (b *builder) breakFlow(apart bool) {
	if apart {
		b.flow++
	}
}

// addFrame adds a frame below the element that shows it.
func (b *builder) addFrame(owner *Node, above Frame, id cdproto.FrameID) {
	for _, f := range b.frames {
		if f.ID != id || b.placed[id] != nil {
			continue
		}
		if f.Origin != above.Origin {
			origin, _ := Clip(f.Origin, MaxDescribed)
			owner.States = append(owner.States, "origin="+origin)
		}
		b.addDocument(owner, f)
	}
}

// add adds a node below another; nil: the tree is full.
func (b *builder) add(at, n *Node) *Node {
	if b.tree.Elements+1 > maxNodes {
		b.tree.LeftOut++
		return nil
	}
	b.tree.Elements++
	n.Parent, n.depth, n.flow = at, at.depth+1, b.flow
	at.Children = append(at.Children, n)
	return n
}

// wanted is the node of the element that was asked for.
func (b *builder) wanted(f Frame, n *element, made *Node) *Node {
	if made == nil {
		made = &Node{Key: Key{f.ID, f.Document, n.id}, Role: "generic", box: n.box}
		b.setInView(made)
	}
	b.tree.Below = made
	return made
}

// climb replaces the node that was asked for, if others have taken its place, by the one that it is in.
func (t *Tree) climb() {
	for t.Below != nil && t.Below != t.Root && (t.Below.index >= len(t.nodes) || t.nodes[t.Below.index] != t.Below) {
		t.Below = t.Below.Parent
	}
}

// number numbers the nodes in document order.
func (t *Tree) number() {
	t.nodes = t.nodes[:0]
	t.Elements = 0
	var visit func(n *Node) int
	visit = func(n *Node) int {
		n.index, n.below = len(t.nodes), 1
		t.nodes = append(t.nodes, n)
		if n.Role != roleText {
			t.Elements++
		}
		for _, child := range n.Children {
			child.depth = n.depth + 1
			n.below += visit(child)
		}
		return n.below
	}
	for _, n := range t.Root.Children {
		n.depth = 0
		visit(n)
	}
}

// listOf is what the walker listed of the document that a frame shows; nil: nothing.
func (t *Tree) listOf(f Frame) *walked {
	if t == nil || f.Document == "" || t.frames[f.ID] != f.Document {
		return nil
	}
	return t.lists[f.ID]
}

// Find finds the node of an element.
func (t *Tree) Find(key Key) *Node {
	if key == t.Root.Key {
		return t.Root
	}
	i := slices.IndexFunc(t.nodes, func(n *Node) bool { return n.Key == key && n.Role != roleText })
	if i < 0 {
		return nil
	}
	return t.nodes[i]
}

// FindRef finds the node of a ref's element.
func (t *Tree) FindRef(r Ref) *Node {
	if n := t.Find(r.Key); n != nil || r.Node == 0 {
		return n
	}
	return t.Find(r.described())
}

// Read reports whether a frame was read.
func (t *Tree) Read(frame cdproto.FrameID) bool {
	_, read := t.frames[frame]
	return read
}

// Shows reports whether exactly these frames were read, with these documents: loader ids by frame id.
func (t *Tree) Shows(documents map[string]string) bool {
	if len(t.frames) != len(documents) {
		return false
	}
	for id, document := range t.frames {
		if now, ok := documents[string(id)]; !ok || now != string(document) {
			return false
		}
	}
	return true
}
