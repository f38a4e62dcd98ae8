package act

import (
	"hash/maphash"
	"strconv"
	"sync"

	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
)

const (
	// worthKeeping is how many bytes a function has that a document keeps. V8 takes some 0.2 ms to compile each kilobyte.
	worthKeeping = 1000
	// maxKept is how many functions one document keeps, and maxKeeping how many frames are remembered to keep some.
	maxKept    = 64
	maxKeeping = 1000
)

// errNotKept is what an expression throws whose document does not keep the function that it calls, before it does
// anything else.
const errNotKept = "hermes-cdp: this document does not keep the function"

// keptFunctions remembers which functions the documents of a task keep in their isolated worlds, so that each is sent
// and compiled once there. What it remembers may be wrong, which the document says; see [errNotKept].
type keptFunctions struct {
	mu sync.Mutex
	in map[cdproto.FrameID]*keptIn
}

type keptIn struct {
	document  cdproto.LoaderID
	functions map[string]bool // by their keys
}

var keptSeed = maphash.MakeSeed()

// keyOf is the key under which a document keeps a function; empty: it does not.
func keyOf(function string) string {
	if len(function) < worthKeeping {
		return ""
	}
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

// callee is the expression of the function that is to be called in a frame: kept there, to be kept, or neither.
func (k *keptFunctions) callee(f page.Frame, function string) (callee string, kept bool) {
	key := keyOf(function)
	switch {
	case key == "" || f.Document == "":
		return "(" + function + ")", false
	case k.has(f.ID, f.Document, key):
		return `(own.` + key + ` ?? (() => { throw new Error("` + errNotKept + `") })())`, true
	case k.keep(f.ID, f.Document, key):
		return "(own." + key + " = " + function + ")", false
	}
	return "(" + function + ")", false
}
