// Package page reads a page as assistive technology sees it, in every frame and shadow root, and acts on it as a person
// would. It knows the Chrome DevTools Protocol and nothing of connections, tasks or dialogs: commands go through a [Driver].
package page

import (
	"context"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
)

// Driver reaches the frames of one tab for the length of one operation. When a dialog opens meanwhile the operation's
// caller is told and leaves; the command goes on, and its reply comes when the dialog is answered. Errors end the
// operation; they are those of package host, which this package passes on as they are.
type Driver interface {
	// Context ends with the operation's budget.
	Context() context.Context
	// Target is the tab's id.
	Target() string
	// Frames are the tab's frames as they are known now: the top frame first, parents before their children.
	Frames() []Frame
	// Read sends a command that changes nothing to the session that shows a frame, and decodes its reply into result, which
	// may be nil. Frame "" is the top frame.
	Read(frame cdproto.FrameID, method string, params, result any) error
	// Act sends a command that may have an effect on the page, likewise: from then on a dialog does not end the operation.
	Act(frame cdproto.FrameID, method string, params, result any) error
	// Run calls a JavaScript function in a frame, in a world that the page's scripts can not meet, on an element (0: none; it
	// is the first argument), with arguments that have JSON. A promise is awaited. The value's JSON is decoded into result;
	// where that is a *cdproto.BackendNodeID the value is an element, or null for 0.
	Run(frame cdproto.FrameID, node cdproto.BackendNodeID, function string, args []any, result any) error
}

// Actor is a Driver by which a page is acted on, too.
type Actor interface {
	Driver
	// RunOn is Run with any number of nodes of the frame, such as shadow roots: an array of them is the first argument. A
	// node that is gone meanwhile is an error that [Actor.Gone] knows.
	RunOn(frame cdproto.FrameID, nodes []cdproto.BackendNodeID, function string, args []any, result any) error
	// Impatient is the same driver, but it gives a main thread only so long to answer before it runs script there, with 0
	// half of the time that the operation has left: frames that do not answer are then an error that [Actor.Unresponsive]
	// knows, and the operation goes on.
	Impatient(limit time.Duration) Actor
	// Patience is how long to wait for an element to come, and to be ready to be acted on: most of the time that the operation
	// has left; the rest is for what is done to it, and for saying what was in the way.
	Patience() time.Duration
	// Unresponsive tells whether an error says that a main thread did not answer.
	Unresponsive(err error) bool
	// Gone tells whether an error says that a frame or its document was removed or replaced meanwhile.
	Gone(err error) bool
	// Announce makes the process of a frame tell what listeners of ours announce there by [ArrivalBinding].
	Announce(frame cdproto.FrameID) error
	// Announced is what was announced last for an [Aim], by its id.
	Announced(id uint64) Arrival
	// Seen gives the parameters of the newest event of a method on the tab since the operation began watching; nil: none.
	Seen(method string) []byte
}

// Frame is one frame of the tab.
type Frame struct {
	ID      cdproto.FrameID
	Parent  cdproto.FrameID // empty for the top frame
	Session string          // that shows it; frames of one process share it. Empty while an OOPIF has none
	OOPIF   bool
	URL     string // untrusted
	Origin  string
	// Document names the frame's document: its loader id. Empty where it is not known.
	Document cdproto.LoaderID
}
