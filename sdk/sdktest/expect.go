package sdktest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/abijson"
)

// validate rejects a case that expects several things, or has a document that cannot be one. A case that expects
// nothing is run, to show what it could expect.
func (c Case) validate(hook abi.Hook) error {
	var given []string
	for _, e := range []struct {
		name string
		is   bool
	}{{"verdict", present(c.Verdict)}, {"abstain", c.Abstain}, {"error", c.Error != ""}, {"init_error", c.InitError != ""}} {
		if e.is {
			given = append(given, e.name)
		}
	}
	if len(given) > 1 {
		return fmt.Errorf("the case expects %s: give only one of them", strings.Join(given, " and "))
	}
	switch {
	case c.Document == "":
	case hook != abi.HookToolCall:
		return fmt.Errorf("the case has the document %q, and only tools have page scripts: %s", c.Document, abi.HookToolCall)
	case !filepath.IsLocal(c.Document):
		return fmt.Errorf("the document %q is not in the directory of the table", c.Document)
	}
	return nil
}

// present reports whether there is a value other than null.
func present(v json.RawMessage) bool { return len(v) > 0 && string(v) != "null" }

func (c Case) compare(hook abi.Hook, got Result) error {
	switch {
	case present(c.Verdict):
		return c.compareVerdict(hook, got)
	case c.Error != "":
		if got.Status != abi.StatusError || got.Reason != c.Error {
			return fmt.Errorf("status is %s %q, want the error %q", got.Status, got.Reason, c.Error)
		}
		return nil
	case c.Abstain:
		if got.Status != abi.StatusAbstain {
			return fmt.Errorf("status is %s %q, want to abstain", got.Status, got.Reason)
		}
		return nil
	default:
		return errors.New("the case expects nothing: state the verdict you want; the module gave " + answer(hook, got))
	}
}

func (c Case) compareVerdict(hook abi.Hook, got Result) error {
	if got.Status != abi.StatusDecided {
		return fmt.Errorf("status is %s %q, want the verdict %s", got.Status, got.Reason, c.Verdict)
	}
	want, err := abijson.ParseVerdict(hook, c.Verdict)
	if err != nil {
		return fmt.Errorf("verdict: %w", err)
	}
	if !bytes.Equal(canonical(hook, want), canonical(hook, got.Verdict)) {
		return fmt.Errorf("verdict is %s\nwant %s", show(hook, got.Verdict), show(hook, want))
	}
	return nil
}

// canonical is a verdict as the host reads it: the members of objects are in order, and what is not written is a
// default. The order in which a plugin adds members says nothing.
func canonical(hook abi.Hook, verdict []byte) []byte {
	if _, v := abi.NewMessages(hook); v != nil && v.Unmarshal(verdict) == nil {
		return v.Append(nil)
	}
	return verdict
}

// show formats a verdict as JSON, or as bytes if it is invalid.
func show(hook abi.Hook, verdict []byte) string {
	text, err := abijson.Verdict(hook, verdict)
	if err != nil {
		return fmt.Sprintf("% x (%v)", verdict, err)
	}
	return string(text)
}

// answer formats what the module returned as a case would expect it.
func answer(hook abi.Hook, got Result) string {
	switch got.Status {
	case abi.StatusDecided:
		return show(hook, got.Verdict)
	case abi.StatusAbstain:
		return `"abstain": true`
	default:
		return fmt.Sprintf(`"error": %q`, got.Reason)
	}
}
