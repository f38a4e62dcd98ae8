// Package contrary has modules for tests of swapping: each serves a hook of a shipped module and decides differently,
// so that a test sees which of the two was asked.
package contrary

import _ "embed" // for the modules

//go:embed testdata/contrary-bridge.wasm
var bridge []byte

//go:embed testdata/contrary-dialog.wasm
var dialog []byte

//go:embed testdata/contrary-embedder.wasm
var embedder []byte

//go:embed testdata/contrary-files.wasm
var files []byte

//go:embed testdata/contrary-frames.wasm
var frames []byte

//go:embed testdata/contrary-request.wasm
var request []byte

//go:embed testdata/contrary-snapshot.wasm
var snapshot []byte

//go:embed testdata/contrary-tools.wasm
var tools []byte

// Tools returns a module that decides on navigations of agents by what follows #! in the URL: deny denies the call,
// ask: asks the operator, go: calls with the URL that follows, extra adds an argument that no tool has, fail fails,
// trap traps. In results it replaces SECRET; it withholds one with WITHHOLD, and traps at BREAK.
func Tools() []byte { return tools }

// Files returns a module that decides on files by their names: early denies a download that begins, late a file that is
// there, both with what the event says; fail fails, trap traps. Of what pages log it drops what has DROP, fails on FAIL
// and replaces SECRET.
func Files() []byte { return files }

// Snapshot returns a module that does with an element of a reading what a word in its name or value says: MASK replaces
// that word, DROP drops it, NOTE adds a note of what it is, and FAIL, TRAP and BEYOND, which is no node, fail.
func Snapshot() []byte { return snapshot }

// Request returns a module that does with a request what the letter after the first ! in its address says: b blocks it,
// a aborts it, e blocks it and tells the event, f fails, t traps, s spins; anything else is allowed.
func Request() []byte { return request }

// Dialog returns a module that accepts every dialog, a prompt with the text "contrary".
func Dialog() []byte { return dialog }

// Embedder returns a module that asks the embedder's function lookup_v1 how to answer a dialog, with its message: it
// dismisses it at dismiss or with the reason of a failure, and accepts it with any other answer as the text. Without an
// answer it abstains. It asks twice about the message twice.
func Embedder() []byte { return embedder }

// Frames returns a module that keeps the top frame and the last frame with the path to it.
func Frames() []byte { return frames }

// Bridge returns a module whose script never pauses: it posts its requests, in its own format, to another host.
func Bridge() []byte { return bridge }
