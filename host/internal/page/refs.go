package page

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

const (
	// maxRefs bounds the refs that a task remembers. A page that shows so many elements is read in parts.
	maxRefs = 20_000
	// maxRefName caps the names that are remembered, in bytes.
	maxRefName = 120
)

// Refs assigns short names to elements. The same element of the same document keeps its ref, and no ref is used twice.
// It keeps the last reading of each tab.
// Its methods are safe for concurrent use.
type Refs struct {
	// Sieve edits every reading; nil: nobody does. It is set before the first.
	Sieve Sieve

	mu       sync.Mutex
	last     int // the number that was assigned last
	reading  uint64
	byKey    map[Key]*Ref
	byNumber map[int]*Ref
	read     map[cdproto.FrameID]frameRead
	unasked  []*Ref           // whose backend node ids are not known
	trees    map[string]*Tree // the last reading of each tab
}

// Ref is what is remembered of an element that has a ref.
type Ref struct {
	Number  int
	Key     Key
	Node    cdproto.BackendNodeID // 0 until [Refs.Describe] has asked for it
	Tab     string
	Session string // of its frame when it was read
	Role    string
	Name    string // shortened
	seen    uint64 // the last reading that found it
}

// String is the ref as it is shown: e5.
func (r Ref) String() string { return "e" + strconv.Itoa(r.Number) }

// frameRead is the last reading of a frame.
type frameRead struct {
	tab      string
	document cdproto.LoaderID
	reading  uint64
	told     bool // by the accessibility tree
}

// NewRefs makes an empty table.
func NewRefs() *Refs {
	return &Refs{byKey: map[Key]*Ref{}, byNumber: map[int]*Ref{}, read: map[cdproto.FrameID]frameRead{}, trees: map[string]*Tree{}}
}

// ParseRef parses a ref: e5, or @e5.
func ParseRef(text string) (number int, ok bool) {
	digits, ok := strings.CutPrefix(strings.TrimPrefix(strings.TrimSpace(text), "@"), "e")
	if !ok || digits == "" || digits[0] < '1' || digits[0] > '9' {
		return 0, false
	}
	number, err := strconv.Atoi(digits)
	return number, err == nil
}

// Begin starts a reading and returns its number.
func (r *Refs) Begin() uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reading++
	return r.reading
}

// Note records a new reading of a tab, and with it which elements with refs still exist. A frame that did not answer is
// assumed to be unchanged. A reading that began before the newest one recorded changes nothing, except for the elements
// that it found.
func (r *Refs) Note(tab string, t *Tree) {
	r.mu.Lock()
	defer r.mu.Unlock()
	maps.DeleteFunc(r.read, func(id cdproto.FrameID, f frameRead) bool {
		_, known := t.sessions[id]
		return f.tab == tab && f.reading < t.Reading && !known
	})
	for id, document := range t.frames {
		if r.read[id].reading < t.Reading {
			r.read[id] = frameRead{tab, document, t.Reading, t.told[id] == document && document != ""}
		}
	}
	if last := r.trees[tab]; last == nil || last.Reading < t.Reading {
		r.trees[tab] = t
	}
	r.markSeen(t.Root, t.Reading)
	for _, n := range t.nodes {
		r.markSeen(n, t.Reading)
	}
}

// lastTree is the last reading of a tab; nil: it was not read.
func (r *Refs) lastTree(tab string) *Tree {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.trees[tab]
}

// Forget drops the readings of tabs that no longer exist.
func (r *Refs) Forget(gone func(tab string) bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	maps.DeleteFunc(r.trees, func(tab string, _ *Tree) bool { return gone(tab) })
}

func (r *Refs) markSeen(n *Node, reading uint64) {
	if ref := r.byKey[n.Key]; ref != nil && n.Key.Node != 0 && n.Role != roleText {
		ref.seen, ref.Role, ref.Name = max(ref.seen, reading), n.Role, shortName(n.Name)
	}
}

func shortName(name string) string {
	return strings.Clone(pagetext.Shorten(collapseSpace(name), maxRefName))
}

// Give returns the ref of an element of a tree, and assigns one if it has none; the number is 0 for nodes that are not
// elements.
func (r *Refs) Give(tab string, t *Tree, n *Node) int {
	if n.Key.Node == 0 || n.Role == roleText {
		return 0
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if ref := r.byKey[n.Key]; ref != nil {
		ref.Session = t.sessions[n.Key.Frame]
		return ref.Number
	}
	r.last++
	ref := &Ref{
		Number: r.last, Key: n.Key, Tab: tab, Session: t.sessions[n.Key.Frame], Role: n.Role, Name: shortName(n.Name), seen: t.Reading,
	}
	r.byKey[n.Key], r.byNumber[ref.Number] = ref, ref
	if n.Key.Node < walkedKey {
		ref.Node = n.Key.Node
	} else {
		r.unasked = append(r.unasked, ref)
	}
	if len(r.byNumber) > maxRefs {
		r.forget()
	}
	return ref.Number
}

// forget drops a tenth of the refs: those that no reading has found for longest, and among them the oldest.
func (r *Refs) forget() {
	refs := slices.Collect(maps.Values(r.byNumber))
	slices.SortFunc(refs, func(a, b *Ref) int {
		return cmp.Or(cmp.Compare(a.seen, b.seen), cmp.Compare(a.Number, b.Number))
	})
	for _, ref := range refs[:maxRefs/10] {
		delete(r.byNumber, ref.Number)
		delete(r.byKey, ref.Key)
		delete(r.byKey, ref.described())
	}
}

// After makes the table continue after the numbers of a ref and of a reading that an earlier table has used.
func (r *Refs) After(number int, reading uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last, r.reading = max(r.last, number), max(r.reading, reading)
}

// Readings is the number of the last reading.
func (r *Refs) Readings() uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.reading
}

