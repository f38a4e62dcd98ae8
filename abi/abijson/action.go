package abijson

import (
	"fmt"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// CheckAction returns what is wrong with the action of a verdict; nil for a verdict without one.
func CheckAction(verdict abi.Message) error {
	switch v := verdict.(type) {
	case *abi.DialogVerdict:
		return known(v.Action, abi.DialogActionDismiss)
	case *abi.NavigateVerdict:
		return known(v.Action, abi.NavigateActionRewrite)
	case *abi.RequestVerdict:
		return known(v.Action, abi.RequestActionAbort)
	case *abi.ToolVerdict:
		return known(v.Action, abi.ToolActionAsk)
	case *abi.ConsoleVerdict:
		return known(v.Action, abi.ConsoleActionMask)
	case *abi.SnapshotVerdict:
		for i := range v.Edits {
			edit := &v.Edits[i]
			if err := known(edit.Action, abi.SnapshotActionAnnotate); err != nil {
				return fmt.Errorf("edit %d: %w", i, err)
			}
			if edit.Action == abi.SnapshotActionAnnotate && edit.Note == "" {
				return fmt.Errorf("edit %d: the note is empty; drop the edit to leave the node as it is", i)
			}
		}
	case *abi.FileVerdict:
		return known(v.Action, abi.FileActionDeny)
	}
	return nil
}

// known refuses values that are none of those from 1 to last.
func known[A interface {
	~int32
	String() string
}](action, last A) error {
	if action >= 1 && action <= last {
		return nil
	}
	var words []string
	for a := A(1); a <= last; a++ {
		words = append(words, fmt.Sprintf("%d (%s)", a, a))
	}
	end := len(words) - 1
	return fmt.Errorf("the verdict has action %d; it must be %s or %s", action, strings.Join(words[:end], ", "), words[end])
}
