package fault

import "strconv"

// FileDeniedError says that a plugin denied a file, or that none decided and the host denies in that case. It matches
// [ErrFileDenied].
type FileDeniedError struct {
	Name string
	// Upload says that a page was about to get the file; otherwise a page offered it.
	Upload bool
	// Plugin denied it, for a reason and by a rule of its own. Reason is the cause of the failure if FailedClosed.
	Plugin, Reason, Rule string
	FailedClosed         bool
}

// Error names the file and the plugin, and says what became of the file.
func (e *FileDeniedError) Error() string {
	text := ErrFileDenied.Error() + ": the download of " + strconv.Quote(e.Name) + " was stopped and removed: "
	if e.Upload {
		text = ErrFileDenied.Error() + ": the page did not get " + strconv.Quote(e.Name) + ": "
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

// Unwrap returns [ErrFileDenied].
func (e *FileDeniedError) Unwrap() error { return ErrFileDenied }
