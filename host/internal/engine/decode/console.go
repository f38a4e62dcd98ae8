package decode

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"

	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// MaxText is the length in bytes at which [Cut] cuts a text.
const MaxText = 8 << 10

func consoleEntry(e *runtime.EventConsoleAPICalled) supervise.ConsoleEntry {
	words := make([]string, len(e.Args))
	for i, arg := range e.Args {
		words[i] = remoteText(arg)
	}
	return supervise.ConsoleEntry{
		Type: string(e.Type), Text: Cut(strings.Join(words, " ")), Source: Position(e.StackTrace, "", 0, 0), At: moment(e.Timestamp),
	}
}

// logEntry is what the browser itself logged: a failed request, a refused script.
func logEntry(e *cdplog.Entry) supervise.ConsoleEntry {
	position := Position(e.StackTrace, e.URL, e.LineNumber, 0)
	if e.Source == cdplog.EntrySourceNetwork && e.URL != "" {
		position = e.URL // the resource, which the text often lacks
	}
	return supervise.ConsoleEntry{
		Type: string(e.Level), From: string(e.Source), Text: Cut(e.Text), Source: Cut(position), At: moment(e.Timestamp),
	}
}

func exceptionEntry(e *runtime.EventExceptionThrown) supervise.ConsoleEntry {
	d := e.ExceptionDetails
	return supervise.ConsoleEntry{
		Type: supervise.TypeException, Text: ExceptionText(d), Source: Position(d.StackTrace, d.URL, d.LineNumber, d.ColumnNumber), At: moment(e.Timestamp),
	}
}

func moment(t runtime.Timestamp) time.Time { return time.UnixMicro(int64(t.Float64() * 1000)) }

// ExceptionText returns the text of an exception, as [Cut] leaves it. The thrown object's own description is preferred,
// as it includes the stack.
func ExceptionText(d *runtime.ExceptionDetails) string {
	if d.Exception != nil {
		return Cut(strings.TrimSpace(d.Text + " " + remoteText(d.Exception)))
	}
	return Cut(d.Text)
}

// remoteText returns what a console would print for a value.
func remoteText(o *runtime.RemoteObject) string {
	switch {
	case o == nil:
		return ""
	case o.Type == "string":
		var text string
		if cdp.Unmarshal(o.Value, &text) == nil {
			return text
		}
		return string(o.Value)
	case o.UnserializableValue != "":
		return string(o.UnserializableValue)
	case o.Preview != nil && slices.Contains(previewed, o.Preview.Subtype):
		return previewText(o.Preview)
	case o.Description != "":
		return o.Description
	case len(o.Value) > 0:
		return string(o.Value)
	default:
		return string(o.Type)
	}
}

// Position writes where script was: at the top of a stack or, without one, at a place in a document; empty: unknown. It
// counts lines and columns from 1, as people do; the protocol counts from 0.
func Position(stack *runtime.StackTrace, url string, line, column int64) string {
	if stack != nil && len(stack.CallFrames) > 0 {
		top := stack.CallFrames[0]
		url, line, column = top.URL, top.LineNumber, top.ColumnNumber
	} else if url == "" {
		return ""
	}
	return url + ":" + strconv.FormatInt(line+1, 10) + ":" + strconv.FormatInt(column+1, 10)
}

// Cut bounds a text whose length the page controls, and notes how much was left out.
func Cut(text string) string {
	if len(text) <= MaxText {
		return text
	}
	return fmt.Sprintf("%s… (%d bytes more)", strings.ToValidUTF8(text[:MaxText], ""), len(text)-MaxText)
}
