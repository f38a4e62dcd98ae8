package result

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// ArgumentError says what is wrong with the arguments of a call. It wraps [fault.ErrBadArguments].
type ArgumentError struct {
	// Parameter is the invalid parameter, such as actions[2].selector; empty for the arguments as a whole.
	Parameter string
	// Problem says what is allowed.
	Problem string
}

// Error names the parameter and says what is allowed.
func (e *ArgumentError) Error() string {
	if e.Parameter == "" {
		return fault.ErrBadArguments.Error() + ": " + e.Problem
	}
	return fault.ErrBadArguments.Error() + ": " + e.Parameter + ": " + e.Problem
}

// Unwrap returns [fault.ErrBadArguments].
func (e *ArgumentError) Unwrap() error { return fault.ErrBadArguments }

func BadArgument(parameter, format string, args ...any) error {
	return &ArgumentError{Parameter: parameter, Problem: fmt.Sprintf(format, args...)}
}

// Failed returns the result of a call that did not do what was asked.
func Failed(err error, origin string, tools Offered) Result {
	var own interface{ ToolErrorResult() (Result, bool) }
	if errors.As(err, &own) {
		if r, ok := own.ToolErrorResult(); ok {
			r.Text = Fence(r.Text)
			return r
		}
	}
	code := host.CodeOf(err)
	object := map[string]any{"success": false, "error": VisibleLines(err.Error()), "kind": string(code.Kind()), "code": string(code)}
	said, lines := []string{"error: " + object["error"].(string)}, []string{}
	var blocked *host.BlockedError
	if errors.As(err, &blocked) {
		said = append(said, DialogLines(blocked.Dialogs)...)
		lines = append(lines, addBlocked(object, blocked, tools))
	}
	var delivered *host.DeliveredError
	if errors.As(err, &delivered) {
		object["call_id"], object["arrived"] = delivered.CallID, delivered.Arrived
	}
	var dialog *host.DialogError
	if errors.As(err, &dialog) && len(dialog.Open) > 0 {
		object["pending_dialogs"] = Dialogs(dialog.Open)
		said = append(said, DialogLines(dialog.Open)...)
	}
	var command *commandError
	if errors.As(err, &command) {
		object["method"], object["docs"] = command.method, command.docs()
		lines = append(lines, "protocol: "+command.docs())
	}
	var stale *host.StaleRefError
	if errors.As(err, &stale) {
		object["candidates"] = candidates(stale.Candidates)
	}
	var obstacle *host.NotActionableError
	if errors.As(err, &obstacle) {
		object["obstacle"] = obstacle.Obstacle
	}
	lines = append(lines, hints(err, tools)...)
	if quotesPage(err) {
		object["untrusted"] = Untrusted{Origin: origin, Fields: []string{"error", "pending_dialogs", "candidates"}}
	}
	text := strings.Join(said, "\n")
	if !isOwn(err) {
		text = Fence(text)
	}
	lines = slices.DeleteFunc(lines, func(line string) bool { return line == "" })
	return Result{Text: strings.Join(append([]string{text}, lines...), "\n"), Structured: object, IsError: true}
}

// HintGone tells an agent how to go on after its browser ended during a call.
const HintGone = "the next call restarts the browser and says what was lost"

// hints say how to go on if the error itself does not.
func hints(err error, tools Offered) []string {
	var delivered *host.DeliveredError
	var busy *host.RendererBusyError
	switch {
	case errors.Is(err, host.ErrTargetCrashed):
		const lost = " revives the tab, but what its page had in memory is lost; other tabs still work"
		return []string{tools.Advice("browser_reload or browser_navigate"+lost, "browser_navigate"+lost, "browser_reload"+lost, "the tab is lost; other tabs still work")}
	case errors.As(err, &delivered):
		return goOn(delivered.CallID, tools)
	case errors.As(err, &busy) && busy.CallID != "":
		return goOn(busy.CallID, tools)
	}
	return nil
}

