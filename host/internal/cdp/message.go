package cdp

import (
	"encoding/json"
	"fmt"

	"github.com/chromedp/cdproto/cdp/jsonv2"
)

// Message is one CDP message from the browser: an event, or the reply to a command.
type Message struct {
	// ID is the id of the command that this replies to; 0 for an event.
	ID int64
	// SessionID is the session that the message belongs to; empty for the browser's own session.
	SessionID string
	// Method is the name of the event, or of the command that this replies to.
	Method string
	// Params is the raw JSON of an event's parameters; nil if there are none. The receiver owns it.
	Params []byte
	// Result is the raw JSON of a successful reply. The receiver owns it.
	Result []byte
	// Err says why a command failed: an [*Error] from the browser, a [*TooLargeError], a [*LostError], or the argument of
	// [Conn.FailSession]. It is nil for events and successful replies.
	Err error
}

// Error is a failure that the browser reported for a command.
//
// See https://chromedevtools.github.io/devtools-protocol/ and JSON-RPC 2.0, section 5.1.
type Error struct {
	// Code is the JSON-RPC code; Chromium uses -32000 for most failures and -32602 for bad parameters.
	Code int64
	// Message is the browser's text.
	Message string
	// Data is the detail that comes with some errors; often empty.
	Data string
}

// Error returns the text, the detail and the code.
func (e *Error) Error() string {
	if e.Data != "" {
		return fmt.Sprintf("%s: %s (code %d)", e.Message, e.Data, e.Code)
	}
	return fmt.Sprintf("%s (code %d)", e.Message, e.Code)
}

// parseError decodes the error of a reply. Data is a string in Chromium; other servers put any JSON there.
func parseError(raw []byte) *Error {
	var wire struct {
		Code    int64        `json:"code"`
		Message string       `json:"message"`
		Data    jsonv2.Value `json:"data"`
	}
	if err := unmarshal(raw, &wire); err != nil {
		return &Error{Message: "unreadable error object: " + string(raw[:min(len(raw), 200)])}
	}
	out := &Error{Code: wire.Code, Message: wire.Message}
	if json.Unmarshal(wire.Data, &out.Data) != nil {
		out.Data = string(wire.Data)
	}
	return out
}
