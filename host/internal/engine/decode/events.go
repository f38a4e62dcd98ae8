package decode

import (
	"cmp"
	"iter"
	"maps"
	"strings"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/debugger"
	"github.com/chromedp/cdproto/fedcm"
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
	"github.com/hermes-cdp/hermes-cdp/internal/secret"
)

// Event decodes the parameters of an event of the browser; nil if the state machine takes no events of that method.
func Event(session target.SessionID, method string, params []byte) (supervise.Event, error) {
	decode, ok := decoders[method]
	if !ok {
		return nil, nil
	}
	return decode(session, params)
}

// Methods are those that [Event] decodes.
func Methods() iter.Seq[string] { return maps.Keys(decoders) }

// decoders are the decoders of events by their methods.
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
	"Page.frameStartedNavigating": decoder(func(s target.SessionID, e *cdppage.EventFrameStartedNavigating) supervise.Event {
		switch e.NavigationType {
		case cdppage.FrameStartedNavigatingNavigationTypeSameDocument, cdppage.FrameStartedNavigatingNavigationTypeHistorySameDocument:
			return nil
		}
		return supervise.NavigationStarted{Session: s, Frame: e.FrameID, Loader: e.LoaderID, URL: e.URL}
	}),
	"Page.frameStoppedLoading": decoder(func(s target.SessionID, e *cdppage.EventFrameStoppedLoading) supervise.Event {
		return supervise.LoadingStopped{Session: s, Frame: e.FrameID}
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
	"Page.downloadWillBegin": decoder(func(s target.SessionID, e *cdpbrowser.EventDownloadWillBegin) supervise.Event {
		return supervise.DownloadBegan{Session: s, ID: e.GUID, URL: secret.WithoutQuery(e.URL), Owner: secret.WithoutQuery(strings.TrimPrefix(e.URL, "blob:")), Name: download.FileName(e.SuggestedFilename)}
	}),
	"Page.downloadProgress": decoder(func(_ target.SessionID, e *cdpbrowser.EventDownloadProgress) supervise.Event {
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
	"FedCm.dialogShown": decoder(signInOpened),
	"FedCm.dialogClosed": decoder(func(s target.SessionID, _ *fedcm.EventDialogClosed) supervise.Event {
		return supervise.SignInClosed{Session: s}
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

// maxAccounts is how many accounts of a sign-in are told of.
const maxAccounts = 50

func signInOpened(s target.SessionID, e *fedcm.EventDialogShown) supervise.Event {
	in := supervise.SignIn{Dialog: e.DialogID, Kind: e.DialogType, Title: e.Title, Subtitle: e.Subtitle}
	for _, a := range e.Accounts[:min(len(e.Accounts), maxAccounts)] {
		in.Accounts = append(in.Accounts, supervise.SignInAccount{ID: a.AccountID, Email: a.Email, Name: a.Name, Provider: a.IdpConfigURL})
	}
	return supervise.SignInOpened{Session: s, SignIn: in}
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
