package page

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/domdebugger"

	"github.com/hermes-cdp/hermes-cdp/host/internal/page/geometry"
)

// walker is the script that lists a document. It is a function that installs itself in its world.
//
//go:embed walker.js
var walker string

// install installs the walker.
var install = walker[strings.Index(walker, "() =>"):]

// walkedKey marks the keys of elements that the walker has numbered, which are no backend node ids.
const walkedKey cdproto.BackendNodeID = 1 << 48

// unlisted is the key of an element that the walker did not list.
const unlisted = walkedKey

// errOpaque says that a document has something that scripts cannot read.
var errOpaque = errors.New("scripts cannot read all of the document")

// fieldsWalked is how many numbers the walker writes of each node.
const fieldsWalked = 13

// The flags that the walker writes.
const (
	walkedIgnored = 1 << iota
	walkedFocusable
	walkedFocused
	walkedClickable
	walkedInline
	walkedHandle
)

// walked is what the walker lists. Texts are indexes into Strings.
type walked struct {
	Stale   bool     `json:"stale"` // other elements listen for clicks than it was told
	Opaque  string   `json:"opaque"`
	Strings []string `json:"strings"`
	Nodes   numbers  `json:"nodes"`
	Title   string   `json:"title"`
	// Root is the number of the document.
	Root    cdproto.BackendNodeID `json:"root"`
	Reading int                   `json:"reading"` // its number, by which the walker is asked whether it still holds
	Scroll  [2]float64            `json:"scroll"`
	// Viewport is the size of the visible part, in CSS pixels.
	Viewport [2]float64 `json:"viewport"`
	// Hosts are the numbers of elements that may have closed shadow roots.
	Hosts []cdproto.BackendNodeID `json:"hosts"`
	// Customs are the numbers of custom elements, one of each name, that may have roles which scripts do not see.
	Customs []cdproto.BackendNodeID `json:"customs"`
	// Whole says that what has changed since an earlier list cannot be listed by itself, and ElementsChanged that other
	// elements may listen for clicks than then.
	Whole, ElementsChanged bool
	anchor                 cdproto.BackendNodeID // of the document
	listening              string                // the stamp of the nodes that listen for clicks
}

// numbers are written with spaces between them, because a JSON array of so many takes several times as long to read.
type numbers []int32

// UnmarshalText reads the numbers.
func (n *numbers) UnmarshalText(text []byte) error {
	*n = make(numbers, 0, bytes.Count(text, []byte(" "))+1)
	for word := range bytes.FieldsSeq(text) {
		number, err := strconv.ParseInt(string(word), 10, 32)
		if err != nil && !errors.Is(err, strconv.ErrRange) { // of what is far away, the nearest number is enough
			return err
		}
		*n = append(*n, int32(number))
	}
	return nil
}

// walking is one reading of a frame with the walker. What a script cannot find out, the walker is told: which elements
// listen for clicks, and the closed shadow roots of those that look as if they had one.
type walking struct {
	driver Reader
	frame  cdproto.FrameID
	// alone reports whether no other frame of the process is below the frame.
	alone func() bool
	// Without allBoxes the boxes of what is below the viewport are only roughly known.
	allBoxes bool
	// Of a document that was listed before, last, only what has changed is listed, if that is little.
	last *walked
	// sameListeners says that there are as many listeners as then. Unless elements have changed, they are taken to be the
	// same, as for a document that is not read again because nothing in it has changed.
	sameListeners bool
	// objects says that the page keeps objects in the group [Looks].
	objects bool
}

func (w *walking) walk(ctx context.Context) (*document, error) {
	if w.last != nil && !w.allBoxes {
		if list, err := w.again(ctx); err != nil || list != nil {
			return list.document(), err
		}
	}
	d := w.driver
	for range maxWalks {
		root, hasRoots, err := anchors(ctx, d, w.frame)
		if err != nil {
			return nil, err
		}
		listening, err := w.clickListeners(ctx, root, hasRoots)
		if err != nil {
			return nil, err
		}
		if hasRoots && !w.alone() {
			return nil, fmt.Errorf("%w: it has shadow roots and frames", errOpaque)
		}
		list, err := walkOnce(ctx, d, w.frame, listening, w.allBoxes)
		if err != nil {
			return nil, err
		}
		if have, err := tellRoles(ctx, d, w.frame, list.Customs); err != nil || have {
			return nil, cmp.Or(err, fmt.Errorf("%w: custom elements have roles", errOpaque))
		}
		told, err := tellRoots(ctx, d, w.frame, list.Hosts)
		if err != nil {
			return nil, err
		}
		if !told {
			list.anchor = root
			return list.document(), nil
		}
	}
	return nil, fmt.Errorf("%w: it changes all the time", errOpaque)
}

