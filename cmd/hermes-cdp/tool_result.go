package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// resultLines are what a model reads of a result, and the files that were written. Whoever made the text, nothing in it
// steers a terminal.
func resultLines(r agent.Result, pictures []picture) []string {
	lines := strings.Split(strings.TrimRight(pagetext.Lines(r.Text), "\n"), "\n")
	for _, p := range pictures {
		if p.ours {
			lines = append(lines, "picture written to "+oneLine(p.Path))
		}
	}
	return lines
}

// withPictures adds the pictures to the object of a result.
func withPictures(object map[string]any, pictures []picture) map[string]any {
	out := map[string]any{}
	maps.Copy(out, object)
	if len(pictures) > 0 {
		out["pictures"] = pictures
	}
	return out
}

// toolError is a tool that did not do what was asked.
type toolError struct {
	result agent.Result
	tool   string
	task   string // as it was given; empty: none was
}

// Error is what the tool says went wrong, or all that it says.
func (e toolError) Error() string {
	if text, ok := e.result.Structured["error"].(string); ok && text != "" {
		return e.tool + ": " + text
	}
	return e.tool + " did not do what was asked"
}

// exit is the exit code for the kind of failure.
func (e toolError) exit() int {
	switch e.kind() {
	case host.KindBlocked:
		return exitBlocked
	case host.KindTransport:
		return exitUnreachable
	case host.KindTimeout, host.KindDelivered:
		return exitTimeout
	case agent.KindBadArguments:
		return exitUsage
	}
	return exitFailed
}

func (e toolError) kind() string {
	kind, _ := e.result.Structured["kind"].(string)
	return kind
}

// wire is the error as it is shown to programs.
func (e toolError) wire() *control.Error {
	out := &control.Error{Code: "tool_failed", Message: e.Error()}
	if kind := e.kind(); kind != "" {
		out.Code = control.Code(kind)
	}
	out.CallID, _ = e.result.Structured["call_id"].(string)
	text, err := json.Marshal(e.result.Structured["pending_dialogs"])
	if err == nil && json.Unmarshal(text, &out.Dialogs) != nil {
		out.Dialogs = nil // they are of another shape, and in the object itself
	}
	return out
}

// printToolError says what went wrong, and what to type next.
func (a *app) printToolError(e toolError) {
	shown := e.wire()
	if a.json {
		a.printError(shown)
		return
	}
	if shown.CallID == "" && len(shown.Dialogs) == 0 {
		a.printError(shown)
		a.printDetails(e)
		return
	}
	callID := shown.CallID
	shown.CallID = "" // it is resumed as the tool that it is
	a.printError(shown)
	task := ""
	if e.task != "" {
		task = " --task " + shellWord(e.task)
	}
	if len(shown.Dialogs) > 0 {
		_, _ = fmt.Fprintf(a.stderr, "  answer it: hermes-cdp dialog accept %s%s, or dismiss\n", shellWord(shown.Dialogs[0].ID), task)
	}
	switch {
	case callID != "" && e.kind() == host.KindDelivered:
		_, _ = fmt.Fprintf(a.stderr, "  the result, once the page is back: hermes-cdp browser resume %[1]s%[2]s\n  end its script: hermes-cdp browser console --stop %[1]s%[2]s\n",
			shellWord(callID), task)
	case callID != "":
		_, _ = fmt.Fprintf(a.stderr, "  the result, once answered: hermes-cdp browser resume %s%s\n", shellWord(callID), task)
	case e.kind() == host.KindBlocked:
		_, _ = fmt.Fprintln(a.stderr, "  nothing was begun: type the command again once it is answered")
	}
}

// printDetails shows what the tool says beside its error, such as what became of each action.
func (a *app) printDetails(e toolError) {
	text := e.result.Text
	if shown, has := e.result.Structured["error"].(string); has {
		text = strings.Replace(text, "error: "+shown, "", 1)
	}
	text = strings.Trim(agent.WithoutEmptyFence(pagetext.Lines(text)), "\n")
	if text == "" {
		return
	}
	for line := range strings.SplitSeq(text, "\n") {
		_, _ = fmt.Fprintln(a.stderr, "  "+line)
	}
}

// shellWord writes a word as a shell reads it.
func shellWord(word string) string {
	if word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:@%+,") == "" {
		return word
	}
	return "'" + strings.ReplaceAll(oneLine(word), "'", `'\''`) + "'"
}

// asToolError finds a tool's failure.
func asToolError(err error) (toolError, bool) {
	var failed toolError
	ok := errors.As(err, &failed)
	return failed, ok
}
