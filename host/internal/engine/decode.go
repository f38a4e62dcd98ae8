package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/debugger"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/inspector"
	cdplog "github.com/chromedp/cdproto/log"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/download"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// decoders turn the parameters of an event into an event of the state machine. Events that are not listed here are
// never decoded.
var decoders = map[string]func(session target.SessionID, params []byte) (supervise.Event, error){
	"Target.targetCreated": decoder(func(_ target.SessionID, e *target.EventTargetCreated) supervise.Event {
		return supervise.TargetChanged{Info: *e.TargetInfo}
	}),
	"Target.targetInfoChanged": decoder(func(_ target.SessionID, e *target.EventTargetInfoChanged) supervise.Event {
		return supervise.TargetChanged{Info: *e.TargetInfo}
	}),
	"Target.targetDestroyed": decoder(func(_ target.SessionID, e *target.EventTargetDestroyed) supervise.Event {
		return supervise.TargetDestroyed{Target: e.TargetID}
	}),
	"Target.targetCrashed": decoder(func(_ target.SessionID, e *target.EventTargetCrashed) supervise.Event {
		return supervise.TargetCrashed{Target: e.TargetID}
	}),
	"Target.attachedToTarget": decoder(func(s target.SessionID, e *target.EventAttachedToTarget) supervise.Event {
		return supervise.Attached{Parent: s, Session: e.SessionID, Info: *e.TargetInfo, Waiting: e.WaitingForDebugger}
	}),
	"Target.detachedFromTarget": decoder(func(_ target.SessionID, e *target.EventDetachedFromTarget) supervise.Event {
		return supervise.Detached{Session: e.SessionID}
	}),
	"Inspector.targetCrashed": decoder(func(s target.SessionID, _ *inspector.EventTargetCrashed) supervise.Event {
		return supervise.SessionCrashed{Session: s}
	}),
	"Inspector.targetReloadedAfterCrash": decoder(func(s target.SessionID, _ *inspector.EventTargetReloadedAfterCrash) supervise.Event {
		return supervise.SessionRevived{Session: s}
	}),
	"Page.frameAttached": decoder(func(s target.SessionID, e *cdppage.EventFrameAttached) supervise.Event {
		return supervise.FrameAttached{Session: s, Frame: e.FrameID, Parent: e.ParentFrameID}
	}),
	"Page.frameNavigated": decoder(func(s target.SessionID, e *cdppage.EventFrameNavigated) supervise.Event {
		info := frameInfo(e.Frame)
		info.Restored = e.Type == cdppage.NavigationTypeBackForwardCacheRestore
		return supervise.FrameNavigated{Session: s, Frame: info}
	}),
	// A script of another document called document.open: the frame takes on that document's URL without a navigation.
	"Page.documentOpened": decoder(func(s target.SessionID, e *cdppage.EventDocumentOpened) supervise.Event {
		return supervise.FrameNavigated{Session: s, Frame: frameInfo(e.Frame)}
	}),
	"Page.navigatedWithinDocument": decoder(func(s target.SessionID, e *cdppage.EventNavigatedWithinDocument) supervise.Event {
		return supervise.NavigatedWithinDocument{Session: s, Frame: e.FrameID, URL: e.URL}
	}),
	"Page.frameDetached": decoder(func(s target.SessionID, e *cdppage.EventFrameDetached) supervise.Event {
		return supervise.FrameDetached{Session: s, Frame: e.FrameID, Swap: e.Reason == cdppage.FrameDetachedReasonSwap}
	}),
	"Page.javascriptDialogOpening": decoder(func(s target.SessionID, e *cdppage.EventJavascriptDialogOpening) supervise.Event {
		return supervise.DialogOpening{Session: s, Frame: e.FrameID, Type: dialogTypes[e.Type], Message: e.Message, DefaultPrompt: e.DefaultPrompt, URL: e.URL}
	}),
	"Page.javascriptDialogClosed": decoder(func(s target.SessionID, e *cdppage.EventJavascriptDialogClosed) supervise.Event {
		return supervise.DialogClosed{Session: s, Frame: e.FrameID, Accepted: e.Result, UserInput: e.UserInput}
	}),
	"Runtime.consoleAPICalled": decoder(func(s target.SessionID, e *runtime.EventConsoleAPICalled) supervise.Event {
		return supervise.ConsoleMessage{Session: s, Entry: consoleEntry(e)}
	}),
	"Log.entryAdded": decoder(func(s target.SessionID, e *cdplog.EventEntryAdded) supervise.Event {
		return supervise.ConsoleMessage{Session: s, Entry: logEntry(e.Entry)}
	}),
	EventDownload: decoder(func(s target.SessionID, e *cdpbrowser.EventDownloadWillBegin) supervise.Event {
		return supervise.DownloadBegan{Session: s, ID: e.GUID, URL: withoutQuery(e.URL), Owner: withoutQuery(strings.TrimPrefix(e.URL, "blob:")), Name: download.FileName(e.SuggestedFilename)}
	}),
	EventDownloaded: decoder(func(_ target.SessionID, e *cdpbrowser.EventDownloadProgress) supervise.Event {
		return downloadProgress(e)
	}),
	download.EventProgress: decoder(func(_ target.SessionID, e *cdpbrowser.EventDownloadProgress) supervise.Event {
		return downloadProgress(e)
	}),
	"Runtime.executionContextCreated": decoder(func(s target.SessionID, e *runtime.EventExecutionContextCreated) supervise.Event {
		return supervise.ContextCreated{Session: s, Context: executionContext(e.Context)}
	}),
	"Runtime.executionContextDestroyed": decoder(func(s target.SessionID, e *runtime.EventExecutionContextDestroyed) supervise.Event {
		return supervise.ContextDestroyed{Session: s, Unique: e.ExecutionContextUniqueID}
	}),
	"Runtime.executionContextsCleared": decoder(func(s target.SessionID, _ *runtime.EventExecutionContextsCleared) supervise.Event {
		return supervise.ContextsCleared{Session: s}
	}),
	"Runtime.exceptionThrown": decoder(func(s target.SessionID, e *runtime.EventExceptionThrown) supervise.Event {
		return supervise.ConsoleMessage{Session: s, Entry: exceptionEntry(e)}
	}),
	// For the dialog bridge. Debugger.scriptParsed is left out, as there is one for each script.
	"Debugger.paused": decoder(pausedAt),
	"Debugger.resumed": decoder(func(s target.SessionID, _ *debugger.EventResumed) supervise.Event {
		return supervise.Resumed{Session: s}
	}),
	"Fetch.requestPaused": decoder(requestPaused),
	"Fetch.authRequired": decoder(func(s target.SessionID, e *authEvent) supervise.Event {
		return supervise.AuthRequired{
			Session: s, Request: e.RequestID, Origin: strings.TrimSuffix(e.Challenge.Origin, "/"), Proxy: e.Challenge.Source == fetch.AuthChallengeSourceProxy,
		}
	}),
}

