package page

import (
	"cmp"
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

// Refs gives short names to elements: the same element of the same document keeps its ref, and no ref is given twice.
// Its methods may be called from any goroutine.
type Refs struct {
	mu       sync.Mutex
	last     int // the number that was given last
	reading  uint64
	byKey    map[Key]*Ref
	byNumber map[int]*Ref
	read     map[cdproto.FrameID]frameRead
}

// Ref is what is remembered of an element that has got a ref.
type Ref struct {
	Number  int
	Key     Key
	Tab     string
	Session string // that showed it when it was read
	Role    string
	Name    string // shortened
	seen    uint64 // the reading that met it last
}

// String is the ref as it is given out: e5.
func (r Ref) String() string { return "e" + strconv.Itoa(r.Number) }

// frameRead is the last reading of a frame.
type frameRead struct {
	tab      string
	document cdproto.LoaderID
	reading  uint64
}

// NewRefs makes an empty table.
func NewRefs() *Refs {
	return &Refs{byKey: map[Key]*Ref{}, byNumber: map[int]*Ref{}, read: map[cdproto.FrameID]frameRead{}}
}

// ParseRef reads a ref: e5, or @e5.
func ParseRef(text string) (number int, ok bool) {
	digits, ok := strings.CutPrefix(strings.TrimPrefix(strings.TrimSpace(text), "@"), "e")
	if !ok || digits == "" || digits[0] < '1' || digits[0] > '9' {
		return 0, false
	}
	number, err := strconv.Atoi(digits)
	return number, err == nil
}

// Begin numbers a reading that is about to be made.
func (r *Refs) Begin() uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reading++
	return r.reading
}

// Note takes a new reading of a tab: which elements with refs are still there. What a frame that did not answer shows is
// taken to be as it was. A reading that began before the newest that was noted changes nothing but what it met.
func (r *Refs) Note(tab string, t *Tree) {
	r.mu.Lock()
	defer r.mu.Unlock()
	known := map[cdproto.FrameID]bool{}
	for id := range t.sessions {
		known[id] = true
	}
	maps.DeleteFunc(r.read, func(id cdproto.FrameID, f frameRead) bool {
		return f.tab == tab && f.reading < t.Reading && !known[id]
	})
	for id, document := range t.frames {
		if r.read[id].reading < t.Reading {
			r.read[id] = frameRead{tab, document, t.Reading}
		}
	}
	r.markSeen(t.Root, t.Reading)
	for _, n := range t.nodes {
		r.markSeen(n, t.Reading)
	}
}

func (r *Refs) markSeen(n *Node, reading uint64) {
	if ref := r.byKey[n.Key]; ref != nil && n.Key.Node != 0 && n.Role != roleText {
		ref.seen, ref.Role, ref.Name = max(ref.seen, reading), n.Role, shortName(n.Name)
	}
}

func shortName(name string) string { return strings.Clone(pagetext.Shorten(collapseSpace(name), maxRefName)) }

// Give gives an element of a tree its ref; the number is 0 for what is no element.
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
	if len(r.byNumber) > maxRefs {
		r.forget()
	}
	return ref.Number
}

// forget drops a tenth of the refs: those that no reading has met for longest, then the oldest.
func (r *Refs) forget() {
	refs := slices.Collect(maps.Values(r.byNumber))
	slices.SortFunc(refs, func(a, b *Ref) int {
		return cmp.Or(cmp.Compare(a.seen, b.seen), cmp.Compare(a.Number, b.Number))
	})
	for _, ref := range refs[:maxRefs/10] {
		delete(r.byNumber, ref.Number)
		delete(r.byKey, ref.Key)
	}
}

// After makes the table give out no number of a ref and none of a reading up to the given ones: an earlier table has.
func (r *Refs) After(number int, reading uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last, r.reading = max(r.last, number), max(r.reading, reading)
}

// Readings is the number of the reading that was begun last.
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

// Known tells how a ref stands.
type Known int

// The ways a ref can stand.
const (
	RefUnknown   Known = iota // it was never given out
	RefForgotten              // it was, too long ago
	RefGone                   // the last reading did not meet it
	RefLive                   // the last reading met it
)

// Find finds a ref. What it says of a ref that is forgotten is its number only.
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

// Live are the refs whose elements the last reading of their frame met, in the order in which they were given.
func (r *Refs) Live() []Ref {
	r.mu.Lock()
	defer r.mu.Unlock()
	var list []Ref
	for _, ref := range r.byNumber {
		if r.live(ref) {
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

// Gone are the refs of a tab whose elements the given reading, or a later one, met, and the newest did not.
func (r *Refs) Gone(tab string, since uint64) []Ref {
	r.mu.Lock()
	defer r.mu.Unlock()
	var gone []Ref
	for _, ref := range r.byNumber {
		if ref.Tab == tab && ref.seen >= since && !r.live(ref) {
			gone = append(gone, *ref)
		}
	}
	slices.SortFunc(gone, func(a, b Ref) int { return cmp.Compare(a.Number, b.Number) })
	return gone
}