// Next is the number that the next new element gets.
func (r *Refs) Next() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.last + 1
}

// described is the key of the element for a reading from the accessibility tree.
func (r *Ref) described() Key { return Key{r.Key.Frame, r.Key.Document, r.Node} }

// told are the documents that were read from the accessibility tree. They are read from it again, so that their
// elements keep their keys.
func (r *Refs) told() map[cdproto.FrameID]cdproto.LoaderID {
	r.mu.Lock()
	defer r.mu.Unlock()
	documents := map[cdproto.FrameID]cdproto.LoaderID{}
	for id, f := range r.read {
		if f.told {
			documents[id] = f.document
		}
	}
	return documents
}

// Describe asks for the backend node ids of the elements that were given refs, which the walker does not know. The
// element of a frame that does not answer is asked for again when it is needed. ctx is derived from the driver's.
func (r *Refs) Describe(ctx context.Context, d Reader) error {
	r.mu.Lock()
	frames := map[cdproto.FrameID][]*Ref{}
	kept := r.unasked[:0]
	for _, ref := range r.unasked {
		switch {
		case ref.Tab != d.Target():
			kept = append(kept, ref)
		case r.live(ref):
			frames[ref.Key.Frame] = append(frames[ref.Key.Frame], ref)
		}
	}
	r.unasked = kept
	r.mu.Unlock()
	for frame, refs := range frames {
		numbers := make([]cdproto.BackendNodeID, len(refs))
		for i, ref := range refs {
			numbers[i] = ref.Key.Node - walkedKey
		}
		list, err := describe(ctx, d, frame, numbers)
		r.noteDescribed(refs, list)
		if err != nil && (ctx.Err() != nil || d.Ends(err)) {
			return err
		}
	}
	return nil
}

// DescribeOne asks for the backend node id of an element that readings may have left out since it got its ref; it is 0
// if the element is no longer there.
func (r *Refs) DescribeOne(ctx context.Context, d Reader, ref *Ref) error {
	list, err := describe(ctx, d, ref.Key.Frame, []cdproto.BackendNodeID{ref.Key.Node - walkedKey})
	if err != nil {
		return err
	}
	ref.Node = list[0].ID
	r.mu.Lock()
	known := r.byNumber[ref.Number]
	r.mu.Unlock()
	if known != nil {
		r.noteDescribed([]*Ref{known}, list)
	}
	return nil
}

// noteDescribed records the backend node ids of refs.
func (r *Refs) noteDescribed(refs []*Ref, list []Described) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, ref := range refs {
		if i >= len(list) {
			r.unasked = append(r.unasked, ref)
			continue
		}
		if ref.Node = list[i].ID; ref.Node != 0 {
			r.byKey[ref.described()] = ref
		}
	}
}

// Known is the state of a ref.
type Known int

// The states of a ref.
const (
	RefUnknown   Known = iota // it was never assigned
	RefForgotten              // it was assigned, but too long ago
	RefGone                   // the last reading did not find it
	RefLive                   // the last reading found it
)

// Find returns a ref and its state. Of a forgotten ref only the number is known.
func (r *Refs) Find(number int) (Ref, Known) {
	r.mu.Lock()
	defer r.mu.Unlock()
	ref := r.byNumber[number]
	switch {
	case ref == nil && (number < 1 || number > r.last):
		return Ref{Number: number}, RefUnknown
	case ref == nil:
		return Ref{Number: number}, RefForgotten
	case r.live(ref):
		return *ref, RefLive
	}
	return *ref, RefGone
}

// Live lists the refs whose elements the last reading of their frame found, ordered by number.
func (r *Refs) Live() []Ref { return r.list(r.live) }

// Gone lists the refs of a tab whose elements the given reading, or a later one, found and the newest did not.
func (r *Refs) Gone(tab string, since uint64) []Ref {
	return r.list(func(ref *Ref) bool { return ref.Tab == tab && ref.seen >= since && !r.live(ref) })
}

func (r *Refs) list(wanted func(*Ref) bool) []Ref {
	r.mu.Lock()
	defer r.mu.Unlock()
	var list []Ref
	for _, ref := range r.byNumber {
		if wanted(ref) {
			list = append(list, *ref)
		}
	}
	slices.SortFunc(list, func(a, b Ref) int { return cmp.Compare(a.Number, b.Number) })
	return list
}

func (r *Refs) live(ref *Ref) bool {
	f, ok := r.read[ref.Key.Frame]
	return ok && f.document == ref.Key.Document && ref.seen >= f.reading
}
