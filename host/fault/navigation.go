package fault

import (
	"fmt"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// NavigationDeniedError says who denied a navigation, and why. It matches [ErrNavigationDenied].
type NavigationDeniedError struct{ Navigation view.DeniedNavigation }

// Error names the plugin, its rule and its reason.
func (e *NavigationDeniedError) Error() string {
	var b strings.Builder
	b.WriteString(ErrNavigationDenied.Error())
	if by := e.Navigation.DecidedBy; by.Module != "" {
		fmt.Fprintf(&b, " by plugin %q", by.Module)
		if by.Rule != "" {
			fmt.Fprintf(&b, ", rule %q", by.Rule)
		}
	}
	if e.Navigation.Reason != "" {
		fmt.Fprintf(&b, ": %s", e.Navigation.Reason)
	}
	return b.String()
}

// Unwrap returns [ErrNavigationDenied].
func (e *NavigationDeniedError) Unwrap() error { return ErrNavigationDenied }
