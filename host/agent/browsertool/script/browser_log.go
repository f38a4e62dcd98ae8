package script

import (
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// BrowserLog is the key "browser_log" of a result: what the browser itself logged during the call, in any tab of the
// task. No script noticed it, so the page may look well although a part of it is missing.
type BrowserLog struct {
	// Failures are the first ones: failed requests, missing images, what a content security policy refused. More is how
	// many others there were.
	Failures []ConsoleMessage `json:"failures,omitempty"`
	More     int              `json:"more,omitempty"`
	// Deprecations counts the uses of outdated features.
	Deprecations int               `json:"deprecations,omitempty"`
	Untrusted    *result.Untrusted `json:"untrusted,omitempty"`
}

// A model pays for each character of a result that it did not ask for; browser_console has the rest.
const (
	maxFailures    = 5
	maxFailureText = 200
)

// loggedSince returns what the browser logged after an earlier snapshot; nil if nothing.
func loggedSince(before, now *host.Snapshot) *BrowserLog {
	log := BrowserLog{Deprecations: max(0, now.Deprecations-before.Deprecations)} // it may have been cleared
	fresh := min(max(0, now.ConsoleTotal-before.ConsoleTotal), len(now.Console))
	for _, m := range now.Console[len(now.Console)-fresh:] {
		switch {
		case m.From == "" || m.Type != "error":
		case len(log.Failures) == maxFailures:
			log.More++
		default:
			log.Failures = append(log.Failures, ConsoleMessage{m.Type, m.From, pagetext.Shorten(result.Visible(m.Text), maxFailureText), pagetext.Shorten(result.Visible(m.Source), maxFailureText)})
		}
	}
	if len(log.Failures) > 0 {
		log.Untrusted = &result.Untrusted{Fields: []string{"failures"}}
	}
	if len(log.Failures) == 0 && log.Deprecations == 0 {
		return nil
	}
	return &log
}

// text is what a model reads; empty if there are no failures.
func (l BrowserLog) text(there result.Offered) string {
	if len(l.Failures) == 0 {
		return ""
	}
	lines := make([]string, len(l.Failures))
	for i, f := range l.Failures {
		lines[i] = f.From + " " + f.Text + at(f.Source)
	}
	text := "\nthe browser logged meanwhile:\n" + result.Fence(strings.Join(lines, "\n"))
	if l.More > 0 {
		text += "\nand " + result.Number(l.More, "more failure") + there.Advice("; browser_console has them")
	}
	return text
}

// TellLogged adds to the result of an action what the browser logged since an earlier snapshot.
func (k *Kit) TellLogged(r result.Result, before *host.Snapshot, there result.Offered) result.Result {
	log := loggedSince(before, k.Task.Snapshot())
	if log == nil {
		return r
	}
	r = r.With("browser_log", *log)
	r.Text += log.text(there)
	return r
}
