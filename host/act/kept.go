package act

import (
	"hash/maphash"
	"strconv"
	"sync"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
)

// maxKept is how many functions one document keeps, and maxKeeping how many frames are remembered to keep some.
const maxKept, maxKeeping = 128, 1000

// errNotKept is what an expression throws whose document does not keep the function that it calls, before it does
// anything else.
const errNotKept = "hermes-cdp: this document does not keep the function"

// keptFunctions remembers which functions the documents of a task keep in their isolated worlds, so that each is sent
// and compiled once there, with its prelude: V8 takes some 0.2 ms to compile a kilobyte. What it remembers may be
// wrong, which the document says; see [errNotKept].
type keptFunctions struct {
	mu sync.Mutex
	in map[cdproto.FrameID]*keptIn
}

type keptIn struct {
	document  cdproto.LoaderID
	functions map[string]bool // by their keys
}

var keptSeed = maphash.MakeSeed()

// keyOf is the key under which documents keep a function.
func keyOf(function string) string {
	return "kept" + strconv.FormatUint(maphash.String(keptSeed, function), 36)
}

// has reports whether a document keeps a function.
func (k *keptFunctions) has(frame cdproto.FrameID, document cdproto.LoaderID, key string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	kept := k.in[frame]
	return kept != nil && kept.document == document && kept.functions[key]
}

// keep reports whether a document shall keep a function, and remembers that it does.
func (k *keptFunctions) keep(frame cdproto.FrameID, document cdproto.LoaderID, key string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	kept := k.in[frame]
	if kept == nil || kept.document != document {
		if k.in == nil || len(k.in) >= maxKeeping {
			k.in = map[cdproto.FrameID]*keptIn{}
		}
		kept = &keptIn{document: document, functions: map[string]bool{}}
		k.in[frame] = kept
	}
	if len(kept.functions) >= maxKept {
		return kept.functions[key]
	}
	kept.functions[key] = true
	return true
}

// forget is called when a document has said that it does not keep what was remembered.
func (k *keptFunctions) forget(frame cdproto.FrameID) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.in, frame)
}

// callTo is the expression that calls a function in a frame, with arguments that are JSON; with element it is a
// function of an element, which comes before them. The document already keeps the function, or keeps it from then on,
// or neither.
func (k *keptFunctions) callTo(f page.Frame, function string, element bool, args []string) (expression string, kept bool) {
	callee := checked(function, element)
	key := keyOf(callee)
	switch {
	case f.Document == "":
	case k.has(f.ID, f.Document, key):
		return keptCall(key, element, args), true
	case k.keep(f.ID, f.Document, key):
		callee = "(own." + key + " = " + callee + ")"
	}
	return callExpression(callee, element, args), false
}

// focusedSessions are those whose tabs were told to behave as if they had the focus. When there are too many, all are
// forgotten.
type focusedSessions struct {
	mu    sync.Mutex
	known map[target.SessionID]bool
}

func (f *focusedSessions) has(session target.SessionID) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.known[session]
}

func (f *focusedSessions) add(session target.SessionID) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.known == nil || len(f.known) >= maxKeeping {
		f.known = map[target.SessionID]bool{}
	}
	f.known[session] = true
}
