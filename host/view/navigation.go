package view

import (
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// DeniedNavigation is a navigation that a plugin, the host's fallback or the network guard denied, or that a plugin
// sent elsewhere.
type DeniedNavigation struct {
	URL       string    `json:"url"` // cut at 2 KiB; untrusted text
	FrameID   string    `json:"frame_id"`
	FrameKind FrameKind `json:"frame_kind"`
	TargetID  string    `json:"target_id"`
	// RewrittenTo is where a plugin sent it instead; empty: it was denied.
	RewrittenTo string `json:"rewritten_to,omitempty"`
	// At is in Unix seconds with a fraction, as seen by the host.
	At UnixTime `json:"at"`
	// Reason is the plugin's own text, cut at 1 KiB, or what went wrong.
	Reason string `json:"reason"`
	// FailedClosed says that no plugin decided, in which case the host denies; see Options.NavigateFailClosed.
	FailedClosed bool `json:"failed_closed,omitempty"`
	// DecidedBy says which module denied it or failed to decide.
	DecidedBy Provenance `json:"decided_by,omitzero"`

	number  int // counts the task's denials from 1
	refused *fault.NetworkRefusedError
}

func denialsOf(list []supervise.Denial) []DeniedNavigation {
	out := make([]DeniedNavigation, len(list))
	for i, d := range list {
		out[i] = denialOf(d)
	}
	return out
}

func denialOf(d supervise.Denial) DeniedNavigation {
	out := DeniedNavigation{
		URL: d.URL, RewrittenTo: d.To, FrameID: string(d.Frame), FrameKind: FrameKind(d.FrameKind.String()), TargetID: string(d.Target), At: UnixTime{d.At},
		Reason: d.Reason, FailedClosed: d.FailedClosed, DecidedBy: provenanceOf(d.Decision), number: d.Number,
	}
	if r := d.Refused; r != nil {
		out.refused = &fault.NetworkRefusedError{Host: r.Host, Address: r.Address, Class: r.Class}
	}
	return out
}

// Err is the error of a navigation that was denied: a [*fault.NetworkRefusedError] if the network guard did, else a
// [*NavigationDeniedError].
func (d *DeniedNavigation) Err() error {
	if d.refused != nil {
		return d.refused
	}
	return &NavigationDeniedError{Navigation: *d}
}

// Why is what the error of a denied navigation says of it.
func (d *DeniedNavigation) Why() string {
	return strings.TrimPrefix(d.Err().Error(), fault.ErrNavigate.Error()+": ")
}

// LastDenial returns the number of the newest denial; 0 if there is none.
func (s *Snapshot) LastDenial() int {
	if n := len(s.RecentNavigations); n > 0 {
		return s.RecentNavigations[n-1].number
	}
	return 0
}

// DenialsSince lists the denials with a number above the given one, oldest first.
func (s *Snapshot) DenialsSince(number int) (list []DeniedNavigation) {
	for _, d := range s.RecentNavigations {
		if d.number > number {
			list = append(list, d)
		}
	}
	return list
}

// DenialSince returns the newest denial of a frame with a number above the given one, or nil.
func (s *Snapshot) DenialSince(number int, frame string) *DeniedNavigation {
	for _, d := range slices.Backward(s.RecentNavigations) {
		if d.number > number && d.FrameID == frame {
			return &d
		}
	}
	return nil
}