// again completes the last list of a document with what has changed since; nil: all of it has to be listed.
func (w *walking) again(ctx context.Context) (*walked, error) {
	changed := &walked{ElementsChanged: true}
	var err error
	if w.sameListeners {
		changed, err = w.changed(ctx, w.last.listening, true)
	}
	if err == nil && changed.ElementsChanged {
		var listening []cdproto.BackendNodeID
		if listening, err = w.clickListeners(ctx, w.last.anchor, false); err == nil {
			changed, err = w.changed(ctx, stampOf(listening), false)
		}
	}
	if err != nil || changed.Whole {
		return nil, err
	}
	if have, err := tellRoles(ctx, w.driver, w.frame, changed.Customs); err != nil || have {
		return nil, err
	}
	if told, err := tellRoots(ctx, w.driver, w.frame, changed.Hosts); err != nil || told {
		return nil, err
	}
	return w.last.with(changed), nil
}

// changed lists what has changed since the last list. What listens for clicks may be assumed to be as it was.
func (w *walking) changed(ctx context.Context, listening string, assumed bool) (*walked, error) {
	return listed(ctx, w.driver, w.frame, nil, "(_, ...how) => hermesWalker.readAgain(...how)", w.last.Reading, listening, assumed)
}

// with replaces the rows of a list that have changed: of each part the number of its first row, and how many there were
// and are come before its rows. It returns nil if a part is not one of the list.
func (w *walked) with(changed *walked) *walked {
	out := *changed
	out.anchor, out.listening = w.anchor, w.listening
	out.Strings, out.Nodes = slices.Concat(w.Strings, changed.Strings), make(numbers, 0, len(w.Nodes)+len(changed.Nodes))
	at := 0
	for parts := changed.Nodes; len(parts) > 0; {
		if len(parts) < 3 {
			return nil
		}
		from, until, rows := int(parts[0])*fieldsWalked, (int(parts[0])+int(parts[1]))*fieldsWalked, int(parts[2])*fieldsWalked
		if from < at || until < from || until > len(w.Nodes) || rows < 0 || rows > len(parts)-3 {
			return nil
		}
		out.Nodes = append(append(out.Nodes, w.Nodes[at:from]...), parts[3:3+rows]...)
		at, parts = until, parts[3+rows:]
	}
	out.Nodes = append(out.Nodes, w.Nodes[at:]...)
	return &out
}

// anchors finds the document, and whether any of its elements has a shadow root, and installs the walker if there is
// none yet.
func anchors(ctx context.Context, d Reader, frame cdproto.FrameID) (root cdproto.BackendNodeID, hasRoots bool, err error) {
	var found []Described
	err = d.RunWithin(ctx, frame, nil, "() => Object.hasOwn(globalThis, 'hermesWalker') ? hermesWalker.anchors() : []", nil, &found)
	if err == nil && len(found) == 0 {
		err = d.RunWithin(ctx, frame, nil, "() => ("+install+")().anchors()", nil, &found)
	}
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("%w: it has no document", errOpaque)
	}
	if err != nil {
		return 0, false, err
	}
	return found[0].ID, len(found) > 1, nil
}

// walkOnce calls the walker, and tells it what listens for clicks unless it knows that.
func walkOnce(ctx context.Context, d Reader, frame cdproto.FrameID, listening []cdproto.BackendNodeID, allBoxes bool) (*walked, error) {
	stamp := stampOf(listening)
	w, err := listed(ctx, d, frame, nil, "(_, ...how) => hermesWalker.read(...how)", stamp, allBoxes)
	if err == nil && w.Stale {
		var unknown []cdproto.BackendNodeID
		if err = d.RunWithin(ctx, frame, nil, "(_, all) => hermesWalker.unknown(all)", []any{listening}, &unknown); err == nil {
			w, err = listed(ctx, d, frame, unknown, "(nodes, ...how) => hermesWalker.listen(nodes, ...how)", unknown, listening, stamp, allBoxes)
		}
	}
	if err == nil && w.Opaque != "" {
		err = fmt.Errorf("%w: %s", errOpaque, w.Opaque)
	}
	if err == nil {
		w.listening = stamp
	}
	return w, err
}

