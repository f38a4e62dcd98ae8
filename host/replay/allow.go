package replay

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/abijson"
)

// Allow is a list of intended differences.
type Allow []Allowance

// Allowance allows the differences that match all of its fields: the call's number (or more of its identity), or the
// hook and the new decision.
type Allowance struct {
	Sequence uint64    `json:"sequence,omitzero"`
	Time     time.Time `json:"time,omitzero"` // numbers start again with each start of a host
	Hook     abi.Hook  `json:"hook,omitzero"`
	Subject  string    `json:"subject,omitzero"`
	After    *Decision `json:"after,omitzero"`
}

// allowFile is the JSON form of a list.
type allowFile struct {
	Format int         `json:"format"`
	Allow  []Allowance `json:"allow"`
}

// allowFormat is the version of the JSON form.
const allowFormat = 1

// ParseAllow parses a list: either JSON from [FormatAllow], or text with the number of a call on each line, where #
// begins a comment.
func ParseAllow(data []byte) (Allow, error) {
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		return parseAllowJSON(data)
	}
	var list Allow
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		text, _, _ := strings.Cut(line, "#")
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		sequence, err := strconv.ParseUint(text, 10, 64)
		if err != nil || sequence == 0 {
			return nil, fmt.Errorf("line %d: %q is not the number of a call; write one on each line, or use the JSON that --write-allow writes", n, text)
		}
		list = append(list, Allowance{Sequence: sequence})
	}
	return list, nil
}

func parseAllowJSON(data []byte) (Allow, error) {
	var file allowFile
	if err := json.Unmarshal(data, &file, json.RejectUnknownMembers(true)); err != nil {
		return nil, err
	}
	if file.Format != allowFormat {
		return nil, fmt.Errorf("format is %d; this version reads %d", file.Format, allowFormat)
	}
	for i := range file.Allow {
		if err := file.Allow[i].normalise(); err != nil {
			return nil, fmt.Errorf("allow[%d]: %w", i, err)
		}
	}
	return file.Allow, nil
}

// normalise rejects what would allow too much, and formats the verdict as in decisions.
func (a *Allowance) normalise() error {
	if a.Hook != "" && !slices.Contains(abi.Hooks(), a.Hook) {
		return fmt.Errorf("hook is %q; the hooks are %v", a.Hook, abi.Hooks())
	}
	if a.Sequence == 0 && (a.Hook == "" || a.After == nil) {
		return errors.New("give sequence, or hook and after: anything less would allow everything")
	}
	if a.After == nil || len(a.After.Verdict) == 0 || jsontext.Value(a.After.Verdict).Kind() == '"' {
		return nil
	}
	if a.Hook == "" {
		return errors.New("after has a verdict; give its hook")
	}
	wire, err := abijson.ParseVerdict(a.Hook, a.After.Verdict)
	if err != nil {
		return fmt.Errorf("after: verdict: %w", err)
	}
	a.After.Verdict = showVerdict(a.Hook, wire)
	return nil
}

// FormatAllow formats a list that allows all differences of a report.
func FormatAllow(r Report) ([]byte, error) {
	file := allowFile{Format: allowFormat, Allow: []Allowance{}}
	for _, d := range r.Differences {
		after := Decision{Outcome: d.After.Outcome, Verdict: d.After.Verdict, Fault: d.After.Fault}
		file.Allow = append(file.Allow, Allowance{Sequence: d.Sequence, Time: d.Time, Hook: d.Hook, Subject: d.Subject, After: &after})
	}
	text, err := json.Marshal(file, jsontext.WithIndent("  "))
	return append(text, '\n'), err
}

func (list Allow) permits(d *Difference) bool {
	return slices.ContainsFunc(list, func(a Allowance) bool {
		return (a.Sequence == 0 || a.Sequence == d.Sequence) && (a.Time.IsZero() || a.Time.Equal(d.Time)) &&
			(a.Hook == "" || a.Hook == d.Hook) && (a.Subject == "" || a.Subject == d.Subject) &&
			(a.After == nil || a.After.Same(d.After))
	})
}