// decoder makes a decoder for one event type.
func decoder[T any](convert func(target.SessionID, *T) supervise.Event) func(target.SessionID, []byte) (supervise.Event, error) {
	return func(session target.SessionID, params []byte) (supervise.Event, error) {
		event := new(T)
		if err := cdp.Unmarshal(params, event); err != nil {
			return nil, err
		}
		return convert(session, event), nil
	}
}

var dialogTypes = map[cdppage.DialogType]abi.DialogType{
	cdppage.DialogTypeAlert:        abi.DialogTypeAlert,
	cdppage.DialogTypeConfirm:      abi.DialogTypeConfirm,
	cdppage.DialogTypePrompt:       abi.DialogTypePrompt,
	cdppage.DialogTypeBeforeunload: abi.DialogTypeBeforeUnload,
}

func frameInfo(f *cdproto.Frame) supervise.FrameInfo {
	info := supervise.FrameInfo{ID: f.ID, Parent: f.ParentID, Loader: f.LoaderID, URL: f.URL + f.URLFragment, Origin: origin(f.SecurityOrigin), Name: f.Name}
	if f.UnreachableURL != "" {
		info.URL, info.ErrorPage = f.UnreachableURL, true
	}
	return info
}

// downloadProgress is the same on the sessions of pages and on the browser's own.
func downloadProgress(e *cdpbrowser.EventDownloadProgress) supervise.DownloadProgress {
	states := map[cdpbrowser.DownloadProgressState]supervise.DownloadState{
		cdpbrowser.DownloadProgressStateCompleted: supervise.DownloadCompleted, cdpbrowser.DownloadProgressStateCanceled: supervise.DownloadFailed,
	}
	return supervise.DownloadProgress{
		ID: e.GUID, Bytes: int64(e.ReceivedBytes), Total: int64(e.TotalBytes), State: cmp.Or(states[e.State], supervise.DownloadRunning), Path: e.FilePath,
	}
}

