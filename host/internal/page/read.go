package page

import (
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
		if want.last != nil && !refs.Current(want.last) {
			want.last = nil
		}
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
	refs.sieved(d, t)
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