// listed calls the walker. Its list is passed on as a text, because the browser copies a text much faster than an
// object.
func listed(ctx context.Context, d Reader, frame cdproto.FrameID, nodes []cdproto.BackendNodeID, function string, how ...any) (*walked, error) {
	var text string
	if err := d.RunWithin(ctx, frame, nodes, function, how, &text); err != nil {
		return nil, err
	}
	w := &walked{}
	return w, json.Unmarshal([]byte(text), w)
}

// maxWalks is how often a document is read because shadow roots were found in it, each within another.
const maxWalks = 10

// listenTypes are the events whose listeners make an element one that can be acted on.
var listenTypes = set("click dblclick auxclick contextmenu mousedown mouseup pointerdown pointerup drop")

// clickListeners lists the nodes of a document that listen for what is done to them. Of a document without shadow roots
// Chromium lists those of its main world, and nothing below frames. Within shadow roots it lists them only together
// with those of all worlds, and of all frames of the process below: a node of another frame must not be resolved in the
// world of this one, which crashes the tab a moment later.
func (w *walking) clickListeners(ctx context.Context, root cdproto.BackendNodeID, withinRoots bool) ([]cdproto.BackendNodeID, error) {
	var document dom.ResolveNodeResult
	w.objects = true
	if err := w.driver.ReadWithin(ctx, w.frame, dom.CommandResolveNode, &dom.ResolveNodeParams{BackendNodeID: root, ObjectGroup: Looks}, &document); err != nil {
		return nil, err
	}
	var found struct {
		Listeners []struct {
			Type string                `json:"type"`
			Node cdproto.BackendNodeID `json:"backendNodeId"`
		} `json:"listeners"`
	}
	all := int64(-1)
	params := &domdebugger.GetEventListenersParams{ObjectID: document.Object.ObjectID, Depth: &all, Pierce: &withinRoots}
	if err := w.driver.ReadWithin(ctx, w.frame, domdebugger.CommandGetEventListeners, params, &found); err != nil {
		return nil, err
	}
	nodes := []cdproto.BackendNodeID{}
	for _, l := range found.Listeners {
		if listenTypes[l.Type] && l.Node != 0 {
			nodes = append(nodes, l.Node)
		}
	}
	slices.Sort(nodes)
	return slices.Compact(nodes), nil
}

// stampOf is the same for the same nodes.
func stampOf(nodes []cdproto.BackendNodeID) string {
	h := fnv.New64a()
	for _, n := range nodes {
		_ = binary.Write(h, binary.LittleEndian, int64(n))
	}
	return strconv.FormatUint(h.Sum64(), 36)
}

// tellRoots asks which elements have closed shadow roots, and tells the walker.
func tellRoots(ctx context.Context, d Reader, frame cdproto.FrameID, hosts []cdproto.BackendNodeID) (told bool, err error) {
	if len(hosts) == 0 {
		return false, nil
	}
	described, err := describe(ctx, d, frame, hosts)
	if err != nil {
		return false, err
	}
	var roots []cdproto.BackendNodeID
	for _, host := range described {
		if host.Closed != 0 {
			roots = append(roots, host.Closed)
		}
	}
	if len(roots) == 0 {
		return false, nil
	}
	return true, d.RunWithin(ctx, frame, roots, "roots => { hermesWalker.tell(roots.filter(Boolean)); return null }", nil, nil)
}

// tellRoles asks whether custom elements have a role, as their scripts can give them by ElementInternals, tells the
// walker, and reports whether any has.
func tellRoles(ctx context.Context, d Reader, frame cdproto.FrameID, customs []cdproto.BackendNodeID) (have bool, err error) {
	if len(customs) == 0 {
		return false, nil
	}
	described, err := describe(ctx, d, frame, customs)
	if err != nil {
		return false, err
	}
	var asked []cdproto.BackendNodeID
	var roles []bool
	for _, custom := range described {
		said, err := axNodeOf(custom.ID, func(method string, params, result any) error { return d.ReadWithin(ctx, frame, method, params, result) })
		if err != nil {
			continue // it is gone, and another of its name is asked about another time
		}
		has := !said.Ignored && !slices.Contains([]string{"", "generic", "none"}, said.Role.text())
		asked, roles, have = append(asked, custom.ID), append(roles, has), have || has
	}
	if ctx.Err() != nil || len(asked) == 0 {
		return false, context.Cause(ctx)
	}
	return have, d.RunWithin(ctx, frame, asked, "(customs, roles) => { hermesWalker.tellRoles(customs, roles); return null }", []any{roles}, nil)
}