// withoutQuery removes the query and fragment of a URL, which may hold secrets; data: and blob: URLs are cut to their
// scheme.
func withoutQuery(url string) string {
	if scheme, _, ok := strings.Cut(url, ":"); ok && (scheme == "data" || scheme == "blob") {
		return scheme + ":"
	}
	url, _, _ = strings.Cut(url, "#")
	url, _, _ = strings.Cut(url, "?")
	return url
}

// origin turns Chromium's serialisation into that of the HTML specification: an opaque origin is "null", not "://".
func origin(security string) string {
	if security == "" || security == "://" {
		return "null"
	}
	return security
}

// executionContext reads the auxiliary data that Chromium adds: the frame, and whether this is the main world.
func executionContext(c *runtime.ExecutionContextDescription) supervise.ExecutionContext {
	var aux struct {
		FrameID   cdproto.FrameID `json:"frameId"`
		IsDefault bool            `json:"isDefault"`
	}
	_ = cdp.Unmarshal(c.AuxData, &aux) // workers have no auxiliary data
	return supervise.ExecutionContext{ID: c.ID, Unique: c.UniqueID, Frame: aux.FrameID, Main: aux.IsDefault, Name: c.Name, Origin: origin(c.Origin)}
}

// flatten lists the frames of a tree, parents before children.
func flatten(tree *cdppage.FrameTree, into []supervise.FrameInfo) []supervise.FrameInfo {
	if tree == nil || tree.Frame == nil {
		return into
	}
	into = append(into, frameInfo(tree.Frame))
	for _, child := range tree.ChildFrames {
		into = flatten(child, into)
	}
	return into
}

// maxConsoleText is the length in bytes at which the text of a console entry is cut.
const maxConsoleText = 8 << 10

func consoleEntry(e *runtime.EventConsoleAPICalled) supervise.ConsoleEntry {
	words := make([]string, len(e.Args))
	for i, arg := range e.Args {
		words[i] = remoteText(arg)
	}
	return supervise.ConsoleEntry{
		Type: string(e.Type), Text: Cut(strings.Join(words, " ")), Source: stackSource(e.StackTrace), At: moment(e.Timestamp),
	}
}

// logEntry is what the browser itself logged: a failed request, a refused script.
func logEntry(e *cdplog.Entry) supervise.ConsoleEntry {
	entry := supervise.ConsoleEntry{
		Type: string(e.Level), From: string(e.Source), Text: Cut(e.Text), Source: stackSource(e.StackTrace), At: moment(e.Timestamp),
	}
	switch {
	case e.Source == cdplog.EntrySourceNetwork && e.URL != "": // the resource, which the text often lacks
		entry.Source = e.URL
	case entry.Source == "" && e.URL != "":
		entry.Source = source(e.URL, e.LineNumber, 0)
	}
	entry.Source = Cut(entry.Source)
	return entry
}

func exceptionEntry(e *runtime.EventExceptionThrown) supervise.ConsoleEntry {
	d := e.ExceptionDetails
	entry := supervise.ConsoleEntry{Type: supervise.TypeException, Text: Cut(ExceptionText(d)), Source: stackSource(d.StackTrace), At: moment(e.Timestamp)}
	if entry.Source == "" && d.URL != "" {
		entry.Source = source(d.URL, d.LineNumber, d.ColumnNumber)
	}
	return entry
}

func moment(t runtime.Timestamp) time.Time { return time.UnixMicro(int64(t.Float64() * 1000)) }

// ExceptionText returns the text of an exception. The thrown object's own description is preferred, as it includes the
// stack.
func ExceptionText(d *runtime.ExceptionDetails) string {
	if d.Exception != nil {
		return strings.TrimSpace(d.Text + " " + remoteText(d.Exception))
	}
	return d.Text
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

func stackSource(stack *runtime.StackTrace) string {
	if stack == nil || len(stack.CallFrames) == 0 {
		return ""
	}
	top := stack.CallFrames[0]
	return source(top.URL, top.LineNumber, top.ColumnNumber)
}

// source formats a position. It counts lines and columns from 1, as people do; the protocol counts from 0.
func source(url string, line, column int64) string {
	return url + ":" + strconv.FormatInt(line+1, 10) + ":" + strconv.FormatInt(column+1, 10)
}

// Cut bounds a text whose length the page controls, and notes how much was left out.
func Cut(text string) string {
	if len(text) <= maxConsoleText {
		return text
	}
	return fmt.Sprintf("%s… (%d bytes more)", strings.ToValidUTF8(text[:maxConsoleText], ""), len(text)-maxConsoleText)
}
