package trial

import (
	"fmt"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// HookError says that a hook is not known, or that it is not clear which of a module's is meant.
type HookError struct {
	Given string // empty: none was
	Known []string
}

// Error names the hooks that can be given.
func (e *HookError) Error() string {
	if e.Given == "" {
		return "the module serves several hooks; name one with --hook: " + strings.Join(e.Known, ", ")
	}
	return fmt.Sprintf("--hook %q is not possible; want one of %s", e.Given, strings.Join(e.Known, ", "))
}

// ChooseHook returns the hook of a word, or of an export's name, which must be one that the module serves. An empty
// word is the only hook of a module. The error is a [*HookError].
func ChooseHook(word string, served []abi.Hook) (abi.Hook, error) {
	if word == "" && len(served) == 1 {
		return served[0], nil
	}
	var known []string
	for _, hook := range served {
		name := hook.Word()
		if word == name || word == string(hook) {
			return hook, nil
		}
		known = append(known, name)
	}
	return "", &HookError{word, known}
}