// text returns one of the strings.
func (w *walked) text(index int32) string {
	if index <= 0 || int(index) >= len(w.Strings) {
		return ""
	}
	return w.Strings[index]
}

// document decodes the list.
func (w *walked) document() *document {
	if w == nil {
		return nil
	}
	count := len(w.Nodes) / fieldsWalked
	d := &document{id: walkedKey + w.Root, list: w, title: w.Title, nodes: make([]element, count), scrollX: w.Scroll[0], scrollY: w.Scroll[1]}
	states := map[int32][]string{}
	var open []int // the nodes whose subtrees have not ended
	for i := range d.nodes {
		f := w.Nodes[i*fieldsWalked:][:fieldsWalked]
		depth := max(0, min(int(f[0]), len(open)))
		for len(open) > depth {
			last := open[len(open)-1]
			d.nodes[last].below = i - last
			open = open[:len(open)-1]
		}
		open = append(open, i)
		e := &d.nodes[i]
		if f[1] > 0 {
			e.id = walkedKey + cdproto.BackendNodeID(f[1])
		}
		e.role, e.name, e.value, e.url = w.text(f[2]), w.text(f[3]), w.text(f[4]), w.text(f[5])
		if f[6] != 0 {
			known, ok := states[f[6]]
			if !ok {
				known = strings.Split(w.text(f[6]), "\n")
				states[f[6]] = known
			}
			e.states = known[:len(known):len(known)]
		}
		e.description = w.text(f[12])
		e.ignored, e.focusable = f[7]&walkedIgnored != 0, f[7]&walkedFocusable != 0
		e.inline = f[7]&walkedInline != 0
		e.focused, e.clickable, e.handle = f[7]&walkedFocused != 0, f[7]&walkedClickable != 0, f[7]&walkedHandle != 0
		at := geometry.Rect{X: float64(f[8]) + w.Scroll[0], Y: float64(f[9]) + w.Scroll[1], Width: float64(f[10]), Height: float64(f[11])}
		e.box = boxOf(at)
	}
	for _, i := range open {
		d.nodes[i].below = count - i
	}
	return d
}

// describe describes elements by the numbers that the walker gave them.
func describe(ctx context.Context, d Reader, frame cdproto.FrameID, numbers []cdproto.BackendNodeID) (list []Described, err error) {
	err = d.RunWithin(ctx, frame, nil, "(_, numbers) => numbers.map(hermesWalker.element)", []any{numbers}, &list)
	if err == nil && len(list) != len(numbers) {
		err = fmt.Errorf("%d of %d elements were described", len(list), len(numbers))
	}
	return list, err
}

// numberOf returns the number that the walker gave an element.
func numberOf(ctx context.Context, d Reader, e Element) (number cdproto.BackendNodeID, err error) {
	err = d.RunWithin(ctx, e.Frame, []cdproto.BackendNodeID{e.ID}, "([e]) => e ? hermesWalker.number(e) : 0", nil, &number)
	return number, err
}

// findFrames finds the backend node ids of the elements that show frames.
func (d *document) findFrames(ctx context.Context, driver Reader, frame cdproto.FrameID) error {
	var numbers []cdproto.BackendNodeID
	for i := range d.nodes {
		if d.nodes[i].role == "iframe" && d.nodes[i].id != 0 {
			numbers = append(numbers, d.nodes[i].id-walkedKey)
		}
	}
	if len(numbers) == 0 {
		return nil
	}
	described, err := describe(ctx, driver, frame, numbers)
	if err != nil {
		return err
	}
	d.frames = make(map[cdproto.BackendNodeID]cdproto.BackendNodeID, len(numbers))
	for i, n := range described {
		d.frames[n.ID] = walkedKey + numbers[i]
	}
	return nil
}