// goOn says what to do about a page that is busy with a call.
func goOn(callID string, tools Offered) []string {
	var ways []string
	for _, way := range []string{
		tools.Advice("browser_resume with call_id " + callID + " waits for it"),
		tools.Advice("browser_console with stop " + callID + " ends its script"),
		tools.Advice("browser_navigate leaves the page, which ends it too"),
	} {
		if way != "" {
			ways = append(ways, way)
		}
	}
	return []string{strings.Join(append(ways, "other tabs still work"), "; ")}
}

// addBlocked says how to go on.
func addBlocked(object map[string]any, blocked *host.BlockedError, tools Offered) string {
	object["pending_dialogs"] = Dialogs(blocked.Dialogs)
	if blocked.CallID == "" {
		return tools.Advice("nothing was done: answer with browser_dialog, then call again", "nothing was done: call again once somebody has answered")
	}
	object["call_id"] = blocked.CallID
	return tools.Advice(
		"answer with browser_dialog, then browser_resume with call_id "+blocked.CallID+" gives the result",
		"once somebody has answered, browser_resume with call_id "+blocked.CallID+" gives the result",
		"answer with browser_dialog; the call then goes on", "it goes on once somebody has answered")
}

// Candidate is an element that a stale ref may have meant.
type Candidate struct {
	Ref  string `json:"ref"`
	Role string `json:"role"`
	Name string `json:"name"`
}

func candidates(list []host.ElementRef) []Candidate {
	out := make([]Candidate, len(list))
	for i, e := range list {
		out[i] = Candidate{e.Ref, e.Role, Visible(e.Name)}
	}
	return out
}

// isOwn reports whether the text of an error is the host's own, with nothing in it from others except the agent's
// arguments. All other errors may contain words of a page, a plugin or a server.
func isOwn(err error) bool {
	var argument *ArgumentError
	if errors.As(err, &argument) {
		return true
	}
	for _, own := range []error{fault.ErrUnknownTask, host.ErrEvaluateDisabled, host.ErrUnknownCall, host.ErrUnknownRef, host.ErrUnknownTarget, host.ErrRestartLoop, host.ErrNoBrowser, host.ErrDelivered, fault.ErrNoPage, host.ErrNoTrace, host.ErrTraceRunning, host.ErrNotRecorded, host.ErrRecordingRunning, host.ErrHeldByOperator} {
		if errors.Is(err, own) {
			return true
		}
	}
	return false
}

// quotesPage reports whether the text of an error may contain words of a page.
func quotesPage(err error) bool {
	for _, pages := range []error{host.ErrEvaluate, host.ErrBlockedByDialog, host.ErrLoading, host.ErrNotSerialisable, host.ErrStaleRef, host.ErrNotActionable, host.ErrNotDelivered} {
		if errors.Is(err, pages) {
			return true
		}
	}
	var dialog *host.DialogError
	if wait := (*host.WaitError)(nil); errors.As(err, &wait) && wait.Seen != "" {
		return true
	}
	return errors.As(err, &dialog) && len(dialog.Open) > 0
}

// commandError remembers which command failed.
type commandError struct {
	error
	method string
}

// OfCommand adds to the error of a raw command which one it was.
func OfCommand(err error, method string) error { return &commandError{error: err, method: method} }

func (e *commandError) Unwrap() error { return e.error }

var methodPattern = regexp.MustCompile(`^[A-Za-z]+\.[A-Za-z]+$`)

// docs returns the URL of the command's documentation, or of the protocol's if it is not a command.
func (e *commandError) docs() string {
	const protocol = "https://chromedevtools.github.io/devtools-protocol/tot/"
	if !methodPattern.MatchString(e.method) {
		return protocol
	}
	domain, command, _ := strings.Cut(e.method, ".")
	return fmt.Sprintf("%s%s/#method-%s", protocol, domain, command)
}
