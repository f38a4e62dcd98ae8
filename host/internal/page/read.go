package page

import (
	"hash/maphash"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
)

// Read reads a tab in all its frames. While nothing in them changes, that is the last tree. A frame whose main
// thread does not answer delays the reading only for a moment, and is noted in the tree. limit is how much time there
// is; 0: no limit.
func Read(d Reader, refs *Refs, limit time.Duration) (*Tree, error) {
	return readWith(d, refs, limit, content{})
}

// ReadBelow is Read, and the tree's Below is the node of an element, even if the element itself says nothing.
func ReadBelow(d Reader, refs *Refs, limit time.Duration, e Element) (*Tree, error) {
	return readWith(d, refs, limit, content{below: e})
}

// readWith reads a tab, and asks for what is wanted besides.
func readWith(d Reader, refs *Refs, limit time.Duration, want content) (*Tree, error) {
	reading := refs.Begin()
	want.walk, want.told, want.tree, want.layout = true, refs.told(), true, true
	if !want.boxes && want.below == (Element{}) {
		want.last = refs.lastTree(d.Target())
	}
	r, err := gather(d, limit, want)
	if err == nil && r.mayViewPDF() {
		r, err = gatherViewed(d, limit, want, r)
	}
	if err != nil {
		return nil, err
	}
	if r.same {
		return want.last, nil
	}
	t := build(r)
	t.Reading = reading
	refs.Note(d.Target(), t)
	return t, nil
}

// Images lists the images of all frames.
func Images(d Reader, limit time.Duration) ([]Image, error) {
	r, err := gather(d, limit, content{layout: true})
	if err != nil {
		return nil, err
	}
	var images []Image
	for _, f := range r.frames {
		if l := r.layouts[f.ID]; l != nil {
			images = append(images, l.images...)
		}
	}
	return images, nil
}

// Marks are what a later reading is compared with: a fingerprint of each node, by the document and the node.
type Marks map[Key]map[cdproto.BackendNodeID]uint64

var seed = maphash.MakeSeed()

// Marks takes the fingerprints of a tree, once.
func (t *Tree) Marks() Marks {
	t.marking.Do(func() {
		t.marks = Marks{}
		var last Key
		var nodes map[cdproto.BackendNodeID]uint64
		for _, n := range t.nodes {
			if document := n.Key.document(); nodes == nil || document != last {
				last, nodes = document, t.marks[document]
				if nodes == nil {
					nodes = make(map[cdproto.BackendNodeID]uint64, len(t.nodes)-n.index)
					t.marks[document] = nodes
				}
			}
			nodes[n.Key.Node] ^= n.fingerprint()
		}
	})
	return t.marks
}

// document is the key of the document itself.
func (k Key) document() Key {
	k.Node = 0
	return k
}

// lookup returns a function that finds a fingerprint, fast for nodes of one document after the other.
func (m Marks) lookup() func(Key) (fingerprint uint64, ok bool) {
	var last Key
	var nodes map[cdproto.BackendNodeID]uint64
	return func(k Key) (uint64, bool) {
		if document := k.document(); nodes == nil || document != last {
			last, nodes = document, m[document]
		}
		fingerprint, ok := nodes[k.Node]
		return fingerprint, ok
	}
}

// Compare returns how each node of a tree has changed since the marks were taken.
func (t *Tree) Compare(m Marks) func(*Node) Change {
	return t.compare(m, func(before, now uint64) bool { return before == now })
}

func (t *Tree) compare(m Marks, same func(before, now uint64) bool) func(*Node) Change {
	then, now := m.lookup(), t.Marks().lookup()
	return func(n *Node) Change {
		before, ok := then(n.Key)
		switch {
		case !ok:
			return New
		}
		if now, _ := now(n.Key); !same(before, now) {
			return Changed
		}
		return Same
	}
}

// focusBit is the bit of a fingerprint that says whether the node has the focus.
const focusBit = 1

func (n *Node) fingerprint() uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	write := func(s string) {
		_, _ = h.WriteString(s)
		_ = h.WriteByte(0)
	}
	for _, s := range []string{n.Role, collapseSpace(n.Name), collapseSpace(n.Value), n.URL, n.Note, collapseSpace(n.Description)} {
		write(s)
	}
	focus := uint64(0)
	for _, s := range n.States {
		if s == "focused" {
			focus = focusBit
			continue
		}
		write(s)
	}
	return h.Sum64()&^focusBit | focus
}

// Connected reports whether an element is in the document that its frame shows. It also returns the element's role and
// name, as [RoleAndName] does; the role is also empty if the document was not read yet.
func Connected(d Driver, frame cdproto.FrameID, node cdproto.BackendNodeID) (connected bool, role, name string, err error) {
	var found struct {
		Connected bool
		Named     []string
	}
	err = d.Run(frame, node, "e => ({Connected: of(Node, 'isConnected', e), Named: ("+NamedOnceRead+")(e)})", nil, &found)
	if len(found.Named) == 2 {
		role, name = found.Named[0], found.Named[1]
	}
	return found.Connected, role, name, err
}
