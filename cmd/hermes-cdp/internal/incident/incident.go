// Package incident turns a hook call that a host made into a case of a plugin's golden table. The case fails until its
// author states what the plugin should have decided.
package incident

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// Table is where a plugin's directory has its golden table.
const Table = "testdata/golden.json"

// Recorded says what was written.
type Recorded struct {
	Table string `json:"table"` // the file
	Case  string `json:"case"`  // the name of the new case
	Test  string `json:"test,omitempty"`
	// Gave is what the plugin did, in words of a golden case: verdict, abstain, error or fault.
	Gave string `json:"gave"`
	// Masked says that secrets in the event or the configuration were replaced, so that the plugin may do something else
	// than it did.
	Masked bool `json:"masked,omitempty"`
	// Plugin, Hook, Sequence and SHA256 name the call.
	Plugin   string `json:"plugin"`
	Hook     string `json:"hook"`
	Sequence uint64 `json:"sequence"`
	SHA256   string `json:"sha256"`
}

// Record appends a call to the golden table in the directory of a plugin, which is made where there is none; and so is
// a test that runs it, where the directory has Go sources and no such test. Cases that are there stay as they are
// written.
func Record(dir string, e host.JournalEntry) (Recorded, error) {
	if info, err := os.Stat(dir); err != nil {
		return Recorded{}, fmt.Errorf("the plugin's directory: %w", err)
	} else if !info.IsDir() {
		return Recorded{}, fmt.Errorf("%s is no directory; name the one with the plugin's sources", dir)
	}
	if e.Incomplete {
		return Recorded{}, fmt.Errorf("call %d cannot be repeated: a part of it is not there, as a secret could not be masked in it", e.Sequence)
	}
	table, err := openTable(filepath.Join(dir, Table), string(e.Hook))
	if err != nil {
		return Recorded{}, err
	}
	test, err := testFor(dir)
	if err != nil {
		return Recorded{}, err
	}
	c := caseOf(e, table.hook)
	c.Name = table.free(nameOf(e))
	if err := table.add(c); err != nil {
		return Recorded{}, err
	}
	return Recorded{
		Table: table.path, Case: c.Name, Test: test.path, Gave: gave(e), Masked: e.Masked,
		Plugin: e.Plugin, Hook: string(e.Hook), Sequence: e.Sequence, SHA256: e.SHA256,
	}, test.write()
}

// nameOf names a case after the call: "incident d-7 2026-11-21T17:12:03.000Z".
func nameOf(e host.JournalEntry) string {
	return "incident " + cmp.Or(e.Subject, fmt.Sprintf("call %d", e.Sequence)) + " " + e.Time.UTC().Format("2006-01-02T15:04:05.000Z07:00")
}

// gave is what the plugin did.
func gave(e host.JournalEntry) string {
	switch e.Outcome {
	case "decided":
		return `"verdict": ` + string(e.Verdict)
	case "abstained":
		return `"abstain": true`
	case "error":
		return fmt.Sprintf(`"error": %s`, quoted(e.Reason))
	}
	return "fault " + e.Fault
}

func quoted(text string) string {
	out, err := json.Marshal(text)
	if err != nil {
		return fmt.Sprintf("%q", text) // it is not UTF-8
	}
	return string(out)
}

// Find picks the call that is meant from those that fit, which are ordered: the last one. The error says what was
// looked for.
func Find(list []host.JournalEntry, f host.JournalFilter) (host.JournalEntry, error) {
	if len(list) > 0 {
		return list[len(list)-1], nil
	}
	text := "no call fits"
	for _, part := range []struct{ name, value string }{
		{"plugin", f.Plugin}, {"hook", string(f.Hook)}, {"subject", f.Subject}, {"task", f.Task},
	} {
		if part.value != "" {
			text += fmt.Sprintf(", %s %q", part.name, part.value)
		}
	}
	if f.Sequence != 0 {
		text += fmt.Sprintf(", number %d", f.Sequence)
	}
	return host.JournalEntry{}, errors.New(text + "; hermes-cdp plugin journal lists those that there are")
}
