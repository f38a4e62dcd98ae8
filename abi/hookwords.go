package abi

// The short names of hooks, as configurations and command lines have them.
var hookWords = [...]struct {
	word, group string
	hook        Hook
}{
	{"dialog", "dialog", HookDialog},
	{"dialog-closed", "dialog-closed", HookDialogClosed},
	{"frames", "frames", HookFrames},
	{"bridge-script", "bridge", HookBridgeScript},
	{"bridge-request", "bridge", HookBridgeRequest},
	{"bridge-reply", "bridge", HookBridgeReply},
	{"navigate", "navigate", HookNavigate},
	{"request", "request", HookRequest},
	{"tool", "tool", HookToolCall},
	{"before-tool", "before-tool", HookBeforeTool},
	{"after-tool", "after-tool", HookAfterTool},
	{"console", "console", HookConsole},
	{"snapshot", "snapshot", HookSnapshot},
	{"download", "download", HookDownload},
	{"upload", "upload", HookUpload},
}

// Word returns the short name of the hook, or the name of the export if this version does not know it.
func (h Hook) Word() string {
	for i := range hookWords {
		if hookWords[i].hook == h {
			return hookWords[i].word
		}
	}
	return string(h)
}

// Grant returns the word by which an operator lets a plugin serve the hook. The hooks of the bridge share one, because
// none of them is useful alone.
func (h Hook) Grant() string {
	for i := range hookWords {
		if hookWords[i].hook == h {
			return hookWords[i].group
		}
	}
	return string(h)
}

// Grants lists all words that [Hook.Grant] returns.
func Grants() []string {
	return []string{
		"dialog", "dialog-closed", "frames", "bridge", "navigate", "request", "tool", "before-tool", "after-tool", "console", "snapshot",
		"download", "upload",
	}
}

// ParseHooks returns the hooks that a word stands for: a word of [Hook.Grant] or [Hook.Word], or the name of an export.
// For any other word there are none.
func ParseHooks(word string) []Hook {
	var hooks []Hook
	for i := range hookWords {
		if w := &hookWords[i]; word == w.word || word == w.group || word == string(w.hook) {
			hooks = append(hooks, w.hook)
		}
	}
	return hooks
}
