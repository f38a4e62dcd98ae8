package fault

import "time"

// LoadingError says that a tab is loading a page whose server has not answered. The browser holds back all commands to
// the page that is still there, so nothing was done. It is [ErrLoading], and [ErrRendererBusy] as well.
type LoadingError struct {
	// URL is the address that has not answered. A page may have chosen it.
	URL string
	// For is how long the tab has been loading it.
	For time.Duration
}

// Error names the address, and what can be done.
func (e *LoadingError) Error() string {
	return ErrLoading.Error() + " " + e.URL + ", which has not answered for " + Seconds(e.For.Round(100*time.Millisecond)) +
		"; until it does, the page that is still there answers nothing, so nothing was done: wait for the new page, or navigate or reload, which ends that load"
}

// Unwrap returns [ErrLoading] and [ErrRendererBusy].
func (e *LoadingError) Unwrap() []error { return []error{ErrLoading, ErrRendererBusy} }
