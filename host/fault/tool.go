package fault

// ToolDeniedError says that a plugin denied a call of a tool, or its result, or that none decided and the host denies
// in that case. It matches [ErrToolDenied].
type ToolDeniedError struct {
	Tool string
	// Plugin denied it, for a reason and by a rule of its own. Reason is the cause of the failure if FailedClosed.
	Plugin, Reason, Rule string
	// After says that the tool has run: only its result is withheld.
	After        bool
	FailedClosed bool
}

// Error names the tool and the plugin, and says whether the tool has run.
func (e *ToolDeniedError) Error() string {
	text := ErrToolDenied.Error() + ": " + e.Tool + " was not called: "
	if e.After {
		text = ErrToolDenied.Error() + ": the result of " + e.Tool + ", which has run, is withheld: "
	}
	if e.FailedClosed {
		return text + "no plugin could decide on it: " + e.Reason
	}
	text += "plugin " + e.Plugin + " denied it"
	if e.Rule != "" {
		text += " by the rule " + e.Rule
	}
	if e.Reason != "" {
		text += ": " + e.Reason
	}
	return text
}

// Unwrap returns [ErrToolDenied].
func (e *ToolDeniedError) Unwrap() error { return ErrToolDenied }
