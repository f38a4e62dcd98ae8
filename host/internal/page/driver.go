// Package page reads a page as assistive technology sees it, in every frame and shadow root. It
// knows the Chrome DevTools Protocol, but nothing of connections, tasks or dialogs: commands go through a [Driver].
package page

import (
	"context"
	"slices"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
)

// Driver reaches the frames of one tab within one operation. When a dialog opens, the operation's caller is told and
// leaves; the command continues, and its reply comes when the dialog is answered. Errors end the operation. They are
// those of package engine, and this package passes them on unchanged.
type Driver interface {
	// Context ends with the operation's budget.
	Context() context.Context
	// Target is the tab's id.
	Target() string
	// Frames are the tab's frames as they are known now: the top frame first, parents before their children.
	Frames() []Frame
	// Read sends a command that changes nothing to the session of a frame, and decodes its reply into result, which may be
	// nil. Frame "" is the top frame.
	Read(frame cdproto.FrameID, method string, params, result any) error
	// Act sends a command that may have an effect on the page, likewise. From then on a dialog does not end the operation.
	Act(frame cdproto.FrameID, method string, params, result any) error
	// Run calls a JavaScript function in a frame, in a world that the page's scripts cannot reach, after the [Prelude] and
	// with arguments that have JSON. A node other than 0 is passed as an element before them. A promise is awaited. The
	// JSON of the value is decoded into result; if result is a *cdproto.BackendNodeID, the value is an element, or null
	// for 0.
	Run(frame cdproto.FrameID, node cdproto.BackendNodeID, function string, args []any, result any) error
}

// Actor is a Driver that can also find elements to act on, and wait for them.
type Actor interface {
	Driver
	// RunOn is Run with any number of nodes of the frame, such as shadow roots: an array of them is the first argument. If
	// a node no longer exists, [Actor.Gone] recognizes the error.
	RunOn(frame cdproto.FrameID, nodes []cdproto.BackendNodeID, function string, args []any, result any) error
	// WithThreadTimeout returns the same driver with a limit on how long a main thread may take to answer before script
	// runs there; 0 means half of the operation's remaining time. If it does not answer, [Actor.Unresponsive] recognizes
	// the error, and the operation goes on.
	WithThreadTimeout(limit time.Duration) Actor
	// WaitLimit is how long to wait for an element to appear and to become actionable: most of the operation's remaining
	// time. The rest is for the action, and for saying what was in the way.
	WaitLimit() time.Duration
	// ReadyLimit is how long to go on once the page has said that an element is not there, or is not actionable: at most
	// WaitLimit.
	ReadyLimit() time.Duration
	// Unresponsive reports whether an error says that a main thread did not answer.
	Unresponsive(err error) bool
	// Gone reports whether an error says that a frame or its document was removed or replaced.
	Gone(err error) bool
}

// Frame is one frame of the tab.
type Frame struct {
	ID      cdproto.FrameID
	Parent  cdproto.FrameID // empty for the top frame
	Session string          // its CDP session, which frames of one process share; empty while an OOPIF has none
	OOPIF   bool
	URL     string // untrusted
	Origin  string
	// Document is the loader id of the frame's document; empty if it is not known.
	Document cdproto.LoaderID
	// Filtered is by what agents may not look into the frame; empty: they may. The driver refuses what is asked of it.
	Filtered string
	// Undecided says that the frame filter has not decided yet, by which the frame is filtered until then.
	Undecided bool
	// Empty says that the frame has no document yet in which a script could run.
	Empty bool
}

// FilteredNote says that agents may not look into a frame, if that is so.
func (f Frame) FilteredNote() (_ FrameNote, filtered bool) {
	return FrameNote{Frame: f.ID, URL: f.URL, State: "filtered by " + f.Filtered, Filtered: true}, f.Filtered != ""
}

// OpenFrames lists the frames that agents may look into, and that have something to look at.
func OpenFrames(frames []Frame) []Frame {
	return slices.DeleteFunc(slices.Clone(frames), func(f Frame) bool { return f.Filtered != "" || f.Empty })
}
