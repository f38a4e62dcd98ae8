// Package script makes the expressions by which functions of ours run in documents, and remembers which of them a
// document keeps.
package script

import (
	"hash/maphash"
	"strconv"
	"sync"

	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
)

// maxKept is how many functions one document keeps, and maxKeeping how many frames are remembered to keep some.
const maxKept, maxKeeping = 128, 1000

// NotKept is what an expression throws whose document does not keep the function that it calls, before it does
// anything else.
const NotKept = "hermes-cdp: this document does not keep the function"

// Kept remembers which functions the documents of a task keep in their isolated worlds, so that each is sent
// and compiled once there, with its prelude: V8 takes some 0.2 ms to compile a kilobyte. What it remembers may be
// wrong, which the document says; see [NotKept].
type Kept struct {
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
func (k *Kept) has(frame cdproto.FrameID, document cdproto.LoaderID, key string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	kept := k.in[frame]
	return kept != nil && kept.document == document && kept.functions[key]
}

// keep reports whether a document shall keep a function, and remembers that it does.
func (k *Kept) keep(frame cdproto.FrameID, document cdproto.LoaderID, key string) bool {
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

// Forget is called when a document has said that it does not keep what was remembered.
func (k *Kept) Forget(frame cdproto.FrameID) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.in, frame)
}

// Call is the expression that calls a function in a frame, with arguments that are JSON; with element it is a
// function of an element, which comes before them. The document already keeps the function, or keeps it from then on,
// or neither.
func (k *Kept) Call(f page.Frame, function string, element bool, args []string) (expression string, kept bool) {
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
