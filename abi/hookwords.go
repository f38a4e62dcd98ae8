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
	{"tool", "tool", HookToolCall},
}

// Word is the short name of the hook; that of one which this version does not know is the export's.
func (h Hook) Word() string {
	for i := range hookWords {
		if hookWords[i].hook == h {
			return hookWords[i].word
		}
	}
	return string(h)
}

// Grant is the word by which an operator lets a plugin serve the hook. Those of the bridge have one together, as none of them
// is of use alone.
func (h Hook) Grant() string {
	for i := range hookWords {
		if hookWords[i].hook == h {
			return hookWords[i].group
		}
	}
	return string(h)
}

// Grants lists the words of [Hook.Grant].
func Grants() []string {
	return []string{"dialog", "dialog-closed", "frames", "bridge", "navigate", "tool"}
}

// ParseHooks returns the hooks that a word stands for: that of [Hook.Grant], that of [Hook.Word], or the name of the export.
// It returns none for any other.
func ParseHooks(word string) []Hook {
	var hooks []Hook
	for i := range hookWords {
		if w := &hookWords[i]; word == w.word || word == w.group || word == string(w.hook) {
			hooks = append(hooks, w.hook)
		}
	}
	return hooks
}
