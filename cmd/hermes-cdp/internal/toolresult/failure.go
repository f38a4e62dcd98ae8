package toolresult

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// Failure is a tool that did not do what was asked.
type Failure struct {
	Result agent.Result
	Tool   string
	// Task is the one that was named; empty: none was.
	Task string
}

// Error is what the tool says went wrong, or all that it says.
func (e Failure) Error() string {
	if text, ok := e.Result.Structured["error"].(string); ok && text != "" {
		return e.Tool + ": " + text
	}
	return e.Tool + " did not do what was asked"
}

// Code says what went wrong; it is that of a failed plugin where the tool has none.
func (e Failure) Code() fault.Code {
	code, _ := e.Result.Structured["code"].(string)
	kind, _ := e.Result.Structured["kind"].(string)
	return fault.Code(cmp.Or(code, kind, string(fault.ErrToolFailed)))
}

// Wire is the error as it is shown to programs.
func (e Failure) Wire() *control.Error {
	out := &control.Error{Code: e.Code(), Message: e.Error()}
	out.CallID, _ = e.Result.Structured["call_id"].(string)
	text, err := json.Marshal(e.Result.Structured["pending_dialogs"])
	if err == nil && json.Unmarshal(text, &out.Dialogs) != nil {
		out.Dialogs = nil // they are of another shape, and in the object itself
	}
	return out
}

// Next says what to type next, in lines; where there is nothing to answer and to resume, what the tool says beside its
// error.
func (e Failure) Next() (lines []string) {
	of, task := e.Wire(), ""
	if e.Task != "" {
		task = " --task " + shellWord(e.Task)
	}
	if len(of.Dialogs) > 0 {
		lines = append(lines, "answer it: hermes-cdp dialog accept "+shellWord(of.Dialogs[0].ID)+task+", or dismiss")
	}
	call := shellWord(of.CallID) + task
	switch {
	case of.CallID != "" && e.Code() == fault.ErrDelivered:
		return append(lines, "the result, once the page is back: hermes-cdp browser resume "+call, "end its script: hermes-cdp browser console --stop "+call)
	case of.CallID != "":
		return append(lines, "the result, once answered: hermes-cdp browser resume "+call)
	case len(lines) == 0:
		return e.details()
	case e.Code() == fault.ErrBlockedByDialog:
		return append(lines, "nothing was begun: type the command again once it is answered")
	}
	return lines
}

// details are what the tool says beside its error, such as what became of each action.
func (e Failure) details() []string {
	text := e.Result.Text
	if shown, has := e.Result.Structured["error"].(string); has {
		text = strings.Replace(text, "error: "+shown, "", 1)
	}
	text = strings.Trim(agent.WithoutEmptyFence(pagetext.Lines(text)), "\n")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// shellWord writes a word as a shell reads it.
func shellWord(word string) string {
	if word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:@%+,") == "" {
		return word
	}
	return "'" + strings.ReplaceAll(pagetext.Line(word), "'", `'\''`) + "'"
}
