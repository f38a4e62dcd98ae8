package host

import (
	"context"
	"errors"
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/browser"
	"github.com/hermes-cdp/hermes-cdp/host/internal/lease"
	"github.com/hermes-cdp/hermes-cdp/host/provider"
)

// ReapOptions say where hosts may have left something, and with what it is ended.
type ReapOptions struct {
	Recording RecordingOptions
	Rental    RentalOptions
	// DryRun changes nothing.
	DryRun bool
}

// ReapedKind is what was left.
type ReapedKind string

// What hosts can leave.
const (
	ReapedBrowser   ReapedKind = "browser"   // the processes of one, with its profile
	ReapedProfile   ReapedKind = "profile"   // the temporary profile of a browser that has ended
	ReapedDownloads ReapedKind = "downloads" // the temporary directory of what a task downloaded
	ReapedSession   ReapedKind = "session"   // of a rented browser
	ReapedRecording ReapedKind = "recording" // that was not completed
)

// Reaped is what a host that is gone had left, and what was done about it.
type Reaped struct {
	Kind ReapedKind `json:"kind"`
	// What names it: the directory of a profile, a provider and its session, a file.
	What string `json:"what"`
	// PIDs are the processes of a browser.
	PIDs []int `json:"pids,omitempty"`
	// Done says that it is gone, or complete. It is false in a dry run, and if Error says why not.
	Done  bool   `json:"done"`
	Error string `json:"error,omitempty"`
}

// Reap ends what hosts of this user on this machine have left that are gone: browsers with their temporary profiles,
// temporary downloads, rented sessions, recordings. A host does the same when it starts, or starts a browser. Locks
// that the system takes away when a process ends tell whether a host is alive; ids of processes, which can be reused,
// do not. What a living host has, and what was not started by one, is left alone. The error is that of a directory that
// cannot be read; what could not be ended is in the list.
func Reap(ctx context.Context, o ReapOptions) (list []Reaped, err error) {
	defer fault.During("reap", &err)
	for _, left := range browser.Reap(o.DryRun) {
		one := Reaped{Kind: ReapedProfile, What: left.Profile, PIDs: left.PIDs}
		switch {
		case left.Downloads != "":
			one.Kind, one.What = ReapedDownloads, left.Downloads
		case len(left.PIDs) > 0:
			one.Kind = ReapedBrowser
		}
		list = append(list, one.ended(o.DryRun, left.Err))
	}
	sessions, sessionsErr := reapSessions(ctx, o)
	recordings, recordingsErr := reapRecordings(o)
	return append(append(list, sessions...), recordings...), errors.Join(sessionsErr, recordingsErr)
}

// ended adds how it went.
func (r Reaped) ended(dry bool, err error) Reaped {
	r.Done, r.Error = !dry && err == nil, textOf(err)
	return r
}

func reapSessions(ctx context.Context, o ReapOptions) (list []Reaped, err error) {
	journal := lease.New(o.Rental.Journal)
	add := func(l lease.Lease, err error) {
		list = append(list, Reaped{Kind: ReapedSession, What: fmt.Sprintf("%s %s", l.Provider, l.ID)}.ended(o.DryRun, err))
	}
	if o.DryRun {
		left, err := journal.Left()
		for _, l := range left {
			add(l, nil)
		}
		return list, err
	}
	err = journal.Abandoned(func(l lease.Lease) error {
		err := o.Rental.release(ctx, l)
		add(l, err)
		return err
	})
	return list, err
}

// release ends a session at its service.
func (o RentalOptions) release(ctx context.Context, l lease.Lease) error {
	for _, p := range o.Providers {
		if p.Name() == l.Provider {
			ctx, cancel := context.WithTimeout(ctx, provider.ReleaseTimeout)
			defer cancel()
			return p.Release(ctx, l.ID)
		}
	}
	return fmt.Errorf("%w: %s is not configured, or its key is missing; the session ends by the service's own timeout", ErrProvider, l.Provider)
}

func reapRecordings(o ReapOptions) (list []Reaped, err error) {
	store := newRecordingStore(o.Recording)
	if store == nil {
		return nil, nil
	}
	err = store.Recover(o.DryRun, func(path string, err error) {
		list = append(list, Reaped{Kind: ReapedRecording, What: path}.ended(o.DryRun, err))
	})
	return list, err
}
