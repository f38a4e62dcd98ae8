package host

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// errBlockedByClient is Chromium's word for a request that the Fetch domain failed for this reason. An extension of the
// user's can have done that, too.
const errBlockedByClient = "net::ERR_BLOCKED_BY_CLIENT"

// DeniedNavigation is a navigation that a plugin, or the host's fallback, denied.
type DeniedNavigation struct {
	URL       string `json:"url"` // cut at 2 KiB; untrusted text
	FrameID   string `json:"frame_id"`
	FrameKind string `json:"frame_kind"` // top, local or oopif; unspecified where the frame was not known
	TargetID  string `json:"target_id"`
	// At is in Unix seconds with a fraction, as seen by the host.
	At UnixTime `json:"at"`
	// Reason is the plugin's own word, cut at 1 KiB, or what went wrong.
	Reason string `json:"reason"`
	// FailedClosed says that no plugin decided, and the host denies then; see [Options.NavigateFailClosed].
	FailedClosed bool `json:"failed_closed,omitempty"`
	// DecidedBy says which module denied it, or failed to decide.
	DecidedBy Provenance `json:"decided_by,omitzero"`

	number int // of the task's denials, from 1
}

// NavigationDeniedError says who denied a navigation, and why. It is [ErrNavigationDenied].
type NavigationDeniedError struct{ Navigation DeniedNavigation }

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

// Unwrap gives [ErrNavigationDenied].
func (e *NavigationDeniedError) Unwrap() error { return ErrNavigationDenied }

// NavigationCounters count navigations while a plugin decides on them. A redirect is one of its own.
type NavigationCounters struct {
	Asked     uint64 `json:"asked"`
	Allowed   uint64 `json:"allowed"` // by a plugin, or because all abstained
	Denied    uint64 `json:"denied"`  // by a plugin
	Rewritten uint64 `json:"rewritten"`
	// FailedOpen and FailedClosed are those on which a plugin failed to decide.
	FailedOpen   uint64 `json:"failed_open"`
	FailedClosed uint64 `json:"failed_closed"`
	// Refused documents were of a scheme that is not allowed; see [Options.AllowSchemes]. They count without a plugin, too.
	Refused uint64 `json:"refused"`
	// Unseen documents came without a request; see [Snapshot.NavigationsUnseen].
	Unseen uint64 `json:"unseen"`
}

func navigationCounters(s supervise.Counters) NavigationCounters {
	n := s.Navigations
	return NavigationCounters{
		Asked: n[supervise.NavigationAsked], Allowed: n[supervise.NavigationAllowed], Denied: n[supervise.NavigationDenied],
		Rewritten: n[supervise.NavigationRewritten], FailedOpen: n[supervise.NavigationFailedOpen],
		FailedClosed: n[supervise.NavigationFailedClosed], Unseen: n[supervise.NavigationUnseen], Refused: n[supervise.NavigationRefused],
	}
}

func publicDenials(list []supervise.Denial) []DeniedNavigation {
	out := make([]DeniedNavigation, len(list))
	for i, d := range list {
		out[i] = publicDenial(d)
	}
	return out
}

func publicDenial(d supervise.Denial) DeniedNavigation {
	return DeniedNavigation{
		URL: d.URL, FrameID: string(d.Frame), FrameKind: d.FrameKind.String(), TargetID: string(d.Target), At: UnixTime{d.At},
		Reason: d.Reason, FailedClosed: d.FailedClosed, DecidedBy: publicProvenance(d.Decision), number: d.Number,
	}
}

// lastDenial is the number of the newest one; 0 where there is none.
func (s *Snapshot) lastDenial() int {
	if n := len(s.RecentNavigations); n > 0 {
		return s.RecentNavigations[n-1].number
	}
	return 0
}

// denialSince finds the newest one of a frame after that of a number, or nil.
func (s *Snapshot) denialSince(number int, frame string) *DeniedNavigation {
	for _, d := range slices.Backward(s.RecentNavigations) {
		if d.number > number && d.FrameID == frame {
			return &d
		}
	}
	return nil
}
